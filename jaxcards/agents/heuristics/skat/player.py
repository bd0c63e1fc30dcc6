"""The Skat heuristic: a rule-of-thumb player that serves as a baseline for learners.

Every action gets a number, and the legal action with the largest number is taken.
"""

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.agents.heuristics.base import HeuristicAgent, in_usual_mode
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.sets import NO_SUIT
from jaxcards.games.skat import calls, play, score
from jaxcards.games.skat.game import Skat
from jaxcards.games.skat.play import DECK, GRAND, NULL, RAMSCH, Observation
from jaxcards.games.skat.rules import VALUES, SkatRules
from jaxcards.xla.lookup import lookup

_CARDS = np.arange(DECK.num_cards)
_SUIT, _RANK = _CARDS // 8, _CARDS % 8
POINTS = np.array(play.POINTS)[_RANK]
_IS_JACK = _RANK == play.JACK
_NULL_RANK = np.array([play.NULL_ORDER.low_to_high.index(rank) for rank in DECK.ranks])[_RANK]
_ACE, _TEN = DECK.ranks.index("A"), DECK.ranks.index("T")
_FAR = 100.0  # more than all other numbers of a choice
_SKAT_HELPS = 1.0  # what the two cards of the skat are expected to add


class SkatHeuristicAgent(HeuristicAgent[SkatRules]):
    """A player of Skat, for all rules of the game, at the level of a careful beginner.

    Deterministic. It counts the trumps, aces and tens of each game, and bids as long as a game of that
    value is more likely won than two games in three. It takes the skat, keeps trumps and aces, and
    discards lone tens and short suits. A declarer draws trumps; opponents give points to each other.
    """

    game_class = Skat

    @in_usual_mode
    def act(self, params: Any, observation: Observation, legal: ActionSet, key: jax.Array) -> jax.Array:
        """Choose an action; see `Agent.act`. `params` and `key` are not used."""
        gains = expected_gains(observation)
        target = gains.argmax().astype(jnp.uint32)
        discards = observation.public.phase < play.PLAY
        cards = jnp.where(discards, discard_worth(target, observation), _card(observation))
        said = [0.0, jnp.where(gains.max() > 0, 1.0, -1.0), _FAR, *gains]
        said += [0.0, -1.0, -2.0, -_FAR, jnp.where(_doubles(observation), 1.0, -1.0), -1.0]
        worth = jnp.concatenate([cards, jnp.stack([jnp.asarray(one, jnp.float32) for one in said])])
        return jnp.where(legal.mask(), worth, -jnp.inf).argmax().astype(jnp.int32)


def strength_of_games(hand: jax.Array) -> jax.Array:
    """Estimate a hand in each suit game, Grand and Null: float32[6]; 0 or more is worth a try."""
    games = np.arange(GRAND + 1)
    trump = _IS_JACK | (_SUIT == games[:, None])
    side, jacks = (hand & ~trump).reshape(-1, 4, 8), (hand & _IS_JACK).sum()  # side: bool[5, 4, 8]
    aces, guarded = side[..., _ACE].sum(1), (side[..., _ACE] & side[..., _TEN]).sum(1)
    losers = side[..., :_TEN].sum((1, 2))
    count = (hand & trump).sum(1) + 0.5 * jacks + aces + 0.8 * guarded - 0.3 * losers
    voids = (~side.any(2)).sum(1) - (games < GRAND)
    grand = 2.2 * jacks + 1.3 * aces + 0.8 * guarded - 0.3 * losers
    found = jnp.where(games == GRAND, grand - 7.2, count + 0.4 * voids - 6.6)
    # In Null every lower card of the suit in hand makes a card two ranks safer.
    low = hand.reshape(4, 8)[:, np.argsort(_NULL_RANK[:8])]
    place = low.cumsum(1) - 1
    danger = jnp.where(low, jnp.maximum(np.arange(8) - 1 - 2 * place, 0), 0).sum()
    return jnp.append(found, 1.5 - 0.6 * danger).astype(jnp.float32)


def expected_gains(seen: Observation) -> jax.Array:
    """Return the score expected in each game: float32[6]; a game below the bid is lost."""
    public, hand = seen.public, seen.hand.mask()
    auction = calls.auction_of(public)
    raises = (public.phase == play.BID) & (auction.answers == 0)
    bid = lookup((0, *VALUES, 2**10), auction.level + raises).astype(jnp.int32)
    own = seen.hand.words[0] | seen.buried.words[0]
    games = jnp.arange(GRAND + 1, dtype=jnp.uint32)
    value = score.base_of(games) * (score.matadors(games, own) + 1)
    value = jnp.append(value, jnp.where(bid > 23, 46, 23))  # of Null
    help_ = jnp.where(public.phase < play.FIRST_DISCARD, _SKAT_HELPS, 0.0)
    wins = jax.nn.sigmoid(1.5 * (strength_of_games(hand) + help_))
    # Open cards are easier to beat.
    wins = wins.at[NULL].multiply(jnp.where(bid > 23, 0.75, 1.0))
    gains = value * (3 * wins - 2)
    return jnp.where(value >= bid, gains, -2.0 * jnp.maximum(value, bid) - 1)


def _doubles(seen: Observation) -> jax.Array:
    """Return whether an opponent says Kontra: bool."""
    strong = _mask(play.trumps_of(seen.public.game)) | (_RANK == _ACE)
    return (seen.public.game < NULL) & ((seen.hand.mask() & strong).sum() >= 6)


def _mask(cards: jax.Array) -> jax.Array:
    return (cards >> jnp.arange(DECK.num_cards, dtype=jnp.uint32)) & 1 == 1


def discard_worth(target: jax.Array, seen: Observation) -> jax.Array:
    """Return the worth of discarding each card: float32[32]."""
    hand, trump = seen.hand.mask(), _mask(play.trumps_of(target))
    number = jnp.repeat((hand & ~trump).reshape(4, 8).sum(1), 8)
    keep = _FAR * trump + 40.0 * (_RANK == _ACE) + 6.0 * number - POINTS
    return jnp.where(target == NULL, 3.0 * _NULL_RANK - 4.0 * number, -keep)


class _Table(NamedTuple):
    """Facts for the play of each card: [32]."""

    strength: jax.Array  # int32
    trump: jax.Array  # bool
    wins: jax.Array  # bool: the card wins the trick so far
    master: jax.Array  # bool: no unseen card of its class beats it


def table_of(seen: Observation) -> _Table:
    game, trick = seen.public.game, seen.public.trick
    cards = jnp.arange(DECK.num_cards, dtype=jnp.uint32)
    trump, strength = _mask(play.trumps_of(game)), play.strength_of(game, cards).astype(jnp.int32)
    kind = jnp.where(trump, play.TRUMPS, _SUIT)
    follows = trump | (kind == trick.led) | (trick.led == NO_SUIT)
    beats = (kind[:, None] == kind) & (strength[:, None] < strength) & seen.unseen.mask()
    wins = follows & (strength > trick.best.astype(jnp.int32))
    return _Table(strength, trump, wins, ~beats.any(1))


def _card(seen: Observation) -> jax.Array:
    """Return the worth of playing each card: float32[32]."""
    public, table, me = seen.public, table_of(seen), seen.player.astype(jnp.uint32)
    declares, leads = public.declarer == me, public.trick.led == NO_SUIT
    last = public.num_played % play.SEATS == play.SEATS - 1
    partner = ~declares & (public.trick.winner != public.declarer) & ~leads
    cheap = -1.0 * POINTS - 0.3 * table.strength
    # To lead: a declarer draws trumps, and everyone leads cards that no other beats.
    drawn = ~(seen.unseen.mask() & table.trump).any()
    draw = 40.0 + jnp.where(table.master, table.strength, cheap)
    draws = jnp.where(table.trump & ~drawn, draw, cheap)
    lead = jnp.where(declares, draws, cheap - 20.0 * table.trump) + 30.0 * (table.master & ~table.trump)
    # To follow: win if it is safe or worth it, else give points to a partner, or as few as possible.
    safe = last | table.master
    take = _FAR + jnp.where(safe, 2.0 * POINTS, cheap) - 8.0 * table.trump
    follow = jnp.where(table.wins & (public.trick.points + POINTS >= 4), take, cheap)
    follow = jnp.where(partner & last, 1.0 * POINTS - 20.0 * table.trump, follow)
    # To win nothing: the highest card that loses, or the lowest.
    duck = jnp.where(table.wins, -_FAR - table.strength, 1.0 * table.strength)
    low = leads | (partner & (public.game != RAMSCH))
    avoid = jnp.where(low, -1.0 * table.strength, duck)
    return jnp.where(public.game >= NULL, avoid, jnp.where(leads, lead, follow))
