// Whether a list of numbers is the factorisation of a number: they multiply to it, are in order, and each is prime.
//
// The server asks it about what volunteers send (docs/wasm-abi.md). Checking takes some thousand times less than finding
// the factors does. No libc. Whatever the bytes are, it answers: a value that is no list of whole numbers is wrong.

#include <stdint.h>

#define EXPORT(name) __attribute__((export_name(#name)))

enum { WRONG = 0, RIGHT = 1 };
enum { WHOLE = 0, LIST = 4 };
enum { PAGE = 1 << 16 };

// The first byte that the linker leaves free.
extern uint8_t __heap_base;
static uint32_t taken;

// Values arrive one behind the other. Volunteers may send long ones: without room for them the run would be paused.
EXPORT(alloc) uint8_t *alloc(uint32_t length) {
  uint8_t *place = &__heap_base + taken;
  taken += length;
  uint32_t pages = ((uint32_t)&__heap_base + taken + PAGE - 1) / PAGE, here = __builtin_wasm_memory_size(0);
  if (pages > here && __builtin_wasm_memory_grow(0, pages - here) == (uint32_t)-1) return 0;
  return place;
}

typedef struct {
  const uint8_t *at, *end;
} Reader;

// The head of a CBOR item: `kind`, and the number in it. 0 where it is another kind, or cut off.
static int head(Reader *reader, int kind, uint64_t *number) {
  if (reader->at == reader->end || *reader->at >> 5 != kind) return 0;
  int size = *reader->at++ & 31;
  *number = (uint64_t)size;
  if (size < 24) return 1;
  if (size > 27 || reader->end - reader->at < 1 << (size - 24)) return 0;
  *number = 0;
  for (int left = 1 << (size - 24); left > 0; left--) *number = *number << 8 | *reader->at++;
  return 1;
}

// Numbers here are below 2^53, so that no sum leaves 64 bits.
static uint64_t times(uint64_t one, uint64_t other, uint64_t modulus) {
  uint64_t sum = 0;
  for (; other > 0; other >>= 1) {
    if (other & 1) sum = (sum + one) % modulus;
    one = (one + one) % modulus;
  }
  return sum;
}

static uint64_t power(uint64_t base, uint64_t exponent, uint64_t modulus) {
  uint64_t product = 1;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1) product = times(product, base, modulus);
    base = times(base, base, modulus);
  }
  return product;
}

// Miller and Rabin. With these bases no composite number below 3.3e24 passes (Sorenson and Webster 2017).
static int is_prime(uint64_t number) {
  static const uint8_t bases[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41};
  if (number < 2) return 0;
  uint64_t odd = number - 1;
  int twos = 0;
  for (; odd % 2 == 0; odd /= 2) twos++;
  for (unsigned at = 0; at < sizeof bases; at++) {
    if (number % bases[at] == 0) return number == bases[at];
    uint64_t rest = power(bases[at], odd, number);
    int passes = rest == 1 || rest == number - 1;
    for (int turn = 1; turn < twos && !passes; turn++) {
      rest = times(rest, rest, number);
      passes = rest == number - 1;
    }
    if (!passes) return 0;
  }
  return 1;
}

EXPORT(weevil_proof)
int proof(const uint8_t *input, uint32_t input_length, const uint8_t *result, uint32_t result_length) {
  Reader given = {input, input + input_length}, found = {result, result + result_length};
  uint64_t arguments, number, many, last = 0;
  if (!head(&given, LIST, &arguments) || arguments != 1 || !head(&given, WHOLE, &number)) return WRONG;
  if (number >= 1ull << 53 || !head(&found, LIST, &many)) return WRONG;
  for (; many > 0; many--) {
    uint64_t factor;
    if (!head(&found, WHOLE, &factor) || factor < last || factor < 2 || number % factor != 0) return WRONG;
    if (!is_prime(factor)) return WRONG;
    number /= factor;
    last = factor;
  }
  return number == 1 && found.at == found.end ? RIGHT : WRONG;
}
