/** The place of the list of devices, which is made by hand. */

import { useLayoutEffect, useRef } from "preact/hooks";
import { makeDevices } from "./devices.ts";

export function Devices() {
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    place.current?.replaceChildren(makeDevices());
  }, []);
  return <section class="panel people" ref={place} />;
}
