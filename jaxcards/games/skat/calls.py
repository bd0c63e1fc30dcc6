"""Bids, discards and announcements: which are legal, and what they do (docs/skat.md, 3 and 4)."""

import dataclasses
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from jaxcards.cards import history
from jaxcards.cards.actions import IDLE
from jaxcards.cards.history import History
from jaxcards.cards.seats import places_after, seat_after
from jaxcards.cards.sets import CardSet
from jaxcards.games.skat import play
from jaxcards.games.skat.play import DECK, SEATS, Observation, Public, SkatGame, State
from jaxcards.games.skat.rules import NULL_VALUES, VALUES, SkatRules
from jaxcards.stages import Stage
from jaxcards.xla.bitfields import Layout
from jaxcards.xla.lookup import lookup

PASS_ACTION, BID_ACTION, TAKE_ACTION = range(32, 35)
GAME_ACTION, LEVEL_ACTION, KONTRA_ACTION, RE_ACTION = 35, 41, 45, 46
NAMES = (
    "pass", "bid", "take", "diamonds", "hearts", "spades", "clubs", "grand", "null",
    "plain", "schneider", "schwarz", "ouvert", "kontra", "re",
)  # fmt: skip

FOREHAND, MIDDLEHAND, REARHAND = range(SEATS)  # places after the dealer, less 1
_OTHERS = 1 << MIDDLEHAND | 1 << REARHAND


class Auction(NamedTuple):
    """The bids so far.

    Attributes:
      level: uint32, how many of `VALUES` have been bid.
      first: uint32, the same at the end of the first duel, of middlehand with forehand.
      passed: uint32, a bit for each place that has passed.
      answers: uint32, 1 if the player to act answers a bid.
      opened: uint32, 1 if forehand bid after both others had passed.
      forehand_lost: uint32, 1 if forehand lost the first duel.
    """

    level: jax.Array
    first: jax.Array
    passed: jax.Array
    answers: jax.Array
    opened: jax.Array
    forehand_lost: jax.Array


AUCTION_WORD = Layout(Auction, level=6, first=6, passed=3, answers=1, opened=1, forehand_lost=1)


def auction_of(public: Public) -> Auction:
    return AUCTION_WORD.unpack(public.auction)


def bid_of(public: Public) -> jax.Array:
    """Return the highest bid: uint32, 0 before it."""
    return lookup((0, *VALUES), auction_of(public).level)


def num_bids(rules: SkatRules) -> int:
    """Return the largest number of bids and passes."""
    return 2 * len(VALUES) + 2 if rules.auction == "values" else SEATS


# ---- Legal calls ----------------------------------------------------------------------------------


def legal_calls(game: SkatGame, state: State, stage: Stage) -> jax.Array:
    """Return the legal actions from 32 on, bit 0 for 32: uint32; none while cards are discarded."""
    rules, public, phase = game.rules, state.public, state.deciding(stage)
    level, answers = auction_of(public).level, auction_of(public).answers
    # Bit 0 passes, bit 1 bids. After the highest value a player can still say yes to it.
    bids = jnp.where((answers == 1) | (level < len(VALUES)), 0b11, 0b01)
    # Bits 0 to 3 are the suits and bit 4 is Grand, which are always legal; bit 5 is Null.
    games = jnp.uint32(0b011111)
    of_hand = (phase == play.DECLARE) | public.hand
    # The value of a Null game must reach the bid.
    plain = level <= jnp.where(of_hand, _reaches(1), _reaches(0))
    ouvert = level <= jnp.where(of_hand, _reaches(3), _reaches(2))
    games = games | jnp.where(plain | (ouvert & rules.null_ouvert), 0b100000, 0)
    games = games << (GAME_ACTION - PASS_ACTION)
    # The declarer takes the skat, or announces a Hand game at once.
    declare = 1 << (TAKE_ACTION - PASS_ACTION) | (games if rules.hand else 0)
    # Null Ouvert is worth more than plain Null: only the latter may be too low for the bid.
    levels = jnp.where(public.game == play.NULL, 0b1000 | plain.astype(jnp.uint32), 0b1111)
    found = jnp.where(phase == play.BID, bids, 0)
    found = jnp.where(phase == play.DECLARE, declare, found)
    found = jnp.where(phase == play.ANNOUNCE, games, found)
    found = jnp.where(phase == play.LEVEL, levels << (LEVEL_ACTION - PASS_ACTION), found)
    found = jnp.where(phase == play.KONTRA, 1 | 1 << (KONTRA_ACTION - PASS_ACTION), found)
    return jnp.where(phase == play.RE, 1 | 1 << (RE_ACTION - PASS_ACTION), found).astype(jnp.uint32)


def _reaches(which: int) -> int:
    """Return the highest level of bids that a Null game reaches."""
    return VALUES.index(NULL_VALUES[which]) + 1


# ---- Steps ----------------------------------------------------------------------------------------


def _bid(rules: SkatRules, auction: Auction, place: jax.Array, bids: jax.Array) -> Auction:
    """Return the auction after a bid (or "yes" to one) or a pass."""
    level, first, passed, answers, opened, lost = auction
    mine, one = jnp.uint32(1) << place, jnp.uint32(1)
    # The first bid ends the auction, at the lowest value.
    if rules.auction == "first":
        return auction._replace(
            level=jnp.where(bids, one, level), passed=jnp.where(bids, passed, passed | mine)
        )
    # The first duel goes on until forehand or middlehand passes.
    duel = passed & (1 << FOREHAND | 1 << MIDDLEHAND) == 0
    # Both others have passed without a bid: forehand's bid needs no answer.
    opens = bids & (passed == _OTHERS)
    return Auction(
        # A "yes" to a bid does not raise the level.
        level=jnp.where(bids & (answers == 0), level + 1, level),
        first=jnp.where(duel & ~bids, level, first),
        passed=jnp.where(bids, passed, passed | mine),
        # A bid asks for an answer, a "yes" for the next bid, and a pass ends the duel.
        answers=jnp.where(bids & ~opens, one - answers, 0),
        opened=opened | opens.astype(jnp.uint32),
        forehand_lost=lost | (duel & ~bids & (place == FOREHAND)).astype(jnp.uint32),
    )


def _next_place(rules: SkatRules, auction: Auction, place: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return the place that bids or answers next, and whether it has won the auction: uint32, bool."""
    passed = auction.passed
    forehand, middlehand = passed & 1 == 0, passed & 2 == 0
    if rules.auction == "first":
        won = auction.level > 0
        # After a pass of all three, the caller replaces this place.
        return jnp.where(won, place, (place + 1) & 3), won
    # Forehand hears the bids while it is in, then middlehand does.
    answers = jnp.where(forehand, FOREHAND, MIDDLEHAND)
    # After the first duel rearhand bids or, once it has passed, the one who is left.
    caller = jnp.where(passed & 4 == 0, REARHAND, answers)
    # In the first duel middlehand bids.
    caller = jnp.where(forehand & middlehand, MIDDLEHAND, caller)
    # The last one left wins if there is a bid; forehand alone without one has still to open.
    alone = jax.lax.population_count(passed) == SEATS - 1
    won = alone & (auction.level > 0) & (auction.answers == 0)
    return jnp.where(auction.answers == 1, answers, caller).astype(jnp.uint32), won


def call(game: SkatGame, state: State, action: jax.Array, stage: Stage) -> State:
    """Bid, discard or announce; any other action changes nothing (docs/skat.md, 3 and 4)."""
    rules, public, phase = game.rules, state.public, state.deciding(stage)
    seat = public.current_player.astype(jnp.uint32)
    forehand = seat_after(public.dealer, 1, SEATS)
    acts = action != IDLE
    contract, player, following = public.contract, seat, phase
    # The auction.
    bidding, place = acts & (phase == play.BID), places_after(forehand, seat, SEATS)
    auction = _bid(rules, auction_of(public), place, action == BID_ACTION)
    turn, won = _next_place(rules, auction, place)
    all_passed = auction.passed == (1 << SEATS) - 1
    turn = jnp.where(all_passed, FOREHAND, turn)
    player = jnp.where(bidding, seat_after(forehand, turn, SEATS), player)
    following = jnp.where(bidding & won, play.DECLARE, following)
    # The lowest two bits of the contract are the declarer, the next three the game.
    contract = jnp.where(bidding & won, (contract & ~jnp.uint32(3)) | player, contract)
    ramsch = rules.all_pass == "ramsch"
    following = jnp.where(bidding & all_passed, play.PLAY if ramsch else play.DONE, following)
    if ramsch:
        named = (contract & ~jnp.uint32(7 << 2)) | (play.RAMSCH << 2)
        contract = jnp.where(bidding & all_passed, named, contract)
    # The skat.
    discards = acts & ((phase == play.FIRST_DISCARD) | (phase == play.SECOND_DISCARD))
    buried = state.buried | CardSet.single(DECK, action).where(discards)
    # By number, the second discard follows the first, and the announcement follows both.
    following = jnp.where(discards, phase + 1, following)
    following = jnp.where(action == TAKE_ACTION, play.FIRST_DISCARD, following)
    # The game, and what is announced.
    names = (action >= GAME_ACTION) & (action < LEVEL_ACTION)
    kind, by_hand = action - GAME_ACTION, phase == play.DECLARE
    begins = play.KONTRA if rules.kontra else play.PLAY
    # A level is asked for in Hand games of a suit or Grand, and in Null games if they may be Ouvert.
    asks = by_hand | (kind == play.NULL) if rules.null_ouvert else by_hand & (kind != play.NULL)
    following = jnp.where(names, jnp.where(asks, play.LEVEL, begins), following)
    # Keep the declarer; bit 5 marks a Hand game.
    named = (contract & 3) | kind << 2 | by_hand.astype(jnp.uint32) << 5
    contract = jnp.where(names, named, contract)
    levels = (action >= LEVEL_ACTION) & (action < KONTRA_ACTION)
    following = jnp.where(levels, begins, following)
    contract = jnp.where(levels, contract | (action - LEVEL_ACTION) << 6, contract)
    if rules.kontra:
        # The two opponents are asked in turn, then the declarer.
        second = seat == seat_after(contract & 3, SEATS - 1, SEATS)
        asked = acts & (phase == play.KONTRA)
        following = jnp.where(asked & second, play.PLAY, following)
        kontra, re = action == KONTRA_ACTION, action == RE_ACTION
        following = jnp.where(kontra, play.RE, following)
        following = jnp.where(acts & (phase == play.RE), play.PLAY, following)
        # Bits 8 and 9 count Kontra and Re; bit 10 tells which opponent said Kontra.
        said = jnp.uint32(1 << 8) | second.astype(jnp.uint32) << 10
        contract = jnp.where(kontra, contract | said, contract)
        contract = jnp.where(re, contract + (1 << 8), contract)
        # The seat after the declarer is asked first, then the one after that.
        opponent = seat_after(jnp.where(phase == play.KONTRA, seat, contract & 3), 1, SEATS)
        player = jnp.where(following == play.KONTRA, opponent, player)
        player = jnp.where(kontra, contract & 3, player)
    player = jnp.where((following == play.PLAY) & (phase != play.PLAY), forehand, player)
    return dataclasses.replace(state, buried=buried).with_public(
        phase=state.phase_after(following.astype(jnp.uint32), stage),
        current_player=jnp.where(acts, player.astype(jnp.int32), public.current_player),
        auction=jnp.where(bidding, AUCTION_WORD.pack(auction), public.auction),
        contract=contract,
    )


# ---- The past -------------------------------------------------------------------------------------


def bids_made(rules: SkatRules, public: Public) -> list[History]:
    """Return the calls of the auction."""
    auction, number = auction_of(public), num_bids(rules)
    level, first, passed, answers, opened, lost = (value.astype(jnp.int32) for value in auction)
    forehand = seat_after(public.dealer.astype(jnp.int32), 1, SEATS)
    turn = jnp.arange(number)
    if rules.auction == "first":
        passes = jax.lax.population_count(passed)
        made = jnp.where((turn == passes) & (level > 0), BID_ACTION, PASS_ACTION)
        return [history.part(made, seat_after(forehand, turn, SEATS), passes + level)]

    def duel(caller: Any, hearer: Any, length: jax.Array, ends: jax.Array) -> History:
        # Bids and "yes" alternate; a duel that is over ends with a pass.
        actions = jnp.where(ends & (turn == length - 1), PASS_ACTION, BID_ACTION)
        places = jnp.where(turn & 1 == 0, caller, hearer)
        return history.part(actions, seat_after(forehand, places, SEATS), length)

    one_over, rear_passed = passed & 3 != 0, passed & 4 != 0
    up = jnp.where(one_over, first, level)
    # Each value takes a bid and a "yes". A pass of the caller comes after them, one of the hearer
    # replaces the last "yes". An open bid still lacks its answer.
    made = jnp.where(one_over, 2 * up + 1 - lost, 2 * up - answers)
    parts = [duel(MIDDLEHAND, FOREHAND, made, one_over)]
    # The second duel has the values above the first one, without a bid that forehand made alone.
    up = level - opened - first
    hearer_lost = (passed & 3 == 3) & ~rear_passed
    made = jnp.where(rear_passed, 2 * up + 1, jnp.where(hearer_lost, 2 * up, 2 * up - answers))
    # The winner of the first duel hears the bids of rearhand.
    winner = jnp.where(lost == 1, MIDDLEHAND, FOREHAND)
    made = jnp.where(one_over, made, 0)
    parts.append(duel(REARHAND, winner, made, rear_passed | hearer_lost))
    # After two passes without a bid, forehand has opened, or has passed as the last of three.
    asked = (opened == 1) | (passed == 7)
    last = jnp.where(opened == 1, BID_ACTION, PASS_ACTION)[None]
    return [*parts, history.part(last, forehand, asked)]


def history_of(game: SkatGame, observation: Observation) -> History:
    """See `Game.history`. Only the declarer knows its discards, which are in ascending order."""
    rules, seen, public = game.rules, observation, observation.public
    declarer, phase, parts = public.declarer, public.phase, bids_made(rules, public)
    named = (public.game < play.RAMSCH)[None]
    kind = (GAME_ACTION + public.game)[None]
    # The declarer first takes the skat, or announces a Hand game.
    parts.append(
        history.part(jnp.where(public.hand, kind, TAKE_ACTION), declarer, named[0] | public.taken)
    )
    buried = history.ascending(seen.buried, play.SKAT)
    buried = jnp.where(seen.player.astype(jnp.uint32) == declarer, buried, history.UNKNOWN)
    parts.append(history.part(buried, declarer, public.num_discarded))
    # With the skat, the game is announced after the discards.
    parts.append(history.part(kind, declarer, named[0] & public.taken))
    in_null = (public.game == play.NULL) & rules.null_ouvert
    asked = in_null | (public.hand & (public.game < play.NULL))
    level = (LEVEL_ACTION + public.level)[None]
    parts.append(history.part(level, declarer, asked & (phase > play.LEVEL)))
    if rules.kontra:
        turns, said = jnp.arange(2), public.doubled > 0
        first = seat_after(jnp.minimum(declarer, SEATS - 1), 1, SEATS)
        asks, over = phase == play.KONTRA, phase > play.KONTRA
        # While the second opponent is asked, the first one has passed.
        passes = jnp.where(asks, public.current_player != first, 2 * over)
        passes = jnp.where(named[0], passes, 0)
        made = jnp.where(said, public.second_doubled + 1, passes)
        actions = jnp.where(said & (turns == public.second_doubled), KONTRA_ACTION, PASS_ACTION)
        parts.append(history.part(actions, seat_after(first, turns, SEATS), made))
        answer = jnp.where(public.doubled == 2, RE_ACTION, PASS_ACTION)[None]
        parts.append(history.part(answer, declarer, said & (phase > play.RE)))
    plays = history.plays(public.history, SEATS * play.HAND, public.num_played, seen.played_by)
    return history.joined(game.max_steps, [*parts, plays])
