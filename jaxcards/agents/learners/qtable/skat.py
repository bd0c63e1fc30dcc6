"""The description of Skat for a table: bids and games by their promise, then which kind of card."""

import jax
import jax.numpy as jnp

from jaxcards.agents.heuristics.skat.player import POINTS, discard_worth, expected_gains, table_of
from jaxcards.agents.learners.qtable.decision import Found, Options, bucket, options
from jaxcards.agents.learners.qtable.layout import Feature, Situation
from jaxcards.cards.actions import ActionSet
from jaxcards.cards.sets import NO_SUIT
from jaxcards.games.skat import calls, play
from jaxcards.games.skat.play import DECK, Observation
from jaxcards.games.skat.rules import SkatRules

_GAINS = (-30, -15, -8, -4, 0, 4, 8, 15, 25, 40)
_PROMISE = Feature(
    "the best game promises", ("less", *(f"{points} points or more" for points in _GAINS))
)
_GAME = Feature("the game is", ("a suit", "Grand", "Null", "Ramsch"))
_ROLE = Feature("the player", ("declares", "is an opponent"))
_PLACE = Feature("place", ("second", "last"))
_WINNER = Feature("the trick is won so far by", ("the own side", "the other side"))
_TABLE = Feature("points on the table", ("none", "1 to 9", "10 or more"))
_TRICK = Feature("trick", ("1 to 3", "4 to 6", "7 or later"))
_LEADS = ("the strongest trump", "the weakest trump", "a card that no other of its suit beats",
          "the cheapest other card")  # fmt: skip
_FOLLOWS = ("the dearest card that wins", "the cheapest card that wins", "the dearest card that loses",
            "the cheapest card that loses")  # fmt: skip

_Option = tuple[jax.Array, jax.Array]


def situations(rules: SkatRules) -> tuple[Situation, ...]:
    """Return the kinds of decisions."""
    kontra = (Situation("asked for Kontra or Re", (_PROMISE,), ("no", "yes")),) if rules.kontra else ()
    games = ("the best game with the skat", "the best game by hand")
    return (
        Situation("bidding", (_PROMISE,), ("pass", "bid")),
        Situation("declaring", (_PROMISE,), games),
        Situation("announcing more", (_PROMISE,), ("nothing", "Schneider", "Schwarz", "Ouvert")),
        *kontra,
        Situation("discarding", (_PROMISE,), ("the card that the heuristic discards",)),
        Situation("leading", (_GAME, _ROLE, _TRICK), _LEADS),
        Situation("following", (_GAME, _ROLE, _PLACE, _WINNER, _TABLE, _TRICK), _FOLLOWS),
    )


def look(rules: SkatRules, seen: Observation, legal: ActionSet) -> list[Found]:
    """Return every situation, as seen by the player to act."""
    public, mask = seen.public, legal.mask()
    cards, phase = mask[: DECK.num_cards], public.phase
    gains = expected_gains(seen)
    promise, game = [bucket(gains.max(), _GAINS)], public.game

    def say(*actions: int) -> Options:
        return options(*((mask[action], action) for action in actions))

    names = mask[calls.GAME_ACTION : calls.LEVEL_ACTION]
    # The best game among those that may be named now.
    named = calls.GAME_ACTION + jnp.where(names, gains, -jnp.inf).argmax()
    take = mask[calls.TAKE_ACTION]
    # A declarer who has taken the skat may not take it again: the first option names the game.
    first = jnp.where(take, calls.TAKE_ACTION, named)
    declare = options((take | names.any(), first), (take & names.any(), named))
    discards = (phase == play.FIRST_DISCARD) | (phase == play.SECOND_DISCARD)
    # Discard for the best game of all, which is named only afterwards.
    target = gains.argmax().astype(jnp.uint32)
    discard = jnp.where(cards, discard_worth(target, seen), -jnp.inf).argmax()
    # The value of `_GAME`: the suits share one; Grand, Null and Ramsch are games 4, 5 and 6.
    kind = jnp.where(game < play.GRAND, 0, jnp.minimum(game, play.RAMSCH) - 3)
    me = seen.player.astype(jnp.uint32)
    role = jnp.where(public.declarer == me, 0, 1)
    place = jnp.where(public.num_played % play.SEATS == 1, 0, 1)
    # The opponents of a declarer are allies; in Ramsch everyone plays alone.
    allied = (role == 1) & (public.trick.winner != public.declarer) & (game != play.RAMSCH)
    table = bucket(public.trick.points.astype(jnp.int32), (1, 10))
    trick = bucket(public.num_played.astype(jnp.int32) // play.SEATS, (3, 6))
    plays, leads = phase == play.PLAY, public.trick.led == NO_SUIT
    lead, follow = _kinds(seen, cards)
    found = [
        Found(phase == play.BID, promise, say(calls.PASS_ACTION, calls.BID_ACTION)),
        Found((phase == play.DECLARE) | (phase == play.ANNOUNCE), promise, declare),
        Found(phase == play.LEVEL, promise, say(*range(calls.LEVEL_ACTION, calls.KONTRA_ACTION))),
        Found(discards, promise, options((discards, discard))),
        Found(plays & leads, [kind, role, trick], options(*lead)),
        Found(plays & ~leads, [kind, role, place, ~allied, table, trick], options(*follow)),
    ]
    if rules.kontra:
        # Kontra and Re are one situation: the phase tells which is asked.
        action = jnp.where(phase == play.RE, calls.RE_ACTION, calls.KONTRA_ACTION)
        asked = (phase == play.KONTRA) | (phase == play.RE)
        # Its place in `situations`.
        found.insert(3, Found(asked, promise, options((asked, calls.PASS_ACTION), (asked, action))))
    return found


def _kinds(seen: Observation, legal: jax.Array) -> tuple[list[_Option], list[_Option]]:
    """Return a card for each option of leading and following."""
    table = table_of(seen)
    # By points, then by strength, which is below 32.
    dear = 32 * jnp.asarray(POINTS) + table.strength

    def best(among: jax.Array, by: jax.Array) -> _Option:
        return among.any(), jnp.where(among, by, -10_000).argmax()

    trump, plain, wins = legal & table.trump, legal & ~table.trump, legal & table.wins
    leads = [
        best(trump, table.strength), best(trump, -table.strength),
        best(plain & table.master, dear), best(plain & ~table.master, -dear),
    ]  # fmt: skip
    loses = legal & ~table.wins
    return leads, [best(wins, dear), best(wins, -dear), best(loses, dear), best(loses, -dear)]
