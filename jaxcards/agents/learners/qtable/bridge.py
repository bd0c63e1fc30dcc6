"""The description of Bridge for a table: calls by points, then which kind of card."""

import jax
import jax.numpy as jnp

from jaxcards.agents.heuristics.bridge.bidding import hand_of
from jaxcards.agents.heuristics.bridge.player import choose_call, lead_worth, table_of
from jaxcards.agents.learners.qtable.decision import Found, bucket, options
from jaxcards.agents.learners.qtable.layout import Feature, Situation
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.sets import NO_SUIT
from jaxcards.games.bridge import calls, play
from jaxcards.games.bridge.play import DECK, Observation
from jaxcards.games.bridge.rules import BridgeRules

_STEPS = (6, 8, 10, 12, 15, 18, 21)
_POINTS = Feature("high card points", ("fewer", *(f"{number} or more" for number in _STEPS)))
_LONGEST = Feature("the longest suit", ("4 cards", "5 cards", "6 cards", "7 or more"))
_PARTNER = Feature("the partner", ("has not bid", "has bid"))
_HIGHEST = Feature("the last bid", ("none", "level 1", "level 2", "level 3", "level 4 or higher"))
_TRUMPS = Feature("the contract is", ("in a suit", "in no trump"))
_ROLE = Feature("the side", ("declares", "defends"))
_PLACE = Feature("place", ("second", "third", "last"))
_WINNER = Feature("the trick is won so far by", ("the own side", "the other side"))
_TRICK = Feature("trick", ("1 to 4", "5 to 8", "9 or later"))
_CALLS = ("pass", "the bid of the heuristic", "double or redouble")
_LEADS = ("the lead of the heuristic", "the highest trump", "a card that no hidden one beats",
          "the lowest other card")  # fmt: skip
_FOLLOWS = ("the highest card that wins", "the lowest card that wins", "the lowest other card")

_Option = tuple[jax.Array, jax.Array]


def situations(rules: BridgeRules) -> tuple[Situation, ...]:
    """Return the kinds of decisions."""
    del rules
    return (
        Situation("calling", (_POINTS, _LONGEST, _PARTNER, _HIGHEST), _CALLS),
        Situation("leading", (_TRUMPS, _ROLE, _TRICK), _LEADS),
        Situation("following", (_TRUMPS, _ROLE, _PLACE, _WINNER, _TRICK), _FOLLOWS),
    )


def look(rules: BridgeRules, seen: Observation, legal: ActionSet) -> list[Found]:
    """Return every situation, as seen by the player to act."""
    del rules
    public, mask, table = seen.public, legal.mask(), table_of(seen)
    cards, rank = mask[: DECK.num_cards], jnp.arange(DECK.num_cards) % DECK.ranks_per_suit

    # An option stands for one card: the greatest by an order among those that fit.
    def best(among: jax.Array, by: jax.Array) -> _Option:
        return among.any(), jnp.where(among, by, -1_000).argmax()

    call = choose_call(seen)
    # The heuristic may want to pass or to double, or a bid that is too low.
    bids = (call >= calls.BID_ACTION) & mask[call]
    # Double and redouble share an option: at most one of them is legal.
    redoubles = mask[calls.REDOUBLE_ACTION]
    doubles = jnp.where(redoubles, calls.REDOUBLE_ACTION, calls.DOUBLE_ACTION)
    said = options(
        (mask[calls.PASS_ACTION], calls.PASS_ACTION), (bids, call), (mask[doubles], doubles)
    )
    hand, partner = hand_of(seen.hand.mask()), (seen.player + 2) & 3
    bid = (calls.bidders_of(public) == partner).any().astype(jnp.int32)
    longest = bucket(hand.length.max(), (5, 6, 7))
    strong = [bucket(hand.points, _STEPS), longest, bid, jnp.minimum(public.level, 4)]
    # The last strain, behind the four suits, plays without trumps.
    kind = jnp.where(public.strain < len(DECK.suits), 0, 1)
    trick = bucket(public.num_played.astype(jnp.int32) // play.SEATS, (4, 8))
    role, place = jnp.where(table.declares, 0, 1), public.num_played % play.SEATS
    # Seats of equal parity are a side; this holds for the dummy as well.
    ally = (public.trick.winner.astype(jnp.int32) - public.current_player) % 2 == 0
    # No hidden card of its suit beats the card.
    master = table.higher == 0
    # In the order of `_LEADS`.
    leads = (
        best(cards, lead_worth(table)), best(cards & table.trump, rank),
        best(cards & ~table.trump & master, rank), best(cards & ~table.trump & ~master, -rank),
    )  # fmt: skip
    wins = cards & (table.strength > public.trick.best.astype(jnp.int32))
    # Any trump is dearer than a plain card.
    cost = rank + 13 * table.trump
    follows = best(wins, cost), best(wins, -cost), best(cards & ~wins, -cost)
    plays, empty = public.phase == play.PLAY, public.trick.led == NO_SUIT
    # `_PLACE` begins with the second seat; the first one leads.
    following = [kind, role, jnp.maximum(place, 1) - 1, ~ally, trick]
    return [
        Found(public.phase == play.BID, strong, said),
        Found(plays & empty, [kind, role, trick], options(*leads)),
        Found(plays & ~empty, following, options(*follows)),
    ]
