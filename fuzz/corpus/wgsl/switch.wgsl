@group(0) @binding(0) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
switch id.x { case 0u: { b[0] = 1.0; } default: { b[id.x] = 2.0; } }
}
