/** Whether this browser has a GPU to lend, and what it calls it. Never opens a device: job workers do, when a job needs one. */

interface Adapter {
  readonly info?: { readonly vendor?: string; readonly architecture?: string };
}

interface GpuNavigator {
  readonly gpu?: { readonly requestAdapter: () => Promise<Adapter | null> };
}

/**
 * Vendor and architecture of the GPU, and no more of it: what tells one machine from another stays here. An empty text where the
 * browser says neither; undefined where there is no WebGPU or no adapter, or where asking for one fails.
 */
export async function findAdapter(): Promise<string | undefined> {
  try {
    const { gpu } = navigator as GpuNavigator;
    const found = await gpu?.requestAdapter();
    return found instanceof Object ? nameOf(found) : undefined;
  } catch {
    return undefined;
  }
}

export function nameOf({ info }: Adapter): string {
  return [info?.vendor ?? "", info?.architecture ?? ""].filter((part) => part !== "").join(" ");
}
