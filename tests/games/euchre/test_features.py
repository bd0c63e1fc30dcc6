"""Features that follow from the rules, against a plain computation with names of cards."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.marks import by_cost

from games.euchre import reference
from games.euchre.playout import BATCH, game_of, random_deals
from games.euchre.reference import CALL, effective_suit, strength
from games.features import by_name
from games.playout import bits
from jaxcards.games.euchre.features import first_suit
from jaxcards.testing.deals import quick_jit

NAMES = ("standard", "british", "three_handed", "dummy_partner")


@pytest.fixture(scope="module", params=by_cost(NAMES, NAMES[1:]))
def played(request):
    """Features, first suit and action of the player to act at every moment of random deals."""
    name = request.param
    game = game_of(name)
    deals = random_deals(name, BATCH, seed=31)

    def one(deck, dealer, words):
        def step(state, word):
            seen = game.observe(state, state.current_player)
            action = game.legal_actions(state).sample_word(word)
            record = game.feature_words(seen), first_suit(seen), action, state.terminated
            return game.step(state, action), record

        return jax.lax.scan(step, game.init_from_deck(deck, dealer), words)[1]

    words = np.random.default_rng(3).integers(0, 2**32, (BATCH, game.max_steps), dtype=np.uint32)
    out = quick_jit(jax.vmap(one))(deals.decks, deals.dealers, words)
    features, first, action, over = map(np.asarray, out)
    return name, deals, by_name(game.feature_table, features), first, action, over


def _renamed(first: int, cards) -> set[int]:
    """Suit s is called s ^ first: trumps become suit 0, and colours stay together."""
    return {c if c == 24 else 6 * ((c // 6) ^ first) + c % 6 for c in cards}


def _moments(played):
    name, deals, parts, first, action, over = played
    for i in range(0, BATCH, 2):
        deal = deals.reference(name, i)
        for t in range(action.shape[1]):
            if over[i, t]:
                break
            row = {key: value[i, t] for key, value in parts.items()}
            yield deal, row, int(first[i, t])
            deal.step(int(action[i, t]))


def _at(row, name: str) -> set[int]:
    return set(np.flatnonzero(row[name]).tolist())


def test_the_suit_that_comes_first(played):
    for deal, _, first in _moments(played):
        turned = deal.up_card // 6 % 4
        assert first == (turned if deal.trump is None else deal.trump)


def test_cards(played):
    for deal, row, first in _moments(played):
        agent = deal.current_player
        seat = deal.seat_of(agent)
        assert _at(row, "hand") == _renamed(first, deal.seen_hand(agent))
        assert _at(row, "discards") == _renamed(first, deal.seen_discards(agent))
        assert _at(row, "up-card") == _renamed(first, [deal.up_card])
        assert _at(row, "on the table") == _renamed(first, [c for _, c in deal.trick])
        names = ["me", "next", "partner", "previous"]
        if deal.num_seats == 3:
            names.remove("partner")
        for k, name in enumerate(names):
            other = (seat + k) % deal.num_seats
            own = [c for s, c in deal.plays if s == other]
            assert _at(row, f"played by {name}") == _renamed(first, own)
            won = deal.winners.count(other)
            assert row[f"tricks of {name}"].sum() == won
            if k:
                voids = {suit ^ first for s, suit in deal.voids if s == other}
                assert _at(row, f"voids of {name}") == voids


def test_strength(played):
    """Cards that nothing unseen of their suit beats, and those that beat the table."""
    checked = {"highest of their suit": 0, "taking the trick": 0}
    for deal, row, first in _moments(played):
        if deal.trump is None:
            assert not row["highest of their suit"].any() and not row["taking the trick"].any()
            continue
        agent, trump = deal.current_player, deal.trump
        hand, gone = deal.seen_hand(agent), {c for _, c in deal.plays}
        number = 25 if deal.rules.joker else 24
        unseen = set(range(number)) - gone - set(hand) - set(deal.seen_discards(agent))

        def beaten(card, trump=trump, unseen=unseen):
            suit = effective_suit(card, trump)
            rivals = [c for c in unseen if effective_suit(c, trump) == suit]
            return any(strength(c, suit, trump) > strength(card, suit, trump) for c in rivals)

        trick = [c for _, c in deal.trick]
        want = {
            "highest of their suit": {c for c in hand if not beaten(c)},
            "taking the trick": {
                c for c in hand
                if trick and reference.trick_winner([*trick, c], trump) == len(trick)
            },
        }  # fmt: skip
        for name, cards in want.items():
            assert _at(row, name) == _renamed(first, cards), name
            checked[name] += bool(cards)
        trumps = sum(effective_suit(c, trump) == trump for c in unseen)
        assert row["trumps unseen"].sum() == min(trumps, 7)
    assert min(checked.values()) > 100


def test_actions_are_renamed_likewise():
    game = game_of("british")
    state = game.init_from_deck(np.arange(25)[::-1], 0)
    seen = game.observe(state, 0)
    first = int(first_suit(seen))
    assert first == (24 - 20) // 6  # the up-card is deck[20]
    for action in range(32):
        want = action
        if action < 24:
            (want,) = _renamed(first, [action])
        elif CALL <= action < CALL + 4:
            want = CALL + ((action - CALL) ^ first)
        assert int(game.relabel_action(seen, jnp.int32(action))) == want
    legal = game.legal_actions(state)
    renamed = {int(game.relabel_action(seen, jnp.int32(a))) for a in bits(legal.words[0])}
    assert set(bits(game.relabel_legal(seen, legal).words[0])) == renamed
