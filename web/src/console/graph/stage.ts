/**
 * A graph that can be looked at and walked through: as bars of layers from far away, as boxes, or with all that there is to say. SVG
 * while there is little to see, a canvas above that.
 *
 * Hot: takes data, asks nobody, knows no framework. Tells its listener what somebody does.
 */

import "./graph.css";
import { make } from "../../dom.ts";
import { onTheme } from "../parts/theme.ts";
import { type Camera, type Size, fittedFor, levelOf, looking, panned, seen, showing, toGraph, within, zoomed } from "./camera.ts";
import { CanvasPainter } from "./canvas.ts";
import { type Facts, NO_FACTS } from "./facts.ts";
import { type Looked, type Route, farFrame, nearFrame, routesOf, stretched, wholeOf } from "./frames.ts";
import { listenToHands } from "./hands.ts";
import { layerAt } from "./layerbars.ts";
import { Minimap } from "./minimap.ts";
import type { Frame, Painter } from "./pen.ts";
import { type Box, LAYER_STEP, type Point, type Scene, type SceneItem, boxOf, itemAt, waysFrom } from "./scene.ts";
import { SvgPainter } from "./svg.ts";
import { type GraphCommand, commandOf, walked } from "./walk.ts";

export interface Listener {
  /** Somebody opens a node, a pool or a stack. */
  readonly open: (item: SceneItem) => void;
  /** A layer is asked for of which no item is here. */
  readonly seek: (layer: number) => void;
  readonly moved: (camera: Camera) => void;
  /** What the keys have reached. */
  readonly reached: (words: string) => void;
}

/** Figures that are elements at most. */
const MAX_ELEMENTS = 400;
/** Pixels by which keys move the picture. */
const PAN = 80;
/** Pixels around a picture on paper. */
const EDGE = 8;
/** The part of a screen by which its keys move the picture. */
const SCREEN = 0.8;
/** From one second of what runs to the next. */
const TICK_MS = 1000;
/** So many items are overlooked without a map. */
const MAPPED = 30;
/** The part of the height that an opened stack gets at least. */
const UNFOLDED = 0.8;
const WAYS = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] } as const;
const PAPER: Size = { width: 1000, height: 420 };
const EMPTY: Scene = { width: 0, height: 0, layers: 0, items: [], edges: [] };

export class Stage {
  readonly element = make("div", { class: "graph-stage" });
  private readonly listener: Listener;
  private readonly svg: SvgPainter;
  private readonly canvas: CanvasPainter;
  private painter: Painter;
  private scene = EMPTY;
  private counts: readonly number[] = [];
  private facts: Facts = NO_FACTS;
  private routes: readonly Route[] = [];
  private lit: ReadonlySet<number> = new Set();
  private camera: Camera | undefined;
  private size: Size = { width: 0, height: 0 };
  /** Where the keys are: an item, and from far away a layer. */
  private at = 0;
  private layer = 0;
  private chosen: string | undefined;
  private hovered: number | undefined;
  /** Something of it shows for how long it has run. */
  private hasClock = false;
  private isStill = false;
  private readonly map = new Minimap(([x, y]) => this.look({ ...this.view, x, y }));
  private asked = 0;
  private isPrinting = false;
  private readonly ending = new AbortController();

  constructor(listener: Listener, label: string) {
    this.listener = listener;
    [this.svg, this.canvas] = [new SvgPainter(label), new CanvasPainter(label)];
    this.painter = this.svg;
    this.element.append(this.painter.element, this.map.element);
    this.map.element.hidden = true;
    this.listen();
  }

  private listen(): void {
    const { signal } = this.ending;
    const sizes = new ResizeObserver(([entry]) => entry && this.resize(entry.contentRect));
    sizes.observe(this.element);
    signal.addEventListener("abort", () => sizes.disconnect());
    listenToHands(this.element, {
      pan: (across, down) => this.look(panned(this.view, across, down)),
      zoom: (at, factor) => this.look(zoomed(this.view, this.size, at, factor)),
      press: (at) => this.pressed(at),
      hover: (at) => {
        this.hovered = at && this.hit(at);
        this.light();
      },
    });
    this.element.addEventListener("keydown", (event) => this.typed(event));
    this.element.addEventListener("focusin", ({ target }) => this.focused(target));
    this.element.addEventListener("focusout", () => this.light());
    // Pressed by other means than a pointer, as screen readers do.
    this.element.addEventListener("click", (event) => event.detail === 0 && this.obey({ kind: "open" }));
    const recolour = (): void => {
      this.map.forget();
      this.draw();
    };
    signal.addEventListener("abort", onTheme(recolour));
    const ticking = setInterval(() => this.hasClock && !this.isStill && this.draw(), TICK_MS);
    signal.addEventListener("abort", () => clearInterval(ticking));
    addEventListener("beforeprint", () => this.print(true), { signal });
    addEventListener("afterprint", () => this.print(false), { signal });
  }

  close(): void {
    this.ending.abort();
    cancelAnimationFrame(this.asked);
  }

  /** Another picture, or the same with a stack opened; `counts`: nodes of each layer of the whole graph. */
  show(scene: Scene, counts: readonly number[]): void {
    const before = this.scene.items[this.at];
    [this.scene, this.counts] = [scene, counts];
    [this.routes, this.lit, this.hovered] = [routesOf(scene), new Set(), undefined];
    const same = scene.items.findIndex(({ key }) => key === before?.key);
    this.at = Math.max(0, same >= 0 ? same : this.placeOf(this.chosen));
    const now = scene.items[this.at];
    if (now?.open === true && before?.open === false) this.unfold(now);
    this.draw();
  }

  /** What an opened stack has below its head is to be seen, as far as there is room. */
  private unfold(stack: SceneItem): void {
    const room = (this.size.height / this.view.zoom) * UNFOLDED;
    this.look(showing(this.view, this.size, { ...stack, height: Math.min(stack.height, room) }));
  }

  tell(facts: Facts): void {
    this.facts = facts;
    this.hasClock = this.scene.items.some((item) => facts.timeOf(item)?.to === undefined && facts.timeOf(item) !== undefined);
    this.draw();
  }

  /** Whether times stand still. */
  still(isStill: boolean): void {
    this.isStill = isStill;
  }

  /** The item that is told of beside the graph. */
  choose(id: string | undefined): void {
    this.chosen = id;
    const at = this.placeOf(id);
    if (at >= 0) this.at = at;
    this.light();
    this.draw();
  }

  private placeOf(id: string | undefined): number {
    return this.scene.items.findLastIndex((item) => item.id === id);
  }

  /** What somebody last saw, or what an address says. */
  look(camera: Camera): void {
    // Before there is a picture, any place may be in it.
    this.camera = this.scene === EMPTY ? camera : within(camera, this.whole);
    this.listener.moved(this.camera);
    this.draw();
  }

  /** Where the keys are; `undefined` where there is nothing. */
  get here(): number | undefined {
    return this.scene.items.length === 0 ? undefined : this.at;
  }

  /** The next picture is another one: all of it is to be seen. */
  forget(): void {
    this.camera = undefined;
  }

  focus(): void {
    this.painter.focus();
  }

  /** Near enough to read it. */
  lookAt(at: number): void {
    const item = this.scene.items[at];
    if (item === undefined) return;
    this.at = at;
    this.look(looking(this.view, item));
  }

  /** Moved as little as it takes to see all of these; all of them fit, or they are shown from further away. */
  keepInView(all: readonly number[]): void {
    const items = all.flatMap((at) => this.scene.items[at] ?? []);
    if (items.length === 0 || levelOf(this.view) === "layers") return;
    const corners = items.flatMap(({ x, y, width, height }): Point[] => [
      [x, y],
      [x + width, y + height],
    ]);
    const box = boxOf(corners);
    const fits = fittedFor(box, this.size);
    const near = fits.zoom < this.view.zoom ? fits : showing(this.view, this.size, box);
    if (near.x !== this.view.x || near.y !== this.view.y || near.zoom !== this.view.zoom) this.look(near);
  }

  zoom(factor: number): void {
    this.look(zoomed(this.view, this.size, [this.size.width / 2, this.size.height / 2], factor));
  }

  fit(): void {
    this.look(fittedFor(this.whole, this.size));
  }

  draw(): void {
    if (this.asked !== 0) return;
    this.asked = requestAnimationFrame(() => {
      this.asked = 0;
      this.paint();
    });
  }

  private get whole(): Box {
    return wholeOf(this.scene);
  }

  private get view(): Camera {
    return this.camera ?? fittedFor(this.whole, this.size);
  }

  private resize({ width, height }: Size): void {
    if (width === 0 || this.isPrinting) return;
    this.size = { width, height };
    // What is told of beside the graph takes room from it, and is still to be seen in it.
    const item = this.scene.items[this.placeOf(this.chosen)];
    if (item !== undefined && this.camera !== undefined) this.look(showing(this.camera, this.size, item));
    this.paint();
  }

  private paint(): void {
    if (this.isPrinting || this.size.width === 0 || this.counts.length === 0) return;
    const frame = levelOf(this.view) === "layers" ? this.far(this.view, this.size) : this.near(this.view, this.size);
    this.hang(frame.figures.length > MAX_ELEMENTS ? this.canvas : this.svg, frame);
    this.overview();
  }

  /** The map is for who sees a part alone. */
  private overview(): void {
    const [view, { width, height, items }] = [seen(this.view, this.size), this.scene];
    const isWhole = view.x <= 0 && view.y <= 0 && view.x + view.width >= width && view.y + view.height >= height;
    this.map.element.hidden = isWhole || items.length < MAPPED || levelOf(this.view) === "layers";
    if (!this.map.element.hidden) this.map.paint(this.scene, this.facts, view);
  }

  private hang(painter: Painter, frame: Frame): void {
    const hadFocus = this.element.contains(document.activeElement);
    if (painter !== this.painter) {
      this.painter.element.replaceWith(painter.element);
      this.painter = painter;
    }
    painter.paint(frame);
    // What had the focus is out of sight.
    if (hadFocus && !this.element.contains(document.activeElement)) painter.focus();
  }

  private get looked(): Looked {
    const { scene, counts, facts, routes, lit, chosen, at, layer } = this;
    return { scene, counts, facts, routes, lit, chosen, at, layer, onCanvas: this.painter === this.canvas, now: Date.now() };
  }

  private near(camera: Camera, size: Size): Frame {
    return nearFrame(this.looked, camera, size);
  }

  private far(camera: Camera, size: Size): Frame {
    return farFrame(this.looked, camera, size);
  }

  private print(now: boolean): void {
    this.isPrinting = now;
    if (!now || this.counts.length === 0) return this.draw();
    const { width, height } = this.scene;
    const camera = { x: width / 2, y: height / 2, zoom: 1 };
    const isSmall = this.scene.items.length <= MAX_ELEMENTS && width > 0;
    const frame = isSmall
      ? this.near(camera, { width: width + EDGE, height: height + EDGE })
      : this.far(fittedFor(this.whole, PAPER), PAPER);
    this.hang(this.svg, frame);
  }

  private hit(at: Point): number | undefined {
    return itemAt(this.scene, toGraph(this.view, this.size, at));
  }

  private pressed(at: Point): void {
    if (levelOf(this.view) === "layers") {
      const layer = layerAt(at[0], this.counts.length, stretched(this.scene, this.view, this.size), this.size);
      if (layer !== undefined) this.enter(layer);
      return;
    }
    const found = this.hit(at);
    const item = found === undefined ? undefined : this.scene.items[found];
    if (item === undefined || found === undefined) return;
    this.at = found;
    this.listener.open(item);
    this.painter.focus();
  }

  /** From the bar of a layer to its items. */
  enter(layer: number): void {
    this.layer = layer;
    const first = this.scene.items.findIndex((item) => item.layer === layer);
    if (first < 0) return this.listener.seek(layer);
    this.lookAt(first);
  }

  /** The ways on from what is pointed at, else from where the keys are, else from what is told of. */
  private light(): void {
    if (levelOf(this.view) === "layers") return;
    const focused = this.element.contains(document.activeElement) ? this.at : undefined;
    const from = this.hovered ?? focused ?? this.placeOf(this.chosen);
    const lit = from >= 0 ? waysFrom(this.scene, from) : new Set<number>();
    if (lit.size === this.lit.size && [...lit].every((one) => this.lit.has(one))) return;
    this.lit = lit;
    this.draw();
  }

  private focused(target: EventTarget | null): void {
    const key = target instanceof SVGElement ? target.dataset["key"] : undefined;
    if (key === undefined) return;
    const layer = /^layer (\d+)$/.exec(key)?.[1];
    if (layer !== undefined && levelOf(this.view) === "layers") this.layer = Number(layer);
    else
      this.at = Math.max(
        0,
        this.scene.items.findIndex((item) => item.key === key),
      );
    this.light();
  }

  private typed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const command = commandOf(event.key, event.shiftKey);
    if (command === undefined) return;
    event.preventDefault();
    this.obey(command);
  }

  private obey(command: GraphCommand): void {
    switch (command.kind) {
      case "zoom":
        return this.zoom(command.factor);
      case "fit":
        return this.fit();
      case "pan": {
        const [across, down] = WAYS[command.way];
        return this.look(panned(this.view, across * PAN, down * PAN));
      }
      case "page":
        return this.look(panned(this.view, WAYS[command.way][0] * SCREEN * this.size.width, 0));
      case "end":
        return this.look({ ...this.view, x: command.way === "left" ? 0 : this.scene.width });
      case "walk":
        return this.walk(command.way);
      case "open": {
        if (levelOf(this.view) === "layers") return this.enter(this.layer);
        const item = this.scene.items[this.at];
        return item && this.listener.open(item);
      }
    }
  }

  private walk(way: keyof typeof WAYS): void {
    if (levelOf(this.view) === "layers") {
      this.layer = Math.min(this.counts.length - 1, Math.max(0, this.layer + WAYS[way][0]));
      this.look({ ...this.view, x: this.layer * LAYER_STEP });
    } else {
      this.at = walked(this.scene, this.at, way);
      const item = this.scene.items[this.at];
      if (item === undefined) return;
      this.look(showing(this.view, this.size, item));
    }
    this.light();
    this.paint();
    this.painter.focus();
    this.listener.reached(this.words());
  }

  /** What the keys are on. */
  private words(): string {
    const far = levelOf(this.view) === "layers";
    const { figures, at } = far ? this.far(this.view, this.size) : this.near(this.view, this.size);
    return figures.find(({ key }) => key === at)?.label ?? "";
  }
}
