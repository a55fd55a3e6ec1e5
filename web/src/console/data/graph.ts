/**
 * The picture of a stored workflow, as far as it is looked at: one window of it, or what is around a node; its layers; stacks that are
 * opened. A graph of a hundred thousand nodes is never here as a whole.
 */

import { signal } from "@preact/signals";
import { getGraph, getLayers, getStack } from "../../api/client.ts";
import type { GraphLayers, GraphView } from "../../api/types.gen.ts";
import type { OpenStack } from "../graph/scene.ts";

/** Which part: the window behind an item, or what is so many edges away from a node. */
export type Part =
  { readonly kind: "window"; readonly after: string } | { readonly kind: "near"; readonly node: string; readonly hops: number };

export const WHOLE: Part = { kind: "window", after: "" };

export function openGraph(workflow: string, first: Part, opened: readonly string[]) {
  const picture = signal<GraphView | undefined>(undefined);
  const layers = signal<GraphLayers | undefined>(undefined);
  const open = signal<ReadonlyMap<string, OpenStack>>(new Map());
  const part = signal(first);
  const problem = signal<unknown>(undefined);
  let turn = 0;

  async function attempt(deed: () => Promise<void>): Promise<void> {
    problem.value = undefined;
    try {
      await deed();
    } catch (refused) {
      problem.value = refused;
    }
  }
  /** Another part. What was asked for before it and comes later is dropped. */
  function show(wanted: Part): Promise<void> {
    turn += 1;
    const mine = turn;
    return attempt(async () => {
      const view = await getGraph(workflow, wanted);
      if (mine === turn) [part.value, picture.value] = [wanted, view];
    });
  }
  function openStack(id: string): Promise<void> {
    return attempt(async () => {
      const before = open.value.get(id)?.members ?? [];
      const { members, next } = await getStack(workflow, id, before.at(-1)?.id ?? null);
      open.value = new Map(open.value).set(id, { members: [...before, ...members], more: next !== null });
    });
  }
  function closeStack(id: string): void {
    open.value = new Map([...open.value].filter(([other]) => other !== id));
  }
  /** Window after window, until one has an item of this layer. */
  async function seek(layer: number): Promise<void> {
    const last = picture.value?.items.at(-1)?.layer ?? 0;
    let after: string | null = layer > last ? (picture.value?.cut?.next ?? null) : "";
    while (after !== null) {
      await show({ kind: "window", after });
      if (problem.value !== undefined || picture.value?.items.some((item) => item.layer === layer)) return;
      after = picture.value?.cut?.next ?? null;
    }
  }
  async function load(): Promise<void> {
    await attempt(async () => {
      layers.value = await getLayers(workflow);
    });
    if (problem.value === undefined) await show(part.value);
    await Promise.all(opened.map(openStack));
  }
  void load();
  return { picture, layers, open, part, problem, load, show, openStack, closeStack, seek };
}

export type OpenGraph = ReturnType<typeof openGraph>;
