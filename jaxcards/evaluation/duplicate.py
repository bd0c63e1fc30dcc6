"""Evaluation: duplicate deals, every seating, intervals of paired differences.

The cards of a deal affect its result far more than the players do. So two players A and B play the same
deal (cards, dealer and random choices, all from one key) in every seating. The result of a deal is the
mean over its seatings: the luck of the cards and of the seats cancels. Deals are independent, but
seatings of one deal are not, so every interval is taken over deals.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards import xla
from jaxcards.agent import Agent, CallReader, OpenHandsAgent, check_agent, check_game
from jaxcards.errors import UserError, quote
from jaxcards.evaluation import aivat, hosted
from jaxcards.evaluation.batches import batches, check, numbers
from jaxcards.evaluation.calls import Calls, Parts
from jaxcards.evaluation.elo import ratings
from jaxcards.evaluation.intervals import Interval, detectable_difference, mean_interval, share_interval
from jaxcards.evaluation.kept import KeptPairs
from jaxcards.evaluation.result import Evaluation, Pair, Standing
from jaxcards.evaluation.scores import check_score, scored
from jaxcards.evaluation.seatings import advantage, points_of_both, seatings
from jaxcards.game import Game
from jaxcards.match import Match
from jaxcards.opponents.names import Opponent
from jaxcards.opponents.names import check_game as check_opponent
from jaxcards.rollouts import Player, deal_keys, require_legal, rollout

DEFAULT_BATCH = 256


def evaluate(
    game: Game,
    agents: Sequence[Agent | OpenHandsAgent | Opponent],
    params: Sequence[Any],
    names: Sequence[str],
    num_deals: int,
    seed: int = 0,
    batch: int = DEFAULT_BATCH,
    keep: Path | None = None,
    calls: Calls | None = None,
    score: str = "points",
    variance_reduction: bool = False,
) -> Evaluation:
    """Compare every pair of players on duplicate deals.

    Args:
      game: the game; a `Match` makes every "deal" below a whole match.
      agents: two players or more, of jaxcards or of another engine that plays the game. The result
        names those that see all hands.
      params: the parameters of each; () for an `Opponent`.
      names: the unique name of each.
      num_deals: deals of each pair, the same for all pairs; each is played in every seating.
      seed: of the deals and all random choices; 0 to 2**32 - 1.
      batch: deals played side by side, each in all its seatings; fewer if an agent has a smaller
        `largest_batch`. Affects only speed and memory.
      keep: a file (.npz) for finished pairs and, every ten seconds, for the deals so far. An
        interrupted evaluation continues from it; the file is deleted at the end.
      calls: makes the calls of all players, so that they are compared by their cards alone, with the
        same contracts; None if each makes its own.
      score: the unit of all differences: "points", or one of `Game.table_scores`.
      variance_reduction: whether to add intervals with reduced variance; see `evaluation.aivat`.
        Pairs without luck to remove have none.

    Raises:
      UserError: a score that the game lacks; fewer than two players, wrong names, or numbers out of
        range; a file to keep pairs in that belongs to another evaluation; a player that cannot play the
        game, or chooses an illegal action; a player of an engine that does not play the game, or
        disagrees on a deal; a player that sees all hands together with such players or with `calls`; or
        variance that cannot be reduced.
    """
    _check_players(check_game(game), agents, params, names, calls)
    check_score(game, score)
    check(num_deals, seed, batch)
    if num_deals < 2:
        raise UserError("deals must be at least 2, as one deal shows no spread")
    if variance_reduction:
        aivat.check_reducible(game, agents, params, calls is None and score == "points")
    batch = min(batch, num_deals, *(getattr(agent, "largest_batch", batch) for agent in agents))
    id = game.id or game.name
    for agent in agents:
        if isinstance(agent, Opponent):
            check_opponent(agent, id)
    subject = {"game": id, "names": list(names), "num_deals": num_deals, "seed": seed}
    if calls is not None:
        subject["calls"] = calls.name
        agents, params = _with_calls(game, agents, params, calls)
    kept = KeptPairs(keep, subject, params)
    pairs = []
    differences = {}
    ended_at_bound = 0
    for a, b in combinations(range(len(agents)), 2):
        title = f"{names[a]} - {names[b]}"
        results, ended = kept.get(a, b)
        both: Any = agents[a], agents[b]
        values = params[a], params[b]
        # An interrupted evaluation may have kept the first deals of this pair.
        if len(results) < num_deals:
            keep_part = functools.partial(kept.put_part, a, b)
            # A player of another engine plays deal by deal on the host; ours play batches.
            if any(isinstance(agent, Opponent) for agent in both):
                keep_part = functools.partial(keep_part, ended=0)
                results = hosted.play(
                    game, both, values, num_deals, seed, title, results, keep_part, calls
                )
            else:
                begun = results, ended
                results, ended = _play(
                    game, both, values, num_deals, seed, batch, title, begun, keep_part
                )
            kept.put(a, b, results, ended)
        ended_at_bound += ended
        # The file has points, whatever the score.
        differences[a, b] = scored(game, score, results[:, 0])
        pair = compare(names[a], names[b], differences[a, b], *results.T[1:])
        if variance_reduction and any(aivat.means(both, values)):
            reduced = _reduced(game, both, values, differences[a, b], seed, title)
            pair = replace(pair, reduced=reduced)
        pairs.append(pair)
    kept.remove()
    return Evaluation(
        game=id,
        names=tuple(names),
        num_deals=num_deals,
        num_seatings=len(seatings(game)),
        seed=seed,
        pairs=tuple(pairs),
        standings=standings(names, differences),
        ended_at_bound=ended_at_bound,
        with_open_hands=tuple(
            name for name, agent in zip(names, agents, strict=True) if isinstance(agent, OpenHandsAgent)
        ),
        calls=calls.name if calls else "",
        score=score,
    )


def compare(
    a: str, b: str, differences: np.ndarray, points_a: np.ndarray, points_b: np.ndarray
) -> Pair:
    """Return the result of two players from the results of each deal.

    Args:
      a, b: names.
      differences: float[num_deals], A less B, the mean over the seatings of a deal.
      points_a, points_b: float[num_deals], `Game.points` of the sides of A and of B, likewise.
    """
    num_deals = differences.size
    # A tie counts half.
    won, tied = float((np.sign(differences) + 1).mean() / 2), float((differences == 0).mean())
    sd = float(differences.std(ddof=1))
    return Pair(
        a=a,
        b=b,
        difference=mean_interval(differences),
        sd=sd,
        detectable=detectable_difference(sd, num_deals),
        won=share_interval(won, num_deals, tied),
        tied=tied,
        points_a=float(points_a.mean()),
        points_b=float(points_b.mean()),
    )


def standings(
    names: Sequence[str], differences: dict[tuple[int, int], np.ndarray]
) -> tuple[Standing, ...]:
    """Return each player against the average of all others, best first, with its Elo rating.

    All pairs play the same deals, so the mean over the opponents is taken deal by deal. Its interval is
    again one of paired differences.

    Args:
      names: of the players.
      differences: (i, j) with i < j -> float[num_deals], i less j.
    """
    rows = []
    elo = ratings(len(names), differences)
    for i, name in enumerate(names):
        # The differences of all pairs of player i, with the sign from its point of view.
        own = [d if pair[0] == i else -d for pair, d in differences.items() if i in pair]
        rows.append(Standing(name, mean_interval(np.mean(own, axis=0)), elo[i]))
    return tuple(sorted(rows, key=lambda row: -row.difference.mean))


def _with_calls(
    game: Game, agents: Sequence[Any], params: Sequence[Any], calls: Calls
) -> tuple[list[Any], list[Any]]:
    """Return our players with the calls of one player, and their parameters; others stay unchanged."""

    def pair(agent: Any, own: Any) -> tuple[Any, Any]:
        # `hosted.play` sees to the calls of such a player.
        if isinstance(agent, Opponent):
            return agent, own
        # A search would draw wrong conclusions from calls that another player makes for all.
        cards = agent.without_calls() if isinstance(agent, CallReader) else agent
        return Parts(calls.agent, cards, game), (calls.params, own)

    pairs = [pair(agent, own) for agent, own in zip(agents, params, strict=True)]
    return [agent for agent, _ in pairs], [own for _, own in pairs]


def _check_players(
    game: Game,
    agents: Sequence[Any],
    params: Sequence[Any],
    names: Sequence[str],
    calls: Calls | None,
) -> None:
    if len(agents) < 2:
        raise UserError(f"an evaluation needs at least two players, not {len(agents)}")
    if not len(agents) == len(params) == len(names):
        raise UserError(
            f"{len(agents)} agents need one set of parameters and one name each, "
            f"not {len(params)} and {len(names)}"
        )
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"two players are called {quote(name)}: give each a different name")
    foreign = [isinstance(agent, Opponent) for agent in agents]
    for name, agent in zip(names, agents, strict=True):
        if not isinstance(agent, Opponent):
            check_agent(agent, game)
        try:
            # Players are arguments of `lru_cache`.
            hash(agent)
        except TypeError as error:
            raise UserError(
                f"{name} must be hashable, as a frozen dataclass of hashable fields is: {error}"
            ) from None
        if isinstance(agent, OpenHandsAgent) and any(foreign):
            raise UserError(
                f"{name} sees all hands, but other engines hide theirs: leave one of them out"
            )
        if isinstance(agent, OpenHandsAgent) and calls is not None:
            raise UserError(f"{name} sees all hands and makes its own calls: leave it or calls out")
    if calls is not None and not isinstance(calls.agent, Agent):
        raise UserError(
            f"{calls.name} cannot call for all players: it is not a player that sees only its own hand"
        )


def _play(
    game: Game,
    agents: tuple[Player, Player],
    params: tuple[Any, Any],
    num_deals: int,
    seed: int,
    batch: int,
    title: str,
    begun: tuple[np.ndarray, int],
    keep: Callable[[np.ndarray, int], None],
) -> tuple[np.ndarray, int]:
    """Play the deals of two players.

    Args:
      begun: the result for the first deals.
      keep: called with the result so far, after every batch.

    Returns:
      float64[num_deals, 3]: A less B, points of A, points of B; means over seatings. And the number of
      matches that ended at their bound.
    """
    play = _batch_player(game, agents, batch)
    results, ended_at_bound = begun
    for first, count in batches(num_deals, batch, title, len(results)):
        returns, points, ended, illegal = play(params, jnp.uint32(seed), jnp.uint32(first))
        # The last batch may go on beyond the last deal: `count` of its deals are wanted.
        require_legal(game, jax.tree.map(lambda leaf, count=count: leaf[:count], illegal), first)
        points_a, points_b = points_of_both(game, np.asarray(points))
        of_deals = np.stack([advantage(game, np.asarray(returns)), points_a, points_b], axis=1)
        results = np.concatenate([results, of_deals[:count]])
        ended_at_bound += int(np.asarray(ended)[:count].sum())
        keep(results, ended_at_bound)
    return results, ended_at_bound


def _reduced(
    game: Game,
    agents: tuple[Player, Player],
    params: tuple[Any, Any],
    differences: np.ndarray,
    seed: int,
    title: str,
) -> Interval:
    """Return the difference of a pair with reduced variance, from its difference in each deal."""
    num_deals, (lucky, slow) = len(differences), aivat.means(agents, params)
    controls, more = [], np.zeros(2)
    if lucky:
        controls.append(aivat.luck(game, agents, params, num_deals, seed, f"{title}, luck"))
    if slow:
        fast, own = aivat.policies(agents, params)
        begun, number = (np.zeros((0, 3)), 0), num_deals * (1 + aivat.EXTRA)
        results, _ = _play(game, fast, own, number, seed, DEFAULT_BATCH, title, begun, lambda *_: None)
        # The policies play the same deals and then further ones, whose mean is subtracted.
        values, more = np.split(results[:, 0], [num_deals])
        controls.append(values - more.mean())
    return aivat.adjusted(differences, np.stack(controls, axis=1), more)


@functools.lru_cache(maxsize=32)
def _batch_player(game: Game, agents: tuple[Player, Player], batch: int) -> Any:
    """Compile a batch of deals of two agents once, whatever their parameters."""
    # tables: int32[seatings, num_players].
    tables = jnp.asarray(seatings(game))

    def play_seating(params: Any, key: jax.Array, seats: jax.Array) -> tuple[Any, ...]:
        done = rollout(game, agents, params, key, seats=seats, check=True)
        ended = game.ended_at_bound(done.state) if isinstance(game, Match) else jnp.zeros((), bool)
        return done.returns, done.points, ended, done.illegal

    def play_batch(params: Any, seed: jax.Array, first: jax.Array) -> tuple[Any, ...]:
        keys = deal_keys(seed, numbers(first, batch))
        every_seating = jax.vmap(play_seating, in_axes=(None, None, 0))
        # Results have axes [batch, seatings, …].
        return jax.vmap(every_seating, in_axes=(None, 0, None))(params, keys, tables)

    return xla.jit(play_batch, split=True)
