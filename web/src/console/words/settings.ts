/** Words of the settings, of this browser and of the server. */

import type { SettingView } from "../../api/types.gen.ts";

export const SETTINGS = {
  title: "Settings",
  about: "For this browser alone: they are kept here, and sent nowhere.",
  theme: "Theme",
  themes: { system: "As the system says", light: "Light", dark: "Dark" },
  density: "Rows",
  densities: { normal: "Comfortable, 36 pixels", compact: "Compact, 28 pixels" },
  keys: "Keys",
  letters: "Single letters do something",
  lettersHint: "Turned off, only keys with Ctrl or ⌘, arrows, Enter and Esc do. Whoever speaks to the computer may want that.",
  all: "Show all keys",
  server: {
    title: "The server",
    about: "What it was started with, and where each setting comes from. They are changed on its machine, and hold from its next start on.",
    others: "Its own settings are told to those who administer it, and on its machine, without secrets:",
    command: "weevil serve --print-config",
    columns: { key: "Setting", value: "Value", from: "From" },
    /** What stands in place of a value that nobody is told. */
    value: ({ origin }: SettingView) => (origin === null ? "not set" : "set, and not shown: it may hold a secret"),
    from: ({ origin }: SettingView) => origin ?? "",
  },
  zone: "Times",
  zones: { local: "In the time zone of this computer", UTC: "In UTC" },
} as const;
