/**
 * The coordinator's module as `worker-wasm` exports it, for when `src/wasm/` has not been built. Once it has, its own
 * `.d.ts` takes the place of this.
 */

declare module "*/wasm/weevil_worker.js" {
  export default function init(): Promise<unknown>;

  export class Coordinator {
    /** @param onEvent called with each `PageEvent`. */
    constructor(onEvent: (event: unknown) => void);
    /** @param command a `PageCommand`; `port` comes with `slotPort`. */
    command(command: unknown, port?: MessagePort | null): void;
  }
}
