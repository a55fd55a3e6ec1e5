/**
 * What the console asks of the server about devices: whom answers come from, and what somebody in charge says of them.
 *
 * Never touches the DOM.
 */

import { ask } from "./ask.ts";
import * as routes from "./routes.gen.ts";
import type { DevicePage, DeviceRank, DeviceView } from "./types.gen.ts";

/** Devices behind those of the page before. @throws Refusal */
export function listDevices(rank: DeviceRank | null, after: string | null): Promise<DevicePage> {
  return ask(routes.listDevices({ rank, after }));
}

/** Answers how the device stands now. @throws Refusal */
export function trustDevice(fingerprint: string): Promise<DeviceView> {
  return ask(routes.trustDevice(fingerprint));
}

/** @throws Refusal */
export function distrustDevice(fingerprint: string): Promise<DeviceView> {
  return ask(routes.distrustDevice(fingerprint));
}

/** @throws Refusal */
export function forgiveDevice(fingerprint: string): Promise<DeviceView> {
  return ask(routes.forgiveDevice(fingerprint));
}
