"""The calls of Jass: legal calls and their effects (docs/jass.md, 3).

Forehand chooses a mode or pushes; in Differenzler everyone predicts.
"""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards.cards import history
from jaxcards.cards.actions import IDLE, ActionSet
from jaxcards.cards.history import History
from jaxcards.cards.seats import field
from jaxcards.games.jass import play, weis
from jaxcards.games.jass.play import JassGame, Observation, State
from jaxcards.games.jass.rules import MODES, JassRules

CHOOSE = 36  # + mode 0..5
PUSH = 42
CHOOSE_SLALOM = 43  # + 0, 1 for modes 6, 7
PREDICT = 36  # + predicted points, in Differenzler


def choice_of(mode: int) -> int:
    """Return the action that chooses a mode."""
    return CHOOSE + mode if mode < play.SLALOM_TOP else CHOOSE_SLALOM + mode - play.SLALOM_TOP


def call_names(game: JassGame) -> list[str]:
    if game.rules.game == "differenzler":
        return [f"predict {points}" for points in range(play.CARD_POINTS + 1)]
    names = [f"choose {mode}" for mode in MODES[:6]] + ["push"]
    if game.rules.slalom:
        slalom = "guschti" if game.rules.guschti else "slalom"
        names += [f"choose {slalom}_top", f"choose {slalom}_bottom"]
    return names


def legal_calls(game: JassGame, state: State) -> ActionSet:
    """Return the legal choices and pushes, or predictions (docs/jass.md, 3)."""
    rules, layout = game.rules, game.action_layout
    if rules.game == "differenzler":
        return ActionSet.of(layout, range(PREDICT, layout.num_actions))
    modes = [choice_of(mode) for mode in rules.modes]
    if not rules.push:
        return ActionSet.of(layout, modes)
    may_push, must_choose = layout.constant([*modes, PUSH]), layout.constant(modes)
    first = state.public.num_calls == 0
    words = [
        # Words that do not depend on the push stay constants.
        jnp.uint32(a) if a == b else jnp.where(first, jnp.uint32(a), jnp.uint32(b))
        for a, b in zip(may_push, must_choose, strict=True)
    ]
    return ActionSet(layout, words)


def call(game: JassGame, state: State, action: jax.Array) -> State:
    does = _predict if game.rules.game == "differenzler" else _choose
    return does(game.rules, state, action)


def _choose(rules: JassRules, state: State, action: jax.Array) -> State:
    """Let forehand or, after a push, its partner choose a mode (docs/jass.md, 3)."""
    public = state.public
    pushed = action == PUSH
    last_choice = CHOOSE + 6 if not rules.slalom else CHOOSE_SLALOM + 2
    chooses = (action >= CHOOSE) & (action < last_choice) & ~pushed
    mode = action - CHOOSE
    # `PUSH` lies between the modes, so slalom actions are one too high.
    if rules.slalom:
        mode = jnp.where(action >= CHOOSE_SLALOM, mode - 1, mode)
    player = state.current_player
    partner = (player + 2) & 3
    player = jnp.where(pushed, partner, player)
    # Forehand leads, unless the rules give the lead to the partner that chooses.
    by_partner = play.partner_leads(rules, public.num_calls == 1, mode)
    by_forehand = chooses if by_partner is None else chooses & ~by_partner
    player = jnp.where(by_forehand, public.forehand.astype(jnp.int32), player)
    settled = state.weis
    # The mode decides which team scores its Weis.
    if settled is not None:
        settled = jnp.where(chooses, weis.settle(settled, mode, by_partner), settled)
    after = state.with_public(
        mode=jnp.where(chooses, mode, public.mode),
        num_calls=public.num_calls + (pushed | chooses).astype(jnp.uint8),
        current_player=player,
    )
    return dataclasses.replace(after, weis=settled)


def _predict(rules: JassRules, state: State, action: jax.Array) -> State:
    """Record the prediction of the current player (Differenzler; docs/jass.md, 3)."""
    predicts = (action >= PREDICT) & (action != IDLE)
    shift = state.current_player.astype(jnp.uint32) * play.POINTS_BITS
    predictions = state.predictions
    assert predictions is not None
    following = (state.current_player + 1) & 3
    after = state.with_public(
        num_calls=state.public.num_calls + predicts.astype(jnp.uint8),
        current_player=jnp.where(predicts, following, state.current_player),
    )
    said = jnp.where(predicts, (action - PREDICT) << shift, 0)
    return dataclasses.replace(after, predictions=predictions | said)


# ---- Which calls were made ----------------------------------------------------------------------


def calls_seen(game: JassGame, observation: Observation) -> list[History]:
    """Return the calls. A player knows only its own prediction until the deal is over."""
    public, forehand = observation.public, observation.public.forehand
    if observation.predictions is not None:
        players = (forehand + jnp.arange(play.NUM_SEATS)) & 3
        known = players == observation.player.astype(jnp.uint32)
        over = public.num_played == play.NUM_CARDS_PLAYED
        known = known | (True if game.rules.open_predictions else over)
        said = PREDICT + field(observation.predictions, players, play.POINTS_BITS).astype(jnp.int32)
        return [history.part(jnp.where(known, said, history.UNKNOWN), players, public.num_calls)]
    chosen = CHOOSE + public.mode
    # The reverse of `choice_of`: slalom actions come behind `PUSH`.
    if game.rules.slalom:
        chosen = jnp.where(chosen < PUSH, chosen, chosen - PUSH + CHOOSE_SLALOM)
    if not game.rules.push:
        return [history.part(chosen[None], forehand, public.num_calls)]
    # Whether the first call, if there was one, was a push.
    pushed = (public.num_calls == 2) | (public.mode == play.UNDECIDED)
    actions = jnp.stack([jnp.where(pushed, PUSH, chosen), chosen])
    callers = (forehand + jnp.array([0, 2], jnp.uint32)) & 3
    return [history.part(actions, callers, public.num_calls)]
