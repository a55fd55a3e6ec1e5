/** A path that may break after each of its parts. */

import { Fragment } from "preact";

export function Path({ path }: { readonly path: string }) {
  const parts = path.split("/");
  return (
    <>
      {parts.map((part, index) => (
        <Fragment key={index}>
          {index > 0 && "/"}
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </>
  );
}
