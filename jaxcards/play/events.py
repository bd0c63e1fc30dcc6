"""The events at the table for one player: the difference of two of its views.

The module reads nothing else, so its lines cannot reveal hidden information.
"""

from jaxcards.view.structure import Play, Seat, View, label
from jaxcards.view.text import Text


def told(before: View, after: View, actor: int) -> list[Text]:
    """Return lines about one action.

    Args:
      before: the player's view before it.
      after: the player's view now.
      actor: the seat that has acted.
    """
    lines = _played(before, after) or _said(before, after, after.seats[actor])
    for old, new in zip(before.seats, after.seats, strict=True):
        if new.melds != old.melds and new.seat != after.me:
            lines += [
                Text("log.meld", seat=new.seat, meld=meld.text, points=meld.points)
                for meld in new.melds
                if meld not in old.melds
            ]
    # Facts that only change their number are left out, and a bid has its own line.
    known = {"fact.last_bid", "fact.value", *(fact.key for fact in before.facts)}
    lines += [
        Text("pair", label=label(fact), text=fact) for fact in after.facts if fact.key not in known
    ]
    if after.last_trick != before.last_trick and after.last_trick:
        if after.last_trick.winner is not None:
            lines.append(Text("log.wins", seat=after.last_trick.winner))
    return lines


def _played(before: View, after: View) -> list[Text]:
    """Return a line about the card that was played, if the action played one."""
    play: Play | None = None
    # The card that ends a trick is only in the complete trick: the table is empty again.
    if after.last_trick != before.last_trick and after.last_trick:
        play = after.last_trick.plays[-1]
    elif len(after.trick.plays) > len(before.trick.plays):
        play = after.trick.plays[-1]
    return [] if play is None else [Text("log.plays", seat=play.seat, card=play.card)]


def _said(before: View, after: View, actor: Seat) -> list[Text]:
    """Return a line about a call, or about an action that the player cannot see."""
    old, seat = before.seats[actor.seat], actor.seat
    said = [*actor.calls[len(old.calls) :]]
    if actor.bid and actor.bid != old.bid:
        said.append(actor.bid)
    # Some choices show only as a new role, such as that of a lone player.
    if not said:
        said = [role for role in actor.roles if role not in old.roles]
    if said:
        return [Text("log.said", seat=seat, said=tuple(said))]
    if actor.num_cards < old.num_cards:
        return [Text("log.lays_aside", seat=seat)]
    # If nothing has changed within a phase, the player has passed.
    return [Text("log.passes", seat=seat)] if before.phase == after.phase else []
