"""Three things that good Sheepshead players do, counted among players of one kind.

    python experiments/sheepshead_heuristic/gates.py heuristic champion --game sheepshead/standard

How many of those asked pick (20 to 40 %), how many deals nobody picks (below 10 %), and how many of the
leads of defenders with a fail card in hand are trumps (below 5 %).
"""

import argparse

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from jaxcards.cards.seats import by_seat
from jaxcards.games.sheepshead.calls import PICK_ACTION
from jaxcards.games.sheepshead.deck import trump_set
from jaxcards.games.sheepshead.state import NO_SEAT, PICK, PLAY
from jaxcards.players.loading import load_player
from jaxcards.rollouts import recorded_rollout
from jaxcards.xla import cache, jit

DEALS = 4096


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("players", nargs="+")
    parser.add_argument("--game", default="sheepshead/standard")
    options = parser.parse_args()
    cache.enable()
    game = jaxcards.make(options.game)
    trumps = jnp.uint32(trump_set(game.rules.trump_suit))

    for name in options.players:
        agent, params = load_player(name, game)

        def deal(params, key, agent=agent):
            done, path = recorded_rollout(game, agent, params, key)
            seen, public = path.observation, path.observation.public
            asked = path.valid & (public.phase == PICK) & path.legal.contains(jnp.uint32(PICK_ACTION))
            picked = asked & (path.action == PICK_ACTION)
            # The partner is who was dealt, or found in the blind, the called card.
            picker = done.state.public.picker
            side = jnp.zeros(game.num_players, bool)
            if public.called is not None:
                called = done.state.public.called
                side = jnp.stack([hand.contains(called) for hand in done.state.hands])
            defends = (path.player != picker) & ~by_seat(tuple(side), path.player)
            hand = seen.hand.words[0]
            leads = path.valid & (public.phase == PLAY) & (public.trick.best == 0)
            leads &= defends & (picker != NO_SEAT) & ((hand & ~trumps) != 0)
            trump = leads & ((trumps >> path.action.astype(jnp.uint32)) & 1 == 1)
            return asked.sum(), picked.sum(), leads.sum(), trump.sum()

        play = jit(jax.vmap(deal, in_axes=(None, 0)))
        found = play(params, jax.random.split(jax.random.key(0), DEALS))
        asked, picked, leads, trump = map(np.asarray, found)
        print(
            f"{game.id}, {name}: {100 * picked.sum() / asked.sum():.1f} % of those asked pick, "
            f"nobody in {100 * (picked == 0).mean():.1f} % of deals, "
            f"{100 * trump.sum() / leads.sum():.1f} % of defenders' leads with a fail card are trumps",
            flush=True,
        )


if __name__ == "__main__":
    main()
