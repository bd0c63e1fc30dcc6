"""The inputs of networks from an observation of Hearts: features, all of them bits.

Seats are relative: "left 1" plays next.
"""

from jaxcards.cards.features import BitWriter
from jaxcards.cards.seats import by_seat, field, named_seats
from jaxcards.games.hearts import play
from jaxcards.games.hearts.calls import num_passed_by
from jaxcards.games.hearts.play import DECK, NUM_PASSED, POINTS_BITS, HeartsGame, Observation

_POINTS = (1, 2, 3, 5, 8, 13, 14, 18, 22, 25, 26)
_MISSING = (1, 3, 6, 10, 13, 20, 26, 35, 50, 65, 80, 100)


def write_features(game: HeartsGame, observation: Observation) -> BitWriter:
    seen, public, rules, out = observation, observation.public, game.rules, BitWriter()
    game.write_tricks(out, seen, strengths=len(DECK.ranks))
    only = public.voids >> play.PENALTIES_ONLY
    flags = {
        "only penalty cards": only if play.tells_penalties(rules) else None,
        "trick": public.with_trick,
        "♦J": public.with_jack,
    }
    for name, seat in named_seats(seen.player, game.num_players):
        out.levels(f"points of {name}", field(public.taken, seat, POINTS_BITS), _POINTS)
        if rules.passes:
            number = num_passed_by(public, seat, game.num_players)
            out.levels(f"cards passed by {name}", number, range(1, NUM_PASSED + 1))
        for flag, seats in flags.items():
            if seats is not None:
                out.flag(f"{flag} of {name}", field(seats, seat, 1) == 1)
    if rules.passes:
        out.one_hot("places that cards are passed", public.direction, game.num_players)
        out.flag("all cards passed", play.all_passed(public, game.num_players))
        out.cards("passed", seen.passed - seen.played)
        out.cards("received", seen.received - seen.played)
    on_table = public.trick.points
    out.levels("points on the table", field(on_table, 0, POINTS_BITS), (1, 2, 3, 13))
    if public.with_jack is not None:
        out.flag("♦J on the table", on_table >> POINTS_BITS != 0)
    out.flag("hearts closed", play.closed(rules, seen.played).any())
    out.cards("penalty cards unseen", play.penalties() - seen.hand - seen.played)
    return out


def write_standing(game: HeartsGame, out: BitWriter, observation: Observation) -> None:
    """Write how many points each player is short of the end of the match."""
    for name, seat in named_seats(observation.player, game.num_players):
        missing = game.rules.target - by_seat(observation.public.totals, seat)
        out.levels(f"points missing of {name}", missing, _MISSING)
