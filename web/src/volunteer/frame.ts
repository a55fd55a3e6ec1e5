/**
 * The page's side of the sandbox: one frame of a transparent pixel with an opaque origin, and a message
 * channel for each job worker.
 *
 * Knows slots only by number and generation. Never reads what passes through the ports.
 */

import type { FrameCommand, FrameReport } from "./sandbox/messages.ts";

type Crashed = Extract<FrameReport, { kind: "crashed" }>;

export class SandboxFrame {
  private readonly frame = document.createElement("iframe");
  private readonly ready: Promise<void>;

  constructor(onCrash: (crash: Crashed) => void) {
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
    this.frame.src = "/sandbox";
    document.body.append(this.frame);
  }

  /** Starts a job worker and gives the port to talk to it. */
  open(slot: number, generation: number): MessagePort {
    const channel = new MessageChannel();
    this.send({ kind: "open", slot, generation }, [channel.port2]);
    return channel.port1;
  }

  /** Ends a job worker, whatever it is doing. */
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
