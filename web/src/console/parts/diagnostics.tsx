/** What is wrong with a workflow or with code: severity, code and place, the message, and the help where there is one. */

import { render } from "preact";
import type { DiagnosticView } from "../../api/types.gen.ts";

export function Diagnostics({ found }: { readonly found: readonly DiagnosticView[] }) {
  if (found.length === 0) return null;
  return (
    <ul class="diagnostics">
      {found.map((one, index) => (
        <li key={index} data-code={one.code}>
          <p>
            <span class="badge" data-tone={one.severity === "error" ? "bad" : "busy"}>
              {one.severity}
            </span>{" "}
            <code class="muted">{one.code}</code> <code>{`${one.file}:${one.line}:${one.column}`}</code>
          </p>
          <p>{one.message}</p>
          {one.help && <p class="muted">{one.help}</p>}
        </li>
      ))}
    </ul>
  );
}

/** The same for parts that make their elements by hand. */
export function showDiagnostics(place: HTMLElement, found: readonly DiagnosticView[]): void {
  render(<Diagnostics found={found} />, place);
}
