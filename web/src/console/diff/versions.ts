/** What two versions of a workflow differ in: files, and the nodes and edges of their documents. Pure. */

import { type EditedFile, type Files, contentOf } from "../editor/files.ts";
import { describe } from "../editor/knowledge.ts";
import type { NodeOutline, Outline, PartView } from "../editor/said.ts";
import { DIFF } from "../words/diff.ts";

export type State = "added" | "removed" | "changed" | "same";

export interface FileChange {
  readonly path: string;
  readonly state: State;
  readonly old: EditedFile | undefined;
  readonly fresh: EditedFile | undefined;
}

/** Every path of either version, in order. */
export function compareFiles(one: Files, other: Files): readonly FileChange[] {
  const paths = [...new Set([...one, ...other].map(({ path }) => path))].sort();
  return paths.map((path) => {
    const [old, fresh] = [one, other].map((files) => files.find((file) => file.path === path));
    return { path, state: stateOf(old, fresh, sameContent), old, fresh };
  });
}

function stateOf<T>(old: T | undefined, fresh: T | undefined, same: (old: T, fresh: T) => boolean): State {
  if (old === undefined) return "added";
  if (fresh === undefined) return "removed";
  return same(old, fresh) ? "same" : "changed";
}

function sameContent(one: EditedFile, other: EditedFile): boolean {
  if (one.stored && other.stored) return one.stored.hash === other.stored.hash;
  if (one.text !== undefined || other.text !== undefined) return one.text === other.text;
  const [a, b] = [contentOf(one), contentOf(other)];
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

export interface NodeChange {
  readonly id: string;
  readonly element: string;
  readonly state: Exclude<State, "same">;
  readonly old: string;
  readonly fresh: string;
}

export interface EdgeChange {
  readonly source: string;
  readonly dest: string;
  readonly port: string;
  readonly state: "added" | "removed";
}

/** Nodes by their ids. */
export function compareNodes(one: Outline, other: Outline): readonly NodeChange[] {
  const [a, b] = [byId(one.nodes), byId(other.nodes)];
  const ids = [...new Set([...a.keys(), ...b.keys()])];
  return ids.flatMap((id) => {
    const [old, fresh] = [a.get(id), b.get(id)];
    const state = stateOf(old, fresh, (before, now) => told(before) === told(now));
    if (state === "same") return [];
    const element = fresh?.element ?? old?.element ?? "";
    return [{ id, element, state, old: old === undefined ? "" : told(old), fresh: fresh === undefined ? "" : told(fresh) }];
  });
}

function byId(nodes: readonly NodeOutline[]): Map<string, NodeOutline> {
  return new Map(nodes.map((node) => [node.id, node]));
}

/** All that a node says of itself. */
function told(node: NodeOutline): string {
  return [partTold(node), ...(node.parts ?? []).map(partTold)].join("; ");
}

function partTold(part: PartView): string {
  return DIFF.part(describe(part), part.source, part.value);
}

export function compareEdges(one: Outline, other: Outline): readonly EdgeChange[] {
  const key = ({ source, dest, port }: Outline["edges"][number]): string => JSON.stringify([source, dest, port]);
  const [a, b] = [new Set(one.edges.map(key)), new Set(other.edges.map(key))];
  const removed = one.edges.filter((edge) => !b.has(key(edge))).map((edge) => ({ ...edge, state: "removed" as const }));
  const added = other.edges.filter((edge) => !a.has(key(edge))).map((edge) => ({ ...edge, state: "added" as const }));
  return [...removed, ...added];
}
