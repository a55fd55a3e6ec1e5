const WIDTH = 20000;

/** How many primes there are in a part: from `part * WIDTH` on, below the next part. */
function weevil_main(part) {
  let count = 0;
  for (let n = Math.max(2, part * WIDTH); n < (part + 1) * WIDTH; n += 1) {
    if (isPrime(n)) count += 1;
  }
  return count;
}

function isPrime(n) {
  for (let d = 2; d * d <= n; d += 1) {
    if (n % d === 0) return false;
  }
  return true;
}
