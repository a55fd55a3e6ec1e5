/** All of them, in the order of the numbers. */
function weevil_main(factors) {
  return factors;
}
