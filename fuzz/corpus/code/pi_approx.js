/**
 * Throws `n` points at the unit square and counts those inside the quarter circle (thesis figure 4.3).
 * Returns the pair [points inside, points thrown], so that the reducer needs to know nothing else.
 */
function weevil_main(n) {
  var inside = 0;
  for (var i = 0; i < n; ++i) {
    var x = Math.random();
    var y = Math.random();
    if (x * x + y * y <= 1) {
      inside++;
    }
  }
  weevil.flops(4 * n);
  return [inside, n];
}
