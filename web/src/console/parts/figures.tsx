/** Numbers with their names, and units behind numbers. */

import { type ComponentChildren, Fragment } from "preact";
import { unitsIn } from "../words/units.ts";

export type Fact = readonly [name: string, value: ComponentChildren];

export function Figures({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="figures">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{typeof value === "string" ? <Quantity text={value} /> : value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A figure whose units stand in muted ink behind a thin space. */
export function Quantity({ text }: { readonly text: string }) {
  return (
    <>
      {unitsIn(text).map(({ number, unit }, at) => (
        <Fragment key={at}>
          {number}
          {unit !== "" && <span class="muted">{unit}</span>}
        </Fragment>
      ))}
    </>
  );
}
