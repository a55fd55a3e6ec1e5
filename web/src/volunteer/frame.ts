/**
 * The page's side of the sandbox: frames of a transparent pixel with an opaque origin, one for scripts and a stricter one
 * for modules, and a message channel for each job worker.
 *
 * Knows slots only by number and generation. Never reads what passes through the ports. A frame that does not answer
 * any more is replaced, and its job workers are told as crashed.
 */

import { ASK_EVERY_MS, Pulse } from "./pulse.ts";
import type { FrameCommand, FrameReport } from "./sandbox/messages.ts";

type Crashed = Extract<FrameReport, { kind: "crashed" }>;

export class Sandbox {
  private readonly scripts: SandboxFrame;
  private modules: SandboxFrame | undefined;
  private readonly onCrash: (crash: Crashed) => void;
  private readonly place: string;

  /** `place` is where the server has the frames. */
  constructor(onCrash: (crash: Crashed) => void, place = "") {
    this.onCrash = onCrash;
    this.place = place;
    this.scripts = new SandboxFrame(onCrash, `${place}/sandbox`);
  }

  /**
   * Starts a job worker and gives the port to talk to it; `strict` where no text may be evaluated, `frozen` with a realm for
   * deterministic jobs.
   */
  open(slot: number, generation: number, strict: boolean, frozen: boolean): MessagePort {
    if (!strict) return this.scripts.open(slot, generation, frozen);
    this.modules ??= new SandboxFrame(this.onCrash, `${this.place}/sandbox-wasm`);
    return this.modules.open(slot, generation, frozen);
  }

  /** Ends a job worker, whatever it is doing; no two have the same generation. */
  close(slot: number, generation: number): void {
    this.scripts.close(slot, generation);
    this.modules?.close(slot, generation);
  }

  /** Ends every job worker with its frame. */
  remove(): void {
    this.scripts.remove();
    this.modules?.remove();
  }
}

export class SandboxFrame {
  private readonly onCrash: (crash: Crashed) => void;
  private readonly path: string;
  private readonly timer: ReturnType<typeof setInterval>;
  /** Generations of the job workers that were opened and not closed. */
  private readonly slots = new Map<number, number>();
  private frame: HTMLIFrameElement;
  private pulse = new Pulse();
  private ready = Promise.resolve();
  private loaded: () => void = () => undefined;

  /** `path` is where the server has the frame. */
  constructor(onCrash: (crash: Crashed) => void, path = "/sandbox") {
    this.onCrash = onCrash;
    this.path = path;
    this.frame = makeFrame(path);
    addEventListener("message", this.hear);
    this.timer = setInterval(this.beat, ASK_EVERY_MS);
    this.load();
  }

  open(slot: number, generation: number, frozen = false): MessagePort {
    const channel = new MessageChannel();
    this.slots.set(slot, generation);
    this.send({ kind: "open", slot, generation, frozen }, [channel.port2]);
    return channel.port1;
  }

  close(slot: number, generation: number): void {
    if (this.slots.get(slot) === generation) this.slots.delete(slot);
    this.send({ kind: "close", slot, generation });
  }

  /** Ends every job worker with the frame. */
  remove(): void {
    clearInterval(this.timer);
    removeEventListener("message", this.hear);
    this.frame.remove();
  }

  private load(): void {
    this.ready = new Promise((resolve) => {
      this.loaded = resolve;
    });
    document.body.append(this.frame);
  }

  private readonly hear = (event: MessageEvent<FrameReport>): void => {
    if (event.source !== this.frame.contentWindow) return;
    const report = event.data;
    if (report.kind === "ready") this.loaded();
    else if (report.kind === "alive") this.pulse.answered();
    else this.crashed(report);
  };

  private readonly beat = (): void => {
    if (this.slots.size === 0) return;
    if (this.pulse.ask(performance.now())) this.replace();
    else this.send({ kind: "ask" });
  };

  private replace(): void {
    this.frame.remove();
    this.frame = makeFrame(this.path);
    this.pulse = new Pulse();
    this.load();
    for (const [slot, generation] of Array.from(this.slots)) {
      this.crashed({ kind: "crashed", slot, generation, message: "the sandbox ended by itself" });
    }
  }

  private crashed(crash: Crashed): void {
    if (this.slots.get(crash.slot) === crash.generation) this.slots.delete(crash.slot);
    this.onCrash(crash);
  }

  /** Any target: an opaque origin has no name, and the frame's window is our own. */
  private send(command: FrameCommand, transfer: Transferable[] = []): void {
    const { frame } = this;
    void this.ready.then(() => {
      frame.contentWindow?.postMessage(command, "*", transfer);
    });
  }
}

function makeFrame(path: string): HTMLIFrameElement {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.className = "sandbox";
  frame.tabIndex = -1;
  frame.setAttribute("aria-hidden", "true");
  frame.title = "Sandbox of the jobs";
  frame.src = path;
  return frame;
}
