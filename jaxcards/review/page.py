"""A review as one HTML page that opens from the file: no scripts, and no external files."""

from collections.abc import Iterator, Sequence
from html import escape

import jax

from jaxcards.pictures.svg import draw
from jaxcards.review import text
from jaxcards.review.review import DealReview, Move, Option

_STYLE = """
:root { color-scheme: light dark; --ink: #17211c; --soft: #5b6b63; --paper: #fbfaf5; --line: #d9ddd4;
  --good: #2f7d57; --bad: #b3372b; --bar: #9cc7b1; --card: #fff }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eee9; --soft: #a3b3aa; --paper: #151b18;
  --line: #33403a; --good: #6cc397; --bad: #f0857a; --bar: #2f6b4e; --card: #1c2521 } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 1240px; padding: 1.5rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif }
h1 { font-size: 1.6rem; margin: 0 } h2 { font-size: 1.25rem; margin: 2rem 0 .6rem }
h3 { font-size: 1.05rem; margin: 0 0 .5rem } p { margin: .3rem 0; max-width: 75ch }
a { color: inherit } .soft { color: var(--soft) } .red { color: var(--bad) }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
th, td { text-align: right; padding: .2rem .5rem; border-bottom: 1px solid var(--line);
  white-space: nowrap }
th:first-child, td:first-child { text-align: left; white-space: normal }
th { font-weight: 600; color: var(--soft); white-space: normal; vertical-align: bottom }
.sum { width: auto; min-width: min(34rem, 100%) } .wide { overflow-x: auto }
.strip { display: flex; flex-wrap: wrap; gap: 3px; margin: .6rem 0; padding: 0; list-style: none }
.strip a { display: block; min-width: 2.3rem; padding: .15rem .25rem; text-align: center;
  text-decoration: none; border: 1px solid var(--line); border-radius: 5px; background: var(--card);
  font-size: .85rem } .strip small { display: block; color: var(--soft); font-size: .7rem }
.strip .only a { opacity: .5 } .strip .dear a { background: var(--bad); color: #fff }
.strip .dear small { color: #fff } .strip .cost a { border-color: var(--bad) }
@media (prefers-color-scheme: dark) { .strip .dear a, .strip .dear small { color: #2a0d0a } }
.move { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1rem;
  margin: 0 0 1rem; scroll-margin-top: 1rem }
.move .both { display: grid; grid-template-columns: minmax(0, 5fr) minmax(0, 4fr); gap: 1.2rem;
  align-items: start } .move svg { width: 100% } summary { cursor: pointer }
.mark { color: var(--soft); font-size: .8rem; white-space: nowrap }
@media (max-width: 860px) { body { padding: .8rem }
  .move .both { grid-template-columns: minmax(0, 1fr) } .move table { font-size: .85rem }
  .move th, .move td { padding: .2rem } .move .mark { white-space: normal } }
.bar { background: linear-gradient(to left, var(--bar) var(--share), transparent var(--share)) }
.played td:first-child { font-weight: 700 }
.choice { background: color-mix(in srgb, var(--good) 14%, transparent) }
@media print { .move { break-inside: avoid } }
"""

_OPEN = f"{text.OPEN.capitalize()}: in the deal as it was, with best play of both sides from there on."


def to_html(reviews: Sequence[DealReview]) -> str:
    """Return the page of the reviews of a record: for each move a picture with all hands open."""
    first = reviews[0]
    title = f"Review: {first.record.game}"
    deals = (_deal(one, number, len(reviews)) for number, one in enumerate(reviews))
    body = "\n".join(part for deal in deals for part in deal)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{escape(title)}</h1>\n{_lead(reviews)}\n{_contents(len(reviews))}{body}\n</body>\n</html>\n"
    )


def _lead(reviews: Sequence[DealReview]) -> str:
    review, solved = reviews[0], any(one.solved for one in reviews)
    return (
        f'<p class="soft">Reviewed by {escape(review.name)}. For each legal action '
        f"{review.worlds} deals fitting the player's view were played out, with the same luck for all. "
        f"{escape(text.lead(review).capitalize())}. Below 0, the played action did better."
        f"{' ' + _OPEN if solved else ''} Seed {review.seed}.</p>"
    )


def _contents(deals: int) -> str:
    if deals == 1:
        return ""
    links = " · ".join(f'<a href="#deal-{number}">deal {number}</a>' for number in range(deals))
    return f"<p>{links}</p>\n"


def _deal(review: DealReview, number: int, deals: int) -> Iterator[str]:
    if deals > 1:
        yield f'<h2 id="deal-{number}">Deal {number}</h2>'
    if review.record.unknown:
        yield f"<p><strong>{escape(text.unseen(review))}.</strong></p>"
    yield _tallies(review)
    if not review.moves:
        yield "<p>Nothing was played.</p>"
        return
    # The headline ends with the worst move, which has a list of its own below.
    yield f"<h2>Moves</h2>\n<p>{escape(text.headline(review).partition(', the worst')[0])}.</p>"
    yield _strip(review, number)
    if review.worst():
        yield _worst(review, number)
    for move in review.moves:
        yield _move(review, number, move)


def _tallies(review: DealReview) -> str:
    rows = []
    for tally in review.tallies():
        points = "" if review.record.points is None else str(review.record.points[tally.player])
        cost = text.measured(review, tally.cost, tally.cost_error)
        cells = [review.names[tally.player], points, f"{tally.agreed} of {tally.choices}", cost]
        rows.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
    heads = ("player", review.unit(gains=True), "same choice", "cost of all")
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    return f'<div class="wide"><table class="sum"><tr>{head}</tr>{"".join(rows)}</table></div>'


def _strip(review: DealReview, number: int) -> str:
    """Return a box for each move, which links to it; costly moves are red."""
    worst, items = {move.number for move in review.worst()}, []
    for move in review.moves:
        # The first kind that fits: forced, among the worst, or with any cost.
        kind = "only" if move.forced else "dear" if move.number in worst else ""
        kind = kind or ("cost" if move.cost > 0 else "")
        name = move.option(move.played).name
        items.append(
            f'<li class="{kind}"><a href="#{_id(number, move)}" title="{escape(_said(review, move))}">'
            f"<small>{move.number}</small>{escape(name)}</a></li>"
        )
    return f'<ol class="strip">{"".join(items)}</ol>'


def _worst(review: DealReview, number: int) -> str:
    items = "".join(
        f'<li><a href="#{_id(number, move)}">{escape(_said(review, move))}</a></li>'
        for move in review.worst()
    )
    return f"<p>The worst:</p><ol>{items}</ol>"


def _id(number: int, move: Move) -> str:
    return f"deal-{number}-move-{move.number}"


def _said(review: DealReview, move: Move) -> str:
    """Return a move in a sentence."""
    who, played = review.names[move.player], move.option(move.played).name
    said = f"{who}: {played}"
    if move.forced:
        return f"{said}, the only legal action"
    if move.agrees:
        return f"{said}, the same choice"
    cost = text.measured(review, move.cost, move.cost_error)
    return f"{said} for {move.option(move.choice).name}, at a cost of {cost}"


def _move(review: DealReview, number: int, move: Move) -> str:
    state = jax.tree.map(lambda leaf: leaf[move.number], review.states)
    picture = draw(review.game.view(state).named(review.names))
    title = f"{move.number}. {escape(_said(review, move))}"
    note = review.record.notes.get(move.number, "")
    said = f"<p>{escape(note)}</p>" if note else ""
    if move.forced:
        # A forced move has no other options to compare, so it is folded away.
        content = f"<details><summary>{title}</summary>{said}{picture}</details>"
    else:
        content = (
            f'<h3>{title}</h3>{said}<div class="both"><div>{picture}</div>'
            f'<div class="wide">{_options(review, move)}</div></div>'
        )
    return f'<section class="move" id="{_id(number, move)}">{content}</section>'


def _options(review: DealReview, move: Move) -> str:
    heads = ["action", "probability", "expected", "cost"]
    heads += [text.OPEN] if move.double_dummy_cost is not None else []
    head = "".join(f"<th>{name}</th>" for name in heads)
    rows = "".join(_option(review, move, option) for option in move.options)
    return f"<table><tr>{head}</tr>{rows}</table>"


def _option(review: DealReview, move: Move, option: Option) -> str:
    played, choice = option.action == move.played, option.action == move.choice
    kinds = " ".join(name for name, holds in (("played", played), ("choice", choice)) if holds)
    marks = text.marks(move, option)
    mark = f' <span class="mark">{escape(marks)}</span>' if marks else ""
    cost = text.measured(review, option.cost, option.cost_error)
    # The style of the page draws this width as a bar behind the number.
    share = f"{100 * option.policy:.1f}%"
    return (
        f'<tr class="{kinds}"><td>{escape(option.name)}{mark}</td>'
        f'<td class="bar" style="--share: {share}">{text.percent(option.policy)}</td>'
        f"<td>{text.expected(review, option)}</td><td>{cost}</td>{_open(review, option)}</tr>"
    )


def _open(review: DealReview, option: Option) -> str:
    """Return the solved value of an action with all hands open."""
    if option.double_dummy is None:
        return ""
    return f"<td>{text.result(review, option.double_dummy)}</td>"
