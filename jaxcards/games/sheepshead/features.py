"""Write the inputs of networks from a Sheepshead observation: features, all of them bits.

Seats are relative to the observer: me, left 1 (the next to play), left 2 and so on. The trump suit is
a rule of the game, the same in all its deals, so that suits keep their places.
"""

import jax
import jax.numpy as jnp

from jaxcards.cards.features import BitWriter
from jaxcards.cards.seats import by_seat, field, named_seats, places_after
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.games.sheepshead import play
from jaxcards.games.sheepshead.calls import most_calls
from jaxcards.games.sheepshead.play import DECK, Observation, Public, SheepsheadGame, State
from jaxcards.games.sheepshead.rules import SheepsheadRules
from jaxcards.games.sheepshead.score import public_points
from jaxcards.xla.lookup import lookup

_POINT_LEVELS = range(10, 121, 10)
_STAKES = (2, 3, 4, 8, 16)


def write_features(game: SheepsheadGame, observation: Observation) -> BitWriter:
    """See `Game.write_features`."""
    rules, public, out = game.rules, observation.public, BitWriter()
    me = observation.player.astype(jnp.uint32)
    out.cards("hand", observation.hand)
    for name, seat in named_seats(me, rules.num_players):
        out.cards(f"played by {name}", by_seat(observation.played_by, seat))
    out.cards("on the table", public.table_cards(DECK, rules.num_players))
    out.cards("buried by me", observation.buried)
    if observation.unknown is not None:
        out.cards("my unknown", CardSet.single(DECK, observation.unknown))
    _write_course(rules, out, observation, me)
    _write_trick(rules, out, public, me)
    _write_strength(rules, out, observation)
    for name, seat in named_seats(me, rules.num_players)[1:]:
        voids = field(public.voids, seat, play.CLASS_BITS)
        out.bits(f"voids of {name}", voids, play.NUM_CLASSES, of="suits")
    _write_points(rules, out, observation, me)
    return out


def write_full_state(game: SheepsheadGame, state: State) -> BitWriter:
    """See `Game.write_full_state`; cards of past tricks are left out."""
    rules, out = game.rules, BitWriter()
    seen = game.observe(state, state.current_player)
    me = state.current_player.astype(jnp.uint32)
    for name, seat in named_seats(me, rules.num_players):
        out.cards(f"hand of {name}", state.hand_of(seat))
    out.cards("blind", state.blind.where(state.public.picker == play.NO_SEAT))
    out.cards("buried", state.buried)
    out.cards("on the table", seen.public.table_cards(DECK, rules.num_players))
    if state.unknown is not None:
        out.cards("unknown", CardSet.single(DECK, state.unknown))
    _write_course(rules, out, seen, me)
    _write_trick(rules, out, seen.public, me)
    _write_points(rules, out, seen, me)
    return out


def _write_seat(
    rules: SheepsheadRules, out: BitWriter, name: str, seat: jax.Array, me: jax.Array
) -> None:
    """Write a seat one-hot, relative to the observer; nothing for `NO_SEAT`."""
    n = rules.num_players
    # Place n is outside the range of the feature.
    place = jnp.where(seat < n, places_after(me, jnp.minimum(seat, n - 1), n), n)
    out.one_hot(name, place, n)


def _write_course(rules: SheepsheadRules, out: BitWriter, seen: Observation, me: jax.Array) -> None:
    public = seen.public
    phases = most_calls(rules) | {play.PLAY: rules.num_plays}
    for number, name in enumerate(play.PHASE_NAMES[: play.DONE]):
        # A phase that the rules rule out has no feature.
        if phases.get(number):
            out.flag(f"phase {name}", public.phase == number)
    _write_seat(rules, out, "dealer", public.dealer, me)
    _write_seat(rules, out, "picker", public.picker, me)
    if public.called is not None and seen.partner is not None:
        # Without a choice, the card is the jack of diamonds in all deals.
        if rules.calls or rules.call_up:
            out.cards("called card", CardSet.single(DECK, public.called))
        if rules.calls:
            suit = jnp.where(public.called < play.NO_CARD, public.called >> 3, NO_SUIT)
            out.one_hot("called suit", suit, 4, of="suits")
        else:
            out.flag("with a partner", public.called < play.NO_CARD)
        _write_seat(rules, out, "known partner", seen.partner, me)
    if not rules.picks:
        shown = [cards.words[0] & play.BLACK_QUEENS != 0 for cards in seen.played_by]
        for name, seat in named_seats(me, rules.num_players):
            out.flag(f"black queen of {name}", by_seat(shown, seat))
    if seen.has_unknown is not None:
        out.flag("an unknown card", seen.has_unknown)
    if public.keeps is not None:
        out.flag("picker keeps the called suit", public.keeps)
    if public.cracker is not None:
        _write_seat(rules, out, "cracker", public.cracker, me)
    if public.recracked is not None:
        out.flag("recracked", public.recracked)
    if public.blitzer is not None:
        _write_seat(rules, out, "blitzer", public.blitzer, me)
    if rules.no_pick == "doubler":
        out.levels("stakes", public.stakes, _STAKES)


def _write_trick(rules: SheepsheadRules, out: BitWriter, public: Public, me: jax.Array) -> None:
    n = rules.num_players
    trick = public.trick
    out.one_hot("led class", trick.led, play.NUM_CLASSES, of="suits")
    empty = trick.led == NO_SUIT
    _write_seat(rules, out, "winner so far", jnp.where(empty, play.NO_SEAT, trick.winner), me)
    out.levels("points on the table", trick.points, (1, 4, 8, 11, 16, 21, 30))
    out.one_hot("trick number", public.num_played // n, rules.hand_size)
    out.one_hot("place in the trick", public.num_played % n, n)


def _write_strength(rules: SheepsheadRules, out: BitWriter, seen: Observation) -> None:
    """Write facts that follow from the rules of the trick, which a network learns only slowly."""
    unseen = (seen.unseen - seen.buried).words[0]
    beating = _beating(rules, seen)
    out.cards("taking the trick", CardSet(DECK, [seen.hand.words[0] & beating]))
    out.flag("best card beaten by an unseen one", unseen & beating != 0)
    trumps = jax.lax.population_count(unseen & jnp.uint32(play.trump_set(rules.trump_suit)))
    out.levels("trumps unseen", trumps, range(1, 11))


def _beating(rules: SheepsheadRules, seen: Observation) -> jax.Array:
    """Return the cards that beat the best card on the table: uint32; none on an empty table."""
    public = seen.public
    trick = public.trick
    trumps = play.trump_strengths(rules.trump_suit, rules.spitz)
    # Entry b: the trumps, and below it the ranks of a fail suit, above strength b.
    above = [
        sum(1 << card for card, strength in trumps.items() if strength > best) for best in range(25)
    ]
    plain = play.PLAIN_STRENGTHS
    ranks = [sum(1 << rank for rank, s in enumerate(plain) if s > best) for best in range(25)]
    lane = lookup(ranks, trick.best) << ((trick.led & 3) * 8)
    found = lookup(above, trick.best) | (lane & play.fails_of(rules.trump_suit, trick.led))
    if rules.calls and rules.called_ten_wins and public.called is not None:
        # A called ten or lower card is the highest of its suit.
        top = (trick.led == public.called >> 3) & (trick.best < play.CALLED_STRENGTH)
        found = found | jnp.where(top & (public.called & 7 != play.ACE), play.single(public.called), 0)
    # The unknown beats nothing.
    if seen.unknown is not None:
        found = found & ~play.single(seen.unknown)
    return jnp.where(trick.led == NO_SUIT, 0, found)


def _write_points(rules: SheepsheadRules, out: BitWriter, seen: Observation, me: jax.Array) -> None:
    points = public_points(rules, seen)
    for name, seat in named_seats(me, rules.num_players):
        out.levels(f"points of {name}", by_seat(points, seat), _POINT_LEVELS)
