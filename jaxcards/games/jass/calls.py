"""The calls of Jass: what is legal, and what a call does (docs/jass.md, 3).

Forehand chooses a mode or pushes; in Differenzler everyone predicts.
"""

import dataclasses
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.cards.actions import IDLE, ActionLayout
from jaxcards.games.jass import score, weis
from jaxcards.games.jass.deck import CARD_POINTS, DECK, HAND_SIZE
from jaxcards.games.jass.rules import JassRules
from jaxcards.games.jass.state import POINTS_BITS, State

CHOOSE = 36  # + mode 0..5
PUSH = 42
CHOOSE_SLALOM = 43  # + 0, 1 for modes 6, 7
PREDICT = 36  # + predicted points, in Differenzler


def action_layout(rules: JassRules) -> ActionLayout:
    """Returns how a set of actions is packed into words."""
    if rules.game == "differenzler":
        return ActionLayout.after_cards(DECK, PREDICT + CARD_POINTS + 1, most=CARD_POINTS + 1)
    return ActionLayout.after_cards(DECK, 45 if rules.slalom else 43, most=HAND_SIZE)


def legal_calls(rules: JassRules, layout: ActionLayout, state: State) -> list[Any]:
    """Returns the words of the legal choices and pushes, or predictions (docs/jass.md, 3)."""
    if rules.game == "differenzler":
        return [jnp.uint32(w) for w in layout.constant(range(PREDICT, layout.num_actions))]
    modes = [*range(CHOOSE, CHOOSE + 6)]
    if rules.slalom:
        modes += [CHOOSE_SLALOM, CHOOSE_SLALOM + 1]
    must_choose = layout.constant(modes)
    if not rules.push:
        return [jnp.uint32(word) for word in must_choose]
    may_push = layout.constant([*modes, PUSH])
    first = state.public.num_calls == 0
    return [
        jnp.uint32(a) if a == b else jnp.where(first, jnp.uint32(a), jnp.uint32(b))
        for a, b in zip(may_push, must_choose, strict=True)
    ]


def choose(rules: JassRules, state: State, action: jax.Array) -> State:
    """Forehand or, after a push, its partner chooses a mode (docs/jass.md, 3)."""
    public = state.public
    pushed = action == PUSH
    last_choice = CHOOSE + 6 if not rules.slalom else CHOOSE_SLALOM + 2
    chooses = (action >= CHOOSE) & (action < last_choice) & ~pushed
    mode = action - CHOOSE
    if rules.slalom:
        mode = jnp.where(action >= CHOOSE_SLALOM, mode - 1, mode)
    player = state.current_player
    partner = (player + 2) & 3
    player = jnp.where(pushed, partner, player)
    if rules.pushed_leader == "forehand":
        player = jnp.where(chooses, public.forehand.astype(jnp.int32), player)
    settled = state.weis
    if settled is not None:
        partner_leads = score.partner_leads(rules, state)
        settled = jnp.where(chooses, weis.settle(settled, mode, partner_leads), settled)
    after = state.with_public(
        mode=jnp.where(chooses, mode, public.mode),
        num_calls=public.num_calls + (pushed | chooses).astype(jnp.uint8),
        current_player=player,
    )
    return dataclasses.replace(after, weis=settled)


def predict(rules: JassRules, state: State, action: jax.Array) -> State:
    """Every seat in turn predicts its points (Differenzler; docs/jass.md, 3)."""
    predicts = (action >= PREDICT) & (action != IDLE)
    shift = state.current_player.astype(jnp.uint32) * POINTS_BITS
    predictions = state.predictions
    assert predictions is not None
    following = (state.current_player + 1) & 3
    after = state.with_public(
        num_calls=state.public.num_calls + predicts.astype(jnp.uint8),
        current_player=jnp.where(predicts, following, state.current_player),
    )
    said = jnp.where(predicts, (action - PREDICT) << shift, 0)
    return dataclasses.replace(after, predictions=predictions | said)
