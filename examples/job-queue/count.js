// How many primes there are from `first` up to, but without, `end`. A worker calls this with the job's input.
function weevil_main(first, end) {
  let count = 0;
  for (let number = Math.max(first, 2); number < end; number++) {
    let divisor = 2;
    while (divisor * divisor <= number && number % divisor !== 0) divisor++;
    if (divisor * divisor > number) count++;
    if (number % 1000 === 0) weevil.progress((number - first) / (end - first));
  }
  return count;
}
