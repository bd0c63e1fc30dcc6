"""Records of deals and matches: write, read and replay them. Each format has one module.

    record      the content of a record
    making      records of played deals
    states      every state of a record
    verify      checks of records by a replay
    arrays      many deals as arrays, and their replay in one program
    lines       a line of JSON, the form for people
    hdf5        arrays in an HDF5 file, the form for millions
    egn         Euchre Game Notation
    hslu        Jass JSON of the HSLU
    bridge      PBN and LIN
    swisslos    rows of 72 integers, and swisslos_logs, the texts that they come from
    openspiel   histories of OpenSpiel
    formats     detection of formats, and bounded, safe reading of any file
    convert     from one file to another
    dataset     data sets of any size, from any players

docs/records.md describes the formats. A record is enough for a replay, in any process. Names are loaded
on first use, because replaying needs JAX and reading a command line does not.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jaxcards.records.arrays import DealArrays, from_arrays, replay_deal, to_arrays
    from jaxcards.records.lines import from_line, to_line
    from jaxcards.records.making import Recorder, play_deal, play_match
    from jaxcards.records.record import DealRecord, MatchRecord
    from jaxcards.records.states import Replay, replay
    from jaxcards.records.verify import check, problems

_MODULES = {
    "DealArrays": "arrays",
    "DealRecord": "record",
    "MatchRecord": "record",
    "Recorder": "making",
    "Replay": "states",
    "check": "verify",
    "from_arrays": "arrays",
    "from_line": "lines",
    "play_deal": "making",
    "play_match": "making",
    "problems": "verify",
    "replay": "states",
    "replay_deal": "arrays",
    "to_arrays": "arrays",
    "to_line": "lines",
}

__all__ = [
    "DealArrays",
    "DealRecord",
    "MatchRecord",
    "Recorder",
    "Replay",
    "check",
    "from_arrays",
    "from_line",
    "play_deal",
    "play_match",
    "problems",
    "replay",
    "replay_deal",
    "to_arrays",
    "to_line",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'jaxcards.records' has no attribute {name!r}")
    return getattr(importlib.import_module(f"jaxcards.records.{_MODULES[name]}"), name)
