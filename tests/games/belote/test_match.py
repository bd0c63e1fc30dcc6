"""The match: who deals, what is carried over, when it ends and who has won."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxcards
from games.belote.golden import GOLDEN
from games.belote.playout import given_deals, random_deals
from games.belote.reference import PASS
from games.belote.variants import rules_of
from jaxcards import Match
from jaxcards.cards.sets import CardSet
from jaxcards.games.belote.play import DECK
from jaxcards.testing.deals import quick_jit

LITIGE = next(golden for golden in GOLDEN if golden.outcome == "litige")


def finished(id: str, golden, **arguments):
    game = jaxcards.make(id)
    start = quick_jit(lambda deck: game.init_from_deck(deck, golden.dealer, **arguments))
    state, step = start(jnp.array(golden.deck)), quick_jit(game.step)
    for action in golden.actions:
        state = step(state, jnp.int32(action))
    return game, state


def test_a_litige_is_carried_over():
    game, state = finished("belote/belote_classic", LITIGE, carry=30)
    assert game.points(state).tolist() == [91, 0, 91, 0]
    following = quick_jit(game.next_deal)(jax.random.key(1), state, jnp.array([291, 100, 291, 100]))
    assert int(following.public.carry) == 30 + LITIGE.carry_out
    assert int(following.public.dealer) == (LITIGE.dealer + 1) % 4
    assert [int(total) for total in following.public.totals] == [291, 100]


def test_a_void_deal_keeps_what_is_carried_over():
    game = jaxcards.make("belote/belote_classic")
    state = game.init_from_deck(jnp.arange(32), 3, carry=81)
    step = quick_jit(game.step)
    for _ in range(8):
        state = step(state, jnp.int32(PASS))
    assert bool(state.terminated) and game.points(state).tolist() == [0] * 4
    over, _ = game.match_over(state, jnp.array([2000, 0, 2000, 0]), jnp.int32(1))
    assert not over  # a void deal decides nothing
    following = quick_jit(game.next_deal)(jax.random.key(1), state, jnp.zeros(4, jnp.int32))
    assert (int(following.public.carry), int(following.public.dealer)) == (81, 0)


TOTALS = [(1000, 900), (1001, 900), (1000, 1001), (1100, 1200), (1200, 1200), (1000, 1000)]


@pytest.mark.slow_after(1)
@pytest.mark.parametrize("tie", ["bidder", "play_on", "draw"])
def test_who_has_won(tie):
    golden = GOLDEN[0]
    for bidder in (0, 1):
        game, state = finished("belote/bela", golden)
        game = jaxcards.make("belote/bela", match_tie=tie)
        state = state.with_public(dealer=jnp.uint8((golden.dealer + bidder) % 4))
        deal = given_deals([golden]).reference("bela", 0)
        deal.rules = rules_of("bela")
        deal.rules.match_tie = tie
        for action in golden.actions:
            deal.step(action)
        deal.bidder = (golden.bidder + bidder) % 4
        for totals in TOTALS:
            over, winners = game.match_over(state, jnp.array(totals * 2), jnp.int32(5))
            want_over, teams = deal.match_over(list(totals))
            assert bool(over) == want_over, (totals, bidder)
            if want_over:
                assert winners.tolist() == [seat % 2 in teams for seat in range(4)]


@pytest.mark.parametrize("golden", GOLDEN[:2], ids=lambda golden: golden.id)
def test_a_belote_alone_does_not_win_the_match(golden):
    """FFB 10.3: a side that failed or won no trick needs one trick more (docs/belote.md, 4.7)."""
    changes, side = {"belote_safe": True, "belote_wins": False}, golden.bidder % 2
    _, state = finished(f"belote/{golden.variant}", golden)
    game = jaxcards.make(f"belote/{golden.variant}", **changes)
    deal = given_deals([golden]).reference(golden.variant, 0)
    vars(deal.rules).update(changes)
    for action in golden.actions:
        deal.step(action)
    ends = {}
    cases = [(1005, 900), (1025, 900), (1005, 1010), (900, 1005), (1005, 1005), (1030, 1010)]
    for mine, others in cases:
        totals = [mine, others] if side == 0 else [others, mine]
        over, winners = game.match_over(state, jnp.array(totals * 2), jnp.int32(5))
        want_over, teams = deal.match_over(totals)
        assert bool(over) == want_over, totals
        if want_over:
            assert winners.tolist() == [seat % 2 in teams for seat in range(4)], totals
        ends[mine, others] = teams
    # Both sides fail: the first with tricks and a belote, the other without a trick.
    assert not ends[1005, 900] and ends[1005, 1010] == [1 - side]
    assert ends[1025, 900] == ([side] if golden is GOLDEN[0] else [])
    Match(game).init_from_deck(np.arange(32), 0, totals=(1020, 900))  # no error
    assert game.match_bound == game.rules.max_deals


def test_the_limit_of_a_match_that_might_never_end():
    """After `max_deals` the higher total wins; equal ones win nothing (docs/belote.md, 4.7)."""
    game, state = finished("belote/belote_classic", LITIGE)
    limit = game.max_match_deals
    assert limit == game.match_bound == game.rules.max_deals
    for totals, winners in (((300, 200), [0, 2]), ((200, 200), [])):
        over, won = game.match_over(state, jnp.array(totals * 2), jnp.int32(limit))
        assert over and np.flatnonzero(won).tolist() == winners
        assert not game.match_over(state, jnp.array(totals * 2), jnp.int32(limit - 1))[0]
    bela = jaxcards.make("belote")
    assert bela.max_match_deals == 2 * 1000 // 162 + 1 and bela.match_bound is None
    short = jaxcards.make("belote", max_deals=3)
    assert short.max_match_deals == short.match_bound == 3


# Seat 0 has all hearts; with `both` seat 1 has all spades.
EIGHT = "7h 8h 9h Th Jh Qh Kh Ah"


def straight_deck(both: bool) -> list[int]:
    hearts, spades = DECK.cards(EIGHT), DECK.cards(EIGHT.replace("h", "s"))
    diamonds, clubs = DECK.cards(EIGHT.replace("h", "d")), DECK.cards(EIGHT.replace("h", "c"))
    hands = [hearts, spades, diamonds, clubs]
    if not both:  # the others' suits are mixed
        mixed = spades + diamonds + clubs
        hands[1:] = [mixed[k::3] for k in range(3)]
    return [c for hand in hands for c in hand[:6]] + [c for hand in hands for c in hand[6:]]


@pytest.mark.parametrize("both, suit, winner", [(False, 0, 0), (True, 2, 1), (True, 1, 0)])
def test_eight_cards_in_a_row(both, suit, winner):
    """The deal ends before a card is played; a row in trumps counts, else the first in order."""
    game = jaxcards.make("belote/bela")
    state = game.init_from_deck(jnp.array(straight_deck(both)), 3)
    assert not state.terminated
    state = game.step(state, jnp.int32(33 + suit))
    assert state.terminated and int(state.public.num_played) == 0
    points = [1001 if seat % 2 == winner else 0 for seat in range(4)]
    assert game.points(state).tolist() == points
    behind = jnp.array([0, 900, 0, 900] if winner == 0 else [900, 0, 900, 0])
    over, won = game.match_over(state, behind, jnp.int32(1))
    assert over and np.flatnonzero(won).tolist() == [winner, winner + 2]
    played_on = jaxcards.make("belote/bela", straight8="hundred")
    state = played_on.init_from_deck(jnp.array(straight_deck(both)), 3)
    assert not played_on.step(state, jnp.int32(33 + suit)).terminated


def test_the_first_of_several_without_trumps():
    game = jaxcards.make("belote/coinche_nt_at", straight8="match")
    step = quick_jit(game.step)
    hands = [DECK.cards(EIGHT.replace("h", suit)) for suit in "sdhc"]
    for dealer in range(4):
        state = game.init_from_deck(jnp.array(sum(hands, [])), dealer)
        for action in (37 + 4, PASS, PASS, PASS):  # no trump
            assert not state.terminated
            state = step(state, jnp.int32(action))
        assert state.terminated
        forehand = (dealer + 1) % 4
        assert game.points(state).tolist() == [3000 * (s % 2 == forehand % 2) for s in range(4)]


@pytest.mark.slow
@pytest.mark.parametrize("id", ["belote/bela", "belote/belote_501"])
def test_totals_of_a_match_add_up(id):
    """Whole matches: totals are sums of deals, the winner is at the target, the dealer moves on."""
    match = Match(jaxcards.make(id))
    target = match.game.rules.target

    def play(key):
        def body(state, word):
            after = match.step(state, match.legal_actions(state).sample_word(word))
            ended = after.num_deals > state.num_deals
            return after, (ended, after.totals, after.deal.public.dealer, after.deal.public.totals)

        start = match.init(key)
        words = jax.random.bits(jax.random.fold_in(key, 1), (match.max_steps,), jnp.uint32)
        end, trail = jax.lax.scan(body, start, words)
        return end, start.deal.public.dealer, trail

    keys = jax.random.split(jax.random.key(3), 16)
    end, first, (ended, totals, dealer, before) = jax.tree.map(
        np.asarray, quick_jit(jax.vmap(play))(keys)
    )
    assert end.over.all()
    for i in range(len(keys)):
        at = np.flatnonzero(ended[i])
        assert len(at) == end.num_deals[i]
        deals = np.arange(1, len(at))
        assert (dealer[i, at[:-1]] == (first[i] + deals) % 4).all()
        assert (before[0][i, at[:-1]] == totals[i, at[:-1], 0]).all()
        on_the_way = totals[i, at[:-1]]
        assert (on_the_way.max(axis=1) < target).all()  # equal totals at the target are rare
        winners = end.winners[i]
        assert winners.any()
        assert (totals[i, -1][winners] == max(totals[i, -1].max(), target)).all()


def test_a_deal_needs_a_real_deck_and_dealer():
    game = jaxcards.make("belote")
    with pytest.raises(jaxcards.UserError, match="dealer must be an int from 0 to 3"):
        game.init_from_deck(random_deals(1, 0).decks[0], 4)
    assert isinstance(game.init_from_deck(np.arange(32), 0).played, CardSet)
