"""A history hides secret choices of other players, and nothing else."""

import jax
import numpy as np
import pytest
from support.marks import by_cost

import jaxcards
from jaxcards import testing
from jaxcards.games.euchre import play as euchre
from jaxcards.games.sheepshead import play as sheepshead
from jaxcards.games.sheepshead.play import NO_CARD
from jaxcards.testing.deals import quick_jit, to_numpy


def seen_of(id, num_deals=64):
    """Random deals, and what their histories hide at each moment: int[moment, deal, player]."""
    game = jaxcards.make(id)
    deals = testing.play_deals(game, num_deals)
    players = np.arange(game.num_players)

    def look(state):
        return jax.vmap(lambda player: game.history(game.observe(state, player)))(players)

    found = to_numpy(quick_jit(jax.vmap(jax.vmap(look)))(deals.states))
    inside = np.arange(game.max_steps) < found.length[..., None]
    return deals, (inside & (found.actions == -1)).sum(-1)


def by_others(secret, deals, num_players):
    """Return the number of secret steps of the other players: int[moment, deal, player]."""
    player = np.asarray(deals.states.current_player)[:-1]
    other = (player[..., None] != np.arange(num_players)) & (secret & ~deals.over[:-1])[..., None]
    return np.concatenate([np.zeros_like(other[:1]), other]).cumsum(0)


def test_predictions_are_secret_until_the_end():
    deals, hidden = seen_of("jass/differenzler")
    secret = np.asarray(deals.states.public.num_calls)[:-1] < 4
    expected = by_others(secret, deals, 4)
    assert (hidden[:-1] == expected[:-1]).all() and (expected[-1] == 3).all()
    assert (hidden[-1] == 0).all(), "they are opened at the end"


@pytest.mark.parametrize(
    "id", by_cost(["euchre/three_handed", "euchre/standard"], {"euchre/three_handed"})
)
def test_cards_laid_aside_are_secret_to_the_end(id):
    deals, hidden = seen_of(id)
    phase = np.asarray(jax.vmap(jax.vmap(lambda state: state.calls.phase))(deals.states))[:-1]
    secret = (phase == euchre.DISCARD) | (phase == euchre.EXCHANGE)
    assert (hidden == by_others(secret, deals, hidden.shape[-1])).all() and hidden[-1].any()


@pytest.mark.slow
def test_bury_and_unknown_are_secret_until_the_end():
    deals, hidden = seen_of("sheepshead/standard", 256)
    public = deals.states.public
    secret = (public.phase == sheepshead.BURY) | (public.phase == sheepshead.UNKNOWN)
    unknown = np.asarray(deals.states.unknown)[:-1]
    plays = public.phase[:-1] == sheepshead.PLAY
    face_down = (unknown != NO_CARD) & (deals.actions == unknown) & plays
    assert face_down.any()
    want = by_others(secret[:-1] | face_down, deals, 5)
    assert (hidden == np.where(deals.over[..., None], 0, want)).all() and hidden.any()


PUBLIC = ["belote/coinche", "rikiki/open_spiel", "jass/schieber_1000"]


@pytest.mark.parametrize("id", by_cost(PUBLIC, {*PUBLIC} - {"rikiki/open_spiel"}))
def test_where_all_actions_are_public_all_are_shown(id):
    assert not seen_of(id, 16)[1].any()
