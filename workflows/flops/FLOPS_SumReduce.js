/** Sums all elements, as thesis figure 6.2 does. `eval` gives back what is not a string, so `a` stays the array. */
function weevil_main(a) {
  a = eval(a);
  var sum = 0;
  for (var i = 0; i < a.length; ++i) {
    sum += a[i];
  }
  return sum;
}
