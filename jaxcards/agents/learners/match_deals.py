"""Single deals of matches, rewarded by the chance to win the match.

A match has many deals, so its result is a weak signal for a decision. A learner of matches therefore
plays single deals that begin at a random score. The return of a deal is its change of the chance to win
the match, divided by the typical change at that score. The chance is a table over the totals of both
sides. It is computed backwards from the target (value iteration, Bellman 1957), from deals of self-play
of the heuristic at every score.
"""

import dataclasses
import functools
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla
from jaxcards.agents.players import make_player
from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.match import AroundDeals, Match, MatchState, totals_by_player
from jaxcards.rollouts import rollout
from jaxcards.stages import Stage
from jaxcards.xla import prng

# The table has this many steps up to the target, or one for each point.
_STEPS = 32
# Deals that are played at each pair of totals.
_SAMPLE_DEALS = 256
# Deals that a chance looks ahead: matches that would last longer count as half won.
_SWEEPS = 100
_LEAST_SPREAD = 0.1  # of the largest: nearly decided matches get less weight
# Numbers of the sub-streams of a deal's key, far from those of its decisions.
_CARDS, _PROGRESS, _LEAD = (2**31 + place for place in range(3))


@dataclasses.dataclass(frozen=True)
class DealOfMatch(AroundDeals):
    """A deal at a random score of a match between two sides; see above.

    `returns` are the change of the player's chance to win, in units of the spread at the score
    (`WinChances`). All scores then have the same weight in training, and the best action at a score
    stays the best. Before the end of the deal, the points so far count as if they were final. In most
    games tricks score at once, so the learner gets early rewards (potential-based rewards, Ng et al.
    1999: equal in sum).

    Args:
      game: the game of a single deal.

    Raises:
      UserError: if the game lacks two sides, or a target that wins a match.
    """

    def __init__(self, game: Game) -> None:
        id = game.id or game.name
        if game.teams is None or not getattr(game.rules, "target", 0):
            raise UserError(f"{id} has no matches of two sides to a target: leave out matches")
        object.__setattr__(self, "game", game)
        super().__init__(game.rules, Match(game).id)

    name = "deal of a match"

    @property
    def max_steps(self) -> int:
        return self.game.max_steps

    def init(self, key: jax.Array, round: Any = None) -> MatchState:
        """Return a fresh deal at a score anywhere between the first deal and the target.

        A third of the deals begin in the last ninth of the way, where the score matters most. The sides
        are at most half of the target apart, and usually less.
        """
        words = prng.key_words(key)
        progress, lead = (
            prng.uniform(prng.fold(words, stream)[0]) for stream in (_PROGRESS, _LEAD)
        )
        # 1 - u**2 is dense near the target; the lead moves the sides up to half of the target apart.
        progress, lead = 1 - progress**2, (lead - 0.5) / 2
        target = self.rules.target
        both = [
            # A side at the target would have won already.
            jnp.clip(target * (progress + own), 0, target - 1).astype(jnp.int32)
            for own in (lead, -lead)
        ]
        totals = totals_by_player(self.game, both)
        before = self.game.init(key, round)
        # `next_deal` deals at this score, for rules in which the score matters.
        deal = self.game.next_deal(jnp.stack(prng.fold(words, _CARDS)), before, totals)
        return self._start(deal, jnp.stack(words), totals)

    def _step(self, state: MatchState, action: jax.Array, stage: Stage) -> MatchState:
        # The match ends with its only deal.
        deal = self.game._step(state.deal, action, stage)
        return dataclasses.replace(state, deal=deal, over=deal.terminated)

    def points(self, state: MatchState) -> jax.Array:
        return self.game.points(state.deal)

    def returns(self, state: MatchState) -> jax.Array:
        after = state.totals + self.game.points(state.deal)
        # As after the first deal of a match, so that no bound on the number of deals ends it.
        over, winners = self.game.match_over(state.deal, after, jnp.int32(1))
        chances, spreads = map(jnp.asarray, win_chances(self.game))
        before, target = self._of_sides(state.totals), self.rules.target
        # The chance after the deal, or the result if the deal has ended the match.
        chance = look_up(chances, target, *self._of_sides(after))
        won = jnp.where(over, winners[self.sides[0]], chance)
        gain = (won - look_up(chances, target, *before)) / look_up(spreads, target, *before)
        # What one side gains the other side loses.
        return jnp.stack([gain if side == 0 else -gain for side in self.game.teams or ()])

    def progress(self, state: MatchState) -> jax.Array:
        return self.game.progress(state.deal)

    def determinize(self, key: jax.Array, state: MatchState, player: jax.Array) -> MatchState:
        return dataclasses.replace(state, deal=self.game.determinize(key, state.deal, player))

    @property
    def sides(self) -> tuple[int, int]:
        """One seat of each side."""
        teams = self.game.teams or ()
        return teams.index(0), teams.index(1)

    def _of_sides(self, totals: jax.Array) -> tuple[jax.Array, jax.Array]:
        first, second = self.sides
        return totals[first], totals[second]


class WinChances(NamedTuple):
    """The chance to win a match by the totals before a deal, if both sides play the heuristic.

    Entry (i, j) is for totals i and j steps on the way to the target; the last step is one point before
    the target. Values between two entries are interpolated. The dealer is unknown.

    Attributes:
      chances: float32[steps + 1, steps + 1], the chance of side 0 to win the match.
      spreads: float32[steps + 1, steps + 1], the standard deviation of a deal's change of that chance.
        It is at least a tenth of the largest one, so that nearly decided matches get less weight.
    """

    chances: np.ndarray
    spreads: np.ndarray


@functools.lru_cache(maxsize=64)
def win_chances(game: Game) -> WinChances:
    """Return the chances for a game of a single deal; see `DealOfMatch`."""
    # Evaluate at once, also while another function is traced: the table becomes a constant there.
    with jax.ensure_compile_time_eval():
        return WinChances(*map(np.asarray, _win_chances(game)))


def _win_chances(game: Game) -> tuple[jax.Array, jax.Array]:
    target = game.rules.target
    steps = min(_STEPS, target)
    agent = make_player("heuristic", game)
    first, second = DealOfMatch(game).sides
    places = jnp.arange(steps + 1, dtype=jnp.int32)
    # grid: the totals of the table's entries; the last is one point before the target.
    grid = jnp.minimum(places * target // steps, target - 1)

    def play(key: jax.Array, one: jax.Array, other: jax.Array) -> tuple[jax.Array, ...]:
        """Return whether a deal at a score ends the match, whether side 0 has won, and the totals."""
        before = totals_by_player(game, (one, other))
        deal = game.next_deal(key, game.init(key), before)
        deal = rollout(game, agent, (), key, state=deal).state
        totals = before + game.points(deal)
        over, winners = game.match_over(deal, totals, jnp.int32(1))
        return over, winners[first], totals[first], totals[second]

    def solve(keys: jax.Array) -> tuple[jax.Array, jax.Array]:
        # All scores use the same sample of deals: neighbours in the table differ less by chance.
        of_standing = jax.vmap(play, in_axes=(0, None, None))
        of_row = jax.vmap(of_standing, in_axes=(None, None, 0))
        # Leaves [steps + 1, steps + 1, deals]: the first axis is the total of side 0.
        over, won, *totals = jax.lax.map(lambda total: of_row(keys, total, grid), grid)

        # A deal that ends the match has a known result; after others the table tells the chance.
        def after(chances: jax.Array) -> jax.Array:
            return jnp.where(over, won, look_up(chances, target, *totals))

        # Value iteration: the chance before a deal is the mean chance after it.
        def sweep(chances: jax.Array, _: None) -> tuple[jax.Array, None]:
            return after(chances).mean(-1), None

        start = jnp.full((steps + 1, steps + 1), 0.5)
        chances, _ = jax.lax.scan(sweep, start, length=_SWEEPS)
        spreads = after(chances).std(-1)
        # Make the table symmetric: the sides are alike, but the sample of deals is random.
        chances, spreads = (chances + 1 - chances.T) / 2, (spreads + spreads.T) / 2
        return chances, jnp.maximum(spreads, _LEAST_SPREAD * spreads.max())

    return xla.jit(solve)(jax.random.split(jax.random.key(0), _SAMPLE_DEALS))


def look_up(table: jax.Array, target: int, first: jax.Array, second: jax.Array) -> jax.Array:
    """Return the entry of a table of `WinChances` at totals of both sides, interpolated."""
    steps = table.shape[0] - 1
    value: Any = 0.0
    corners = []
    for total in (first, second):
        # After a deal, totals may lie beyond the table, also below 0: they get the entry at its border.
        place = jnp.clip(total * (steps / target), 0, steps)
        # The last entry has no right neighbour, so interpolate from the one before it.
        lower = jnp.minimum(place.astype(jnp.int32), steps - 1)
        # Linear interpolation: both neighbours along the axis, with their weights.
        corners.append(((lower, 1 - (place - lower)), (lower + 1, place - lower)))
    for i, of_row in corners[0]:
        # The four corners of the square around the totals, each with its weight.
        for j, of_column in corners[1]:
            value = value + of_row * of_column * table[i, j]
    return value
