// Adds element by element, one work item each.

@group(0) @binding(0) var<storage, read> a: array<u32>;
@group(0) @binding(1) var<storage, read> b: array<u32>;
@group(0) @binding(2) var<storage, read_write> sum: array<u32>;

@compute @workgroup_size(1)
fn Add(@builtin(global_invocation_id) id: vec3<u32>) {
    sum[id.x] = a[id.x] + b[id.x];
}
