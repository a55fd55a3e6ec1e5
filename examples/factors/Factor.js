/** The prime factors of a whole number below 2^53, the smallest first. */
function weevil_main(number) {
  const factors = [];
  let rest = number;
  for (let d = 2; d * d <= rest; d += d === 2 ? 1 : 2) {
    while (rest % d === 0) {
      factors.push(d);
      rest /= d;
    }
  }
  if (rest > 1) factors.push(rest);
  return factors;
}
