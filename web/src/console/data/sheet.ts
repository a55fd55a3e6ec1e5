/** What stands on a run's sheet of paper beyond what its page knows already: its graph, and what it computed over time. Asked once. */

import { getBytes, getGraph, getLayers, getProfile, runStatesPath } from "../../api/client.ts";
import { Refusal } from "../../api/request.ts";
import type { GraphLayers, GraphView, ProfileView, RunSummary } from "../../api/types.gen.ts";
import { WHOLE } from "./graph.ts";

export interface SheetGraph {
  readonly picture: GraphView;
  readonly layers: GraphLayers;
  /** As `runStates` has them. */
  readonly states: Uint8Array;
}

export interface SheetFacts {
  readonly graph: SheetGraph | undefined;
  readonly profile: ProfileView | undefined;
}

export async function readSheet({ id, workflow }: RunSummary): Promise<SheetFacts> {
  const [graph, profile] = await Promise.all([unlessRefused(readGraph(id, workflow)), unlessRefused(getProfile(id))]);
  return { graph, profile };
}

async function readGraph(run: string, workflow: string): Promise<SheetGraph> {
  const [picture, layers, states] = await Promise.all([getGraph(workflow, WHOLE), getLayers(workflow), getBytes(runStatesPath(run))]);
  return { picture, layers, states: new Uint8Array(await states.arrayBuffer()) };
}

/** What the server does not tell is left out of the sheet: the rest of it is as true without. */
async function unlessRefused<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (refused) {
    if (refused instanceof Refusal) return undefined;
    throw refused;
  }
}
