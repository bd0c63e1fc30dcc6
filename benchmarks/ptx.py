"""Executes the PTX of an integer kernel with NumPy, all threads at once, to get what a GPU computes.

For the instructions that Triton writes for `jaxcards.bench.gpu.kernel`, by NVIDIA's "PTX ISA"; another
one raises `KeyError`. Threads have to branch together, and threads do not communicate.
"""

import functools
import re
from collections.abc import Callable

import numpy as np

_UNSIGNED = {16: np.uint16, 32: np.uint32, 64: np.uint64}
_SIGNED = {16: np.int16, 32: np.int32, 64: np.int64}
_APART = 1 << 40  # between the addresses of two arguments, more than any offset


def _shift(kind: str, words: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Shifts; by the width or more the result is 0, or copies of the sign if it is arithmetic."""
    width = 8 * words.dtype.itemsize
    safe = np.minimum(places, width - 1).astype(words.dtype)
    shifted = words << safe if kind == "shl" else words >> safe
    if words.dtype.kind == "i":
        return shifted
    return np.where(places >= width, words.dtype.type(0), shifted)


def _bit_field(words: np.ndarray, first: np.ndarray, length: np.ndarray) -> np.ndarray:
    """Bits from `first` on; the highest of them is the sign, for a signed type."""
    one = np.ones_like(words.view(np.uint32))
    field = _shift("shr", words, first & 255).view(np.uint32) & (_shift("shl", one, length & 255) - one)
    if words.dtype.kind == "u":
        return field
    sign = _shift("shl", one, (length & 255) - np.uint32(1))
    return ((field ^ sign) - sign).view(np.int32)


def _funnel(low: np.ndarray, high: np.ndarray, places: np.ndarray) -> np.ndarray:
    both = high.astype(np.uint64) << np.uint64(32) | low
    return (both << (places & 31).astype(np.uint64) >> np.uint64(32)).astype(np.uint32)


def _leading_zeros(words: np.ndarray) -> np.ndarray:
    exponents = np.frexp(words.astype(np.float64))[1]  # 0 for 0
    return (32 - exponents).astype(np.uint32)


def _permute(low: np.ndarray, high: np.ndarray, selectors: np.ndarray) -> np.ndarray:
    bytes_ = [(word >> np.uint32(8 * i)) & np.uint32(255) for word in (low, high) for i in range(4)]
    chosen = [np.choose((selectors >> np.uint32(4 * i)) & np.uint32(7), bytes_) for i in range(4)]
    parts = (part.astype(np.uint32) << np.uint32(8 * i) for i, part in enumerate(chosen))
    return functools.reduce(np.bitwise_or, parts)


def _high(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return (a.astype(np.uint64) * b.astype(np.uint64) >> np.uint64(32)).astype(np.uint32)


def _wide(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    wide = np.int64 if a.dtype.kind == "i" else np.uint64
    return a.astype(wide) * b.astype(wide)


_OPERATIONS: dict[str, Callable[..., np.ndarray]] = {
    "mov": lambda a: a,
    "add": np.add,
    "sub": np.subtract,
    "neg": lambda a: a.dtype.type(0) - a,
    "abs": np.abs,
    "min": np.minimum,
    "max": np.maximum,
    "mul.lo": np.multiply,
    "mul.hi": _high,
    "mul.wide": _wide,
    "mad.lo": lambda a, b, c: a * b + c,
    "mad.hi": lambda a, b, c: _high(a, b) + c,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "not": np.invert,
    "shl": functools.partial(_shift, "shl"),
    "shr": functools.partial(_shift, "shr"),
    "shf.l.wrap": _funnel,
    "bfe": _bit_field,
    "prmt": _permute,
    "popc": lambda a: np.bitwise_count(a).astype(np.uint32),
    "clz": _leading_zeros,
    "selp": lambda a, b, condition: np.where(condition, a, b),
    "setp.eq": np.equal,
    "setp.ne": np.not_equal,
    "setp.lt": np.less,
    "setp.le": np.less_equal,
    "setp.gt": np.greater,
    "setp.ge": np.greater_equal,
}
_TYPES = {f"{letter}{bits}": (letter, bits) for letter in "bus" for bits in _UNSIGNED}
# The compiler puts bytes together on a stack of each thread.
_STACK = ("%SP", "%SPL")
_COUNTS = ("shl", "shr", "shf.l.wrap", "bfe", "prmt")  # whose operands after the first are uint32


class Program:
    """A kernel of one input word and some outputs with a word for each thread."""

    def __init__(self, text: str) -> None:
        self._instructions: list[str] = []
        self._labels: dict[str, int] = {}
        for line in text.splitlines():
            line = line.split("//")[0].strip()
            if label := re.match(r"(\$L\w+):", line):
                self._labels[label[1]] = len(self._instructions)
            elif line and line[0] not in ".{}()":
                self._instructions.append(line.rstrip(";").strip())

    def run(self, word: int, grid: int, block: int, num_outputs: int) -> list[np.ndarray]:
        """Returns int32[grid * block] for each output."""
        threads = _Threads(word, grid, block, num_outputs)
        place = 0
        with np.errstate(all="ignore"):
            while (instruction := self._instructions[place]) != "ret":
                label = threads.execute(instruction)
                place = place + 1 if label is None else self._labels[label]
        assert all(output is not None for output in threads.outputs), "an output was not written"
        return threads.outputs


class _Threads:
    def __init__(self, word: int, grid: int, block: int, num_outputs: int) -> None:
        self._size, self._word = grid * block, word
        self._registers: dict[str, np.ndarray] = {
            "%tid.x": np.tile(np.arange(block, dtype=np.uint32), grid),
            "%ctaid.x": np.repeat(np.arange(grid, dtype=np.uint32), block),
        }
        self._stack: dict[int, np.ndarray] = {}
        self.outputs: list = [None] * num_outputs

    def execute(self, instruction: str) -> str | None:
        """Executes an instruction; returns the label that all threads jump to, if they do."""
        guard, name, rest = re.fullmatch(r"(?:@(!?%p\d+)\s+)?(\S+)\s*(.*)", instruction).groups()
        operands = [part.strip(" {}") for part in rest.split(",")]
        if name == "bra":
            return operands[0] if guard is None or self._all(guard) else None
        assert guard is None, instruction
        kind, _, type_ = name.rpartition(".")
        if operands[0] in _STACK:
            return None
        if stack := re.search(r"\[%SP(?:\+(\d+))?\]", rest):
            self._on_stack(kind, int(name.rpartition(".b")[2]) // 8, int(stack[1] or 0), operands)
        elif kind == "ld.param":
            number = int(re.search(r"param_(\d+)", rest)[1])
            self._registers[operands[0]] = np.full(self._size, (number + 1) * _APART, np.uint64)
        elif kind == "ld.global":
            self._registers[operands[0]] = np.full(self._size, self._word, np.uint32)
        elif kind == "st.global":
            self._store(operands[0], operands[1])
        elif kind.startswith("cvt"):
            to = _UNSIGNED[_TYPES[kind.split(".")[1]][1]]
            self._write(operands[0], self._read(operands[1], type_).astype(to))
        else:
            self._write(operands[0], self._result(kind, type_, operands[1:]))
        return None

    def _result(self, kind: str, type_: str, operands: list[str]) -> np.ndarray:
        types = [type_] * len(operands)
        if kind in _COUNTS:
            types[1:] = ["u32"] * (len(operands) - 1)
        return _OPERATIONS[kind](*map(self._read, operands, types))

    def _all(self, guard: str) -> bool:
        condition = self._registers[guard.lstrip("!")] ^ (guard[0] == "!")
        assert condition.all() or not condition.any(), "threads branch apart"
        return bool(condition[0])

    def _read(self, operand: str, type_: str) -> np.ndarray:
        if type_ == "pred" and operand[0] != "%":
            return np.full(self._size, operand != "0")
        if type_ == "pred" or operand.startswith("%p"):
            return self._registers[operand]
        letter, bits = _TYPES[type_]
        if operand[0] == "%":
            words = self._registers[operand].astype(_UNSIGNED[bits])
        else:
            words = np.full(self._size, int(operand, 0) % (1 << bits), _UNSIGNED[bits])
        return words.view(_SIGNED[bits]) if letter == "s" else words

    def _write(self, register: str, value: np.ndarray) -> None:
        if value.dtype.kind == "i":
            value = value.view(_UNSIGNED[8 * value.dtype.itemsize])
        self._registers[register] = value

    def _on_stack(self, kind: str, num_bytes: int, place: int, operands: list[str]) -> None:
        """Writes a register's lowest bytes to the stack, or reads them into one; little end first."""
        if kind == "st":
            word = self._registers[operands[1]]
            for i in range(num_bytes):
                self._stack[place + i] = (word >> word.dtype.type(8 * i)).astype(np.uint8)
            return
        assert kind == "ld" and num_bytes > 1, kind
        read = [self._stack[place + i] for i in range(num_bytes)]
        self._write(operands[0], np.stack(read, -1).view(_UNSIGNED[8 * num_bytes])[:, 0])

    def _store(self, address: str, value: str) -> None:
        addresses = self._registers[address.strip("[]").split("+")[0].strip(" []")]
        argument, offsets = np.divmod(addresses, np.uint64(_APART))
        assert (argument == argument[0]).all(), "threads write to different outputs"
        words = np.empty(self._size, np.int32)
        words[(offsets // np.uint64(4)).astype(int)] = self._read(value, "s32")
        self.outputs[int(argument[0]) - 2] = words
