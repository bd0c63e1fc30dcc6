"""Writes the kept records of this version: a deal of every preset, a match of every game; and HDF5.

    python tests/records/keep.py

A file of a format is written once, by the version that had it first. Its lines stay as they are; new
presets add lines.
"""

import sys
from pathlib import Path

import jax

import jaxcards
from jaxcards import records, registry
from jaxcards.agent import RandomAgent
from jaxcards.records import hdf5

FOLDER = Path(__file__).with_name("data")
FILE = FOLDER / "format_1.jsonl"
ARRAYS = FOLDER / "format_1.h5"
IN_ARRAYS = ("euchre/british", "rikiki/standard", "sheepshead/standard")


def lines():
    """Yield a line of each record."""
    agent = RandomAgent()
    for id in (id for id in jaxcards.games() if "/" in id):
        print(id, file=sys.stderr)
        key = jax.random.key(len(id))
        yield records.to_line(records.play_deal(jaxcards.make(id), agent, (), key))
    for id in registry.defaults():
        match = jaxcards.Match(jaxcards.make(id))
        yield records.to_line(records.play_match(match, agent, (), jax.random.key(1)))


def write(path, text):
    """Write a file that does not exist yet, and report it."""
    if path.exists():
        print(f"{path} is there already, and stays as it is")
        return
    path.write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    write(FILE, lambda: "".join(f"{line}\n" for line in lines()))
    if not ARRAYS.exists():
        kept = map(records.from_line, FILE.read_text(encoding="utf-8").splitlines())
        with hdf5.Writer(ARRAYS) as writer:
            writer.write([record for record in kept if record.game in IN_ARRAYS])
