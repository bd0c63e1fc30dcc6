"""The description of Belote for a table: naming a suit or bidding a contract, then the play."""

import jax
import jax.numpy as jnp

from jaxcards.agents.heuristics.belote import bidding
from jaxcards.agents.heuristics.belote.view import view_of
from jaxcards.agents.learners.qtable import cards
from jaxcards.agents.learners.qtable.decision import Found, bucket, options
from jaxcards.agents.learners.qtable.layout import Feature, Situation
from jaxcards.cards.actions import ActionSet
from jaxcards.games.belote import calls
from jaxcards.games.belote.play import CONTRACT_WORD, DECK, Observation
from jaxcards.games.belote.rules import LOWEST_BID, BeloteRules

_LEFT = (3, 5, 7)  # classes of cards in hand
_POINTS = (5, 14)  # classes of points on the table
_WORTH = range(-50, 110, 10)  # classes of the expected result of a suit
_LEVELS = range(60, 180, 10)  # classes of the expected result of a contract
_NONE = -10_000.0

_PROMISE = Feature("the best suit promises", ("less", *(f"{points:+d} points" for points in _WORTH)))
_PLACE = Feature("calls so far", tuple(map(str, range(8))))
_EXPECTED = Feature("the best mode promises", ("less", *(f"{points} points" for points in _LEVELS)))
_SHARED = Feature("it is the partner's", cards.YES)
_BIDDER = Feature("the last bid is", ("nobody's", "of the own side", "of the other side"))
_PRESENT = Feature("it is of", ("nothing", "80", "90", "100", "110", "120", "130 or more"))
_THEIRS = Feature("the other side will", ("fail by far", "fail", "make it"))
_SIDE = Feature("side", ("defender", "bidder"))


def situations(rules: BeloteRules) -> tuple[Situation, ...]:
    """Return the kinds of decisions."""
    if rules.auction == "contract":
        features = (_EXPECTED, _SHARED, _BIDDER, _PRESENT, _THEIRS)
        actions: tuple[str, ...] = (
            "pass", "bid the best mode as low as possible", "bid 20 less than it promises",
            "bid what it promises", "double", "redouble",
        )  # fmt: skip
        calling = Situation("bidding", features, actions)
    else:
        actions = ("pass", "name the best suit", "name the second best suit")
        calling = Situation("naming a suit", (_PROMISE, _PLACE), actions)
    return calling, *cards.situations((_SIDE,), _LEFT, points=_POINTS)


def look(rules: BeloteRules, seen: Observation, legal: ActionSet) -> list[Found]:
    """Return every situation, as seen by the player to act."""
    playable = legal.cards(DECK)
    view = view_of(rules, seen, playable)
    call = _bid if rules.auction == "contract" else _name
    # Seats at an even distance from the bidder are on its side.
    side = (view.from_declarer & 1) == 0
    play = cards.found(playable.any(), view.outlook, [side], _LEFT, view.value, view.on_table, _POINTS)
    return [call(rules, seen, legal)._replace(here=~playable.any()), *play]


def _name(rules: BeloteRules, seen: Observation, legal: ActionSet) -> Found:
    actions = calls.NAME + jnp.arange(4, dtype=jnp.int32)
    may = jnp.stack([legal.contains(action) for action in actions])
    values = jnp.where(may, jnp.stack(bidding.suit_estimates(rules, seen)), _NONE)
    best = values.argmax()
    # Below `_NONE`, so that the best suit is never the second best as well.
    second = jnp.where(jnp.arange(4, dtype=jnp.int32) == best, 2 * _NONE, values).argmax()
    return Found(
        jnp.bool_(True),
        [bucket(values.max(), _WORTH), seen.public.num_calls],
        options(
            (legal.contains(jnp.uint32(calls.PASS)), calls.PASS),
            (may[best], actions[best]),
            (may[second], actions[second]),
        ),
    )


def _bid(rules: BeloteRules, seen: Observation, legal: ActionSet) -> Found:
    assert seen.public.contract is not None
    contract = CONTRACT_WORD.unpack(seen.public.contract)
    _, partner, _ = bidding.last_bids(rules, seen)
    expected = bidding.outcomes(rules, seen, partner)
    # The four suits, then no trump and all trumps if the rules have them.
    modes = jnp.arange(len(expected.opened), dtype=jnp.uint32)
    # A mode that the partner has bid is raised; any other one is opened.
    shared = partner.made & (partner.mode == modes)
    values = jnp.where(shared, jnp.stack(expected.raised), jnp.stack(expected.opened))
    best = values.argmax()
    # Levels count in tens from the lowest bid.
    promised = jnp.floor(values.max() / 10).astype(jnp.int32) - LOWEST_BID // 10
    # A contract counts levels from 1, an action from 0: the same number is the next higher bid.
    present = contract.level.astype(jnp.int32)  # the lowest level that is free
    # Seats of equal parity are partners.
    own = ((seen.player.astype(jnp.uint32) ^ contract.bidder) & 1) == 0
    # The value of `_BIDDER`; level 0 stands for no bid.
    bidder = jnp.where(contract.level > 0, jnp.where(own, 1, 2), 0)
    theirs = jnp.stack(expected.theirs)[contract.mode % len(expected.theirs)]
    # The points of the present bid: 80 at level 1.
    least = 70.0 + 10.0 * present.astype(jnp.float32)

    def level(number: jax.Array) -> jax.Array:
        # Level 0 is a bid of 80; capot and higher levels are not offered.
        bid = jnp.clip(number, 0, rules.capot - 1)
        return calls.BID + calls.BIDS_PER_LEVEL * bid + modes[best].astype(jnp.int32)

    # In the order of the actions of "bidding"; two levels are 20 points.
    said = [jnp.int32(calls.PASS), level(present), level(promised - 2), level(promised)]
    said += [jnp.int32(calls.coinche(rules) + redouble) for redouble in (0, 1)]
    return Found(
        jnp.bool_(True),
        [
            bucket(values.max(), _LEVELS),
            shared[best],
            bidder,
            present,
            # The value of `_THEIRS`: short by more than 20 points, short, or enough.
            bucket(theirs - least, (-20, 0)),
        ],
        options(*((legal.contains(action), action) for action in said)),
    )
