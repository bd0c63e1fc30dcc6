"""colver: contrée in Rust, and its player IS-DD, which solves sampled deals.

Its players are scored by colver's rules, which differ from docs/belote.md, 4.6. A coinche multiplies
only the value of the contract, by 2, and a surcoinche by 3. A contract is made when its value is
reached, even if the others have the same number of points. If it fails or was doubled, all belotes go
to the winner. A whole deal counts 162 points, not 160, and nothing is rounded. Our score is computed
from colver's counts, and compared with ours.

Numbers of cards and actions: docs/belote.md, 2 and 7.1.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import colver
import jax
import jax.numpy as jnp

from jaxcards.opponents import engine
from jaxcards.opponents.engine import Seated, Start

_SUITS = (2, 1, 0, 3)  # diamonds, hearts, spades, clubs in colver
_RANKS = (0, 1, 2, 6, 3, 4, 5, 7)  # 7 8 9 10 J Q K A in colver
_CARDS, _LEVELS = 32, 10
_PASS, _BID, _COINCHE, _SURCOINCHE = 32, 37, 97, 98  # ours; a bid is _BID + 6 * level + mode

# It bids by rules of thumb, because the package has no networks. For every card it solves this number
# of deals, sampled uniformly from all that fit.
_SPEC = """
[bid]
strategy = "improved_v2"
[play]
method = "isdd"
determinizations = {number}
[worlds]
source = "uniform"
"""


def to_card(card: int) -> int:
    """Return the number of a card in colver."""
    return 8 * _SUITS[card // 8] + _RANKS[card % 8]


def to_call(action: int) -> int:
    """Return the number of a call in colver: pass, bids level by level, coinche, surcoinche."""
    # Behind the pass, 0, and the forty bids, 1 to 40.
    if action >= _COINCHE:
        return 41 + action - _COINCHE
    level, mode = divmod(action - _BID, 6)
    return 0 if action == _PASS else 1 + 4 * level + _SUITS[mode]


_FROM_CARD = {to_card(card): card for card in range(_CARDS)}
_BIDS = [_BID + 6 * level + mode for level in range(_LEVELS) for mode in range(4)]
_FROM_CALL = {to_call(action): action for action in [_PASS, *_BIDS, _COINCHE, _SURCOINCHE]}
_BIDDING = 0  # a phase of colver
_CAPOT = 250


class ColverDeal(engine.Deal):
    """A given deal of colver.

    Args:
      hands: eight of our cards for each seat.
      dealer: the seat that deals.
      seated: colver's players by seat.
    """

    def __init__(
        self,
        hands: Sequence[Sequence[int]],
        dealer: int,
        seated: Mapping[int, Seated] | None = None,
    ) -> None:
        theirs = [sorted(map(to_card, hand)) for hand in hands]
        self._env = colver.Env.deal_with_hands(dealer, theirs)
        self._agents = {}
        self._random = {}
        for seat, (opponent, seed) in (seated or {}).items():
            if opponent.player == "random":
                self._random[seat] = random.Random(seed)
            else:
                agent = colver.Agent(_SPEC.format(number=opponent.number), seat, seed)
                agent.init_deal(self._env)
                self._agents[seat] = agent

    @property
    def terminated(self) -> bool:
        return self._env.is_terminal()

    @property
    def current_player(self) -> int:
        return self._env.current_player()

    @property
    def _back(self) -> Mapping[int, int]:
        return _FROM_CALL if self._env.phase() == _BIDDING else _FROM_CARD

    def legal(self) -> list[int]:
        return sorted(self._back[action] for action in self._env.legal_actions())

    def step(self, action: int) -> None:
        theirs = to_card(action) if action < _CARDS else to_call(action)
        # Players observe the deal before the action.
        for agent in self._agents.values():
            agent.observe(self._env, theirs)
        self._env.step(theirs)

    def choose(self) -> int:
        seat = self.current_player
        if seat in self._random:
            return self._random[seat].choice(self.legal())
        return self._back[self._agents[seat].action(self._env)]

    def counted(self) -> list[float]:
        """Return the card points of both teams without bonus, and their scores by our rules."""
        bid = self._env.get_contract()
        if not bid["value"]:  # all passed
            return [0, 0, 0, 0]
        points = self._env.get_points()
        capots = [tricks == 8 for tricks in self._env.get_tricks_won()]
        # A belote counts once both of its cards were played.
        belotes = [20 * (played == 2) for played in self._env.get_belote()]
        team = bid["team"]
        ours = contract_score(bid["value"], bid["coinche"], team, points, belotes, capots[team])
        # With all tricks, colver counts 252 points: 162 of the cards, and a bonus of 90.
        return [*(card - 90 * capot for card, capot in zip(points, capots, strict=True)), *ours]

    def score(self, points: Sequence[float], returns: Sequence[float]) -> engine.Score:
        return engine.of_two_teams(*self._env.rewards())


def contract_score(
    value: int, doubled: int, team: int, points: Sequence[int], belotes: Sequence[int], whole: bool
) -> list[int]:
    """Return the score of both teams by the preset contree (docs/belote.md, 4.6).

    Args:
      value: of the contract.
      doubled: 1 after a coinche, 2 after a surcoinche, else 0.
      team: the declaring team.
      points: card points of both teams, of all tricks 252.
      belotes: of both teams.
      whole: the team has taken all tricks.
    """
    other = 1 - team
    total = [card + belote for card, belote in zip(points, belotes, strict=True)]
    factor = 1 << doubled
    # A capot needs all tricks. Other contracts need their value, and more points than the other team.
    made = whole if value == _CAPOT else total[team] >= value and total[team] > total[other]
    if not made:
        # A team that fails keeps only its belote.
        scores = belotes[team], (160 + belotes[other] + value) * factor
    elif doubled:
        # A doubled contract that is made leaves the others only their belote.
        scores = ((250 if whole else 160) + belotes[team] + value) * factor, belotes[other]
    else:
        scores = total[team] + value, total[other]
    rounded = [(score + 5) // 10 * 10 for score in scores]
    return rounded if team == 0 else rounded[::-1]


class Colver(engine.Engine):
    """The engine colver; see `engine.Engine`."""

    def deal(self, start: Start, seated: Mapping[int, Seated]) -> ColverDeal:
        return ColverDeal(start.hands, int(start.public.dealer), seated)

    def counted(self, state: Any) -> jax.Array:
        return jnp.concatenate([self.game.progress(state)[:2], self.game.points(state)[:2]])
