"""Writes the kept records of this version: a deal of every preset, and a match of every game.

    python tests/records/keep.py

A file of a format is written once, by the version that had it first, and stays as it is.
"""

import sys
from pathlib import Path

import jax

import jaxcards
from jaxcards import records, registry
from jaxcards.agent import RandomAgent

FOLDER = Path(__file__).with_name("data")
FILE = FOLDER / "format_1.jsonl"


def lines():
    """Yields a line of each record."""
    agent = RandomAgent()
    for id in (id for id in jaxcards.games() if "/" in id):
        print(id, file=sys.stderr)
        key = jax.random.key(len(id))
        yield records.to_line(records.play_deal(jaxcards.make(id), agent, (), key))
    for id in registry.defaults():
        match = jaxcards.Match(jaxcards.make(id))
        yield records.to_line(records.play_match(match, agent, (), jax.random.key(1)))


if __name__ == "__main__":
    if FILE.exists():
        sys.exit(f"{FILE} is there already, and stays as it is")
    FILE.write_text("".join(f"{line}\n" for line in lines()), encoding="utf-8")
