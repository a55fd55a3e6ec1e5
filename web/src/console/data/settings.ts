/** The server's settings, for who may see them: asked whenever somebody looks, and the same until its next start. */

import { signal } from "@preact/signals";
import { getSettings } from "../../api/client.ts";
import type { SettingView } from "../../api/types.gen.ts";

export const settings = signal<readonly SettingView[] | undefined>(undefined);
export const settingsProblem = signal<unknown>(undefined);

export async function lookAtSettings(): Promise<void> {
  settingsProblem.value = undefined;
  try {
    settings.value = (await getSettings()).settings;
  } catch (refused) {
    settingsProblem.value = refused;
  }
}
