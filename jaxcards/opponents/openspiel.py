"""OpenSpiel: its Euchre, Hearts, Skat and Spades, and its Oh Hell, our Rikiki (Lanctot et al. 2019).

Numbers of cards and actions: docs/euchre.md, 12.2, docs/hearts.md, 8, and docs/rikiki.md, 8.2. These
functions do not need OpenSpiel.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.errors import UserError
from jaxcards.opponents import engine
from jaxcards.opponents.engine import Score, Seated, Start
from jaxcards.opponents.names import Opponent

EUCHRE = {  # stick_the_dealer, allow_lone_defender
    "open_spiel": (True, False),
    "open_spiel_no_stick": (False, False),
    "open_spiel_lone_defender": (True, True),
    "open_spiel_no_stick_lone_defender": (False, True),
}
"""The parameters of OpenSpiel's Euchre in our presets."""

OH_HELL = {"open_spiel": False, "open_spiel_penalty": True}
"""Presets -> True if a wrong bid costs points in OpenSpiel's Oh Hell."""

# Our pass, calls of a suit, alone, with the partner -> OpenSpiel's.
_EUCHRE_CALLS = {25: 24, **{26 + suit: 25 + suit for suit in range(4)}, 30: 29, 31: 30}
_OH_HELL_SUITS = (0, 1, 3, 2)  # clubs, diamonds, hearts, spades in OpenSpiel
_CARDS = 52
ONE_BY_ONE = tuple(range(4)) * 13
"""The seat that gets each card in OpenSpiel."""
SKAT_DEALT = tuple(map(int, "00011122233000011112222000111222"))
"""The seat that gets each card in OpenSpiel's Skat; 3 for the skat."""
SKAT_PASS, SKAT_BID, SKAT_TAKE = 32, 33, 34
"""Our numbers of calls. OpenSpiel passes with the same one."""
_SKAT_CALLS = ((SKAT_PASS, SKAT_BID), (SKAT_TAKE,), None, None, range(35, 41))  # None: cards held
_ALL_POINTS = 26  # OpenSpiel's returns of a player without points in Hearts


def to_euchre(action: int) -> int:
    """Return the number of an action of Euchre in OpenSpiel, where suits change fastest."""
    return 4 * (action % 6) + action // 6 if action < 24 else _EUCHRE_CALLS[action]


def to_oh_hell(action: int) -> int:
    """Return the number of an action of Rikiki in OpenSpiel, which counts cards rank by rank."""
    return 4 * (action % 13) + _OH_HELL_SUITS[action // 13] if action < _CARDS else action


def to_hearts(action: int) -> int:
    """Return the number of a card of Hearts in OpenSpiel, which counts cards rank by rank."""
    return 4 * (action % 13) + action // 13


_FROM_EUCHRE = {to_euchre(action): action for action in (*range(24), *_EUCHRE_CALLS)}
_FROM_OH_HELL = {to_oh_hell(action): action for action in range(_CARDS + 18)}
_FROM_HEARTS = {to_hearts(action): action for action in range(_CARDS)}


def euchre(preset: str) -> Any:
    """Return OpenSpiel's game of a preset of Euchre."""
    import pyspiel

    stick, lone = EUCHRE[preset]
    return pyspiel.load_game("euchre", {"stick_the_dealer": stick, "allow_lone_defender": lone})


def oh_hell(preset: str) -> Any:
    """Return OpenSpiel's game of a preset of Rikiki."""
    import pyspiel

    parameters = {"players": 4, "num_tricks_fixed": 10, "off_bid_penalty": OH_HELL[preset]}
    return pyspiel.load_game("oh_hell", parameters)


def hearts(preset: str) -> Any:
    """Return OpenSpiel's game of a preset of Hearts; in all of them the deal says who gets cards."""
    import pyspiel

    del preset
    return pyspiel.load_game("hearts")


def spades(preset: str) -> Any:
    """Return OpenSpiel's game of a preset of Spades, without its bonus for the end of a match."""
    import pyspiel

    del preset
    return pyspiel.load_game("spades", {"win_or_loss_bonus": 0})


def skat(preset: str) -> Any:
    """Return OpenSpiel's game of a preset of Skat."""
    import pyspiel

    del preset
    return pyspiel.load_game("skat")


class _Deal(engine.Deal):
    """A state of OpenSpiel, the numbers of its actions both ways, and its bots by seat.

    Attributes:
      state: OpenSpiel's.
    """

    def __init__(self, state: Any, to: Any, back: Mapping[int, int], bots: Mapping[int, Any]) -> None:
        self.state, self._to, self._back, self._bots = state, to, back, bots

    @property
    def terminated(self) -> bool:
        return self.state.is_terminal()

    @property
    def current_player(self) -> int:
        return self.state.current_player()

    def legal(self) -> list[int]:
        return sorted(self._back[action] for action in self.state.legal_actions())

    def step(self, action: int) -> None:
        self.state.apply_action(self._to(action))

    def choose(self) -> int:
        return self._back[self._bots[self.current_player].step(self.state)]

    def counted(self) -> list[float]:
        return self.state.returns()


class EuchreDeal(_Deal):
    """A given deal of OpenSpiel's Euchre.

    Args:
      game: from `euchre`.
      hands: five cards for each seat.
      up_card: the card turned up.
      dealer: the seat that deals.
      bots: OpenSpiel's players by seat.
    """

    def __init__(
        self,
        game: Any,
        hands: Sequence[Sequence[int]],
        up_card: int,
        dealer: int,
        bots: Mapping[int, Any] | None = None,
    ) -> None:
        state = game.new_initial_state()
        state.apply_action(dealer)
        # OpenSpiel deals card by card, beginning with the dealer.
        for number in range(20):
            state.apply_action(to_euchre(hands[(dealer + number) % 4][number // 4]))
        state.apply_action(to_euchre(up_card))
        super().__init__(state, to_euchre, _FROM_EUCHRE, bots or {})


class OhHellDeal(_Deal):
    """A given deal of OpenSpiel's Oh Hell.

    Args:
      game: from `oh_hell`, or with other players, tricks and scores.
      hands: equally many cards for each seat.
      turnup: the card turned up.
      dealer: the seat that deals.
      bots: OpenSpiel's players by seat.
    """

    def __init__(
        self,
        game: Any,
        hands: Sequence[Sequence[int]],
        turnup: int,
        dealer: int,
        bots: Mapping[int, Any] | None = None,
    ) -> None:
        state = game.new_initial_state()
        # The size of the hands and the dealer, in OpenSpiel's order; then card by card.
        facts = iter([len(hands[0]), dealer])
        cards = iter([*(card for row in zip(*hands, strict=True) for card in row), turnup])
        while state.is_chance_node():
            fact = next(facts, None)
            state.apply_action(to_oh_hell(next(cards)) if fact is None else fact)
        super().__init__(state, to_oh_hell, _FROM_OH_HELL, bots or {})


class _FromForehand(_Deal):
    """A deal whose seat 0 in OpenSpiel is our seat left of the dealer.

    Attributes:
      first: our number of that seat.
      blocks: the cards dealt to each seat of OpenSpiel, then all others.
    """

    def __init__(
        self, state: Any, hands: Sequence[Sequence[int]], dealer: int, to: Any, back: Any, bots: Any,
        dealt: Sequence[int] = ONE_BY_ONE,
    ) -> None:  # fmt: skip
        self.first, self._seats = (dealer + 1) % len(hands), len(hands)
        in_turn = [hands[(self.first + turn) % self._seats] for turn in range(self._seats)]
        self.blocks = [*in_turn, sorted({*range(len(dealt))}.difference(*in_turn))]
        rows = list(map(iter, self.blocks))
        for block in dealt:
            state.apply_action(to(next(rows[block])))
        super().__init__(state, to, back, bots or {})

    @property
    def current_player(self) -> int:
        return (self.first + self.state.current_player()) % self._seats

    def returns(self) -> list[float]:
        """Return OpenSpiel's returns by our seats."""
        returns = self.state.returns()
        return [returns[(seat - self.first) % self._seats] for seat in range(self._seats)]


class HeartsDeal(_FromForehand):
    """A given deal of OpenSpiel's Hearts.

    Args:
      game: from `hearts`.
      hands: 13 cards for each seat.
      direction: how many places to the left cards are passed.
      dealer: the seat that deals.
      bots: OpenSpiel's players by seat.
    """

    def __init__(
        self,
        game: Any,
        hands: Sequence[Sequence[int]],
        direction: int,
        dealer: int,
        bots: Mapping[int, Any] | None = None,
    ) -> None:
        state = game.new_initial_state()
        self._passes = direction > 0
        state.apply_action(direction)
        super().__init__(state, hands, dealer, to_hearts, _FROM_HEARTS, bots)

    def choose(self) -> int:
        import pyspiel

        # Open Spiel 2.0.2 samples worlds with an illegal pass, and its search ends the process.
        if isinstance(self._bots[self.current_player], pyspiel.ISMCTSBot) and self._passing:
            raise UserError("its search cannot pass cards: add --calls heuristic")
        return super().choose()

    @property
    def _passing(self) -> bool:
        """bool: some of the twelve cards are still to be passed."""
        return self._passes and len(self.state.history()) < _CARDS + 1 + 12

    def counted(self) -> list[float]:
        return [points - _ALL_POINTS for points in self.returns()]


class SpadesDeal(_FromForehand):
    """A given deal of OpenSpiel's Spades; its actions have our numbers.

    Args:
      game: from `spades`.
      hands: 13 cards for each seat.
      dealer: the seat that deals.
      bots: OpenSpiel's players by seat.
    """

    def __init__(
        self, game: Any, hands: Sequence[Sequence[int]], dealer: int, bots: Any = None
    ) -> None:
        state, same = game.new_initial_state(), {action: action for action in range(_CARDS + 14)}
        super().__init__(state, hands, dealer, same.__getitem__, same, bots)

    def counted(self) -> list[float]:
        points = self.returns()
        return [points[seat] - points[(seat + 1) % 4] for seat in range(4)]


class SkatDeal(_FromForehand):
    """A given deal of OpenSpiel's Skat, whose declarer names the game before it discards.

    A declarer of ours names its game last: until then OpenSpiel does not hear of its calls. A declarer
    of OpenSpiel names its game when it bids, and announces it here after the discards.

    Args:
      game: from `skat`.
      hands: ten cards for each seat.
      dealer: the seat that deals.
      bots: OpenSpiel's players by seat.
    """

    def __init__(
        self, game: Any, hands: Sequence[Sequence[int]], dealer: int, bots: Any = None
    ) -> None:
        super().__init__(game.new_initial_state(), hands, dealer, int, {}, bots, SKAT_DEALT)
        self._calls: list[int] = []  # of the declarer, from its bid to its game
        self._game = 0  # that a declarer of OpenSpiel has named; 0 before

    @property
    def current_player(self) -> int:
        return self._declarer if 0 < len(self._calls) < 5 else super().current_player

    @property
    def _declarer(self) -> int:
        """The seat of the declarer, after the passes."""
        return (self.first + self.state.history()[32:].count(SKAT_PASS)) % 3

    def legal(self) -> list[int]:
        if len(self._calls) == 5:
            return self.state.legal_actions()
        *hands, skat = self.blocks
        held = {*hands[self.state.current_player()], *skat}.difference(self._calls)
        return sorted(_SKAT_CALLS[len(self._calls)] or held)

    def step(self, action: int) -> None:
        heard = [action]
        if len(self._calls) < 5 and action != SKAT_PASS:
            self._calls.append(action)
            # Our order is bid, take, two discards, game. one, two, last: the three latest calls.
            number, (*_, one, two, last) = len(self._calls), [0, 0, 0, *self._calls]
            # OpenSpiel hears its own declarer call by call, the game at the bid; ours at the end.
            own, ours = {1: [self._game], 3: heard, 4: heard}, {5: [last - 2, one, two]}
            heard = (own if self._game else ours).get(number, [])
        for each in heard:
            self.state.apply_action(each)

    def choose(self) -> int:
        number = len(self._calls)
        if 0 < number < 5 and not self._game:
            raise UserError("it discards for its own games only: leave out --calls")
        if number in (1, 4):
            return SKAT_TAKE if number == 1 else self._game + 2
        action = self._bots[self.current_player].step(self.state)
        if number == 0 and action != SKAT_PASS:
            self._game, action = action, SKAT_BID
        return action

    def counted(self) -> list[float]:
        won = 0.0 if not self._calls else 1.0 if self.returns()[self._declarer] > 0 else -1.0
        return [won * (seat == self._declarer) for seat in range(3)]

    def score(self, points: Sequence[float], returns: Sequence[float]) -> Score:
        ours = [120 * value for value in self.returns()]
        return Score(ours, ours)


class OpenSpiel(engine.Engine):
    """The engine OpenSpiel; see `engine.Engine`."""

    def deal(self, start: Start, seated: Mapping[int, Seated]) -> _Deal:
        name, _, preset = self.game.id.partition("/")
        load, deal, facts = {
            "euchre": (euchre, EuchreDeal, ("up_card", "dealer")),
            "rikiki": (oh_hell, OhHellDeal, ("turnup", "dealer")),
            "hearts": (hearts, HeartsDeal, ("direction", "dealer")),
            "skat": (skat, SkatDeal, ("dealer",)),
            "spades": (spades, SpadesDeal, ("dealer",)),
        }[name]
        game, given = load(preset), [int(getattr(start.public, fact)) for fact in facts]
        # Our seat of OpenSpiel's seat 0.
        seats = len(start.hands)
        first = (given[-1] + 1) % seats if issubclass(deal, _FromForehand) else 0
        bots = {seat: self._bot(game, (seat - first) % seats, *one) for seat, one in seated.items()}
        return deal(game, start.hands, *given, bots)

    def counted(self, state: Any) -> jax.Array:
        # Only the winner: OpenSpiel's Skat has no values of games.
        is_skat = self.game.name == "skat"
        return jnp.sign(self.game.points(state)) if is_skat else super().counted(state)

    def _bot(self, game: Any, seat: int, opponent: Opponent, seed: int) -> Any:
        import pyspiel

        if opponent.player == "random":
            return pyspiel.make_uniform_random_bot(seat, seed)
        if self.game.name in ("skat", "spades"):
            from jaxcards.opponents.openspiel_search import SearchBot, SkatBot

            assert opponent.number is not None
            bot = SkatBot if self.game.name == "skat" else SearchBot
            return bot(game, self.game, opponent.number, seed)
        return pyspiel.ISMCTSBot(
            seed,
            pyspiel.RandomRolloutEvaluator(1, seed),
            # As wide as the returns; OpenSpiel's examples use 2 for returns from -1 to 1.
            game.max_utility() - game.min_utility(),
            opponent.number,
            -1,  # a new world for every simulation
            pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
            False,  # by information states
            # In Euchre, a state has the same text before and after a defender's choice to play alone.
            True,
        )
