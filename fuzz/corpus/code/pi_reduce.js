/** Four times the share of points inside the quarter circle (thesis figure 4.4). `points` holds [inside, thrown] pairs. */
function weevil_main(points) {
  var inside = 0;
  var thrown = 0;
  for (var i = 0; i < points.length; ++i) {
    inside += points[i][0];
    thrown += points[i][1];
  }
  return (4 * inside) / thrown;
}
