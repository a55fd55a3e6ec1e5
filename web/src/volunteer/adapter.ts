/** Whether this browser has a GPU to lend. Never opens a device: job workers do, when a job needs one. */

interface GpuNavigator {
  readonly gpu?: { readonly requestAdapter: () => Promise<object | null> };
}

/** False where there is no WebGPU or no adapter, or where asking for one fails. */
export async function hasAdapter(): Promise<boolean> {
  try {
    const { gpu } = navigator as GpuNavigator;
    return (await gpu?.requestAdapter()) instanceof Object;
  } catch {
    return false;
  }
}
