# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # A deal and its pictures
#
# A game is a frozen object with pure functions. One deal is a small pytree of arrays, which a key
# decides.

# %%
import jax

import jaxcards

game = jaxcards.make("jass")
state = game.init(jax.random.key(3))
print(game.id, "for", game.num_players, "players, with", game.deck.num_cards, "cards")

# %% [markdown]
# A notebook draws what `to_svg` returns. Without a seat all hands lie open.

# %%
game.to_svg(state)

# %% [markdown]
# A player sees its own cards and what lies on the table, and nothing else. `view` is the same as
# plain values; `say` puts its texts into words.

# %%
player = int(state.current_player)
view = game.view(state, player)
for choice in view.choices:
    print(choice.action, view.say(choice.text))

# %% [markdown]
# Actions are whole numbers, and have names. `step` trusts its action; `checked_step` says what is
# wrong with an illegal one. Here the trained player makes the call, and the first cards of each hand
# follow.

# %%
agent, params = jaxcards.load_agent(game)
act = jax.jit(agent.act)
step = jax.jit(game.step)
for number in range(8):
    player = state.current_player
    observation = game.observe(state, player)
    action = act(params, observation, game.legal_actions(state), jax.random.key(number))
    print(f"player {player}: {game.action_to_string(int(action))}")
    state = step(state, action)

# %%
game.to_svg(state, seat=int(state.current_player))

# %% [markdown]
# What a player knows is an observation. `sample_state` draws a deal that fits it: all such deals are
# equally likely, and the player's own cards are in each of them where they are.

# %%
observation = game.observe(state, state.current_player)
game.to_svg(game.sample_state(jax.random.key(7), observation))
