/**
 * The coordinator's, the GPU's and the checker's modules as Rust exports them, for when `src/wasm/` has not been built. Once it
 * has, their own `.d.ts` take the place of this.
 */

declare module "*/wasm/weevil_worker.js" {
  export default function init(): Promise<unknown>;

  export class Coordinator {
    /** @param onEvent called with each `PageEvent`; `gpuUrl` is where the GPU runtime is. */
    constructor(onEvent: (event: unknown) => void, gpuUrl: string);
    /** @param command a `PageCommand`; `port` comes with `slotPort`. */
    command(command: unknown, port?: MessagePort | null): void;
  }
}

declare module "*/wasm/weevil_check.js" {
  export default function init(): Promise<unknown>;

  /** Each answers JSON; `src/console/editor/said.ts` has its types. */
  export function check(paths: string[], contents: Uint8Array[]): string;
  export function outline(text: string): string;
  export function complete(text: string, at: number, paths: string[]): string;
}

declare module "*/wasm/weevil_gpu.js" {
  export function initSync(source: { module: WebAssembly.Module }): unknown;

  export class Gpu {
    private constructor();
    static open(): Promise<Gpu>;
    readonly lost: string | undefined;
    readonly maxBytes: number;
    readonly maxGroups: number;
    takeError(): string | undefined;
    memory(bytes: number): Memory;
    write(memory: Memory, at: number, bytes: Uint8Array): void;
    read(memory: Memory, at: number, length: number): Promise<Uint8Array>;
    /** `bindings` are pairs of a number and a kind: 0 uniform, 1 read, 2 read and write. */
    compile(text: string, entry: string, bindings: Uint32Array): Promise<Kernel>;
    dispatch(kernel: Kernel, x: number, y: number, z: number): void;
    idle(): Promise<void>;
  }

  export class Kernel {
    private constructor();
    bind(binding: number, memory: Memory): void;
  }

  export class Memory {
    private constructor();
    release(): void;
  }
}
