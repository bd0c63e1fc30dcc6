"""Plain Spades as a game outside of jaxcards: an example with bids and sides.

    python examples/spades.py games
    python examples/spades.py simulate plain_spades --deals 10000
    python examples/spades.py train plain_spades --minutes 3
    python examples/spades.py play plain_spades

Four players, 52 cards, 13 tricks; seats 0 and 2 play against seats 1 and 3. Spades are always trumps.
From the left of the dealer, each player bids once, from 0 (nil) to 13 tricks. The rules are those of
https://www.pagat.com/auctionwhist/spades.html, without blind nil. A match that ends at a low total is
a common house rule.

The file reads in the order in which the game is played; docs/adding_a_game.md goes through it.
"""

import dataclasses
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import jax
import jax.numpy as jnp

import jaxcards
from jaxcards.cards import history, sets
from jaxcards.cards.actions import IDLE, ActionSet
from jaxcards.cards.features import BitWriter
from jaxcards.cards.history import History
from jaxcards.cards.opening import Fact
from jaxcards.cards.packs import FRENCH as DECK
from jaxcards.cards.seats import by_team, field, seat_after, totals_before
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.cards.standing import write_missing_points
from jaxcards.cards.symmetry import SuitSymmetry, permutations_of_others
from jaxcards.cards.tricks import TRUMP
from jaxcards.errors import UserError
from jaxcards.kit import (
    TrickGame,
    TrickObservation,
    TrickPublic,
    TrickState,
    first_public,
    follow_suit,
    lead_other,
    play_by_rank,
)
from jaxcards.settings import setting, validate
from jaxcards.stages import Stage
from jaxcards.xla.pytrees import pytree

# ---- Rules ----------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Rules:
    """Rules of Spades; instances are valid, or `UserError` is raised."""

    lead_spades: Literal["broken", "last"] = setting(
        "broken", "when to lead spades: once one is played, or with nothing else left"
    )
    joint_limit: bool = setting(False, "the bids of two partners add up to 13 at most")
    nil: int = setting(
        100, "points for a bid of nil, won without a trick and lost with one", minimum=0, maximum=500
    )
    nil_tricks: Literal["bags", "help"] = setting(
        "bags", "tricks of a failed nil are bags, or help to make the bid of the partner"
    )
    bag_penalty: int = setting(100, "points that ten bags cost", minimum=0, maximum=500)
    target: int = setting(
        500, "points that end a match; the most win", minimum=10, maximum=1000, of_match=True
    )
    floor: int = setting(
        -200, "a match also ends at these points or fewer", minimum=-1000, maximum=-10, of_match=True
    )
    max_deals: int = setting(
        50, "the largest number of deals of a match", minimum=1, maximum=500, of_match=True
    )

    def __post_init__(self) -> None:
        validate(self)
        if self.nil % 10 or self.bag_penalty % 10:  # the last digit of a total counts bags
            raise UserError("nil and bag_penalty must be multiples of 10")


PRESETS = {
    "standard": Rules(),
    "open_spiel": Rules(lead_spades="last", joint_limit=True, nil_tricks="help", floor=-350),
}
DEFAULT_PRESET = "standard"
PRESET_DESCRIPTIONS = {
    "standard": "as on pagat.com; a match ends at 500 or -200 points",
    "open_spiel": "OpenSpiel's rules: spades are never broken, partners bid 13 at most",
}

# ---- Deck -----------------------------------------------------------------------------------------

NUM_SEATS, HAND_SIZE = 4, 13
SPADES = 3
ALL_SPADES = CardSet.of(DECK, DECK.cards(" ".join(f"{rank}s" for rank in DECK.ranks)))
BID = DECK.num_cards  # action BID + n bids n tricks
BITS = 4  # a seat's bid or tricks, at most 14

# ---- State ----------------------------------------------------------------------------------------


@pytree
@dataclasses.dataclass(frozen=True)
class Public(TrickPublic):
    """The public part of a deal; every leaf is a scalar.

    Attributes:
      dealer: uint32, the seat that dealt; it bids last.
      bids: uint32, four bits a seat: 0 before its bid, then 1 more than the bid.
      won: uint32, four bits a seat: tricks won.
      voids: uint32, bit 4 * seat + suit: the play has shown that the seat has no card of the suit.
      totals: int32 for each side, the match totals before the deal; the last digit counts bags.
    """

    dealer: jax.Array
    bids: jax.Array
    won: jax.Array
    voids: jax.Array
    totals: tuple[jax.Array, ...]

    def bid_of(self, seat: int | jax.Array) -> jax.Array:
        """Return the bid of a seat: int32, -1 before it."""
        return field(self.bids, seat, BITS).astype(jnp.int32) - 1

    def won_by(self, seat: int | jax.Array) -> jax.Array:
        """Return the tricks that a seat has won: int32."""
        return field(self.won, seat, BITS).astype(jnp.int32)


@pytree
@dataclasses.dataclass(frozen=True)
class State(TrickState):
    """A deal of Spades."""

    @property
    def playing(self) -> jax.Array:
        """bool: the calls are over, because the dealer bids last."""
        return self.public.bid_of(self.public.dealer) >= 0


@dataclasses.dataclass(frozen=True)
class Spades(TrickGame[Rules, State, TrickObservation]):
    """Spades for two sides of two. Actions 0 to 51 play a card, 13 * suit + rank; 52 + n bids n."""

    rules: Rules = Rules()

    name = "plain_spades"
    deck = DECK
    num_players = NUM_SEATS
    hand_size = HAND_SIZE
    fixed_trumps = SPADES
    num_calls = NUM_SEATS
    teams = (0, 1, 0, 1)
    state_class = State
    suit_symmetry = SuitSymmetry(permutations_of_others(SPADES))

    def first_public(  # type: ignore[override]
        self, hands: Sequence[CardSet], dealer: jax.Array, totals: Any = None
    ) -> Public:
        zero = jnp.uint32(0)
        return Public(
            **first_public(DECK.num_cards, seat_after(dealer, 1, NUM_SEATS)),
            dealer=dealer, bids=zero, won=zero, voids=zero, totals=totals_before(totals, 2, jnp.int32),
        )  # fmt: skip

    @property
    def opening_facts(self) -> Mapping[str, Fact]:
        rules = self.rules
        return {"totals": Fact(rules.floor + 1, 2**31 - 1, size=2, equal_from=rules.target)}

    # ---- The bids ---------------------------------------------------------------------------------

    def call_names(self) -> list[str]:
        return [f"bid {tricks}" for tricks in range(HAND_SIZE + 1)]

    def legal_calls(self, state: State) -> ActionSet:
        public = state.public
        bids = jnp.uint32((2 << HAND_SIZE) - 1)
        if self.rules.joint_limit:
            partner = public.bid_of(seat_after(public.current_player, 2, NUM_SEATS))
            bids = bids >> jnp.maximum(partner, 0).astype(jnp.uint32)
        return self.call_set(bids)

    def call(self, state: State, action: jax.Array) -> State:
        public, bids = state.public, (action >= BID) & (action != IDLE)
        seat = public.current_player.astype(jnp.uint32)
        entry = jnp.where(bids, action - BID + 1, 0)
        following = seat_after(public.current_player, 1, NUM_SEATS)
        return state.with_public(
            bids=public.bids | entry << (BITS * seat),
            current_player=jnp.where(bids, following, public.current_player),
        )

    def calls_seen(self, observation: TrickObservation) -> list[History]:
        public = observation.public
        seats = seat_after(public.dealer, jnp.arange(NUM_SEATS, dtype=jnp.uint32) + 1, NUM_SEATS)
        bids = public.bid_of(seats)
        return [history.part(BID + bids, seats, (bids >= 0).sum())]

    # ---- The play of a card -----------------------------------------------------------------------

    def legal_cards(self, state: State, stage: Stage) -> CardSet:
        hand, led = state.hand_of(state.current_player), state.trick(stage).led
        lead = lead_other(hand, self._closed(state.played))
        return follow_suit(hand, led, sets.select(led == NO_SUIT, lead, hand))

    def _closed(self, played: CardSet) -> CardSet:
        """Return the cards that may not be led yet."""
        if self.rules.lead_spades == "last":
            return ALL_SPADES
        return sets.select((played & ALL_SPADES).any(), CardSet.empty(DECK), ALL_SPADES)

    def play(self, state: State, card: jax.Array, stage: Stage) -> State:
        closed = self._closed(state.played)
        after, trick, complete = play_by_rank(
            state, stage, card, trump=SPADES, points=jnp.uint32(0), closed=closed
        )
        won = jnp.where(complete, jnp.uint32(1) << (BITS * trick.winner), 0)
        return after.with_public(won=state.public.won + won)

    # ---- The score, the match ---------------------------------------------------------------------

    def progress(self, state: State) -> jax.Array:
        """Return int32[4], the tricks of each player's side."""
        won = [state.public.won_by(seat) for seat in range(NUM_SEATS)]
        return by_team(won[0] + won[2], won[1] + won[3])

    def points(self, state: State) -> jax.Array:
        """Return int32[4], the score of each player's side."""
        return by_team(self._score(state.public, 0), self._score(state.public, 1))

    def _score(self, public: Public, side: int) -> jax.Array:
        """Return the score of a side if it wins no more tricks: int32."""
        contract = helping = bags = score = jnp.int32(0)
        for seat in (side, side + 2):
            bid, won = public.bid_of(seat), public.won_by(seat)
            nil = bid == 0
            # Tricks of a failed nil are bags, whether the partner makes the contract or not.
            lost = nil if self.rules.nil_tricks == "bags" else jnp.bool_(False)
            contract = contract + jnp.maximum(bid, 0)
            helping = helping + jnp.where(lost, 0, won)
            bags = bags + jnp.where(lost, won, 0)
            bonus = jnp.where(won > 0, -self.rules.nil, self.rules.nil)
            score = score + jnp.where(nil, bonus, 0)
        made = helping >= contract
        bags = bags + jnp.where(made, helping - contract, 0)
        tens = (public.totals[side] % 10 + bags) // 10
        return score + jnp.where(made, 10, -10) * contract + bags - self.rules.bag_penalty * tens

    def match_over(
        self, state: State, totals: jax.Array, num_deals: jax.Array
    ) -> tuple[jax.Array, jax.Array]:
        """Return the result; see `Game.match_over`. Two equal totals at the target play on."""
        rules, best = self.rules, totals.max()
        reached = (best >= rules.target) & (totals[0] != totals[1])
        over = reached | (totals.min() <= rules.floor) | (num_deals >= rules.max_deals)
        return over, totals == best

    # ---- The observation --------------------------------------------------------------------------

    def write_features(self, observation: TrickObservation) -> BitWriter:
        out, public = BitWriter(), observation.public
        self.write_tricks(out, observation, strengths=TRUMP + HAND_SIZE)
        me, tricks = observation.player.astype(jnp.uint32), range(1, HAND_SIZE + 1)
        for places in range(NUM_SEATS):
            name = f"left {places}" if places else "me"
            seat = seat_after(me, places, NUM_SEATS)
            out.one_hot(f"bid of {name}", public.bid_of(seat), HAND_SIZE + 1)
            out.levels(f"tricks of {name}", public.won_by(seat), tricks)
            out.flag(f"{name} dealt", public.dealer == seat)
        for name, side in (("own", me & 1), ("other", 1 - (me & 1))):
            pair = (side, side + 2)
            short = sum(jnp.maximum(public.bid_of(s), 0) - public.won_by(s) for s in pair)
            out.levels(f"tricks needed by the {name} side", short, range(-5, HAND_SIZE + 1))
            bags = jnp.where(side == 0, *public.totals) % 10
            out.levels(f"bags of the {name} side", bags, range(1, 10))
        out.flag("spades broken", (observation.played & ALL_SPADES).any())
        return out

    def write_standing(self, out: BitWriter, observation: TrickObservation) -> None:
        side = observation.player.astype(jnp.uint32) & 1
        write_missing_points(out, self.rules.target, observation.public.totals, side)


jaxcards.register("plain_spades", sys.modules[__name__], Spades, "Spades for partners")

if __name__ == "__main__":
    from jaxcards.cli.main import main

    sys.exit(main())
