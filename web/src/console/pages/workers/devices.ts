/**
 * The list of devices: whom answers come from, how far each is believed, and what somebody in charge may say of one.
 *
 * Owns its list. Never shows more of a fingerprint than the server tells.
 */

import { distrustDevice, forgiveDevice, listDevices, trustDevice } from "../../../api/devices.ts";
import type { DeviceRank, DeviceView } from "../../../api/types.gen.ts";
import { make } from "../../../dom.ts";
import { has } from "../people/who.ts";
import { RANKS, deviceFacts, presence, rankMeaning, rankTone, restText } from "../../words/devicetext.ts";
import { makeChoice, makeDeed } from "../../parts/form.ts";
import { type Loaded, makePaged } from "../../parts/section.ts";

const ABOUT = "A browser that computes has a key of its own, and is known by it. Nobody here knows whose it is.";
const SHOWN: readonly (readonly [string, string])[] = [["", "all"], ...RANKS.map(([rank]) => [rank, rank] as const)];

/** The list of devices that have ever proved their key. */
export function makeDevices(): HTMLElement {
  const rank = makeChoice("device-rank", "Show", SHOWN);
  const list: Loaded = makePaged<DeviceView>({
    id: "devices",
    read: async (after) => {
      const { devices, next } = await listDevices((rank.input.value || null) as DeviceRank | null, after);
      return { rows: devices, next };
    },
    row: (device) => entry(device, list.reload),
    empty: "No devices.",
  });
  rank.input.addEventListener("change", () => void list.reload());
  const about = make("p", { class: "muted prose" }, ABOUT);
  return make("div", {}, make("h2", {}, "Known devices"), about, rank.element, list.element);
}

function entry(device: DeviceView, onMarked: () => Promise<void>): HTMLElement {
  const now = Date.now();
  const badge = make("span", { class: "badge", "data-tone": rankTone(device), title: rankMeaning(device.rank) }, device.rank);
  const lines = [deviceFacts(device), presence(device, now), restText(device, now)].filter((line) => line !== "");
  const text = make("div", { class: "entry-text" }, make("p", {}, make("code", {}, device.device), " ", badge));
  text.append(...lines.map((line) => make("p", { class: "muted" }, line)));
  return make("li", { "data-device": device.device }, text, make("div", { class: "deeds" }, ...deeds(device, onMarked)));
}

/** For those who may mark it, and are told its fingerprint for that. */
function deeds({ device, fingerprint, trusted, passes, restsUntil }: DeviceView, onMarked: () => Promise<void>): HTMLElement[] {
  if (fingerprint === undefined || !has("devices:trust")) return [];
  const mark = (text: string, set: (fingerprint: string) => Promise<DeviceView>): HTMLElement =>
    makeDeed(text, `${text} ${device}`, async () => {
      await set(fingerprint);
      await onMarked();
    });
  const forgive = restsUntil === null ? [] : [mark("Forgive", forgiveDevice)];
  const trust = trusted ? [] : [mark("Trust", trustDevice)];
  // A newcomer without passes has nothing to lose.
  const distrust = trusted || passes > 0 ? [mark("Distrust", distrustDevice)] : [];
  return [...forgive, ...trust, ...distrust];
}
