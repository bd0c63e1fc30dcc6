"""A review as lines for a terminal: the worst moves, all moves, and every player's total."""

from collections.abc import Sequence

from jaxcards.review.review import DealReview, Move, Option
from jaxcards.tables import align

_FINE = 20.0  # below this spread, values of a deal are shown with one digit more
_OPTIONS = 5  # number of options listed for a worst move
OPEN = "with open hands"
"""Heading of values in the actual deal, with best play of both sides."""


def to_text(reviews: Sequence[DealReview]) -> str:
    """Return the reviews of a record, deal by deal."""
    first = reviews[0]
    lines = [
        f"{first.record.game}, reviewed by {first.name}: {first.worlds} deals played out for each "
        f"legal action, seed {first.seed}",
        lead(first),
    ]
    if any(review.solved for review in reviews):
        lines.append(f"{OPEN}: in the deal as it was, with best play of both sides from there on")
    for number, review in enumerate(reviews):
        lines.append("")
        if len(reviews) > 1:
            lines += [f"deal {number}", ""]
        lines += deal_lines(review)
    return "\n".join(lines)


def lead(review: DealReview) -> str:
    """Return a line about the units of values and costs."""
    units = f"expected results are {review.unit()}, costs are {review.unit(gains=True)}"
    return f"{units}, ± standard error; costs are relative to the choice after the deals played out"


def deal_lines(review: DealReview) -> list[str]:
    """Return the lines of one deal."""
    if not review.moves:
        return ["nothing was played"]
    lines = []
    if review.record.unknown:
        lines += [unseen(review), ""]
    worst = review.worst()
    lines.append(headline(review))
    for move in worst:
        lines += ["", *_worst_lines(review, move)]
    lines += ["", *_table(review), "", *_tally_lines(review)]
    if review.record.points is not None:
        lines += ["", f"{review.unit(gains=True)} by seat: {', '.join(map(str, review.record.points))}"]
    return lines


def headline(review: DealReview) -> str:
    """Return a line with the number of moves that differ."""
    choices = [move for move in review.moves if not move.forced]
    other = sum(not move.agrees for move in choices)
    said = f"{len(review.moves)} moves, {len(choices)} with a choice, {other} of them differ"
    return said + (", the worst ones:" if review.worst() else "")


def unseen(review: DealReview) -> str:
    """Return a line about cards that the record lacks."""
    count = len(review.record.unknown)
    return f"{count} cards of this record were never seen: their places are arbitrary, but count"


def amount(review: DealReview, value: float) -> str:
    """Return a number of points, with the decimals that the game needs."""
    return f"{value:.{digits(review)}f}"


def measured(review: DealReview, value: float, error: float) -> str:
    """Return a number of points with its standard error."""
    # Adding 0.0 turns a negative zero into zero.
    return f"{amount(review, value + 0.0)} ± {amount(review, error)}"


def result(review: DealReview, value: float | None) -> str:
    """Return a return of the game as a result in its unit."""
    return amount(review, review.view.in_unit(value or 0.0) + 0.0)


def expected(review: DealReview, option: Option) -> str:
    """Return the expected result of an option with its standard error."""
    return f"{result(review, option.value)} ± {amount(review, option.value_error or 0.0)}"


def digits(review: DealReview) -> int:
    """Return the number of decimals in the points of a deal."""
    values = [abs(option.value or 0) for move in review.moves for option in move.options]
    return 2 if max(values, default=0) < _FINE else 1


def _worst_lines(review: DealReview, move: Move) -> list[str]:
    who, played = review.names[move.player], move.option(move.played).name
    cost = measured(review, move.cost, move.cost_error)
    lines = [f"{move.number:3}  {who}: {played}, which cost {cost}"]
    rows = [["     action", "probability", "expected", "cost"]]
    rows += [_option_row(review, move, place) for place in shown(move)]
    if move.double_dummy_cost is not None:
        rows[0].append(OPEN)
        for row, place in zip(rows[1:], shown(move), strict=True):
            row.append(result(review, move.options[place].double_dummy))
    return [*lines, *align(rows)]


def shown(move: Move) -> list[int]:
    """Return the places of the listed options: the best, played, chosen and most likely ones."""
    wanted = {move.played, move.choice, move.liked}
    ranked = [o.action in wanted for o in move.options]
    # Wanted options further down take places from the best ones.
    room = _OPTIONS - sum(ranked[_OPTIONS:])
    return [place for place, own in enumerate(ranked) if own or place < room]


def _option_row(review: DealReview, move: Move, place: int) -> list[str]:
    option = move.options[place]
    said = marks(move, option)
    name = f"     {option.name}" + (f" ({said})" if said else "")
    cost = measured(review, option.cost, option.cost_error)
    return [name, percent(option.policy), expected(review, option), cost]


def marks(move: Move, option: Option) -> str:
    """Return the mark of an option: played, the choice, or the choice at first sight."""
    own = ("played", move.played), ("choice", move.choice), ("at first sight", move.liked)
    return ", ".join(text for text, action in own if option.action == action)


def percent(share: float) -> str:
    """Return a probability in per cent."""
    return f"{100 * share:.0f} %"


def _table(review: DealReview) -> list[str]:
    rows = [["move", "who", "played", "cost", "choice", "at first sight", "probability of played"]]
    if review.solved:
        rows[0].append(f"cost {OPEN}")
    for move in review.moves:
        played = move.option(move.played)
        row = [f"{move.number:3}", review.names[move.player], played.name]
        if move.forced:
            row += ["only one", "", "", ""]
        else:
            cost = measured(review, move.cost, move.cost_error)
            choice, liked = move.option(move.choice), move.option(move.liked)
            row += ["" if move.agrees else cost, choice.name, liked.name, percent(played.policy)]
        if review.solved:
            lost = move.double_dummy_cost
            row.append("" if lost is None or move.forced else amount(review, lost + 0.0))
        rows.append(row)
    return align(rows)


def _tally_lines(review: DealReview) -> list[str]:
    rows = [["player", "choices", "same choice", "cost of all"]]
    for tally in review.tallies():
        cost = measured(review, tally.cost, tally.cost_error)
        rows.append([review.names[tally.player], str(tally.choices), str(tally.agreed), cost])
    return align(rows)
