"""The play of the cards: what is legal, and what a card does (docs/belote.md, 4.1 and 4.2)."""

import jax
import jax.numpy as jnp

from jaxcards.cards import sets, tricks
from jaxcards.cards.seats import by_seat
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.games.belote import score
from jaxcards.games.belote.deck import (
    ALL_TRUMP,
    DECK,
    KING,
    LAST_TRICK_POINTS,
    NO_TRUMP,
    PLAIN_ORDER,
    QUEEN,
    TRUMP_ORDER,
)
from jaxcards.games.belote.rules import BeloteRules
from jaxcards.games.belote.state import (
    NUM_CARDS_PLAYED,
    NUM_SEATS,
    POINTS_BITS,
    BeloteGame,
    Public,
    State,
)
from jaxcards.kit.play import add_winner, play_card
from jaxcards.stages import Stage
from jaxcards.xla.lookup import lookup_in

_EVERY_RANK = (1 << DECK.ranks_per_suit) - 1
_STRONGER = tuple(
    # By strength, from 0 for an empty table: the ranks above it.
    tuple(
        sum(1 << DECK.ranks.index(rank) for rank in order.low_to_high[beaten:])
        for beaten in range(DECK.ranks_per_suit + 1)
    )
    for order in (TRUMP_ORDER, PLAIN_ORDER)
)
_STRENGTH = tuple(
    tuple(order.low_to_high.index(rank) + 1 for rank in DECK.ranks)
    for order in (TRUMP_ORDER, PLAIN_ORDER)
)


def legal_cards(game: BeloteGame, state: State, stage: Stage) -> CardSet:
    """Return the cards that the current player may play (docs/belote.md, 4.1)."""
    rules, hand = game.rules, state.hand_of(state.current_player)
    if stage.last:
        return hand
    trick, trump = state.trick(stage), state.public.mode
    following = hand & CardSet.suit_of(DECK, trick.led)
    follows = following.any()
    # The suit in which something may be asked of the player: the one led, else trumps.
    asked = jnp.where(follows, trick.led, trump)
    in_asked = hand & CardSet.suit_of(DECK, asked)
    beating = hand & CardSet.in_suit(DECK, asked, _duty(rules, state.public, trick, asked))
    if rules.undertrump == "forced":
        otherwise = sets.select(in_asked.any(), in_asked, hand)
    else:
        otherwise = sets.select(follows, following, hand)
    free = trick.led == NO_SUIT
    if rules.partner_exempt:
        free = free | (~follows & _partner_wins(state, trick))
    return sets.select(free, hand, sets.select(beating.any(), beating, otherwise))


def _duty(rules: BeloteRules, public: Public, trick: tricks.Trick, suit: jax.Array) -> jax.Array:
    """Return the ranks of a suit that must be played if they are held: uint32, bit r for rank r.

    They are those that beat the table, or all ranks where nothing has to be beaten. Those of the led
    suit bind a player who can follow, those of the trump suit one who has to ruff.
    """
    best, trump = trick.best, public.mode
    is_trump, ruffed = suit == trump, best > tricks.TRUMP
    if rules.overtake_plain:
        # A ruffed plain suit, and trumps while there are none, need not beat anything.
        counts, high = is_trump == ruffed, is_trump
    else:
        counts, high = is_trump & ruffed, jnp.ones((), bool)
    if rules.modes_nt_at:
        all_trump = trump == ALL_TRUMP
        counts = jnp.where(trump >= NO_TRUMP, all_trump, counts)
        high = high | all_trump
    beaten = jnp.where(counts, best & (tricks.TRUMP - 1), 0)
    return lookup_in(_STRONGER, [high], beaten)


def _partner_wins(state: State, trick: tricks.Trick) -> jax.Array:
    """Return whether the partner has played to the trick and is winning it, in a trump suit: bool."""
    partner = (state.current_player.astype(jnp.uint32) + 2) & 3
    return (trick.led != NO_SUIT) & (trick.winner == partner)


def play(game: BeloteGame, state: State, card: jax.Array, stage: Stage) -> State:
    """Play a card; any other action changes nothing (docs/belote.md, 4.2)."""
    rules, public = game.rules, state.public
    plays = state.plays(card < DECK.num_cards, stage)
    seat = state.current_player.astype(jnp.uint32)
    card = jnp.where(plays, card, 0)
    suit, rank = DECK.suit_and_rank(card)
    before, trump = state.trick(stage), suit == public.mode
    strength = _strength(rules, public, rank, trump, suit == tricks.lead_suit(before, suit))
    value = score.card_value(rules, public.mode, rank, trump)
    after, trick, complete = play_card(
        state, stage, before, card, plays=plays, suit=suit, strength=strength, points=value
    )
    last = public.num_played == NUM_CARDS_PLAYED - 1
    won = trick.points + jnp.where(last, jnp.uint32(LAST_TRICK_POINTS), 0)
    taken = won << ((trick.winner & 1) * POINTS_BITS)
    return after.with_public(
        points=public.points + jnp.where(complete, taken, 0),
        winners=add_winner(public.winners, public.num_played >> 2, trick.winner, complete),
        lacks=_with_lacks(public, seat, plays, _shown_lacks(rules, state, before, suit, rank)),
    )


def _strength(
    rules: BeloteRules, public: Public, rank: jax.Array, trump: jax.Array, follows: jax.Array
) -> jax.Array:
    """Return the strength of a card in the current trick, 0 if it can win nothing."""
    high = trump | (public.mode == ALL_TRUMP) if rules.modes_nt_at else trump
    strength = lookup_in(_STRENGTH, [high], rank)
    return jnp.where(trump, tricks.TRUMP + strength, jnp.where(follows, strength, 0))


# ---- What a card shows --------------------------------------------------------------------------


def _shown_lacks(
    rules: BeloteRules, state: State, trick: tricks.Trick, suit: jax.Array, rank: jax.Array
) -> CardSet:
    """Return the cards that the player of this card cannot hold (docs/belote.md, 5.2).

    A card is legal exactly if its player holds none of some other cards, which would have to be played
    instead. A king or queen of trumps that is played without an announcement shows that the other one
    is not in the hand.
    """
    trump = state.public.mode
    bit = jnp.uint32(1) << rank
    follows = suit == trick.led
    duty = _duty(rules, state.public, trick, trick.led)
    missing = jnp.where((bit & duty) != 0, 0, duty)
    missing = jnp.where(follows, missing, jnp.uint32(_EVERY_RANK))
    shown = CardSet.in_suit(DECK, trick.led, missing)

    duty = _duty(rules, state.public, trick, trump)
    ruffs = suit == trump
    missing = jnp.where((bit & duty) != 0, 0, duty)
    discarded = duty if rules.undertrump == "free" else jnp.uint32(_EVERY_RANK)
    missing = jnp.where(ruffs, missing, discarded)
    free = follows | (trick.led == NO_SUIT)
    if rules.partner_exempt:
        free = free | _partner_wins(state, trick)
    shown = shown | CardSet.in_suit(DECK, trump, jnp.where(free, 0, missing))
    return shown | _unannounced(rules, state, suit, rank) if rules.belote else shown


def _unannounced(rules: BeloteRules, state: State, suit: jax.Array, rank: jax.Array) -> CardSet:
    """Return the queen for a king of trumps, or the king for a queen, if the hand lacks it."""
    public = state.public
    announces = suit == public.mode
    if rules.modes_nt_at:
        announces = announces | (public.mode == ALL_TRUMP)
    other = jnp.where(rank == KING, jnp.uint32(1 << QUEEN), 0)
    other = jnp.where(rank == QUEEN, jnp.uint32(1 << KING), other)
    hand = by_seat(state.hands, state.current_player)
    return CardSet.in_suit(DECK, suit, jnp.where(announces, other, 0)) - hand


def _with_lacks(
    public: Public, seat: jax.Array, plays: jax.Array, shown: CardSet
) -> tuple[CardSet, ...]:
    lacks = []
    for owner in range(NUM_SEATS):
        new = jnp.where(plays & (seat == owner), shown.words[0], 0)
        lacks.append(CardSet(DECK, [public.lacks[owner].words[0] | new]))
    return tuple(lacks)
