"""The features of a Jass observation, all of them bits.

Suits are interchangeable, so the trump suit, whatever it is called, takes the place of suit 0 in the
features; `Jass.relabel_action` and `relabel_legal` translate actions. Seats are relative.
"""

import jax
import jax.numpy as jnp

from jaxcards.cards import sets
from jaxcards.cards.features import BitWriter
from jaxcards.cards.relabel import above_lowest, below_highest, swap_flags, swap_trump, trump_or_first
from jaxcards.cards.seats import field
from jaxcards.cards.sets import CardSet
from jaxcards.cards.tricks import TRUMP
from jaxcards.games.jass import play
from jaxcards.games.jass.play import DECK, JassGame, Observation, Public, State
from jaxcards.games.jass.rules import JassRules
from jaxcards.kit.features import (
    OTHERS,
    write_cards,
    write_shown,
    write_strength,
    write_table,
    write_trick,
)
from jaxcards.xla.lookup import lookup

_TRICK_POINTS = (1, 4, 8, 11, 16, 21, 30)  # levels


def write_features(game: JassGame, observation: Observation) -> BitWriter:
    rules, out = game.rules, BitWriter()
    me, mode = observation.player.astype(jnp.uint32), observation.public.mode
    write_cards(out, observation, mode)
    _write_mode(rules, out, observation)
    write_trick(out, observation.public, mode, me, play.NUM_TRICKS, _TRICK_POINTS)
    _write_strength(rules, out, observation)
    for name, places in OTHERS:
        voids = field(observation.public.voids, (me + places) & 3, 4)
        out.bits(f"voids of {name}", swap_flags(trump_or_first(mode), voids), 4, of="suits")
    if observation.announced is not None:
        write_shown(out, observation, mode, "Weis", play.ANNOUNCED_BITS, play.NOT_ANNOUNCED)
    _write_score(rules, out, observation, me)
    if rules.open_predictions and observation.predictions is not None:
        _write_missing(out, observation.public, observation.predictions, me)
    return out


def write_full_state(game: JassGame, state: State) -> BitWriter:
    """Write the features of a full state without the cards played; see `Game.write_full_state`."""
    rules, public, out = game.rules, state.public, BitWriter()
    seen = game.observe(state, state.current_player)
    me = state.current_player.astype(jnp.uint32)
    for name, places in (("me", 0), *OTHERS):
        hand = state.hand_of((me + places) & 3)
        out.cards(f"hand of {name}", swap_trump(public.mode, hand))
    write_table(out, seen, public.mode)
    _write_mode(rules, out, seen)
    write_trick(out, public, public.mode, me, play.NUM_TRICKS, _TRICK_POINTS)
    _write_score(rules, out, seen, me)
    if state.predictions is not None:
        _write_missing(out, public, state.predictions, me)
    return out


def _write_missing(out: BitWriter, public: Public, predictions: jax.Array, me: jax.Array) -> None:
    """Write the predictions of the others, less the points that they have made."""
    for name, places in OTHERS:
        seat = (me + places) & 3
        said = field(predictions, seat, play.POINTS_BITS).astype(jnp.int32)
        missing = said - field(public.points, seat, play.POINTS_BITS).astype(jnp.int32)
        out.levels(f"points missing to {name}", missing, range(-30, 158, 12))


def _write_mode(rules: JassRules, out: BitWriter, observation: Observation) -> None:
    public = observation.public
    mode = public.mode
    out.flag("undecided", mode == play.UNDECIDED)
    out.flag("trumps", mode < play.NO_TRUMP)
    downward = play.downward(rules, public)
    if rules.slalom:
        out.flag("slalom", (mode >= play.SLALOM_TOP) & (mode < play.UNDECIDED))
    out.flag("bottom-up trick", downward)
    out.flag("top-down trick", (mode >= play.NO_TRUMP) & (mode < play.UNDECIDED) & ~downward)
    if len(set(rules.multipliers)) > 1:
        factor = jnp.where(mode < play.UNDECIDED, lookup(rules.multipliers, mode & 7), 0)
        out.levels("multiplier", factor, sorted(set(rules.multipliers)))
    me = observation.player.astype(jnp.uint32)
    forehand = public.forehand
    out.one_hot("forehand", (forehand - me) & 3, play.NUM_SEATS)
    out.levels("calls", public.num_calls, (1, 2, 3) if rules.game == "differenzler" else (1, 2))


def _write_strength(rules: JassRules, out: BitWriter, observation: Observation) -> None:
    mode, trick = observation.public.mode, observation.public.trick
    unseen, downward = swap_trump(mode, observation.unseen), play.downward(rules, observation.public)
    has_trumps, ruffed, empty = mode < play.NO_TRUMP, trick.best > TRUMP, trick.best == 0
    # The ranks that beat the best card, in either direction; used only while a plain card is best.
    low, high = (order.stronger(trick.best) for order in (play.BOTTOM_UP_ORDER, play.PLAIN_ORDER))
    # While a plain card is best, every trump beats it.
    over = play.TRUMP_ORDER.stronger(jnp.where(ruffed, jnp.subtract(trick.best, TRUMP), 0))
    write_strength(
        out, observation, mode, unseen=unseen, beaten=_beaten(unseen, has_trumps, downward),
        plain=jnp.where(ruffed | empty, 0, jnp.where(downward, low, high)),
        over=jnp.where(has_trumps & ~empty, over, 0), levels=range(1, 7),
    )  # fmt: skip


def _beaten(unseen: CardSet, has_trumps: jax.Array, downward: jax.Array) -> CardSet:
    """Return the cards that an unseen card of their suit beats; trumps are suit 0."""
    beaten = sets.select(downward, above_lowest(unseen), below_highest(unseen))
    first = jnp.uint32(0)
    # In order of trump strength, the beaten trumps lie below the highest; then back to ranks.
    ranked = CardSet.in_suit(DECK, first, play.TRUMP_ORDER.to_strength(unseen.suit(0)))
    trumps = CardSet.in_suit(DECK, first, play.TRUMP_ORDER.to_ranks(below_highest(ranked).suit(0)))
    others = beaten - CardSet.suit_of(DECK, first)
    return sets.select(has_trumps, others | trumps, beaten)


def _write_score(rules: JassRules, out: BitWriter, observation: Observation, me: jax.Array) -> None:
    public = observation.public
    levels = range(10, 160, 10)
    own = field(public.points, me, play.POINTS_BITS)
    if rules.game == "differenzler":
        assert observation.prediction is not None
        # Forehand predicts first: a seat has predicted once there are more calls than seats before it.
        predicted = public.num_calls > ((me - public.dealer.astype(jnp.uint32) - 1) & 3).astype(
            jnp.uint8
        )
        missing = observation.prediction.astype(jnp.int32) - own.astype(jnp.int32)
        out.flag("predicted", predicted)
        # -200 is below every level and sets no bit.
        out.levels("points missing", jnp.where(predicted, missing, -200), range(-30, 158, 6))
        return
    partner = field(public.points, (me + 2) & 3, play.POINTS_BITS)
    total = sum(field(public.points, seat, play.POINTS_BITS) for seat in range(play.NUM_SEATS))
    out.levels("own points", own + partner, levels)
    out.levels("other side's points", total - own - partner, levels)
