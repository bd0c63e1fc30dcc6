"""The inputs of networks from a Rikiki observation: features, all of them bits.

Suits are interchangeable, so the trump suit, whatever it is called, takes the place of suit 0;
`relabel_action` and `relabel_legal` translate actions. Seats are relative: "left 1" plays next.
"""

import jax.numpy as jnp

from jaxcards.cards import relabel
from jaxcards.cards.features import BitWriter
from jaxcards.cards.seats import by_seat, field, named_seats, places_after
from jaxcards.cards.sets import NO_SUIT
from jaxcards.cards.tricks import TRUMP
from jaxcards.games.rikiki import play
from jaxcards.games.rikiki.calls import last_may_be_hooked
from jaxcards.games.rikiki.play import DECK, Observation, RikikiGame, State
from jaxcards.games.rikiki.rules import NO_TRUMP, RikikiRules
from jaxcards.kit.features import write_strength

_FAR = 15  # the largest difference of bids and tricks that is told: a feature has 32 bits


def write_features(game: RikikiGame, observation: Observation) -> BitWriter:
    rules, public = game.rules, observation.public
    out = BitWriter()
    first = relabel.trump_or_first(public.trump)
    seats = named_seats(observation.player, rules.num_players)
    out.cards("hand", relabel.swap_with_first(first, observation.hand))
    for name, seat in seats:
        played = by_seat(observation.played_by, seat)
        out.cards(f"played by {name}", relabel.swap_with_first(first, played))
    _write_round(rules, out, observation)
    _write_bids(rules, out, observation)
    _write_trick(rules, out, observation)
    _write_strength(rules, out, observation)
    for name, seat in seats[1:]:
        voids = field(public.voids, seat, play.VOID_BITS)
        out.bits(f"voids of {name}", relabel.swap_flags(first, voids), play.VOID_BITS, of="suits")
        if observation.shown is not None:
            shown = by_seat(observation.shown, seat)
            out.cards(f"shown by {name}", relabel.swap_with_first(first, shown))
    return out


def write_full_state(game: RikikiGame, state: State) -> BitWriter:
    """See `Game.write_full_state`: what is played does not matter any more, and is left out."""
    rules, out = game.rules, BitWriter()
    seen = game.observe(state, state.current_player)
    first = relabel.trump_or_first(state.public.trump)
    for name, seat in named_seats(seen.player, rules.num_players):
        hand = state.hand_of(seat)
        out.cards(f"hand of {name}", relabel.swap_with_first(first, hand))
    _write_round(rules, out, seen)
    _write_bids(rules, out, seen)
    _write_trick(rules, out, seen)
    return out


def _write_round(rules: RikikiRules, out: BitWriter, observation: Observation) -> None:
    public = observation.public
    players, most = rules.num_players, max(rules.schedule)
    turned = public.turnup.astype(jnp.uint32)
    out.flag("trumps", public.trump < NO_TRUMP)
    _, rank = DECK.suit_and_rank(turned)
    # `NO_CARD` is outside the one-hot range and sets no bit.
    out.one_hot(
        "rank turned up", jnp.where(turned < play.NO_CARD, rank, play.NO_CARD), DECK.ranks_per_suit
    )
    out.one_hot("dealer", places_after(observation.player, public.dealer, players), players)
    out.levels("cards of a hand", public.hand_size, range(1, most + 1))
    won = [play.tricks_of(public.tricks_won, seat, players) for seat in range(players)]
    out.levels("tricks to come", public.hand_size - sum(won), range(1, most + 1))


def _write_bids(rules: RikikiRules, out: BitWriter, observation: Observation) -> None:
    """Write bids, what is still to be bid, and how many tricks everyone is short of its bid."""
    public = observation.public
    players, most = rules.num_players, max(rules.schedule)
    size = public.hand_size.astype(jnp.int32)
    total = jnp.int32(0)
    for name, seat in named_seats(observation.player, players):
        bid = play.bid_of(public.bids, seat, players).astype(jnp.int32)
        won = play.tricks_of(public.tricks_won, seat, players).astype(jnp.int32)
        said = play.has_bid(seat, public.dealer, public.num_bids, players)
        total = total + bid
        out.flag(f"bid made by {name}", said)
        out.levels(f"bid of {name}", bid, range(1, most + 1))
        # Before the bid, a value below every level sets no bit.
        short = jnp.where(said, bid - won, -most - 1)
        out.levels(f"tricks needed by {name}", short, range(-2, most + 1))
    out.levels("bids to come", players - public.num_bids.astype(jnp.int32), range(1, players + 1))
    limit = min(most, _FAR)
    out.levels("sum of bids above tricks", total - size, range(-limit, limit + 1))
    if rules.hook:
        hooked = last_may_be_hooked(rules, public)
        # -1 sets no bit.
        out.one_hot("bid forbidden", jnp.where(hooked, size - total, -1), most + 1)


def _write_trick(rules: RikikiRules, out: BitWriter, observation: Observation) -> None:
    public = observation.public
    players, trick = rules.num_players, public.trick
    first = relabel.trump_or_first(public.trump)
    # Who played each of them is in the cards played by each seat.
    out.cards("on the table", relabel.swap_with_first(first, public.table_cards(DECK, players)))
    led = relabel.swap_number(first, trick.led)
    out.one_hot("led suit", led, len(DECK.suits), of="suits")
    winner = places_after(observation.player, trick.winner, players)
    out.one_hot("winner so far", jnp.where(trick.best > 0, winner, NO_SUIT), players)
    # Every card counts one point: the points are the number of cards.
    out.one_hot("cards on the table", trick.points, players)


def _write_strength(rules: RikikiRules, out: BitWriter, observation: Observation) -> None:
    public, trick = observation.public, observation.public.trick
    unseen = relabel.swap_trump(public.trump, play.unseen_cards(rules, observation))
    trumps, ruffed = public.trump < NO_TRUMP, trick.best > TRUMP
    every = jnp.uint32((1 << DECK.ranks_per_suit) - 1)
    # Strength s is that of rank s - 1: the ranks from s on are higher.
    above = every & (every << (trick.best & (TRUMP - 1)))
    # Every trump is over a plain winner, and only higher ones are over a trump.
    over = jnp.where(trumps & (trick.best > 0), jnp.where(ruffed, above, every), 0)
    trump_led = trumps & (relabel.swap_suit(public.trump, trick.led) == 0)
    write_strength(
        out, observation, public.trump, unseen=unseen, beaten=relabel.below_highest(unseen),
        plain=jnp.where(trump_led | ruffed, 0, above), over=over, levels=(1, 2, 3, 4, 5, 6, 8, 10),
    )  # fmt: skip
