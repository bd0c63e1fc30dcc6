"""Features against a plain computation with lists of cards."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.marks import by_cost

from games.features import by_name
from games.rikiki.playout import game_of, random_deals
from games.rikiki.reference import BID, ReferenceDeal, legal_bids, suit, trick_winner
from games.rikiki.variants import rules_of
from jaxcards.games.rikiki.rules import NO_TRUMP
from jaxcards.testing.deals import quick_jit

DEALS = 24
PRESETS = ("standard", "seventeen", "short_cycle", "forehead")


@pytest.fixture(scope="module", params=by_cost(PRESETS, ["seventeen", "short_cycle", "forehead"]))
def played(request):
    """Every decision of some deals: the reference at that moment, and features by name."""
    name = request.param
    game, deals = game_of(name), random_deals(rules_of(name), DEALS, seed=3)

    @quick_jit
    @jax.vmap
    def look(deck, dealer, round, bits):
        def step(state, word):
            seen = game.observe(state, state.current_player)
            legal = game.legal_actions(state)
            action = legal.sample_word(word)
            words = game.feature_words(seen), game.full_state_words(state)
            moved = game.relabel_legal(seen, legal).mask()
            return game.step(state, action), (action, words, moved)

        return jax.lax.scan(step, game.init_from_deck(deck, dealer, round=round), bits)[1]

    bits = np.random.default_rng(4).integers(0, 2**32, (DEALS, game.max_steps), dtype=np.uint32)
    bits[::2, : game.num_players] = 0  # bids of 0, with which a bid is forbidden in the end
    out = jax.device_get(look(deals.decks, deals.dealers, deals.rounds, bits))
    action, (words, full), moved = out
    return game, deals, action, by_name(game.feature_table, words), parts_full(game, full), moved


def parts_full(game, words):
    state = jax.eval_shape(game.init, jax.random.key(0))
    table: list = []
    jax.eval_shape(lambda s: table.extend(game.write_full_state(s).features) or jnp.int32(0), state)
    return by_name(table, words)


def moments(played):
    """(deal, step, reference before the step)."""
    game, deals, action, *_ = played
    for i in range(DEALS):
        deal = deals.reference(game.rules, i)
        t = 0
        while not deal.terminated:
            yield i, t, deal
            deal.step(int(action[i, t]))
            t += 1


def renamed(deal: ReferenceDeal, cards) -> set[int]:
    """Exchange the trump suit and suit 0."""
    if deal.trump == NO_TRUMP:
        return set(cards)
    swap = {0: deal.trump, deal.trump: 0}
    return {13 * swap.get(c // 13, c // 13) + c % 13 for c in cards}


def cards(row: np.ndarray) -> set[int]:
    return set(np.flatnonzero(row).tolist())


def level(row: np.ndarray) -> int:
    """Return the number of levels reached, which must be the lowest ones."""
    assert (row[:-1] >= row[1:]).all()
    return int(row.sum())


def seats(deal: ReferenceDeal):
    names = ["me", *(f"left {places}" for places in range(1, deal.n))]
    return [(name, (deal.current_player + i) % deal.n) for i, name in enumerate(names)]


@pytest.mark.slow
def test_cards_and_voids(played):
    _, _, _, found, full, moved = played
    for i, t, deal in moments(played):
        me = deal.current_player
        visible = deal.visible(me)
        assert cards(found["hand"][i, t]) == renamed(deal, visible[me])
        assert cards(found["on the table"][i, t]) == renamed(deal, deal.table)
        assert cards(moved[i, t]) == renamed_actions(deal, deal.legal())
        for name, seat in seats(deal):
            mine = [c for s, c in deal.played if s == seat]
            assert cards(found[f"played by {name}"][i, t]) == renamed(deal, mine)
            assert cards(full[f"hand of {name}"][i, t]) == renamed(deal, deal.hands[seat])
            if seat != me and f"shown by {name}" in found:
                assert cards(found[f"shown by {name}"][i, t]) == renamed(deal, visible[seat])
            if seat != me:
                lacks = {s for owner, s in deal.voids if owner == seat}
                want = {c // 13 for c in renamed(deal, [13 * s for s in lacks])}
                assert cards(found[f"voids of {name}"][i, t]) == want


def renamed_actions(deal, actions):
    return renamed(deal, [a for a in actions if a < BID]) | {a for a in actions if a >= BID}


def test_round_and_bids(played):
    game, *_, found, full, _ = played
    limit, forbidden = min(max(game.rules.schedule), 15), 0
    for part in (found, full):
        for i, t, deal in moments(played):
            row = {name: value[i, t] for name, value in part.items()}
            total = sum(deal.bids.values())
            assert row["trumps"].tolist() == [deal.trump != NO_TRUMP]
            turned = [] if deal.turnup is None else [deal.turnup % 13]
            assert np.flatnonzero(row["rank turned up"]).tolist() == turned
            assert cards(row["dealer"]) == {(deal.dealer - deal.current_player) % deal.n}
            assert level(row["cards of a hand"]) == deal.k
            assert level(row["tricks to come"]) == deal.k - len(deal.tricks)
            assert level(row["bids to come"]) == deal.n - len(deal.bids)
            above = sum(total - deal.k >= x for x in range(-limit, limit + 1))
            assert level(row["sum of bids above tricks"]) == above
            for name, seat in seats(deal):
                assert row[f"bid made by {name}"].tolist() == [seat in deal.bids]
                assert level(row[f"bid of {name}"]) == deal.bids.get(seat, 0)
                short = deal.bids[seat] - deal.won[seat] if seat in deal.bids else -99
                assert level(row[f"tricks needed by {name}"]) == max(short + 3, 0)
            if game.rules.hook and len(deal.bids) == deal.n - 1:
                allowed = legal_bids(game.rules, deal.k, list(deal.bids.values()))
                assert cards(row["bid forbidden"]) == set(range(deal.k + 1)) - set(allowed)
                forbidden += len(allowed) <= deal.k
            elif game.rules.hook:
                assert not row["bid forbidden"].any()
    assert forbidden or not game.rules.hook


def test_the_trick(played):
    *_, found, _, _ = played
    checked = {"highest of their suit": 0, "taking the trick": 0, "beaten": 0}
    for i, t, deal in moments(played):
        row = {name: value[i, t] for name, value in found.items()}
        visible, table = deal.visible(deal.current_player), deal.table
        hand = visible[deal.current_player]
        gone = {*(c for cards in visible for c in cards), *(c for _, c in deal.played), deal.turnup}
        unseen = set(range(52)) - gone
        highest = [c for c in hand if not any(u // 13 == c // 13 and u > c for u in unseen)]
        taking = [c for c in hand if table and trick_winner(deal.trump, [*table, c]) == len(table)]
        assert cards(row["highest of their suit"]) == renamed(deal, highest)
        assert cards(row["taking the trick"]) == renamed(deal, taking)
        assert cards(row["cards on the table"]) == {len(table)}
        led = {c // 13 for c in renamed(deal, [13 * suit(table[0])])} if table else set()
        assert cards(row["led suit"]) == led
        best = trick_winner(deal.trump, table) if table else None
        place = {(best - len(table)) % deal.n} if table else set()
        assert cards(row["winner so far"]) == place
        beaten = bool(table) and any(u // 13 == table[best] // 13 and u > table[best] for u in unseen)
        assert row["best card beaten by an unseen one of its suit"].tolist() == [beaten]
        trumps = sum(u // 13 == deal.trump for u in unseen)
        assert level(row["trumps unseen"]) == sum(trumps >= x for x in (1, 2, 3, 4, 5, 6, 8, 10))
        checked["highest of their suit"] += bool(highest)
        checked["taking the trick"] += bool(taking)
        checked["beaten"] += beaten
    assert min(checked.values()) > 20
