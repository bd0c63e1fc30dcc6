"""Data sets of any size: deals of a seed, played by any agents, in one file.

The deals are those of `jaxcards simulate` with the same seed. A stopped run continues after the last
piece that it wrote, and its file has the same deals.
"""

import collections
import contextlib
import dataclasses
import hashlib
import io
import json
import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import __version__, throughput, xla
from jaxcards.agent import Agent, RandomAgent
from jaxcards.cards.opening import Opening
from jaxcards.errors import UserError
from jaxcards.files import holding, replacing, write_bytes, write_text, writing
from jaxcards.game import Game
from jaxcards.records import hdf5, hdf5_disk
from jaxcards.records.arrays import DealArrays, from_arrays
from jaxcards.records.formats import OWN_ARRAYS, SWISSLOS, Format, format_to_write
from jaxcards.records.making import played
from jaxcards.records.record import id_and_rules
from jaxcards.records.swisslos_rows import check_rules
from jaxcards.rollouts import chooser, deal_keys
from jaxcards.xla import prng

# Deals that a device plays side by side: a fixed number, so that the results never depend on it.
TOGETHER = throughput.IN_CACHE
# Recorded random play writes more data for each deal, so fewer deals fit the cache.
_AT_RANDOM = TOGETHER // 2
_PIECE, _SECONDS = 1 << 16, 10.0  # limits of a piece: number of deals, and seconds
_AHEAD = 2  # batches that the devices play while one is written
_JOINED = 16 * hdf5.ROWS  # number of deals copied from the pieces to the file at a time
ENDINGS = (".h5", ".hdf5", ".jsonl", ".swisslos.h5", ".swisslos.hdf5")


@dataclasses.dataclass(frozen=True)
class DataSet:
    """The game and the players of a data set.

    Attributes:
      game: of single deals, one of `jaxcards.make`.
      agents: one for all seats, or one for each.
      params: of each agent.
      names: what the records call each agent.
      num_deals: at least 1.
      seed: 0 to 2**32 - 1.
    """

    game: Game
    agents: Sequence[Agent]
    params: Sequence[Any]
    names: Sequence[str]
    num_deals: int
    seed: int = 0

    @property
    def players(self) -> list[str]:
        """The name of the agent of each seat."""
        return list(self.names) if len(self.names) > 1 else list(self.names) * self.game.num_players

    def plan(self) -> dict[str, Any]:
        """Return everything that determines the file, as JSON values."""
        id, rules = id_and_rules(self.game)
        return {
            "version": __version__,
            "game": id,
            "rules": json.loads(json.dumps(rules)),
            "players": self.players,
            "parameters": _digest(self.params),
            "deals": self.num_deals,
            "seed": self.seed,
        }


def _digest(params: Any) -> str:
    """Return a checksum of the parameters, as text."""
    found = hashlib.sha256()
    for leaf in jax.tree.leaves(params):
        array = np.asarray(leaf)
        found.update(f"{array.dtype}{array.shape}".encode() + array.tobytes())
    return found.hexdigest()[:16]


def divide_processor() -> int:
    """Divide the processor into devices, before JAX starts its backend; return how many to use.

    The result is the largest power of two up to the number of cores, or of GPUs and the like.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    # Unless a flag of XLA sets the number of devices already.
    if "xla_force_host_platform_device_count" not in os.environ.get("XLA_FLAGS", ""):
        with contextlib.suppress(RuntimeError):  # the backend runs already, with its own devices
            jax.config.update("jax_num_cpu_devices", cores)
    return 1 << (jax.device_count().bit_length() - 1)


def pieces_folder(out: Path) -> Path:
    """Return the folder of the pieces of a file, which exists until the file is complete."""
    return out.with_name(f"{out.name}.part")


def write(
    data: DataSet,
    out: Path,
    devices: int = 1,
    progress: Callable[[int], None] = lambda deals: None,
    force: bool = False,
) -> int:
    """Write a data set, and return the number of deals played in this call.

    The file appears when it is complete. Until then `pieces_folder(out)` has the finished deals.

    Args:
      data: the data set.
      out: a new file whose suffix is one of `ENDINGS`.
      devices: how many devices share the play, 1, 2, 4, …; the deals are the same for any number.
      progress: called with the number of deals so far from time to time.
      force: replace a file that exists.

    Raises:
      UserError: if `out` exists or has another suffix, numbers are out of range, or the pieces are
        those of another data set.
    """
    check(data, out, force)
    with writing(out), holding(pieces_folder(out)):
        folder = _begun(data, out)
        begun = played_now = 0
        with _file(data, out) as add:
            # First the pieces of an earlier run, then new deals.
            for number, file in _pieces(folder):
                add(_load(file))
                begun += number
            progress(begun)
            for arrays in _played(data, devices, begun):
                number = len(arrays)
                # First the piece: a stopped run loses the unfinished file, and keeps its pieces.
                _save(folder / f"{begun:010d}-{number:d}.npz", arrays)
                add(arrays)
                begun += number
                played_now += number
                progress(begun)
        shutil.rmtree(folder)
    return played_now


def _is_random(data: DataSet) -> bool:
    """Return whether deals are played about as fast as they can be written."""
    return all(isinstance(agent, RandomAgent) for agent in data.agents)


def _common(data: DataSet) -> dict[str, Any]:
    """Return the attributes that all deals share."""
    return {"players": data.players, "source": {"seed": data.seed}}


def check(data: DataSet, out: Path, force: bool = False) -> None:
    """Raise `UserError` for arguments that `write` cannot handle."""
    if not out.name.lower().endswith(ENDINGS):
        raise UserError(f"{out}: a data set ends in one of {', '.join(ENDINGS)}")
    if format_to_write(out).name == SWISSLOS:
        check_rules(data.game, SWISSLOS)
    if out.exists() and not force:
        raise UserError(f"{out} exists: remove it, or name another file")
    if not 1 <= data.num_deals < 2**32 or not 0 <= data.seed < 2**32:
        raise UserError("deals must be from 1 to 2**32 - 1, and the seed from 0 to 2**32 - 1")
    if out.suffix.lower() != ".jsonl":
        hdf5_disk.library()


def _begun(data: DataSet, out: Path) -> Path:
    """Return the folder of the pieces, a new one or that of an earlier run."""
    folder, plan = pieces_folder(out), data.plan()
    file = folder / "plan.json"
    if not file.exists():
        folder.mkdir(exist_ok=True)
        write_text(file, json.dumps(plan, indent=2) + "\n")
        return folder
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        raise UserError(f"{file} is damaged: remove {folder} to begin again") from None
    # The earlier run must agree in everything that determines the deals.
    for name, value in plan.items():
        if not isinstance(found, dict) or found.get(name) != value:
            before = found.get(name) if isinstance(found, dict) else found
            raise UserError(
                f"{folder} holds pieces of another data set: {name} is {before!r} there, and {value!r} "
                "here; remove it, or name another file"
            )
    return folder


def _pieces(folder: Path) -> Iterator[tuple[int, Path]]:
    """Yield the number of deals and the file of each piece, from deal 0 on without a gap."""
    expected = 0
    # Names begin with the number of the first deal in ten digits, and so sort by it.
    for file in sorted(folder.glob("*-*.npz")):
        first, _, number = file.stem.partition("-")
        if not (first.isdecimal() and number.isdecimal()) or int(first) != expected:
            continue  # an incomplete name, or a piece after a gap: it is played again
        yield int(number), file
        expected += int(number)


def _played(data: DataSet, devices: int, begun: int) -> Iterator[DealArrays]:
    """Yield pieces: arrays of the deals from number `begun` on, until the data set has enough."""
    waiting: list[DealArrays] = []
    since, number = time.monotonic(), begun
    for done in _batches(data, devices, begun):
        # The last batch may have more deals than are wanted.
        done = done[: data.num_deals - number]
        number += len(done)
        waiting.append(done)
        # A piece is full, or some seconds old, so that a stopped run loses little work.
        due = sum(map(len, waiting)) >= _PIECE or time.monotonic() - since > _SECONDS
        if due or number == data.num_deals:
            yield _together(waiting)
            waiting, since = [], time.monotonic()
        if number == data.num_deals:
            return  # the other devices have played more than enough


def _together(parts: Sequence[DealArrays]) -> DealArrays:
    return parts[0] if len(parts) == 1 else jax.tree.map(lambda *all: np.concatenate(all), *parts)


def _batches(data: DataSet, devices: int, begun: int) -> Iterator[DealArrays]:
    """Yield arrays of batches of deals. While the caller uses some, the devices play the next."""
    if begun >= data.num_deals:
        return
    side_by_side, batch = _sizes(data, devices)
    play = _compiled(data, batch, devices, side_by_side)
    # JAX computes asynchronously: devices play the next batches while one is written.
    ahead: collections.deque[DealArrays] = collections.deque()
    for number in range(begun, data.num_deals, batch):
        ahead.append(play(list(data.params), jnp.uint32(number), jnp.uint32(data.seed)))
        if len(ahead) > _AHEAD:
            yield from _of_each_device(ahead.popleft())
    while ahead:
        yield from _of_each_device(ahead.popleft())


def _of_each_device(deals: DealArrays) -> Iterator[DealArrays]:
    """Yield the deals of a batch device by device: joining them would copy all."""
    leaves, tree = jax.tree.flatten(deals)
    # Shards in the order of the deals.
    shards = [
        sorted(leaf.addressable_shards, key=lambda shard: shard.index[0].start or 0) for leaf in leaves
    ]
    for number in range(len(shards[0])):
        yield jax.device_get(jax.tree.unflatten(tree, [leaf[number].data for leaf in shards]))


def _sizes(data: DataSet, devices: int) -> tuple[int, int]:
    """Return the number of deals that a device plays side by side, and the number of one call."""
    least = [getattr(agent, "largest_batch", TOGETHER) for agent in data.agents]
    # A small data set needs no large batch.
    few = 1 << (data.num_deals - 1).bit_length()
    side_by_side = max(1, min(TOGETHER, few, *least))
    if _is_random(data):
        side_by_side = min(side_by_side, _AT_RANDOM)
    batch = side_by_side * devices
    if _is_random(data):
        # A piece for each device, played while the previous ones are written.
        batch *= max(1, min(_PIECE, few // devices) // side_by_side)
    return side_by_side, batch


def _compiled(data: DataSet, batch: int, devices: int, side_by_side: int) -> Any:
    game = data.game

    def one(params: Any, key: jax.Array) -> DealArrays:
        choose = chooser(game, list(data.agents), params, key, None)
        done = played(game, choose, game.init(key), prng.place(prng.key_words(key), 0))
        return packed(done.opening, done.actions, done.points)

    def part(operand: Any, seed: jax.Array, first_place: jax.Array, places: int) -> DealArrays:
        params, first = operand
        # numbers: uint32[places], the deals of this part.
        numbers = first + first_place + jnp.arange(places, dtype=jnp.uint32)
        return jax.vmap(one, in_axes=(None, 0))(params, deal_keys(seed, numbers))

    share = throughput.in_parts(part, batch, devices, side_by_side)
    return xla.jit(lambda params, first, seed: share((params, first), seed))


def packed(opening: Opening, actions: jax.Array, points: jax.Array) -> DealArrays:
    """Return one deal as an entry of `DealArrays`."""
    return DealArrays(
        deck=opening.deck.astype(jnp.uint8),
        dealer=opening.dealer.astype(jnp.uint8),
        facts=dict(opening.facts),
        actions=actions,
        points=points,
    )


def _save(file: Path, arrays: DealArrays) -> None:
    named = {"deck": arrays.deck, "dealer": arrays.dealer, "actions": arrays.actions}
    named |= {"points": arrays.points} | {f"facts/{n}": value for n, value in arrays.facts.items()}
    content = io.BytesIO()  # zipfile reports errors of a full disk badly
    np.savez(content, **named)
    write_bytes(file, content.getvalue())


def _load(file: Path) -> DealArrays:
    try:
        with np.load(file) as found:
            facts = {n.partition("/")[2]: found[n] for n in found if n.startswith("facts/")}
            named = {name: found[name] for name in ("deck", "dealer", "actions", "points")}
    except Exception as error:  # any error of NumPy for a damaged file
        raise UserError(
            f"{file} cannot be read ({type(error).__name__}): remove {file.parent} to begin again"
        ) from None
    return DealArrays(facts=facts, **named)


@contextlib.contextmanager
def _file(data: DataSet, out: Path) -> Iterator[Callable[[DealArrays], None]]:
    """Open the file; yield the function that adds deals. At the end, the complete file appears.

    Deals are always written in equal numbers, so that the file does not depend on the sizes of pieces.
    """
    waiting: list[DealArrays] = []
    done = 0

    with replacing(out) as temporary, _writer(data, format_to_write(out), temporary) as write:

        def add(arrays: DealArrays) -> None:
            nonlocal waiting, done
            waiting.append(arrays)
            if sum(map(len, waiting)) < _JOINED:
                return
            whole = _together(waiting)
            # Write whole blocks; the rest waits for more deals.
            full = len(whole) - len(whole) % _JOINED
            for start in range(0, full, _JOINED):
                write(done + start, whole[start : start + _JOINED])
            done += full
            waiting = [whole[full:]] if full < len(whole) else []

        yield add
        if waiting:
            write(done, _together(waiting))


@contextlib.contextmanager
def _writer(data: DataSet, wanted: Format, path: Path) -> Iterator[Callable[[int, DealArrays], None]]:
    """Open a file of a format; yield what writes deals to it, with the number of the first."""
    players = data.players
    if wanted.write is None or wanted.name == OWN_ARRAYS:
        common = _common(data)
        with hdf5.Writer(path) as own:
            yield lambda first, arrays: own.write_arrays(data.game, arrays, common)
        return
    id, rules = id_and_rules(data.game)
    with wanted.write(path, data.seed) as writer:

        def write(first: int, arrays: DealArrays) -> None:
            records = from_arrays(id, rules, arrays, players=tuple(players))
            numbered = enumerate(records, start=first)
            sources = [({"seed": data.seed, "deal": number}, record) for number, record in numbered]
            writer.write([dataclasses.replace(record, source=source) for source, record in sources])

        yield write
