/** What each key does, by where it counts. */

import { Fragment } from "preact";
import { KEY_PARTS } from "../words/keys.ts";

export function KeyList() {
  return (
    <>
      {KEY_PARTS.map(({ title, rows }) => (
        <Fragment key={title}>
          <h3>{title}</h3>
          <dl>
            {rows.map(([key, does]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </Fragment>
      ))}
    </>
  );
}
