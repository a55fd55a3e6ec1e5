/** Words of the settings of this browser. */

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
  zone: "Times",
  zones: { local: "In the time zone of this computer", UTC: "In UTC" },
} as const;
