/** What a project uses and may use, in words and in the fields of a form. Pure. */

import type { QuotasView, UsageView } from "../../../api/types.gen.ts";
import { count, size } from "../../words/format.ts";

export interface Use {
  readonly name: string;
  readonly text: string;
  /** The share of the bound, at most 1; `null`: there is no bound. */
  readonly share: number | null;
}

export function usesOf(usage: UsageView, quotas: QuotasView): readonly Use[] {
  const { jobsAMinute } = quotas;
  return [
    use("Open jobs", usage.openJobs, quotas.openJobs, count),
    use("Open runs", usage.openRuns, quotas.openRuns, count),
    use("Stored", usage.storedBytes, quotas.storedBytes, size),
    { name: "Jobs put in", text: jobsAMinute === 0 ? "no bound" : `at most ${count(jobsAMinute)} a minute`, share: null },
  ];
}

/** `most` is 0 where there is no bound. */
function use(name: string, used: number, most: number, text: (amount: number) => string): Use {
  if (most === 0) return { name, text: `${text(used)}, no bound`, share: null };
  return { name, text: `${text(used)} of ${text(most)}`, share: Math.min(1, used / most) };
}

export interface QuotaField {
  readonly quota: keyof QuotasView;
  readonly label: string;
  /** How many of what is counted are one in the field. */
  readonly unit: number;
}

/** Bytes as megabytes, like everywhere in the console. */
export const QUOTA_FIELDS: readonly QuotaField[] = [
  { quota: "openJobs", label: "Open jobs", unit: 1 },
  { quota: "openRuns", label: "Open runs", unit: 1 },
  { quota: "storedBytes", label: "Stored, in MB", unit: 1e6 },
  { quota: "jobsAMinute", label: "Jobs put in a minute", unit: 1 },
];

/** As it stands in the field. */
export function quotaText(quotas: QuotasView, { quota, unit }: QuotaField): string {
  return String(quotas[quota] / unit);
}

/** What stands in the fields, each in the order of `QUOTA_FIELDS`; an empty one is no bound. */
export function quotasOf(texts: readonly string[]): QuotasView {
  const amounts = QUOTA_FIELDS.map(({ quota, unit }, index) => [quota, Math.round(Number(texts[index] ?? "") * unit)] as const);
  return { openJobs: 0, openRuns: 0, storedBytes: 0, jobsAMinute: 0, ...Object.fromEntries(amounts) };
}
