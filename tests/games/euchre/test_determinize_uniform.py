"""`determinize` against every deal that a player must think possible, by enumeration."""

import itertools
from collections import Counter
from functools import cache

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.marks import by_cost

from games.euchre.playout import BATCH, game_of, random_record, word
from games.euchre.reference import ReferenceDeal, effective_suit
from jaxcards.games.euchre.play import hand_of, took_dummy
from jaxcards.testing.deals import quick_jit

SAMPLES = 1 << 14
LIMIT = 5.0  # standard deviations
MOST = 20_000  # ways to place the cards of a situation that is enumerated

# Variants with unlike holders: a discard that may be the up-card or not, the dummy taken or open.
NAMES = (
    "standard", "open_spiel", "british", "three_handed_code", "dummy_partner", "cutthroat", "random 15",
)  # fmt: skip


def holders(deal: ReferenceDeal, agent: int) -> list[tuple[str, int, int, set[int]]]:
    """Return the parts hidden from an agent: (kind, seat, number of cards, cards that may be there)."""
    me, trump = deal.seat_of(agent), deal.trump
    open_seat = 2 if deal.rules.mode == "dummy_partner" else None
    number = 25 if deal.rules.joker else 24
    known = {*deal.seen_hand(agent), *deal.seen_discards(agent), *(c for _, c in deal.plays)}
    known |= set() if deal.picked_up else {deal.up_card}
    known |= set(deal.hands[open_seat]) if open_seat is not None else set()
    known |= set() if deal.took_dummy and deal.maker != me else set(deal.dummy)
    unseen, found = set(range(number)) - known, []
    for seat in set(range(deal.num_seats)) - {me, open_seat}:
        may = {c for c in unseen if trump is None or (seat, effective_suit(c, trump)) not in deal.voids}
        may -= set() if deal.took_dummy and seat == deal.maker else set(deal.dummy)
        may -= set() if seat == deal.dealer else {deal.up_card}
        found.append(("hand", seat, len(deal.hands[seat]), may))
    if deal.picked_up and deal.phase != "DISCARD" and deal.dealer != me:
        may = unseen - set(deal.dummy)
        may -= set() if deal.rules.discard_upcard else {deal.up_card}
        found.append(("discard", deal.dealer, 1, may))
    if deal.took_dummy and deal.maker != me:
        laid_down = len(deal.discards[deal.maker]) - (deal.picked_up and deal.maker == deal.dealer)
        may = unseen if deal.maker == deal.dealer else unseen - {deal.up_card}
        found.append(("discard", deal.maker, laid_down, may))
    found.append(("kitty", -1, len(deal.kitty), unseen - set(deal.dummy) - {deal.up_card}))
    assert sum(size for _, _, size, _ in found) == len(unseen)
    return found


def possible_deals(deal: ReferenceDeal, agent: int) -> Counter | None:
    """Every deal and in how many ways its cards can be placed; None if they are too many."""
    places = sorted(holders(deal, agent), key=lambda holder: len(holder[3]))
    me = deal.seat_of(agent)
    seen = {me, 2} if deal.rules.mode == "dummy_partner" else {me}
    hands = [list(deal.hands[s]) if s in seen else [] for s in range(deal.num_seats)]
    aside = [list(deal.discards[s]) if s == me else [] for s in range(deal.num_seats)]
    found: Counter = Counter()

    def place(left: int, taken: frozenset, hands: list, aside: list) -> bool:
        if left == len(places):
            found[tuple(map(word, hands)), tuple(map(word, aside))] += 1
            return sum(found.values()) <= MOST
        kind, seat, size, may = places[left]
        for cards in itertools.combinations(sorted(may - taken), size):
            more = [list(h) for h in (hands if kind == "hand" else aside)]
            if kind != "kitty":
                more[seat] += cards
            now = (more, aside) if kind == "hand" else (hands, more)
            if not place(left + 1, taken | set(cards), *now):
                return False
        return True

    return found if place(0, frozenset(), hands, aside) else None


@cache
def _compiled(name: str):
    game = game_of(name)
    seats = range(game.init_from_deck(np.arange(game.deck.num_cards), 0).seating.num_seats)

    def look(state):
        hands = [hand_of(state, jnp.uint32(seat)).words[0] for seat in seats]
        seen, call, aside = game.observe(state, 0), state.calls, []
        beside = jnp.where(seen.public.picked_up, 0, jnp.uint32(1) << state.public.up_card)
        for seat in seats:
            own = state.hands[seat].words[0]
            if state.dummy is not None:
                taken = took_dummy(state.mode, call) & (call.maker == seat)
                own = own | jnp.where(taken, state.dummy.words[0], 0)
            aside.append(own & state.aside.words[0] & ~beside)
        return jnp.stack(hands), jnp.stack(aside)

    def sample(state, player, keys):
        return jax.vmap(lambda key: look(game.determinize(key, state, player)))(keys)

    return quick_jit(game.step), jax.jit(sample)


def situations(name: str, number: int):
    """States of random deals, late enough to be enumerated, with an agent and all deals."""
    deals, record = random_record(name)
    step, _ = _compiled(name)
    rng, found = np.random.default_rng(1), 0
    for i in range(BATCH):
        length = int(np.argmax(record["terminated"][i]))
        agent = int(rng.integers(game_of(name).num_players))
        deal = deals.reference(name, i)
        stop = length - int(rng.integers(1, 6))
        actions = record["action"][i, :stop].tolist()
        for action in actions:
            deal.step(action)
        # In every second one the up-card may be in the dealer's hand or laid aside, who knows.
        hidden = deal.picked_up and deal.up_card not in {
            *deal.seen_hand(agent), *deal.seen_discards(agent), *(c for _, c in deal.plays)
        }  # fmt: skip
        dull = hidden and bool(deal.dummy) and not deal.took_dummy
        if deal.phase != "PLAY" or found % 2 == hidden or dull:
            continue
        all_deals = possible_deals(deal, agent)
        if all_deals is None or len(all_deals) < 4:
            continue
        state = game_of(name).init_from_deck(deals.decks[i], deals.dealers[i])
        for action in actions:
            state = step(state, jnp.int32(action))
        found += 1
        yield state, agent, all_deals
        if found == number:
            return
    raise AssertionError(f"only {found} situations")


@pytest.mark.slow
@pytest.mark.parametrize("name", by_cost(NAMES, {*NAMES} - {"dummy_partner"}))
def test_uniform_over_all_possible_deals(name):
    _, sample = _compiled(name)
    for state, agent, all_deals in situations(name, 4):
        keys = jax.random.split(jax.random.key(len(all_deals)), SAMPLES)
        hands, aside = map(np.asarray, sample(state, jnp.int32(agent), keys))
        pairs = zip(hands.tolist(), aside.tolist(), strict=True)
        seen = Counter((tuple(hand), tuple(cards)) for hand, cards in pairs)
        assert set(seen) <= set(all_deals), "a deal that is not possible"
        shares = np.array(list(all_deals.values())) / sum(all_deals.values())
        if SAMPLES * shares.min() > 4:
            counts = np.array([seen[deal] for deal in all_deals])
            chi = ((counts - SAMPLES * shares) ** 2 / (SAMPLES * shares)).sum()
            free = len(all_deals) - 1
            assert abs(chi - free) / np.sqrt(2 * free) < LIMIT, (name, chi, free)
        # Each card in each place, also where the deals are too many to be counted one by one.
        words = np.array(list(all_deals), np.uint32).reshape(len(all_deals), -1)
        exact = shares @ _bits(words).reshape(len(all_deals), -1)
        drawn = _bits(np.concatenate([hands, aside], axis=1)).reshape(SAMPLES, -1).mean(axis=0)
        spread = np.sqrt(np.clip(exact * (1 - exact), 0, 1) / SAMPLES)
        assert (np.abs(drawn - exact) <= LIMIT * spread + 1e-9).all(), name


def _bits(words: np.ndarray) -> np.ndarray:
    return (words[..., None] >> np.arange(25, dtype=np.uint32)) & 1


@pytest.mark.slow
def test_a_hand_not_yet_looked_at():
    """A player who names a suit blindly may hold any cards except the joker, equally likely."""
    game, rng = game_of("british"), np.random.default_rng(4)
    _, sample = _compiled("british")
    deck = [*rng.permutation(24).tolist()]
    state = game.init_from_deck([*deck[:20], 24, *deck[20:]], 2)
    keys = jax.random.split(jax.random.key(4), SAMPLES)
    hands, _ = map(np.asarray, sample(state, jnp.int32(2), keys))
    counts = ((hands[:, :, None] >> np.arange(25, dtype=np.uint32)) & 1).sum(axis=0)
    assert (counts[:, 24] == 0).all()
    share = 5 / 24
    z = (counts[:, :24] - SAMPLES * share) / np.sqrt(SAMPLES * share * (1 - share))
    assert np.abs(z).max() < LIMIT
