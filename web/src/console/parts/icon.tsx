/** A picture out of icons.svg. It says nothing to those who do not see it: what it means stands beside it. */

import icons from "../icons.svg";

export function Icon({ name }: { readonly name: string }) {
  return (
    <svg class="icon" aria-hidden="true" focusable="false">
      <use href={`${icons}#${name}`} />
    </svg>
  );
}
