"""Observe a deal of Sheepshead, sample hidden cards that fit, and tell the history."""

from collections.abc import Sequence
from functools import partial, reduce
from typing import Any

import jax
import jax.numpy as jnp

from jaxcards.cards import dealing, history
from jaxcards.cards.history import History
from jaxcards.cards.seats import by_seat, places_after, seat_after
from jaxcards.cards.sets import CardSet
from jaxcards.determinize import Situation, sample_fitting, sample_hidden
from jaxcards.determinize.situation import Words
from jaxcards.games.sheepshead import play
from jaxcards.games.sheepshead.calls import (
    ALONE_ACTION,
    BLITZ_ACTION,
    CRACK_ACTION,
    PARTNER_ACTION,
    PASS_ACTION,
    PICK_ACTION,
    RECRACK_ACTION,
    callable_cards,
)
from jaxcards.games.sheepshead.known import facts_of, possible_cards, without_suit
from jaxcards.games.sheepshead.play import DECK, Observation, Public, SheepsheadGame, State
from jaxcards.games.sheepshead.rules import SheepsheadRules
from jaxcards.games.sheepshead.score import partner_seats
from jaxcards.xla import prng


def observe(game: SheepsheadGame, state: State, player: jax.Array) -> Observation:
    """See `Game.observe`."""
    player, public = jnp.asarray(player, jnp.int32), state.public
    in_the_know = play.sees_aside(public, player)
    has_unknown = unknown = None
    played = state.played
    if state.unknown is not None:
        has_unknown = state.unknown != play.NO_CARD
        unknown = jnp.where(in_the_know, state.unknown, play.NO_CARD)
        # For others the unknown lies face down, and is not among the cards played.
        played = played - CardSet.single(DECK, state.unknown).where(~in_the_know)
    return Observation(
        public=public, player=player, hand=state.hand_of(player),
        played_by=tuple(cards & played for cards in play.owned(state)),
        num_buried=state.buried.count().astype(jnp.uint32),
        partner=_known_partner(game.rules, state, player) if public.called is not None else None,
        has_unknown=has_unknown, unknown=unknown,
        blind=state.blind.where(in_the_know),
        buried=state.buried.where(in_the_know),
    )  # fmt: skip


def _known_partner(rules: SheepsheadRules, state: State, player: jax.Array) -> jax.Array:
    """Return the partner's seat if it has shown itself or is the player itself: uint32."""
    assert state.public.called is not None
    shown = play.single(state.public.called) & state.played.words[0] != 0
    partner = jnp.uint32(play.NO_SEAT)
    for seat, helps in enumerate(partner_seats(rules, state)):
        known = helps & (shown | (player == seat) | (state.public.phase == play.DONE))
        if state.public.recracker is not None:
            # A seat that answers a crack in the picker's place is the partner.
            known = known | (helps & (state.public.recracker == seat))
        partner = jnp.where(known, jnp.uint32(seat), partner)
    return partner


# Numbers of streams of random words.
_SPLIT_STREAM = 1  # which of the picker's cards were the blind
_UNKNOWN_STREAM = 2  # which of the bury and the unknown is the unknown


def sample_state(game: SheepsheadGame, key: jax.Array, observation: Observation) -> State:
    """Return a state with random hidden cards, all possible deals equally likely.

    The hidden cards are the other hands, the blind or the bury, and the unknown. Only what is certain
    under the rules is used, such as that a call was legal (docs/observations.md).
    """
    rules, seen = game.rules, observation
    known = possible_cards(rules, seen)
    # The picker is the first holder: static bounds then need room for more cards, held aces and cards
    # that it must keep there alone.
    me, n = seen.player.astype(jnp.uint32), rules.num_players
    is_picker = [seen.public.picker == seat_after(me, k, n) for k in range(1, n)]
    # Only the picker can be bound to hold a card of a class: the sum over all holders is its bound.
    bounds = [sum(column) for column in zip(*known.least, strict=True)]
    # An unknown may be any card that the bury may have: both are filled as one holder, then parted.
    situation = Situation.of(
        [(word,) for word in _exchanged(known.allowed[:n], is_picker)],
        _exchanged([*known.sizes[: n - 1], sum(known.sizes[n - 1 :], jnp.int32(0))], is_picker),
        DECK.num_cards, max_size=known.max_sizes, classes=[(word,) for word in known.classes],
        class_sizes=known.class_sizes, least=[bounds, *[[0] * len(bounds)] * (n - 1)],
        most=known.most,
    )  # fmt: skip

    if rules.calls:
        sure = [*known.placed[: n - 1], reduce(jnp.bitwise_or, known.placed[n - 1 :])]
        drawn, _ = sample_fitting(key, situation, partial(_agrees, rules), (seen, is_picker, sure))
    else:
        drawn = sample_hidden(key, situation)
    hidden = _exchanged([cards for (cards,) in drawn], is_picker)
    if len(known.sizes) > n:
        one = _some(key, _UNKNOWN_STREAM, hidden[-1], 1, rules.blind_size + 1)
        unknown = jnp.where(known.sizes[n] > 0, one, 0)
        hidden = [*hidden[:-1], hidden[-1] & ~unknown, unknown]
    words = [cards | sure for cards, sure in zip(hidden, known.placed, strict=True)]
    return _with_cards(rules, key, seen, words)


def _agrees(rules: SheepsheadRules, facts: Any, drawn: tuple[Words, ...]) -> jax.Array:
    seen, is_picker, sure = facts
    hidden = _exchanged([cards for (cards,) in drawn], is_picker)
    return fits(rules, seen, [a | b for a, b in zip(hidden, sure, strict=True)])


def _exchanged(by_holder: list[jax.Array], is_picker: list[jax.Array]) -> list[jax.Array]:
    """Return values by holder, with those of the picker and of the first holder exchanged."""
    changed = list(by_holder)
    for k in range(1, len(is_picker)):
        changed[0] = jnp.where(is_picker[k], by_holder[k], changed[0])
        changed[k] = jnp.where(is_picker[k], by_holder[0], by_holder[k])
    return changed


def fits(rules: SheepsheadRules, seen: Observation, words: Sequence[jax.Array]) -> jax.Array:
    """Return whether a picker with these cards could have called so, and kept what it owed: bool.

    `words` are hidden cards as in `known.Hidden`, of other hands and of those aside, the unknown among
    them. True for the picker's own observation, and before a player has picked.
    """
    public, n = seen.public, rules.num_players
    assert public.called is not None
    me, picker = seen.player.astype(jnp.uint32), jnp.minimum(public.picker, n - 1)
    in_hand = by_seat([seen.hand.words[0], *words[: n - 1]], places_after(me, picker, n))
    buried = words[n - 1] | seen.buried.words[0]
    # The cards that the picker had when it called.
    owned = in_hand | by_seat(seen.played_by, picker).words[0] | buried
    named, possible = public.called < play.NO_CARD, callable_cards(rules, owned)
    agrees = ~named | (possible & play.single(public.called) != 0)
    # A picker that is asked for a call has a card to call.
    agrees = agrees & ((public.phase != play.CALL) | (possible != 0))
    if not rules.loner_choice:
        # Who can call, has to.
        agrees = agrees & (named | (public.phase == play.CALL) | (possible == 0))
    # While the picker is bound to keep a card of the called suit, it has one; the unknown is one.
    assert public.keeps is not None
    owes = public.keeps
    if seen.has_unknown is not None:
        owes = owes & ~without_suit(seen)
    suit = play.fails_of(rules.trump_suit, public.called >> 3)
    agrees = agrees & (~owes | (in_hand & suit != 0))
    return agrees | (public.picker == play.NO_SEAT) | (public.picker == me)


def _with_cards(
    rules: SheepsheadRules, key: jax.Array, seen: Observation, words: list[jax.Array]
) -> State:
    """Return a state with hidden cards: of the other seats, those aside, the unknown."""
    public = seen.public
    n = rules.num_players
    me = seen.player.astype(jnp.uint32)
    hidden_blind = play.blind_is_hidden(public)
    # All cards of each seat, the picker's with what it picked up.
    aside = words[n - 1]
    unknown = words[n] if seen.has_unknown is not None else jnp.uint32(0)
    # Without a picker, the cards aside are the blind.
    buried = seen.buried.words[0] | jnp.where(hidden_blind, 0, aside)
    owned = []
    for seat in range(n):
        held = by_seat([seen.hand.words[0], *words[: n - 1]], places_after(me, seat, n))
        cards = held | seen.played_by[seat].words[0]
        owned.append(cards | jnp.where(public.picker == seat, buried | unknown, 0))
    # Which of the picker's cards were the blind is uniform for others.
    pool = by_seat(owned, jnp.minimum(public.picker, n - 1))
    most = rules.hand_size + rules.blind_size
    picked_up = _some(key, _SPLIT_STREAM, pool, rules.blind_size, most)
    blind = jnp.where(hidden_blind, aside, picked_up)
    blind = jnp.where(play.sees_aside(public, me), seen.blind.words[0], blind)
    # Without the blind, the picker's cards are those that it was dealt.
    dealt = [cards & ~jnp.where(public.picker == seat, blind, 0) for seat, cards in enumerate(owned)]
    played, card = seen.played, seen.unknown
    if card is not None:
        # The place of the only bit is the number of the card.
        card = jnp.where(unknown != 0, jnp.uint32(31) - jax.lax.clz(unknown), card)
        # A card played face down is missing from what this player has seen played.
        face_down = facts_of(rules, seen).face_down > 0
        played = played | CardSet(DECK, [jnp.where(face_down, unknown, 0)])
    return State(
        public=public, hands=tuple(CardSet(DECK, [cards]) for cards in dealt),
        blind=CardSet(DECK, [blind]), played=played, buried=CardSet(DECK, [buried]), unknown=card,
        ends_early=rules.no_pick == "doubler",
    )  # fmt: skip


def _some(key: jax.Array, stream: int, pool: jax.Array, number: int, most: int) -> jax.Array:
    """Return `number` uniformly random cards of a set of at most `most` cards: uint32."""
    words = prng.fold(prng.key_words(key), stream)
    drawn = dealing.draw(words, 0, CardSet(DECK, [pool]), number, most=most)
    return reduce(jnp.bitwise_or, [cards.words[0] for cards in drawn], jnp.uint32(0))


def history_of(game: SheepsheadGame, observation: Observation) -> History:
    """See `Game.history`. Only the picker knows bury (in ascending order) and unknown until the end."""
    rules, seen = game.rules, observation
    public, phase = seen.public, seen.public.phase
    picked = public.picker != play.NO_SEAT
    parts = [_asked(rules, public)] if rules.picks else []
    if rules.asks_loner:
        assert public.called is not None
        # With a partner, a card is called next.
        partner = (public.called < play.NO_CARD) | (phase == play.CALL)
        answer = jnp.where(partner, PARTNER_ACTION, ALONE_ACTION)[None]
        parts.append(history.part(answer, public.picker, picked & (phase > play.LONER)))
    if rules.calls:
        assert public.called is not None
        parts.append(history.part(public.called[None], public.picker, public.called < play.NO_CARD))
    unknown = jnp.full(1, history.UNKNOWN)
    if seen.unknown is not None:
        unknown = jnp.where(seen.unknown == play.NO_CARD, unknown, seen.unknown.astype(jnp.int32))
        parts.append(history.part(unknown, public.picker, seen.has_unknown))
    if public.blitzer is not None:
        # A picker shows the black queens before it buries; others do so with a crack.
        begins = picked & (public.blitzer == public.picker)
        parts.append(history.part([BLITZ_ACTION], public.picker, begins))
    if rules.blind_size:
        bury = history.ascending(seen.buried, rules.blind_size)
        bury = jnp.where(play.sees_aside(public, seen.player), bury, history.UNKNOWN)
        parts.append(history.part(bury, public.picker, seen.num_buried))
    if rules.crack:
        parts += _cracked(rules, public)
    plays = history.plays(public.history, rules.num_plays, public.num_played, seen.played_by)
    # Only the picker plays a card face down.
    face_down = plays.actions == play.NO_CARD
    actions = jnp.where(face_down, unknown, plays.actions)
    players = jnp.where(face_down, public.picker.astype(jnp.int32), plays.players)
    return history.joined(game.max_steps, [*parts, history.part(actions, players, plays.length)])


def _asked(rules: SheepsheadRules, public: Public) -> History:
    """Return the passes on the blind, and the pick if somebody has picked."""
    n = rules.num_players
    seats = seat_after(public.dealer, 1 + jnp.arange(n, dtype=jnp.uint32), n)
    picked = public.picker != play.NO_SEAT
    due = jnp.where(public.phase == play.PICK, (seats == public.current_player).argmax(), n)
    # The pick is the last answer. Until then, all seats before the one to act have passed.
    number = jnp.where(picked, (seats == public.picker).argmax() + 1, due)
    actions = jnp.where(seats == public.picker, PICK_ACTION, PASS_ACTION)
    return history.part(actions, seats, number)


def _cracked(rules: SheepsheadRules, public: Public) -> list[History]:
    """Return the passes and the crack of the other players, and the answers to the crack."""
    n, picker, cracker = rules.num_players, public.picker, public.cracker
    assert cracker is not None
    picker = jnp.minimum(picker, n - 1)  # without a picker, the value is unused
    seats = seat_after(picker, 1 + jnp.arange(n - 1, dtype=jnp.uint32), n)
    cracked = cracker != play.NO_SEAT
    # How many are asked: the seats up to the dealer, or all others.
    everyone = places_after(picker, public.dealer, n) if rules.crack_who == "unasked" else n - 1
    due = jnp.where(public.phase == play.CRACK, (seats == public.current_player).argmax(), everyone)
    number = jnp.where(cracked, (seats == cracker).argmax() + 1, due)
    asked = (public.picker != play.NO_SEAT) & (public.phase >= play.CRACK)
    crack: Any = CRACK_ACTION
    if public.blitzer is not None:
        crack = jnp.where(public.blitzer == cracker, BLITZ_ACTION, CRACK_ACTION)
    actions = jnp.where(seats == cracker, crack, PASS_ACTION)
    parts = [history.part(actions, seats, jnp.where(asked, number, 0))]
    if public.recracker is not None:
        parts.append(_recracked(rules, public))
    elif public.recracked is not None:
        answer = jnp.where(public.recracked, RECRACK_ACTION, PASS_ACTION)[None]
        parts.append(history.part(answer, public.picker, cracked & (public.phase > play.RECRACK)))
    return parts


def _recracked(rules: SheepsheadRules, public: Public) -> History:
    """Return the answers to a crack, of the picker and then of the others, where the partner may."""
    n, picker, recracker = rules.num_players, public.picker, public.recracker
    assert recracker is not None and public.recracked is not None and public.cracker is not None
    order = jnp.arange(n - 1, dtype=jnp.uint32)
    picker = jnp.minimum(picker, n - 1)  # without a picker, the value is unused
    cracker = places_after(picker, jnp.minimum(public.cracker, n - 1), n)
    # The picker first, then the others without the cracker.
    seats = seat_after(picker, order + (order >= cracker), n)
    due = jnp.where(public.phase == play.RECRACK, (seats == public.current_player).argmax(), n - 1)
    # A crack back ends the asking; until then, all seats before the one to act have passed.
    number = jnp.where(public.recracked, (seats == recracker).argmax() + 1, due)
    asked = (public.cracker != play.NO_SEAT) & (public.phase >= play.RECRACK)
    actions = jnp.where(seats == recracker, RECRACK_ACTION, PASS_ACTION)
    return history.part(actions, seats, jnp.where(asked, number, 0))
