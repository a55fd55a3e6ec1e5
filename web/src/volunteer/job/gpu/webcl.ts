/**
 * The WebCL of the thesis (figure 6.3): synchronous objects over a device that is not.
 *
 * Objects are made anew each time the job's function is called; what reaches the GPU goes through `Replay` by number and
 * description. Knows nothing of WebGPU.
 */

import { CONSTANTS } from "./constants.ts";
import { compiled } from "./kernel.ts";
import { outlineOf } from "./outline.ts";
import { ClKernel, CommandQueue } from "./queue.ts";
import { ClBuffer, Resource, type Scene } from "./scene.ts";
import type { KernelFile } from "./values.ts";

const NAME = "WebGPU through WeevilScout";
const VERSION = "OpenCL 1.1";

class Platform extends Resource {
  getPlatformInfo(what: number): string {
    return what === CONSTANTS.CL_PLATFORM_VERSION ? VERSION : NAME;
  }

  getDeviceIDs(): ClDevice[] {
    return [new ClDevice(this)];
  }
}

class ClDevice extends Resource {
  private readonly platform: Platform;

  constructor(platform: Platform) {
    super();
    this.platform = platform;
  }

  getDeviceInfo(what: number): unknown {
    if (what === CONSTANTS.CL_DEVICE_TYPE) return CONSTANTS.CL_DEVICE_TYPE_GPU;
    return what === CONSTANTS.CL_DEVICE_PLATFORM ? this.platform : NAME;
  }
}

class Context extends Resource {
  private readonly scene: Scene;

  constructor(scene: Scene) {
    super();
    this.scene = scene;
  }

  getContextInfo(what: number): unknown {
    if (what === CONSTANTS.CL_CONTEXT_DEVICES) return new Platform().getDeviceIDs();
    return what === CONSTANTS.CL_CONTEXT_NUM_DEVICES ? 1 : undefined;
  }

  createCommandQueue(): CommandQueue {
    return new CommandQueue(this.scene);
  }

  createBuffer(_flags: number, bytes: number): ClBuffer {
    return new ClBuffer(this.scene, bytes);
  }

  createProgramWithSource(source: string): ClProgram {
    return new ClProgram(this.scene, source);
  }
}

class ClProgram extends Resource {
  private readonly scene: Scene;
  private readonly file: KernelFile;

  constructor(scene: Scene, source: string) {
    super();
    const text = String(source);
    this.scene = scene;
    this.file = scene.files.find((file) => file.text === text) ?? { name: "kernel", text };
  }

  buildProgram(): void {
    const { scene, file } = this;
    scene.replay.now(`buildProgram(${file.name})`, () => () => compiled(scene.device, file).then(() => true));
  }

  getProgramBuildInfo(_device: unknown, what: number): unknown {
    return what === CONSTANTS.CL_PROGRAM_BUILD_STATUS ? CONSTANTS.CL_SUCCESS : "";
  }

  createKernel(name: string): ClKernel {
    const { entries } = outlineOf(this.file.text);
    const entry = entries.find((known) => known.name === name);
    if (entry !== undefined) return new ClKernel(this.file, entry);
    const there = entries.map((known) => known.name).join(", ") || "none";
    throw new Error(`no kernel \`${name}\` in ${this.file.name}: it has ${there}`);
  }
}

/** The object that jobs know as `WebCL`. */
export function webcl(scene: Scene): object {
  return Object.freeze({
    ...CONSTANTS,
    getPlatformIDs: () => [new Platform()],
    createContextFromType: () => new Context(scene),
    createContext: () => new Context(scene),
    releaseCLResources: () => undefined,
  });
}
