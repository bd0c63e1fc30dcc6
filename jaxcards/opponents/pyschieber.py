"""pyschieber: Schieber without Weis, Stöck and match bonus, every mode single, in Python.

pyschieber's `Game` keeps the deal: hands, tricks, points, messages to players. Only the loop over the
players is here, because pyschieber's loop asks all of them by itself.

Numbers of cards and actions: docs/jass.md, 2.1 and 7.2.
"""

import random
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

import jax
from pyschieber.card import Card
from pyschieber.game import Game as TheirGame
from pyschieber.player.base_player import BasePlayer
from pyschieber.player.challenge_player.challenge_player import ChallengePlayer
from pyschieber.player.greedy_player.greedy_player import GreedyPlayer
from pyschieber.player.random_player import RandomPlayer
from pyschieber.rules.stich_rules import allowed_cards, stich_rules
from pyschieber.stich import PlayedCard
from pyschieber.suit import Suit
from pyschieber.team import Team
from pyschieber.trumpf import Trumpf

from jaxcards.opponents import engine
from jaxcards.opponents.engine import Seated, Start, own_random

_PLAYERS = {"challenge": ChallengePlayer, "greedy": GreedyPlayer, "random": RandomPlayer}
_SUITS = (Suit.BELL, Suit.ACORN, Suit.ROSE, Suit.SHIELD)

CARDS = tuple(Card(suit=suit, value=value) for suit in _SUITS for value in range(6, 15))
"""pyschieber's card of each of ours."""

MODES = (*(Trumpf[suit.name] for suit in _SUITS), Trumpf.UNDE_UFE, Trumpf.OBE_ABE)
"""pyschieber's mode of each of ours."""

NUMBERS = {card: number for number, card in enumerate(CARDS)}
"""Our card of each of pyschieber's."""

_CHOOSE = len(CARDS)
_CALLS = (*MODES, Trumpf.SCHIEBEN)  # our actions from `_CHOOSE` on
_SEATS = 4


def forced_over_ruffs(
    mode: int, table: Sequence[int], hand: Sequence[int], legal: list[int]
) -> list[int]:
    """Return the legal cards without those that only pyschieber forbids.

    In pyschieber, a hand with only trumps must beat a ruff if it can; the Swiss rule allows any card.

    Args:
      mode: number of our mode.
      table: our cards on the table.
      hand: our cards of the player to act.
      legal: those that are legal by the Swiss rule.
    """
    suit = range(9 * mode, 9 * mode + 9)
    # Both rules agree unless a plain suit is led and the hand has only trumps.
    if mode > 3 or not table or table[0] in suit or any(card not in suit for card in hand):
        return legal
    highest = max((CARDS[card].get_trumpf_rank() for card in table if card in suit), default=0)
    higher = [card for card in legal if CARDS[card].get_trumpf_rank() > highest]
    return higher or legal


class PyschieberDeal(engine.Deal):
    """A given deal of pyschieber.

    Args:
      hands: nine of our cards for each seat.
      dealer: the seat that deals.
      seated: pyschieber's players by seat; other seats are empty.
    """

    def __init__(
        self,
        hands: Sequence[Sequence[int]],
        dealer: int,
        seated: Mapping[int, Seated] | None = None,
    ) -> None:
        seated = seated or {}
        self._random = {seat: random.Random(one.seed) for seat, one in seated.items()}
        self._players = [
            _PLAYERS[seated[seat].opponent.player](name=str(seat)) if seat in seated else BasePlayer()
            for seat in range(_SEATS)
        ]
        self._teams = [Team(players=self._players[side::2]) for side in (0, 1)]
        self._game = TheirGame(teams=self._teams, use_counting_factor=False)
        self._forehand = self._current = (dealer + 1) % _SEATS
        for seat, (player, hand) in enumerate(zip(self._players, hands, strict=True)):
            player.id = seat
            for card in hand:
                player.set_card(CARDS[card])

    @property
    def terminated(self) -> bool:
        return len(self._game.stiche) == len(CARDS) // _SEATS

    @property
    def current_player(self) -> int:
        return self._current

    def legal(self) -> list[int]:
        game = self._game
        if game.trumpf is None:
            # After a push, a second one, the last of the calls, is not allowed.
            return list(range(_CHOOSE, _CHOOSE + len(_CALLS) - game.geschoben))
        on_table = [played.card for played in game.cards_on_table]
        found = allowed_cards(self._players[self._current].cards, on_table, game.trumpf)
        return sorted(NUMBERS[card] for card in found)

    def predict(self, legal: list[int]) -> list[int]:
        """Return the legal actions; see `forced_over_ruffs`."""
        game = self._game
        if game.trumpf is None:
            return legal
        table = [NUMBERS[played.card] for played in game.cards_on_table]
        hand = [NUMBERS[card] for card in self._players[self._current].cards]
        return forced_over_ruffs(MODES.index(game.trumpf), table, hand, legal)

    def step(self, action: int) -> None:
        if action >= _CHOOSE:
            self._call(_CALLS[action - _CHOOSE])
        else:
            self._play(CARDS[action])

    def _call(self, call: Any) -> None:
        if call == Trumpf.SCHIEBEN:
            self._game.geschoben = True
            self._current = (self._forehand + 2) % _SEATS
        else:
            self._game.trumpf = call
            self._current = self._forehand

    def _play(self, card: Any) -> None:
        """Do for a chosen card what `Game.play_stich` and `Game.play` do."""
        game, player = self._game, self._players[self._current]
        player.cards.remove(card)
        # Players are told of a card before it lies on the table.
        game.move_made(player.id, card)
        game.cards_on_table.append(PlayedCard(player=player, card=card))
        self._current = (self._current + 1) % _SEATS
        if len(game.cards_on_table) == _SEATS:
            stich = stich_rules[game.trumpf](played_cards=game.cards_on_table)
            self._current = stich.player.id
            game.count_points(stich, last=len(game.stiche) == len(CARDS) // _SEATS - 1)
            game.stiche.append(stich)
            game.stich_over_information()
            game.cards_on_table = []

    def choose(self) -> int:
        game, player = self._game, self._players[self._current]
        with own_random(self._random[self._current]):
            if game.trumpf is None:
                call = _answer(player.choose_trumpf(geschoben=game.geschoben), self._may_call)
                return _CHOOSE + _CALLS.index(call)
            return NUMBERS[_answer(player.choose_card(state=game.get_status()), self._may_play)]

    def _may_call(self, call: Any) -> bool:
        return not (self._game.geschoben and call == Trumpf.SCHIEBEN)

    def _may_play(self, card: Any) -> bool:
        return NUMBERS[card] in self.legal()

    def counted(self) -> list[float]:
        """Return the card points of the seats' teams."""
        return [self._teams[seat % 2].points for seat in range(_SEATS)]

    def score(self, points: Sequence[float], returns: Sequence[float]) -> engine.Score:
        """Return the card points: winning all tricks brings no bonus."""
        return engine.of_two_teams(self._teams[0].points, self._teams[1].points)


def _answer(player: Generator[Any, bool, None], allowed: Callable[[Any], bool]) -> Any:
    """Return the first allowed choice of a player. The player is told the verdict after each try."""
    choice = next(player)
    while not allowed(choice):
        choice = player.send(False)
    player.send(True)
    return choice


class Pyschieber(engine.Engine):
    """The engine pyschieber; see `engine.Engine`."""

    def deal(self, start: Start, seated: Mapping[int, Seated]) -> PyschieberDeal:
        return PyschieberDeal(start.hands, int(start.public.dealer), seated)

    def counted(self, state: Any) -> jax.Array:
        return self.game.progress(state)
