@group(0) @binding(0) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
var s = 0.0; for (var i = 0u; i < 100u; i++) { s += f32(i); } b[id.x] = s;
}
