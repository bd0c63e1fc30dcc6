"""Euchre Game Notation 1.0 to 1.4: games of people, a file of JSON each (docs/records.md).

The notation has the cards that were seen: a hand is known only as far as it was played. The reader
deals cards that were never seen so that the deal replays, and the record marks them
(`DealRecord.unknown`). Results are counted here in plain Python, so that the replay is compared with an
independent count.
"""

import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from jaxcards.errors import UserError, quote
from jaxcards.records.egn_deal import Played
from jaxcards.records.egn_record import deal_record
from jaxcards.records.egn_rules import Rules, rules_of
from jaxcards.records.items import Item, Read, Refused
from jaxcards.records.lines import json_object

FILE_TYPE = "Euchre Game Notation"
NUM_PLAYERS = 4
_MOST_DEALS = 1_000


def read(text: str, file: str) -> Iterator[Item]:
    """Yield the deals of a game in Euchre Game Notation.

    Args:
      text: the file.
      file: its name, which goes into the source of the records.

    Raises:
      UserError: if the file as a whole is not such a game, or has rules that jaxcards lacks.
    """
    game = json_object(text)
    if game.get("fileType") != FILE_TYPE:
        raise UserError(f'is not a game in Euchre Game Notation: its fileType is not "{FILE_TYPE}"')
    about = _object(game, "metadata")
    rules = rules_of(_object(about, "ruleset") if "ruleset" in about else {})
    players, totals = _players(about), _scores(about, "initialScore")
    source = {"file": file, **{n: about[n] for n in ("title", "date") if isinstance(about.get(n), str)}}
    deals = game.get("deals")
    if not isinstance(deals, list) or len(deals) > _MOST_DEALS:
        raise UserError(f"deals must be a list of up to {_MOST_DEALS}, not {quote(deals)}")
    yield from _deals(deals, rules, players, totals, source)
    yield from _final(about, totals)


def _deals(
    deals: Sequence[Any],
    rules: Rules,
    players: tuple[str, ...],
    totals: list[int],
    source: Mapping[str, Any],
) -> Iterator[Item]:
    """Yield the deals, and add up `totals`."""
    lost: list[str] = []
    for number, deal in enumerate(deals):
        place = f"deal {number}"
        text = json.dumps(deal, ensure_ascii=False)
        try:
            _check_goes_on(rules, totals, number)
            played = Played.of(deal, rules)
            record = deal_record(played, rules, tuple(totals), players)
        except UserError as error:
            lost.append(place)
            yield Refused(place, str(error), text)
            continue
        # The totals lack the points of refused deals: note this as a repair.
        repairs = (f"its totals are without {', '.join(lost)}",) if lost else ()
        about = {**source, "deal": number}
        yield Read(place, dataclasses.replace(record, source=about), repairs, text)
        # Seats 0 and 1 are of different sides.
        for side in range(2):
            totals[side] += (record.points or (0, 0))[side]


def _check_goes_on(rules: Rules, totals: Sequence[int], number: int) -> None:
    """Raise `UserError` for a deal after the end of the game."""
    if max(totals) >= rules.target:
        score = ":".join(map(str, totals))
        raise UserError(f"the game was over before this deal, at {score} of {rules.target} points")
    if rules.num_deals and number >= rules.num_deals:
        raise UserError(f"the game was over before this deal, after num_deals={rules.num_deals}")


def _final(about: Mapping[str, Any], totals: Sequence[int]) -> Iterator[Item]:
    if about.get("finalScore") is None:
        return
    final = _scores(about, "finalScore")
    if final != list(totals):
        yield Refused(
            "the final score",
            f"finalScore is {final}, but the readable deals add up to {list(totals)}",
        )


def _players(about: Mapping[str, Any]) -> tuple[str, ...]:
    players = about.get("players")
    if not isinstance(players, list) or len(players) != NUM_PLAYERS:
        raise UserError(f"players must be a list of {NUM_PLAYERS}, not {quote(players)}")
    names: list[str] = []
    for player in players:
        name = player.get("name") if isinstance(player, dict) else player
        if not isinstance(name, str):
            raise UserError(f"the name of a player must be a text, not {quote(name)}")
        names.append(name)
    return tuple(names)


def _scores(about: Mapping[str, Any], name: str) -> list[int]:
    scores = about.get(name)
    if not isinstance(scores, list) or len(scores) != 2 or any(type(s) is not int for s in scores):
        raise UserError(f"{name} must be two whole numbers, not {quote(scores)}")
    return list(scores)


def _object(given: Mapping[str, Any], name: str) -> dict[str, Any]:
    if not isinstance(given.get(name), dict):
        raise UserError(f"{name} must be a JSON object, not {quote(given.get(name))}")
    return given[name]
