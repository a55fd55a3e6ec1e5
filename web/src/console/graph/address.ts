/** What of a graph stands in the address: what is copied is what somebody else sees. Pure. */

import { listIn, listText } from "../app/routes.ts";
import { type Camera, cameraIn, cameraText } from "./camera.ts";

export interface Sight {
  /** The node that is told of beside the graph; empty: none. */
  readonly node: string;
  /** The node that it is looked at around, and how many edges away; empty: the graph itself. */
  readonly near: string;
  readonly hops: number;
  /** The window behind this item; empty: the first one. */
  readonly after: string;
  /** Stacks that are open, by the first of their nodes. */
  readonly open: readonly string[];
  readonly camera: Camera | undefined;
  readonly follow: boolean;
  readonly table: boolean;
  /** Layers that are open in the list of a phone. */
  readonly layers: readonly number[];
}

/** As the server allows. */
export const MAX_HOPS = 16;
/** Stacks that are opened because an address says so, and layers. */
const MAX_OPEN = 16;
const LAYER = /^\d{1,6}$/;

export function sightIn(query: URLSearchParams): Sight {
  const get = (name: string): string => query.get(name) ?? "";
  const hops = Math.trunc(Number(get("hops")));
  return {
    node: get("node"),
    near: get("near"),
    hops: hops >= 1 && hops <= MAX_HOPS ? hops : 1,
    after: get("after"),
    open: listIn(get("open")).slice(0, MAX_OPEN),
    camera: cameraIn(get("at")),
    follow: get("follow") === "1",
    table: get("view") === "table",
    layers: listIn(get("layers"))
      .filter((layer) => LAYER.test(layer))
      .slice(0, MAX_OPEN)
      .map(Number),
  };
}

export function queryOf({ node, near, hops, after, open, camera, follow, table, layers }: Sight): Readonly<Record<string, string>> {
  return {
    node,
    near,
    hops: near === "" || hops === 1 ? "" : String(hops),
    after,
    open: listText(open),
    at: camera === undefined ? "" : cameraText(camera),
    follow: follow ? "1" : "",
    view: table ? "table" : "",
    layers: listText(layers.map(String)),
  };
}
