/** What a project may use, in words and in the fields of a form. Pure. */

import type { QuotasView } from "../../api/types.gen.ts";
import { count, size } from "../format.ts";

export interface Bound {
  readonly name: string;
  readonly text: string;
}

/** 0 is no bound. */
export function boundsOf({ openJobs, openRuns, storedBytes, jobsAMinute }: QuotasView): readonly Bound[] {
  const most = (bound: number, text: string): string => (bound === 0 ? "no bound" : `at most ${text}`);
  return [
    { name: "Open jobs", text: most(openJobs, count(openJobs)) },
    { name: "Open runs", text: most(openRuns, count(openRuns)) },
    { name: "Stored", text: most(storedBytes, size(storedBytes)) },
    { name: "Jobs put in", text: most(jobsAMinute, `${count(jobsAMinute)} a minute`) },
  ];
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
