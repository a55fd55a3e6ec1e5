/**
 * The loop of thesis figure 4.2: ten floating-point operations per turn (one addition, one subtraction, eight products).
 * Owns the count, never the clock: the worker divides by the time it took.
 */
function weevil_main(a) {
  // A constant 10 would let the engine compute the eight products once, before the loop.
  var ten = new Float64Array([10, 10]);
  var op = 0;
  var flop_count = 0;
  for (var i = 0; i < a; ++i) {
    op = op + 13 - ten[i & 1] * 14 * 2 * 15 * 2 * 4 * 2 * 3.6 * 1.2;
    flop_count += 10;
  }
  // Without a use of `op` the engine could drop the loop.
  if (!isFinite(op)) {
    throw new RangeError("the sum left the range of numbers: the sample size " + a + " is too large");
  }
  weevil.flops(flop_count);
  return flop_count;
}
