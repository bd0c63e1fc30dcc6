# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # A player of one's own
#
# An agent is a pair of pure functions: `init` makes its parameters, and `act` chooses, from an
# observation and the legal actions. Here is one for Rikiki that bids what its aces and trumps
# promise, and then plays its highest card while it needs tricks, and its lowest one when it has them.

# %%
import dataclasses

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt

import jaxcards
from jaxcards.evaluation import evaluate
from jaxcards.games.rikiki.play import bid_of, tricks_of

game = jaxcards.make("rikiki")
cards = game.deck.num_cards
suit, rank = game.deck.suit_and_rank(jnp.arange(cards))


@dataclasses.dataclass(frozen=True)
class Counts:
    """A player that bids its aces and high trumps, and plays high until it has made its bid."""

    trump_worth: float = 0.6

    def init(self, key, game):
        return ()

    def act(self, params, observation, legal, key):
        public, me = observation.public, observation.player
        hand, is_trump = observation.hand.mask(), suit == public.trump
        worth = jnp.where(is_trump, self.trump_worth, jnp.where(rank == rank.max(), 0.7, 0.0))
        bid = jnp.round(jnp.where(hand, worth, 0).sum()).astype(jnp.int32)
        # Bids and tricks of all seats are packed into a word each.
        needs = tricks_of(public.tricks_won, me, 4) < bid_of(public.bids, me, 4)
        high = rank + 20 * is_trump
        card_score = jnp.where(needs, high, -high).astype(jnp.float32)
        bid_score = -jnp.abs(jnp.arange(game.num_actions - cards) - bid).astype(jnp.float32)
        score = jnp.concatenate([card_score, bid_score])
        return jnp.where(legal.mask(), score, -jnp.inf).argmax().astype(jnp.int32)


# %% [markdown]
# Observations are pytrees, and their fields are documented in the module of the state of each game.
# What one player does in one deal is easily looked at.

# %%
state = game.init(jax.random.key(1), round=0)
observation = game.observe(state, state.current_player)
bid = Counts().act((), observation, game.legal_actions(state), jax.random.key(0))
print(game.action_to_string(int(bid)))
game.to_svg(state, seat=int(state.current_player))

# %% [markdown]
# `evaluate` lets players meet on duplicate deals, in every seating, which takes most of the luck out
# of it.

# %%
players = {
    "counts": (Counts(), ()),
    "random": (jaxcards.agent.RandomAgent(), ()),
    "champion": jaxcards.load_agent(game),
}
agents, params = zip(*players.values(), strict=True)
result = evaluate(game, agents, params, list(players), num_deals=400)
print(result.to_text())

# %% [markdown]
# Which worth of a trump bids best against random play?

# %%
worths = (0.3, 0.6, 0.9)
gains = []
for worth in worths:
    pair = [Counts(worth), jaxcards.agent.RandomAgent()]
    result = evaluate(game, pair, [(), ()], ["counts", "random"], num_deals=400)
    gains.append(result.pair("counts", "random").difference)
errors = [gain.high - gain.mean for gain in gains]
plt.errorbar(worths, [gain.mean for gain in gains], errors, fmt="o-", capsize=4)
plt.xlabel("what a trump is worth in a bid, in tricks")
plt.ylabel("points a deal more than random play")
plt.show()
