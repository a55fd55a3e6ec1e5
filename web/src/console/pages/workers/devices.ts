/**
 * The list of devices: whom answers come from, how far each is believed, and what somebody in charge may say of one.
 *
 * Owns its list. Never shows more of a fingerprint than the server tells.
 */

import { distrustDevice, forgiveDevice, listDevices, trustDevice } from "../../../api/devices.ts";
import type { DeviceRank, DeviceView } from "../../../api/types.gen.ts";
import { make } from "../../../dom.ts";
import { now } from "../../app/clock.ts";
import { has } from "../people/who.ts";
import { devicePeek } from "../../words/devicepeek.ts";
import { DEVICES, deviceFacts, presence, rankTone, restText } from "../../words/devicetext.ts";
import { makeDeed } from "../../parts/form.ts";
import { makePaged } from "../../parts/paged.tsx";
import type { Loaded } from "../../parts/section.ts";
import { makeShowing } from "../../parts/showing.ts";
import { makeLook } from "../../table/look.tsx";
import { RANKS, rankMeaning } from "../../words/ranks.ts";

const SHOWN: readonly (readonly [DeviceRank | "", string])[] = [["", DEVICES.all], ...RANKS.map(([rank]) => [rank, rank] as const)];

/** The list of devices that have ever proved their key. */
export function makeDevices(): HTMLElement {
  const rank = makeShowing("device-rank", DEVICES.show, SHOWN, () => void list.reload());
  const list: Loaded = makePaged<DeviceView>({
    id: "devices",
    read: async (after) => {
      const { devices, next } = await listDevices(rank.chosen.value || null, after);
      return { rows: devices, next };
    },
    row: (device) => entry(device, list.reload),
    empty: DEVICES.nothing,
    noun: DEVICES.noun,
    keyOf: ({ device }) => device,
    find: {
      name: DEVICES.filter,
      label: DEVICES.label,
      entry: "listed",
      command: () => DEVICES.listCommand(rank.chosen.value),
      textOf: ({ device, rank: word }) => `${device} ${word}`,
    },
    peek: (device) => devicePeek(device, now.value),
  });
  const about = make("p", { class: "muted prose" }, DEVICES.about);
  return make("div", {}, make("h2", {}, DEVICES.title), about, rank.element, list.element);
}

function entry(device: DeviceView, onMarked: () => Promise<void>): HTMLElement {
  const at = Date.now();
  const badge = make("span", { class: "badge", "data-tone": rankTone(device), title: rankMeaning(device.rank) }, device.rank);
  const lines = [deviceFacts(device), presence(device, at), restText(device, at)].filter((line) => line !== "");
  const text = make("div", { class: "entry-text" }, make("p", {}, makeLook(make("code", {}, device.device)), " ", badge));
  text.append(...lines.map((line) => make("p", { class: "muted" }, line)));
  return make("li", { "data-device": device.device }, text, make("div", { class: "deeds" }, ...deeds(device, onMarked)));
}

/** For those who may mark it, and are told its fingerprint for that. */
function deeds({ device, fingerprint, trusted, passes, restsUntil }: DeviceView, onMarked: () => Promise<void>): HTMLElement[] {
  if (fingerprint === undefined || !has("devices:trust")) return [];
  const mark = (text: string, set: (fingerprint: string) => Promise<DeviceView>): HTMLElement =>
    makeDeed(text, DEVICES.deedLabel(text, device), async () => {
      await set(fingerprint);
      await onMarked();
    });
  const forgive = restsUntil === null ? [] : [mark(DEVICES.forgive, forgiveDevice)];
  const trust = trusted ? [] : [mark(DEVICES.trust, trustDevice)];
  // A newcomer without passes has nothing to lose.
  const distrust = trusted || passes > 0 ? [mark(DEVICES.distrust, distrustDevice)] : [];
  return [...forgive, ...trust, ...distrust];
}
