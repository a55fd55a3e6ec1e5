/** What a peek tells of a device. Pure. Apart from `peek.ts`: it comes with the list of devices. */

import type { DeviceView } from "../../api/types.gen.ts";
import { DEVICES, deviceFacts, presence, restText } from "./devicetext.ts";
import { type Peek, told } from "./peek.ts";
import { rankText } from "./ranks.ts";

export function devicePeek(device: DeviceView, now: number): Peek {
  return {
    title: device.device,
    mark: undefined,
    facts: told([
      [DEVICES.peek.rank, rankText(device.rank)],
      [DEVICES.peek.answers, deviceFacts(device)],
      [DEVICES.peek.stands, [presence(device, now), restText(device, now)].filter((text) => text !== "").join("\n")],
      [DEVICES.peek.fingerprint, device.fingerprint],
    ]),
  };
}
