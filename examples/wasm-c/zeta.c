// Sums the first `terms` of 1 + 1/4 + 1/9 + ..., two at a time. The whole sum is pi * pi / 6.
//
// Shows numbers in and out, SIMD, and all that a module may import. No libc, no allocation.

#include <wasm_simd128.h>

#define IMPORT(name) __attribute__((import_module("weevil"), import_name(#name)))
#define EXPORT(name) __attribute__((export_name(#name)))

IMPORT(progress) void weevil_progress(double done);
IMPORT(flops) void weevil_flops(double count);
IMPORT(log) void weevil_log(const char *text, int length);

enum { BLOCK = 1 << 16, OPERATIONS_OF_A_TERM = 4 };

// The two lanes are added at the very end, so the order of the additions is always the same.
EXPORT(weevil_main) double zeta(int terms) {
  if (terms < 0) {
    static const char message[] = "fewer than no terms";
    weevil_log(message, sizeof message - 1);
    __builtin_trap();
  }
  v128_t sum = wasm_f64x2_splat(0), term = wasm_f64x2_make(1, 2);
  const v128_t one = wasm_f64x2_splat(1), two = wasm_f64x2_splat(2);
  const int pairs = terms / 2;
  for (int pair = 0; pair < pairs; pair++) {
    sum = wasm_f64x2_add(sum, wasm_f64x2_div(one, wasm_f64x2_mul(term, term)));
    term = wasm_f64x2_add(term, two);
    if (pair % BLOCK == 0) weevil_progress((double)pair / pairs);
  }
  double last = terms % 2 == 0 ? 0 : 1.0 / ((double)terms * terms);
  weevil_flops((double)OPERATIONS_OF_A_TERM * terms);
  return wasm_f64x2_extract_lane(sum, 0) + wasm_f64x2_extract_lane(sum, 1) + last;
}
