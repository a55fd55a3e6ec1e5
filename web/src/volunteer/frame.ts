/**
 * The page's side of the sandbox: frames of a transparent pixel with an opaque origin, one for scripts and a stricter one
 * for modules, and a message channel for each job worker.
 *
 * Knows slots only by number and generation. Never reads what passes through the ports.
 */

import type { FrameCommand, FrameReport } from "./sandbox/messages.ts";

type Crashed = Extract<FrameReport, { kind: "crashed" }>;

export class Sandbox {
  private readonly scripts: SandboxFrame;
  private modules: SandboxFrame | undefined;
  private readonly onCrash: (crash: Crashed) => void;

  constructor(onCrash: (crash: Crashed) => void) {
    this.onCrash = onCrash;
    this.scripts = new SandboxFrame("/sandbox", onCrash);
  }

  /** Starts a job worker and gives the port to talk to it; `strict` where no text may be evaluated. */
  open(slot: number, generation: number, strict: boolean): MessagePort {
    if (!strict) return this.scripts.open(slot, generation);
    this.modules ??= new SandboxFrame("/sandbox-wasm", this.onCrash);
    return this.modules.open(slot, generation);
  }

  /** Ends a job worker, whatever it is doing; no two have the same generation. */
  close(slot: number, generation: number): void {
    this.scripts.close(slot, generation);
    this.modules?.close(slot, generation);
  }
}

class SandboxFrame {
  private readonly frame = document.createElement("iframe");
  private readonly ready: Promise<void>;

  constructor(path: string, onCrash: (crash: Crashed) => void) {
    this.ready = new Promise((resolve) => {
      addEventListener("message", (event: MessageEvent<FrameReport>) => {
        if (event.source !== this.frame.contentWindow) return;
        if (event.data.kind === "ready") resolve();
        else onCrash(event.data);
      });
    });
    this.frame.setAttribute("sandbox", "allow-scripts");
    this.frame.className = "sandbox";
    this.frame.tabIndex = -1;
    this.frame.setAttribute("aria-hidden", "true");
    this.frame.title = "Sandbox of the jobs";
    this.frame.src = path;
    document.body.append(this.frame);
  }

  open(slot: number, generation: number): MessagePort {
    const channel = new MessageChannel();
    this.send({ kind: "open", slot, generation }, [channel.port2]);
    return channel.port1;
  }

  close(slot: number, generation: number): void {
    this.send({ kind: "close", slot, generation }, []);
  }

  /** Any target: an opaque origin has no name, and the frame's window is our own. */
  private send(command: FrameCommand, transfer: Transferable[]): void {
    void this.ready.then(() => {
      this.frame.contentWindow?.postMessage(command, "*", transfer);
    });
  }
}
