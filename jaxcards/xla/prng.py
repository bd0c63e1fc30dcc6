"""Random words from a counter, for dealing and for random play.

A deal draws a random word for each card dealt and one for each random choice. On a CPU, a word of JAX's
threefry takes more time than playing the card; the integer hash here takes far less. A word is a
function of a key and a counter. So loops carry no generator state, and every deal of a batch draws its
own words.

The mixing function is the 32-bit finaliser with the constants 0x7feb352d and 0x846ca68b that Chris
Wellons found by search ("hash prospector", lowbias32; bias 0.174). It is not a cryptographic generator.

The words pass 13 tests of dieharder 3.31.1: birthdays, ranks of matrices, ones in bytes, runs, the STS
tests, lagged sums, Kolmogorov-Smirnov and the DAB tests. The tests covered consecutive deals,
neighbouring small seeds, one counter over many seeds, and sub-streams of one key. A few p-values of one
test are called weak, as for PCG64 (benchmarks/random_words.py).
"""

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.errors import UserError, quote

KeyWords = tuple[jax.Array, jax.Array]

_HALF = 0xFFFF
_COUNTER_STEP = 0x9E3779B9  # 2**32 over the golden ratio, odd: consecutive counters land far apart
PLACE_STEP = 0x85EBCA6B  # another odd constant, so that sub-keys and counters do not meet


def key_words(key: jax.Array) -> KeyWords:
    """Return the two uint32 words of a key.

    Args:
      key: a typed key (`jax.random.key`), of any implementation, or a raw uint32[2] key.

    Raises:
      UserError: if it is not a single key.
    """
    data = _raw(key) if hasattr(key, "dtype") else np.asarray(key)
    if data.ndim != 1 or len(data) < 2 or data.dtype.kind not in "iu":
        given = f"{key.dtype}{list(key.shape)}" if hasattr(key, "dtype") else quote(key)
        raise UserError(
            f"a key is one key of JAX, such as jax.random.key(0), not {given}; "
            "use jax.vmap for a batch"
        )
    words = [jnp.asarray(data[i]).astype(jnp.uint32) for i in range(data.shape[0])]
    # Wider keys (rbg has four words) are folded onto two.
    for i, extra in enumerate(words[2:]):
        words[i % 2] = words[i % 2] ^ mix(extra + jnp.uint32(i))
    # Spread the few differing bits of small seeds over both words.
    second = mix(words[1] + jnp.uint32(_COUNTER_STEP))
    return mix(words[0] ^ second), second


def first_word(key: jax.Array) -> jax.Array:
    """Return the first word of a key unchanged. If the key comes from `fold`, the word is random."""
    return _raw(key)[0].astype(jnp.uint32)


def _raw(key: jax.Array) -> jax.Array:
    return jax.random.key_data(key) if jnp.issubdtype(key.dtype, jax.dtypes.prng_key) else key


def mix(word: jax.Array) -> jax.Array:
    """Scramble a uint32 word; a bijection on uint32."""
    # A shift brings high bits down, a product with an odd number brings low bits up.
    word = word ^ (word >> 16)
    word = word * jnp.uint32(0x7FEB352D)
    word = word ^ (word >> 15)
    word = word * jnp.uint32(0x846CA68B)
    return word ^ (word >> 16)


def random_word(key: KeyWords, counter: int | jax.Array) -> jax.Array:
    """Return the random uint32 word number `counter` of a key."""
    # Counter 0 stands at key[1]. An odd step reaches all 2**32 places before it repeats one.
    step = jnp.uint32(_COUNTER_STEP) * jnp.uint32(counter)
    return mix(key[0] ^ (key[1] + step))


def draw(key: jax.Array, number: int | jax.Array) -> jax.Array:
    """Return the random uint32 word of sub-stream `number` of a JAX key: the first word of `fold`."""
    return fold(key_words(key), number)[0]


def fold(key: KeyWords, number: int | jax.Array) -> KeyWords:
    """Return the key of sub-stream `number`, for example for one decision of a deal.

    Its first word is itself random, so use it alone where one word is enough.
    """
    return fold_at(key, place(key, number))


def place(key: KeyWords, number: int | jax.Array) -> jax.Array:
    """Return the place of sub-stream `number` of a key, for `fold_at`: uint32.

    The next place is `PLACE_STEP` further, so a loop over sub-streams adds instead of multiplying.
    """
    # Number 0 must not land on key[1] itself, where the counters begin; so count from 1.
    return key[1] + jnp.uint32(PLACE_STEP) * (jnp.uint32(number) + 1)


def number_at(key: KeyWords, place: jax.Array) -> jax.Array:
    """Return the number of the sub-stream at a place: uint32. The inverse of `place`."""
    # An odd number has an inverse modulo 2**32.
    return (place - key[1]) * jnp.uint32(pow(PLACE_STEP, -1, 2**32)) - 1


def fold_at(key: KeyWords, place: jax.Array) -> KeyWords:
    """Return `fold(key, number)` for the number at a place."""
    return mix(key[0] ^ place), key[1]


def wrap(key: KeyWords) -> jax.Array:
    """Return a typed threefry key, for agents that draw with `jax.random`."""
    return jax.random.wrap_key_data(jnp.stack(key), impl="threefry2x32")


def uniform(word: jax.Array) -> jax.Array:
    """Turn a random uint32 word into a float32 in [0, 1), one of 2**24 steps."""
    # A float32 holds 24 bits exactly, so the result is never rounded up to 1.
    return (word >> 8).astype(jnp.float32) * jnp.float32(2**-24)


def below(word: jax.Array, bound: jax.Array, largest: int) -> jax.Array:
    """Turn a random word into a uniform integer in [0, bound).

    Args:
      word: uint32 random word.
      bound: uint32 number of outcomes, 1 to `largest`.
      largest: the static limit of `bound`; decides how many random bits fit beside it in 32.

    Returns:
      uint32. No outcome's probability is off by more than largest / 2**(32 - bits(largest)), below
      one in a million for 36 cards.
    """
    bits = largest.bit_length()
    # Use only the high bits, so that the product fits in 32; its high part is the result.
    return ((word >> bits) * bound) >> (32 - bits)


def high_word(x: jax.Array, y: jax.Array) -> jax.Array:
    """Return floor(x * y / 2**32) of two uint32, by long multiplication of 16-bit halves.

    `jax.lax.mulhi` does the same, but XLA cannot compile it within `jax.shard_map` ("failed to legalize
    operation", jax 0.10 to 0.12). JAX has no 64-bit integers by default.
    """
    # x = 2**16 * x1 + x0, and the same for y.
    x1, x0, y1, y0 = x >> 16, x & _HALF, y >> 16, y & _HALF
    # Neither sum can overflow: (2**16 - 1)**2 + 2 * (2**16 - 1) < 2**32.
    middle = x1 * y0 + (x0 * y0 >> 16)
    return x1 * y1 + (middle >> 16) + (x0 * y1 + (middle & _HALF) >> 16)


def scaled(word: jax.Array, bound: jax.Array) -> jax.Array:
    """Return floor(word * bound / 2**32) of a uint32 and a uint32 bound of at most 2**16.

    A random word becomes a number below `bound`, with half the work of `high_word`.
    """
    # The product of the high half and the carry of the low half add up to less than 2**32.
    return (word >> 16) * bound + ((word & _HALF) * bound >> 16) >> 16
