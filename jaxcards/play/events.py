"""What has happened at the table, told to one player: the difference of two of its views.

Nothing else is read, so that what a player may not see is not told either.
"""

from jaxcards.view.structure import Play, Seat, View, list_words


def told(before: View, after: View, actor: int) -> list[str]:
    """Returns lines about one action.

    Args:
      before: what the player saw before it.
      after: what it sees now.
      actor: the seat that has acted.
    """
    lines = _played(before, after) or _said(before, after, after.seats[actor])
    for old, new in zip(before.seats, after.seats, strict=True):
        if new.melds != old.melds and new.seat != after.me:
            melds = [f"{meld.text}, {meld.points}" for meld in new.melds]
            lines.append(f"{new.name} has {list_words(melds)}")
    lines += [f"{name}: {value}" for name, value in after.facts if _is_news(before, name)]
    if after.last_trick != before.last_trick and after.last_trick and not after.over:
        winner = after.last_trick.winner
        if winner is not None:
            lines.append(f"{after.seats[winner].name} {_wins(after.seats[winner])} the trick")
    return lines


def _is_news(before: View, name: str) -> bool:
    """Whether a fact is one that nobody knew before; numbers that run are none."""
    return name not in {known for known, _ in before.facts}


def _wins(seat: Seat) -> str:
    return "win" if seat.name == "you" else "wins"


def _played(before: View, after: View) -> list[str]:
    """Returns a line for the card that has been played, if one has."""
    play: Play | None = None
    if after.last_trick != before.last_trick and after.last_trick:
        play = after.last_trick.plays[-1]
    elif len(after.trick.plays) > len(before.trick.plays):
        play = after.trick.plays[-1]
    if play is None:
        return []
    seat = after.seats[play.seat]
    card = "a card face down" if play.card is None else after.faces[play.card]
    return [f"{seat.name} {'play' if seat.name == 'you' else 'plays'} {card}"]


def _said(before: View, after: View, actor: Seat) -> list[str]:
    """Returns a line for what has been said, or that something has been done that nobody sees."""
    old = before.seats[actor.seat]
    said = [*actor.calls[len(old.calls) :]]
    if actor.bid != old.bid:
        said.append(actor.bid)
    if not said:
        said = [role for role in actor.roles if role not in old.roles]
    if said:
        return [f"{actor.name}: {', '.join(said)}"]
    if actor.num_cards < old.num_cards:
        return [f"{actor.name} {'lay' if actor.name == 'you' else 'lays'} a card aside"]
    if before.phase == after.phase:
        return [f"{actor.name} {'pass' if actor.name == 'you' else 'passes'}"]
    return []
