/** In which order a list comes: a field beside its filter. Who puts it in order, the browser or the server, says the list. */

import { PARTS } from "../words/parts.ts";

interface Choosing {
  readonly id: string;
  readonly orders: readonly { readonly key: string; readonly name: string }[];
  readonly now: string;
  readonly choose: (key: string) => void;
}

export function OrderChoice({ id, orders, now, choose }: Choosing) {
  return (
    <>
      <label for={id}>{PARTS.sort}</label>
      <select class="field" id={id} value={now} onChange={(event) => choose(event.currentTarget.value)}>
        {orders.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </>
  );
}
