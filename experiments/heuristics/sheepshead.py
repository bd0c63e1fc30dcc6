"""Fit the numbers of the Sheepshead heuristic.

    python -m experiments.heuristics.sheepshead play standard 150  burying and card play, 150 seconds
    python -m experiments.heuristics.sheepshead bids 2             hands and thresholds, 2 batches

`bids` fits the worth of the parts of a hand, and the worth from which on to pick, to go alone, to crack
and to crack again. A batch has 8,192 deals of each kind of table.
"""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from experiments.heuristics import fitting
from jaxcards.agents.heuristics.sheepshead import bidding, player
from jaxcards.agents.heuristics.sheepshead.bidding import PARTS, THRESHOLDS, Key, Thresholds, key_of
from jaxcards.cards.seats import seat_after
from jaxcards.games.sheepshead.calls import (
    ALONE_ACTION,
    CRACK_ACTION,
    PARTNER_ACTION,
    PASS_ACTION,
    PICK_ACTION,
    RECRACK_ACTION,
)
from jaxcards.games.sheepshead.play import CRACK, LONER, NO_SEAT, PICK, RECRACK
from jaxcards.rollouts import rollout

WEIGHTS = player.WEIGHTS
TABLES = ((5, True), (5, False), (4, True), (4, False), (3, False), (6, True), (6, False))
"""Number of players, and whether one of them is the picker's partner."""
DECISIONS = (
    (PICK_ACTION, PASS_ACTION),
    (ALONE_ACTION, PARTNER_ACTION),
    (CRACK_ACTION, PASS_ACTION),
    (RECRACK_ACTION, PASS_ACTION),
)
"""The bold action and the other one, of each decision."""


def fit_play(preset: str, seconds: float) -> None:
    """Fit burying and card play."""
    game, spec = jaxcards.make(f"sheepshead/{preset}"), (WEIGHTS.bury, WEIGHTS.play)
    rules, limits = game.rules, THRESHOLDS[key_of(game.rules)]

    def deal(key: jax.Array, weights_of: Any) -> jax.Array:
        # Hands that are not quite good enough are picked as well, so that leasters do not prevail.
        bold = jax.random.uniform(jax.random.fold_in(key, 7), minval=-40, maxval=120)
        varied = limits._replace(pick=tuple(limit - bold for limit in limits.pick))

        def act(seen: Any, legal: Any) -> jax.Array:
            weights = player.Weights(WEIGHTS.hand, *weights_of(seen))
            return player.choose(rules, weights, varied, seen, legal)

        return rollout(game, fitting.Chooser(act), (), key).returns

    scale = np.maximum(0.4, 0.15 * np.abs(fitting.flat(spec)))
    burying, play = fitting.evolve([(game, deal)], spec, scale, seconds, batch=4096)
    for name, weights in (("burying", burying), *play._asdict().items()):
        fitting.show(name, weights)


# ---- Picking, going alone, cracking -------------------------------------------------------------


def fit_bids(batches: int) -> None:
    """Fit the worth of hands and all thresholds: every decision is made both ways."""
    worths = None
    for players, partner in TABLES:
        game = jaxcards.make(
            "sheepshead", num_players=players, partner="called_ace" if partner else "none",
            double_on_bump=False, crack=True, recrack=True, crack_who="defenders",
        )  # fmt: skip
        data = trials(game, batches)
        parts, pays, likely = data["parts"], data["pays"], data["likely"]
        if worths is None:
            use = likely[:, 0]
            fitted, around = fitting.ridge(parts[use, 0], 100 * pays[use, 0, 0], penalty=0)
            print(f"# {use.sum()} deals, {around:.0f} around, constant {fitted[0]:.0f}")
            worths = np.round(fitted[1:])
            for part, worth in zip(PARTS, worths, strict=True):
                print(f'    Part("{part.name}", {worth:.0f}),')
        value = parts @ worths
        for bump in (False, True):
            gain = pays * np.where(data["lost"] & bump, 2, 1)
            gain = gain[..., 0] - gain[..., 1]
            pick = tuple(
                crossing(value[:, 0], gain[:, 0], likely[:, 0] & (data["behind"] == place))
                for place in range(players)
            )
            rest = [crossing(value[:, i], gain[:, i], likely[:, i]) for i in (1, 2, 3)]
            found = Thresholds(pick, *rest)
            print(f"    {Key(players, partner, bump)}: {found},", flush=True)


def crossing(value: np.ndarray, gain: np.ndarray, use: np.ndarray) -> int:
    """Return where the line through the gains crosses zero, near that place."""
    value, gain = value[use], gain[use]
    if len(value) < 100:
        return 9999
    place = np.median(value)
    for width in (1e9, 150, 120, 120):
        near = np.abs(value - place) < width
        if near.sum() < 100:
            return round(place)
        slope, constant = np.polyfit(value[near], gain[near], 1)
        if slope <= 0:
            return round(place)
        place = np.clip(-constant / slope, value.min(), value.max())
    return round(float(place))


def trials(game: Any, batches: int) -> dict[str, np.ndarray]:
    """Play deals in which each of the four `DECISIONS` is made both ways.

    Returns:
      parts: the description of the hand, [deals, 4, parts]; pays: chips of who decides, [deals, 4, 2];
      lost: whether the picking side lost; likely: whether the decision comes up; behind: how many
      were still to be asked.
    """
    agent, n = player.SheepsheadHeuristicAgent(game.rules), game.num_players

    def deal(key: jax.Array) -> dict[str, jax.Array]:
        place = jax.random.randint(jax.random.fold_in(key, 1), (), 0, n)
        asked = fitting.advance(
            game, agent, game.init(key), n,
            lambda s: (s.public.phase == PICK) & (_asked(s, n) < place),
        )  # fmt: skip
        unpicked = asked.public.phase == PICK
        taken = fitting.where(unpicked, game.step(asked, jnp.int32(PICK_ACTION)), asked)
        cracked = fitting.advance(
            game, agent, taken, 4 + game.rules.blind_size + n,
            lambda s: (s.public.phase != CRACK) | ~_can(game, s, CRACK_ACTION),
        )  # fmt: skip
        after_crack = game.step(cracked, jnp.int32(CRACK_ACTION))
        starts = [asked, taken, cracked, after_crack]
        # Later decisions come up only with hands that are picked with.
        good = ~unpicked | (fitting.action_of(game, agent, asked) == PICK_ACTION)
        in_crack = good & (cracked.public.phase == CRACK)
        likely = [
            unpicked,
            good & _can(game, taken, PARTNER_ACTION) & (taken.public.phase == LONER),
            in_crack, in_crack & (after_crack.public.phase == RECRACK),
        ]  # fmt: skip
        branches = [
            game.step(start, jnp.int32(action))
            for start, pair in zip(starts, DECISIONS, strict=True)
            for action in pair
        ]
        final = fitting.ends(game, agent, key, branches).state
        chips = jax.vmap(game.points)(final)
        own = jnp.stack([chips[i, starts[i // 2].current_player] for i in range(8)])
        factor = jnp.where(final.public.cracker != NO_SEAT, 2, 1) * jnp.where(
            final.public.recracked, 2, 1
        )
        # To pick or to go alone is judged as if players could not crack.
        own = own / jnp.where(jnp.arange(8) < 4, factor, 1)
        picker = jnp.arange(n) == final.public.picker[:, None]
        return {
            "parts": jnp.stack([jnp.stack(_parts(game, s)) for s in starts]),
            "pays": own.reshape(4, 2),
            "lost": (picker & (chips < 0)).any(1).reshape(4, 2),
            "likely": jnp.stack(likely),
            "behind": n - 1 - _asked(asked, n),
        }

    return fitting.sampler(deal, 8192)(range(batches))


def _asked(state: Any, n: int) -> jax.Array:
    """Return the number of players who were asked to pick before the player to act."""
    first = seat_after(state.public.dealer, 1, n).astype(jnp.int32)
    return jnp.where(state.current_player >= first, 0, n) + state.current_player - first


def _can(game: Any, state: Any, action: int) -> jax.Array:
    return game.legal_actions(state).contains(jnp.int32(action))


def _parts(game: Any, state: Any) -> list[jax.Array]:
    seen = game.observe(state, state.current_player)
    leads = _asked(state, game.num_players) == 0
    return bidding.parts(game.rules, seen.hand.words[0], leads)


if __name__ == "__main__":
    fitting.run(play=fit_play, bids=fit_bids)
