//! A job in Rust: mean and deviation of a Float64Array.
//!
//! Owns the module's two exports. The host writes the arguments into `INPUT` and reads the result out of `OUTPUT`; each
//! job has an instance of its own, so nothing here is ever shared or freed.

mod cbor;

use std::sync::Mutex;

static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static OUTPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Room for the arguments.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(length: usize) -> *mut u8 {
    let mut input = INPUT.lock().expect("nobody else holds it");
    input.resize(length, 0);
    input.as_mut_ptr()
}

/// The arguments are where `alloc` said; answers address and length of the result.
#[unsafe(no_mangle)]
pub extern "C" fn weevil_main(_at: usize, _length: usize) -> u64 {
    let input = INPUT.lock().expect("nobody else holds it");
    let samples = cbor::only_float64_array(&input).expect("one argument, a Float64Array");
    let mut output = OUTPUT.lock().expect("nobody else holds it");
    *output = describe(&samples);
    (output.as_ptr().addr() as u64) << 32 | output.len() as u64
}

fn describe(samples: &[f64]) -> Vec<u8> {
    let count = samples.len() as f64;
    let mean = samples.iter().sum::<f64>() / count;
    let squares = samples.iter().map(|sample| (sample - mean) * (sample - mean));
    let deviation = (squares.sum::<f64>() / count).sqrt();
    cbor::object(&[("count", count), ("mean", mean), ("deviation", deviation)])
}
