"""The content of a record of a deal or a match. JAX is not imported until a record is checked."""

import dataclasses
import functools
import json
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jaxcards import __version__, registry, settings
from jaxcards.errors import UserError, quote, unknown

if TYPE_CHECKING:
    from jaxcards.game import Game

Value = int | tuple[int, ...]

LONGEST_TEXT = 4_000  # characters of a name, a note or an entry of a source


@dataclasses.dataclass(frozen=True)
class DealRecord:
    """One deal: the facts that determine it, every action, and the result.

    `checked` tests whether a record fits its game, `verify.check` whether it replays.

    Attributes:
      game: id of a preset, such as "euchre/standard".
      deck: a permutation of the cards, as `Game.init_from_deck` takes it.
      dealer: the seat that deals.
      actions: the actions in order.
      rules: the rules that differ from the preset, by name.
      facts: the other arguments of `init_from_deck`, such as `totals`; all that the game has.
      points: `Game.points` of the finished deal; None for an unfinished deal.
      players: a name for each player; or None.
      seconds: the time that each action took; or None.
      notes: from the number of an action to a comment on it.
      unknown: places of the deck whose card was never seen. The cards there are chosen so that the deal
        replays, and carry no information.
      source: origin of the record, such as a file, the number of a deal, a seed.
      version: the version of jaxcards whose rules were played.
    """

    game: str
    deck: tuple[int, ...]
    dealer: int
    actions: tuple[int, ...]
    rules: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    facts: Mapping[str, Value] = dataclasses.field(default_factory=dict)
    points: tuple[int, ...] | None = None
    players: tuple[str, ...] | None = None
    seconds: tuple[float, ...] | None = None
    notes: Mapping[int, str] = dataclasses.field(default_factory=dict)
    unknown: tuple[int, ...] = ()
    source: Mapping[str, str | int] = dataclasses.field(default_factory=dict)
    version: str = __version__


@dataclasses.dataclass(frozen=True)
class MatchRecord:
    """A whole match: its deals, of one game and rules, each as it was dealt.

    Attributes:
      deals: in order, at least one; only the last may be unfinished.
      winners: the players that have won; None for an unfinished match.
    """

    deals: tuple[DealRecord, ...]
    winners: tuple[int, ...] | None = None

    @property
    def game(self) -> str:
        """The id of the preset of all deals."""
        return self.deals[0].game

    @property
    def rules(self) -> Mapping[str, Any]:
        """The rules of all deals that differ from the preset."""
        return self.deals[0].rules


Record = DealRecord | MatchRecord


def deals_of(record: Record) -> tuple[DealRecord, ...]:
    """Return the deals of a record: those of a match, or the single deal."""
    return record.deals if isinstance(record, MatchRecord) else (record,)


def game_of(record: Record) -> "Game":
    """Return the game of single deals of a record.

    Raises:
      UserError: an unknown game, preset, rule or value.
    """
    # Rules become text, so that they can be a key of the cache.
    return _game(record.game, json.dumps(dict(record.rules), sort_keys=True, default=list))


@functools.lru_cache(maxsize=64)
def _game(id: str, rules: str) -> "Game":
    return registry.make(id, **json.loads(rules))


def id_and_rules(game: "Game") -> tuple[str, dict[str, Any]]:
    """Return the id of the preset of a game, and the rules in which the game differs from it.

    Raises:
      UserError: if `jaxcards.make` does not know the game.
    """
    # Changed rules stand behind a blank in the id.
    id = game.id.partition(" ")[0]
    try:
        preset = registry.resolve(id)[1]
    except UserError:
        raise UserError(
            f"only games of jaxcards.make can be recorded, and it lacks {quote(game.id)}"
        ) from None
    names = settings.annotations(type(preset))
    given = {name: getattr(game.rules, name) for name in names}
    changed = {name: value for name, value in given.items() if value != getattr(preset, name)}
    return registry.canonical_id(id), changed


def checked(record: Record) -> "Game":
    """Return the game of a record, if all of its parts fit it. Does not replay.

    Raises:
      UserError: names the wrong part, and the allowed values.
    """
    if isinstance(record, MatchRecord):
        return _checked_match(record)
    game = game_of(record)
    where = (("deck", _deck), ("facts", _facts), ("actions", _actions), ("points", _result))
    for part, check in where:
        try:
            check(record, game)
        except UserError as error:
            raise UserError(f"{part}: {error}") from None
    _remarks(record, game)
    return game


def _checked_match(record: MatchRecord) -> "Game":
    if not record.deals:
        raise UserError("a match has at least one deal")
    for number, deal in enumerate(record.deals):
        try:
            if (deal.game, dict(deal.rules)) != (record.game, dict(record.rules)):
                raise UserError("it is of another game than the first deal of the match")
            game = checked(deal)
        except UserError as error:
            raise UserError(f"deal {number} of the match: {error}") from None
    if not game.max_match_deals:
        raise UserError(f"{game.id} has no matches")
    if record.winners is not None:
        _whole_numbers("winners", record.winners, 0, game.num_players - 1)
    return game


def _deck(record: DealRecord, game: "Game") -> None:
    number = game.deck.num_cards
    _whole_numbers("a card", record.deck, 0, number - 1, number)
    if len(set(record.deck)) != number:
        twice = next(card for card in record.deck if record.deck.count(card) > 1)
        raise UserError(f"{game.deck.name(twice)} is dealt twice")
    dealers = game.hints.dealers or tuple(range(game.num_players))
    if not _is_whole(record.dealer) or record.dealer not in dealers:
        seats = ", ".join(map(str, dealers))
        raise UserError(f"the dealer is {quote(record.dealer)}, not one of the seats {seats}")
    _whole_numbers("a place of unknown", record.unknown, 0, number - 1)


def _facts(record: DealRecord, game: "Game") -> None:
    expected = game.opening_facts
    for name in record.facts:
        if name not in expected:
            raise unknown("fact of a deal", name, expected)
    for name, fact in expected.items():
        if name not in record.facts:
            raise UserError(f"{name} is missing")
        value = record.facts[name]
        # A fact without a size is a single number; any other fact is a list.
        if (fact.size is None) != _is_whole(value):
            kind = "a whole number" if fact.size is None else f"a list of {fact.size} whole numbers"
            raise UserError(f"{name} must be {kind}, not {quote(value)}")
        numbers = value if isinstance(value, tuple) else (value,)
        _whole_numbers(name, numbers, fact.lowest, fact.highest, fact.size or 1)
        fact.check_equal(name, numbers)


def _actions(record: DealRecord, game: "Game") -> None:
    _whole_numbers("an action", record.actions, 0, game.num_actions - 1)
    if len(record.actions) > game.max_steps:
        raise UserError(f"{len(record.actions)} exceed the {game.max_steps} of a longest deal")


def _result(record: DealRecord, game: "Game") -> None:
    if record.points is not None:
        _whole_numbers("points", record.points, -(2**31), 2**31 - 1, game.num_players)


def _remarks(record: DealRecord, game: "Game") -> None:
    """Check the attributes of a deal other than its play."""
    texts: list[Any] = [*(record.players or ()), *record.notes.values(), record.version]
    texts += [*record.source, *(part for part in record.source.values() if not _is_whole(part))]
    for text in texts:
        if not isinstance(text, str) or len(text) > LONGEST_TEXT or not _is_unicode(text):
            raise UserError(f"a text of up to {LONGEST_TEXT} characters is needed, not {quote(text)}")
    if record.players is not None and len(record.players) != game.num_players:
        raise UserError(f"players: {game.num_players} names are needed, not {len(record.players)}")
    if record.seconds is not None:
        if len(record.seconds) != len(record.actions):
            raise UserError("seconds: there must be one for each action")
        for value in record.seconds:
            # The comparison is false for NaN as well.
            if type(value) not in (int, float) or not 0 <= value < math.inf:
                raise UserError(f"seconds: {quote(value)} is not a time")
    for number in record.notes:
        if not _is_whole(number) or not 0 <= number < len(record.actions):
            raise UserError(f"notes: unknown action {quote(number)}")


def _whole_numbers(
    what: str, values: Any, lowest: int, highest: int, number: int | None = None
) -> None:
    if not isinstance(values, tuple):
        raise UserError(f"a list is needed, not {quote(values)}")
    for value in values:
        if not _is_whole(value) or not lowest <= value <= highest:
            raise UserError(
                f"{what} must be a whole number from {lowest} to {highest}, not {quote(value)}"
            )
    if number is not None and len(values) != number:
        raise UserError(f"there must be {number}, not {len(values)}")


def _is_whole(value: object) -> bool:
    # A bool does not count as a whole number.
    return type(value) is int


def _is_unicode(text: str) -> bool:
    """Return whether a text can be written in UTF-8: JSON can contain halves of a character."""
    return not any("\ud800" <= letter <= "\udfff" for letter in text)
