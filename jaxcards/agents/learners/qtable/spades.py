"""The description of Spades for a table: a bid near the probable tricks, then which kind of card."""

import jax.numpy as jnp
import numpy as np

from jaxcards.agents.heuristics.spades.player import danger_of_nil, probable_tricks
from jaxcards.agents.learners.qtable.decision import Found, bucket, options
from jaxcards.agents.learners.qtable.hearts import highest, lowest
from jaxcards.agents.learners.qtable.layout import Feature, Situation
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.seats import by_seat, seat_after
from jaxcards.cards.sets import NO_SUIT
from jaxcards.cards.tricks import TRUMP
from jaxcards.games.spades.calls import BID
from jaxcards.games.spades.play import DECK, SPADES, Observation
from jaxcards.games.spades.rules import SpadesRules
from jaxcards.games.spades.score import needed

_CARDS = np.arange(DECK.num_cards)
_SUIT, _RANK = _CARDS // DECK.ranks_per_suit, _CARDS % DECK.ranks_per_suit
_SPADE = _SUIT == SPADES

_PROMISE = Feature("the hand promises", tuple(f"{half / 2:g} tricks" for half in range(15)))
_DANGER = Feature("a nil is", ("safe", "possible", "dangerous", "hopeless"))
_PARTNER = Feature("the partner has bid", ("nothing yet", "nil", "1 to 3", "4 or more"))
_BIDS = (
    "nil",
    "the lowest other bid",
    "one less than promised",
    "as promised",
    "one more than promised",
)
_AIM = Feature("the player", ("wants no trick", "has its bid", "needs one", "two or three", "more"))
_WINNER = Feature("the trick is won so far by", ("the partner", "an opponent"))
_TRICK = Feature("trick", ("1 to 4", "5 to 9", "10 or later"))
_PLACE = Feature("place", ("second", "in between", "last"))
_LEADS = tuple(
    f"the {end} {kind}" for kind in ("spade", "plain card") for end in ("highest", "lowest")
) + ("a plain card that no other of its suit beats",)
_FOLLOWS = ("the lowest card that wins", "the highest card that wins", "the highest card that loses",
            "the lowest card")  # fmt: skip


def situations(rules: SpadesRules) -> tuple[Situation, ...]:
    """Return the kinds of decisions."""
    blind = (Situation("before looking", (), ("nil, blind", "look")),) if rules.blind_nil else ()
    return (
        *blind,
        Situation("bidding", (_PROMISE, _DANGER, _PARTNER), _BIDS),
        Situation("leading", (_AIM, _TRICK), _LEADS),
        Situation("following", (_AIM, _WINNER, _PLACE, _TRICK), _FOLLOWS),
    )


def look(rules: SpadesRules, seen: Observation, legal: ActionSet) -> list[Found]:
    """Return every situation, as seen by the player to act."""
    public, playable, players = seen.public, legal.cards(DECK).mask(), rules.num_players
    size, hand, plays = DECK.num_cards // players, seen.hand.mask(), playable.any()
    me, led = seen.player.astype(jnp.uint32), public.trick.led
    promise = probable_tricks(hand)
    # From one trick on: nil has an option of its own.
    wanted = BID + jnp.clip(jnp.round(promise).astype(jnp.int32), 1, size - 1)
    bids = legal.mask()[BID : BID + size + 1]
    # The first legal bid above nil.
    other = (bids[1:].any(), BID + 1 + bids[1:].argmax())
    near = [(legal.contains(bid) & (bid > BID), bid) for bid in (wanted - 1, wanted, wanted + 1)]
    nil = bucket(danger_of_nil(hand), (1.0, 3.0, 6.0))
    # The actions behind the bids: nil blind, and looking at the cards.
    blind = legal.contains(jnp.int32(BID + size + 1)) if rules.blind_nil else jnp.zeros((), bool)
    partners_bid = public.bid_of(seat_after(me, 2, 4)) if rules.partners else jnp.int32(-1)
    partner = bucket(partners_bid, (0, 1, 4))
    # The promise counts in halves of a trick.
    bidding = Found(~plays & ~blind, [2 * promise, nil, partner], options((bids[0], BID), other, *near))
    # The play: what the player aims at, and who wins so far.
    short = by_seat([needed(rules, public, seat % rules.num_sides) for seat in range(players)], me)
    # The value of `_AIM`: a nil wants no trick; else the side counts what it is short of its bid.
    aim = jnp.where(public.bid_of(me) == 0, 0, 1 + bucket(short, (1, 2, 4)))
    ally = (public.trick.winner & 1) == (me & 1) if rules.partners else jnp.zeros((), bool)
    trick = bucket(public.num_played.astype(jnp.int32) // players, (4, 9))
    on_table = public.num_played.astype(jnp.int32) % players
    # The value of `_PLACE`, which only a player who follows needs.
    place = jnp.where(on_table == players - 1, 2, jnp.where(on_table == 1, 0, 1))
    # others: bool[4, 13], the cards out; a card is beaten if one of them has a higher rank.
    others = ~(seen.hand | seen.played).mask().reshape(len(DECK.suits), -1)
    beaten = (others.sum(1, keepdims=True) > others.cumsum(1)).reshape(-1)
    kinds = [playable & _SPADE, playable & ~_SPADE]
    leads = [pair for kind in kinds for pair in (highest(kind), lowest(kind))]
    best = highest(playable & ~_SPADE & ~beaten)
    # Only spades and cards of the suit led can win.
    strength = jnp.where(_SUIT == led, _RANK + 1, 0)
    strength = jnp.where(_SPADE, TRUMP + _RANK + 1, strength)
    wins = playable & (strength > public.trick.best.astype(jnp.int32))
    follows = options(lowest(wins), highest(wins), highest(playable & ~wins), lowest(playable))
    found = [
        bidding,
        Found(plays & (led == NO_SUIT), [aim, trick], options(*leads, best)),
        Found(plays & (led != NO_SUIT), [aim, ~ally, place, trick], follows),
    ]
    if rules.blind_nil:
        calls = [(blind, BID + size + 1), (blind, BID + size + 2)]
        # Its place in `situations`.
        found.insert(0, Found(blind, [], options(*calls)))
    return found
