/** What a project uses and may use, in words and in the fields of a form. Pure. */

import type { QuotasView, UsageView } from "../../../api/types.gen.ts";
import { count, size } from "../../words/format.ts";
import { USAGE } from "../../words/projects.ts";

export interface Use {
  readonly name: string;
  readonly text: string;
  /** The share of the bound, at most 1; `null`: there is no bound. */
  readonly share: number | null;
}

export function usesOf(usage: UsageView, quotas: QuotasView): readonly Use[] {
  const { jobsAMinute } = quotas;
  const { uses } = USAGE;
  return [
    use(uses.openJobs, usage.openJobs, quotas.openJobs, count),
    use(uses.openRuns, usage.openRuns, quotas.openRuns, count),
    use(uses.storedBytes, usage.storedBytes, quotas.storedBytes, size),
    { name: uses.jobsAMinute, text: jobsAMinute === 0 ? USAGE.noBound : USAGE.aMinute(count(jobsAMinute)), share: null },
  ];
}

/** `most` is 0 where there is no bound. */
function use(name: string, used: number, most: number, text: (amount: number) => string): Use {
  if (most === 0) return { name, text: USAGE.unbounded(text(used)), share: null };
  return { name, text: USAGE.bounded(text(used), text(most)), share: Math.min(1, used / most) };
}

export interface QuotaField {
  readonly quota: keyof QuotasView;
  readonly label: string;
  /** How many of what is counted are one in the field. */
  readonly unit: number;
}

/** Bytes as megabytes, like everywhere in the console. */
export const QUOTA_FIELDS: readonly QuotaField[] = [
  { quota: "openJobs", label: USAGE.fields.openJobs, unit: 1 },
  { quota: "openRuns", label: USAGE.fields.openRuns, unit: 1 },
  { quota: "storedBytes", label: USAGE.fields.storedBytes, unit: 1e6 },
  { quota: "jobsAMinute", label: USAGE.fields.jobsAMinute, unit: 1 },
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
