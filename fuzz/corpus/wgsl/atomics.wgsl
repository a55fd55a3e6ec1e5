@group(0) @binding(0) var<storage, read_write> n: array<atomic<u32>>;
@compute @workgroup_size(1) fn main() { atomicAdd(&n[0], 1u); }
