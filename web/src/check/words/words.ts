/** The texts of `/sandbox-check` in the languages of the volunteer's page. What a probe found stays as the browser says it. */

import type { Language } from "../../volunteer/words/words.ts";
import { DE } from "./de.ts";
import { type Catalogue, EN } from "./en.ts";
import { ZH } from "./zh.ts";

export const CATALOGUES = { en: EN, de: DE, "zh-Hans": ZH } as const satisfies Record<Language, Catalogue>;
