"""Invalid observations are refused with a reason; every real one is accepted."""

import dataclasses

import jax
import jax.numpy as jnp
import pytest
from support import quick

import jaxcards
from jaxcards import xla
from jaxcards.agents.search import untrusted
from jaxcards.agents.search.untrusted import check_observation
from jaxcards.cards.sets import CardSet
from jaxcards.errors import UserError

GAME = jaxcards.make("jass")


def seen_at(game, actions, player=None, seed=0):
    """Return an observation after some actions, each the first legal one of a kind."""
    state = game.init(jax.random.key(seed))
    for _ in range(actions):
        after = game.step(state, game.legal_action_mask(state).argmax())
        if after.terminated:
            break
        state = after
    return game.observe(state, state.current_player if player is None else jnp.int32(player))


@pytest.fixture(autouse=True, scope="module")
def compiled_fast():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xla, "jit", quick.jit)
        yield
    untrusted._world.cache_clear()


@pytest.fixture(scope="module")
def seen():
    return seen_at(GAME, 9)


def refused(observation, *words, game=GAME):
    with pytest.raises(UserError) as error:
        check_observation(game, observation)
    text = str(error.value)
    assert "\n" not in text and all(word in text for word in words), text


@pytest.mark.slow_after(1)
def test_real_observations_are_accepted(seen):
    check_observation(GAME, seen)
    for player in range(4):
        check_observation(GAME, seen_at(GAME, 2, player))


def test_a_card_that_is_held_and_played(seen):
    played = [cards.to_list() for cards in seen.played_by]
    other = next(seat for seat in range(4) if played[seat] and seat != int(seen.player))
    card = CardSet.of(GAME.deck, [played[other][0]])
    twice = dataclasses.replace(seen, hand=seen.hand | card)
    face = GAME.deck.pretty(played[other][0])
    refused(twice, "no deal", face, f"seat {int(seen.player)}", "played")


def test_a_card_too_few(seen):
    fewer = dataclasses.replace(seen, hand=CardSet.of(GAME.deck, seen.hand.to_list()[1:]))
    refused(fewer, "no deal", f"seat {int(seen.player)} would have too few cards")


def test_a_card_too_many(seen):
    known = {card for cards in (seen.hand, *seen.played_by) for card in cards.to_list()}
    other = next(card for card in range(36) if card not in known)
    more = dataclasses.replace(seen, hand=seen.hand | CardSet.of(GAME.deck, [other]))
    refused(more, "no deal", "too few cards", GAME.deck.pretty(other))


def test_what_nobody_could_have_announced(seen):
    wrong = dataclasses.replace(seen, announced=seen.announced.at[()].set(0b11110))
    refused(wrong, "no deal", "announced")


@pytest.mark.slow
@pytest.mark.parametrize("id", [id for id in jaxcards.games() if "/" in id])
def test_real_observations_of_every_preset_are_accepted(id):
    game = jaxcards.make(id)
    for actions in (0, 3, 7, 12, 20):
        check_observation(game, seen_at(game, actions, seed=actions))


def test_another_player_other_rules_and_batches(seen):
    refused(dataclasses.replace(seen, player=jnp.int32(4)), "player 4", "0 to 3")
    refused(seen, "not an observation of euchre", game=jaxcards.make("euchre"))
    refused(seen, "not an observation of jass/tournament", game=jaxcards.make("jass/tournament"))
    batch = jax.tree.map(lambda leaf: leaf[None], seen)
    refused(batch, "not an observation of jass/schieber_1000", "[1]")
