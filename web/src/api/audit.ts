/** What the console asks of the server about the audit. Never touches the DOM. */

import { ask } from "./ask.ts";
import * as routes from "./routes.gen.ts";
import type { AuditPage } from "./types.gen.ts";

/** Which rows somebody wants to see: those that fit all that is named. */
export interface AuditQuery {
  readonly actor: string | null;
  readonly action: string | null;
  readonly project: string | null;
  /** The first moment, and the first no more, in milliseconds since 1970. */
  readonly from: number | null;
  readonly to: number | null;
}

/** Rows of the audit, the newest first, behind those of the page before. @throws Refusal */
export function listAudit(query: AuditQuery, after: string | null): Promise<AuditPage> {
  return ask(routes.listAudit({ ...query, after }));
}

/** Where the rows that fit come as lines of JSON. */
export function auditExportPath(query: AuditQuery): string {
  return routes.exportAudit(query).path;
}
