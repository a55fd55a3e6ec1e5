/** What the WebCL objects of one job share. Types and look-ups only. */

import type { Memory } from "../../../wasm/weevil_gpu.js";
import type { Device } from "./device.ts";
import type { Replay } from "./replay.ts";
import type { KernelFile } from "./values.ts";

export interface Scene {
  readonly device: Device;
  readonly replay: Replay;
  /** Files of the job that runs. */
  files: readonly KernelFile[];
  /** By the number of their buffer; made by steps, not by objects. */
  readonly memories: Map<number, Memory>;
  /** Buffers made so far in this call of the job's function. */
  buffers: number;
}

export function memoryOf(scene: Scene, id: number): Memory {
  const memory = scene.memories.get(id);
  if (memory === undefined) throw new Error(`buffer ${id} could not be made`);
  return memory;
}

/** Objects may be let go of at any time; what a job has made ends with it. */
export class Resource {
  releaseCLResources(): void {
    return undefined;
  }
}

export class ClBuffer extends Resource {
  readonly id: number;
  private readonly scene: Scene;

  constructor(scene: Scene, bytes: number) {
    super();
    this.scene = scene;
    this.id = scene.buffers++;
    scene.replay.later(`createBuffer(${bytes})`, () => () => {
      scene.memories.set(this.id, scene.device.memory(bytes));
    });
  }

  override releaseCLResources(): void {
    const { scene, id } = this;
    scene.replay.later(`releaseCLResources(buffer ${id})`, () => () => {
      scene.device.release(memoryOf(scene, id));
    });
  }
}
