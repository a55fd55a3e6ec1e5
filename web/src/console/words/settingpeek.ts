/** What a peek tells of a setting of the server. Pure. Apart from `peek.ts`: it comes with the page of settings. */

import type { SettingView } from "../../api/types.gen.ts";
import { type Peek, told } from "./peek.ts";
import { SETTINGS } from "./settings.ts";

export function settingPeek(setting: SettingView): Peek {
  const { columns, value, from } = SETTINGS.server;
  return {
    title: setting.key,
    mark: undefined,
    facts: told([
      [columns.value, setting.value ?? value(setting)],
      [columns.from, from(setting)],
    ]),
  };
}
