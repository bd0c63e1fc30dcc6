"""The score of a deal of Belote (docs/belote.md, 4.6)."""

from typing import NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.cards.seats import by_team, field
from jaxcards.games.belote import declarations, play
from jaxcards.games.belote.declarations import declared_points
from jaxcards.games.belote.play import Contract, Public, State
from jaxcards.games.belote.rules import BeloteRules
from jaxcards.kit.play import every_trick, every_trick_won
from jaxcards.xla.lookup import lookup


def all_tricks(public: Public) -> tuple[jax.Array, jax.Array]:
    """Return for both teams whether they won all eight tricks: bool."""
    over = public.num_played == play.NUM_CARDS_PLAYED
    return every_trick_won(public.winners, over, play.HAND_SIZE)


Teams = tuple[jax.Array, jax.Array]

DOUBLED_BASE = 160  # what a doubled or failed contract pays besides its value
DOUBLED_CAPOT = 250


class Outcome(NamedTuple):
    """The result of a finished deal."""

    scores: Teams  # int32 for each team
    carry: jax.Array  # int32, points that wait for the winner of the next deal
    made: jax.Array  # bool, the bidding side has made its bid
    failed: jax.Array  # bool, it has not; neither holds in a litige or a void deal


class _Sides(NamedTuple):
    """The points of the bidding side and of the other one, int32 each, and who took all tricks."""

    cards: Teams
    declared: Teams
    belote: Teams
    all_tricks: Teams


def outcome(rules: BeloteRules, state: State) -> Outcome:
    public = state.public
    second = (play.bidder(public) & 1) == 1
    sides = _counted(rules, _sides(rules, state, second))
    total = _totals(rules, sides)
    contract, value = None, jnp.int32(0)
    if public.contract is not None:
        contract = play.CONTRACT_WORD.unpack(public.contract)
        value = lookup(rules.values, jnp.maximum(contract.level, 1) - 1).astype(jnp.int32)
    made, litige = _verdict(rules, public, sides, total, contract, value)
    if contract is None:
        scores = _plain_score(rules, sides, total, made)
    else:
        scores = _contract_score(rules, sides, total, contract, value, made)
    void = ~state.playing
    failed = ~made & ~litige
    carry = jnp.int32(0)
    if public.carry is not None:
        before = public.carry.astype(jnp.int32)
        # In a litige the other side keeps its points, and those of the bidding side wait.
        scores = jnp.where(litige, 0, scores[0]), jnp.where(litige, total[1], scores[1])
        # The points that waited go to the side that wins the bid.
        scores = scores[0] + jnp.where(made, before, 0), scores[1] + jnp.where(failed, before, 0)
        carry = jnp.where(void, before, jnp.where(litige, before + total[0], 0))
    first, other = _oriented(scores, second)
    if rules.rounding > 1:
        unit = rules.rounding
        first, other = ((x + unit // 2) // unit * unit for x in (first, other))
    first, other = (jnp.where(void, 0, x) for x in (first, other))
    if state.straights is not None:
        # A run of eight cards brings its team the whole target.
        over, winner = straight_winner(state)
        first = jnp.where(over, jnp.where(winner == 0, rules.target, 0), first)
        other = jnp.where(over, jnp.where(winner == 1, rules.target, 0), other)
        carry = jnp.where(over, 0, carry)
    return Outcome((first, other), carry, made & ~void, failed & ~void)


def straight_winner(state: State) -> tuple[jax.Array, jax.Array]:
    """Return whether a run of eight cards wins the match, and for which team: bool, uint32.

    Of several that in trumps counts, else the first in the order of play (docs/belote.md, 3.4).
    """
    public = state.public
    assert state.straights is not None
    # Smaller is better: trumps rank from 0, other suits from 4, by the place after forehand.
    found = jnp.uint32(play.NO_TRUMP * 4)
    for suit in range(4):
        entry = field(state.straights, suit, 4)
        # Entries are 8 + seat, and 8 is 0 modulo 4.
        place = jnp.subtract(entry, public.forehand) & 3
        rank = jnp.where(public.mode == suit, place, place + 4)
        found = jnp.minimum(found, jnp.where(entry >= 8, rank, found))
    # Adding 4 to a rank does not change its parity, which is the team.
    return (state.straights != 0) & state.playing, (found + public.forehand) & 1


def _oriented(teams: Teams, second: jax.Array) -> Teams:
    """Exchange the values of the teams if the second one is the bidding side."""
    first = jnp.where(second, teams[1], teams[0])
    return first, jnp.where(second, teams[0], teams[1])


def _sides(rules: BeloteRules, state: State, second: jax.Array) -> _Sides:
    public = state.public
    tens = declared_points(rules, state)
    values = (
        play.team_points(public),
        (10 * tens[0], 10 * tens[1]),
        declarations.belote_points(rules, state.hands, public.mode),
    )
    points, declared, belote = (
        _oriented((a.astype(jnp.int32), b.astype(jnp.int32)), second) for a, b in values
    )
    return _Sides(points, declared, belote, _oriented(all_tricks(public), second))


def _counted(rules: BeloteRules, sides: _Sides) -> _Sides:
    """Take what the side without a trick declared from it; with "transfer" the other side gets it."""
    declared, belote = list(sides.declared), list(sides.belote)
    for side, other in ((0, 1), (1, 0)):
        capot = sides.all_tricks[side]
        # A belote may be safe; declarations never are.
        for points, stays in ((declared, False), (belote, rules.belote_safe)):
            if stays:
                continue
            if rules.capot_declarations == "transfer":
                points[side] = points[side] + jnp.where(capot, points[other], 0)
            points[other] = jnp.where(capot, 0, points[other])
    return sides._replace(declared=(declared[0], declared[1]), belote=(belote[0], belote[1]))


def _totals(rules: BeloteRules, sides: _Sides) -> Teams:
    totals = []
    for side in (0, 1):
        bonus = jnp.where(sides.all_tricks[side], rules.capot_bonus, 0)
        totals.append(sides.cards[side] + bonus + sides.declared[side] + sides.belote[side])
    return totals[0], totals[1]


def _verdict(
    rules: BeloteRules, public: Public, sides: _Sides, total: Teams,
    contract: Contract | None, value: jax.Array,
) -> tuple[jax.Array, jax.Array]:  # fmt: skip
    """Return whether the bid is made, and whether the deal is a litige: bool."""
    mine, theirs = total
    if not rules.bonus_makes:
        mine = mine - sides.declared[0] - sides.belote[0]
        theirs = theirs - sides.declared[1] - sides.belote[1]
    made = mine >= theirs if rules.tie == "make" else mine > theirs
    litige = mine == theirs if rules.tie == "litige" else jnp.zeros((), bool)
    if contract is None:
        return made, litige
    # `level` counts from 1, so a capot has `capot + 1`.
    slam, whole = contract.level > rules.capot, sides.all_tricks[0]
    if rules.generale:
        # The bidder is in every field of the winners.
        alone = public.winners == contract.bidder * every_trick(play.HAND_SIZE)
        whole = whole & (alone | (contract.level == rules.capot + 1))
    reached = mine >= value
    if rules.tie == "litige":
        litige = litige & reached & ~slam
    return jnp.where(slam, whole, made & reached), litige


def _plain_score(rules: BeloteRules, sides: _Sides, total: Teams, made: jax.Array) -> Teams:
    """Return the score of a bid without points, before what is carried over."""
    # A side that fails loses everything except a safe belote.
    keep = sides.belote[0] if rules.belote_safe else jnp.int32(0)
    bidding = jnp.where(made, total[0], keep)
    return bidding, jnp.where(made, total[1], total[0] + total[1] - keep)


def _contract_score(
    rules: BeloteRules, sides: _Sides, total: Teams, contract: Contract, value: jax.Array,
    made: jax.Array,
) -> Teams:  # fmt: skip
    """Return the score of a contract, before what is carried over."""
    factor = jnp.int32(1) << contract.doubled.astype(jnp.int32)
    if rules.contract_only:
        return jnp.where(made, value * factor, 0), jnp.where(made, 0, value * factor)
    declared = sides.declared[0] + sides.declared[1] + value
    base = jnp.where(sides.all_tricks[0], DOUBLED_CAPOT, DOUBLED_BASE)
    single = factor == 1
    # Undoubled, both sides count; doubled, the winner takes fixed points and all declarations.
    won = jnp.where(single, total[0] + value, (base + declared + sides.belote[0]) * factor)
    left = jnp.where(single, total[1], sides.belote[1])
    lost = sides.belote[1] if rules.belote_safe else sides.belote[0] + sides.belote[1]
    paid = (DOUBLED_BASE + declared + lost) * factor
    kept = sides.belote[0] if rules.belote_safe else jnp.int32(0)
    return jnp.where(made, won, kept), jnp.where(made, left, paid)


def by_belote_alone(rules: BeloteRules, state: State, totals: jax.Array) -> jax.Array:
    """Return for each seat whether its side has yet to confirm its total by a trick: bool[4].

    Without `belote_wins` a side that failed or won no trick does not reach the target by its belote
    (docs/belote.md, 4.7).
    """
    found, (first, second) = outcome(rules, state), all_tricks(state.public)
    team = jnp.arange(play.NUM_SEATS, dtype=jnp.uint32) & 1
    no_trick = jnp.where(team == 0, second, first)
    lost = no_trick | (found.failed & (team == (play.bidder(state.public) & 1)))
    # A side that was at the target before this deal lacks only a trick.
    at_target = totals - by_team(*found.scores) >= rules.target
    return jnp.where(at_target, no_trick, lost)
