# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Search and review
#
# A search draws deals that fit what a player sees, and plays every candidate out in each of them,
# with the same luck for all. So it says what each card is worth, and how sure that is.

# %%
import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np

import jaxcards
from jaxcards import records, review
from jaxcards.agents.search import SearchAgent

game = jaxcards.make("jass")
policy, params = jaxcards.load_agent(game)
search = SearchAgent(game, policy, worlds=64)
analyse = jax.jit(search.analyse)

# %% [markdown]
# A moment in the middle of a deal:

# %%
record = records.play_deal(game, policy, params, jax.random.key(5))
states = records.replay(record).states
MOVE = 17
state = jax.tree.map(lambda leaf: jnp.asarray(leaf)[MOVE], states)
game.to_svg(state, seat=int(state.current_player))

# %%
observation, legal = game.observe(state, state.current_player), game.legal_actions(state)
found = analyse(params, observation, legal, jax.random.key(0))
is_legal = np.asarray(found.legal)
names = [game.action_to_string(int(action)) for action in np.asarray(found.action)[is_legal]]
value, error = np.asarray(found.value)[is_legal], np.asarray(found.value_error)[is_legal]
plt.barh(names[::-1], value[::-1], xerr=error[::-1], capsize=4)
plt.xlabel("expected points ahead")
plt.show()

# %% [markdown]
# `Reviewer` asks this question at every move of a recorded deal. A move costs what it brings less
# than the search's choice; costs of one standard error mean nothing.

# %%
(reviewed,) = review.review(record, policy, params, worlds=32)
for move in reviewed.worst():
    played, choice = move.option(move.played), move.option(move.choice)
    print(
        f"move {move.number}: {reviewed.names[move.player]} played {played.name} for {choice.name}: "
        f"{move.cost:.1f} ± {move.cost_error:.1f} points"
    )

# %%
costs = [move.cost for move in reviewed.moves]
errors = [move.cost_error for move in reviewed.moves]
plt.errorbar(range(len(costs)), costs, errors, fmt=".", capsize=2)
plt.axhline(0, color="grey", linewidth=0.5)
plt.xlabel("move")
plt.ylabel("cost in points")
plt.show()
