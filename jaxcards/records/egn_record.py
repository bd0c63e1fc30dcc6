"""The record of a deal of Euchre Game Notation: players, cards, hands and result.

All is counted here in plain Python, so that the replay is compared with an independent count.
"""

import dataclasses
from collections.abc import Sequence

from jaxcards.errors import UserError
from jaxcards.records.egn_deal import NUM_BIDS, NUM_CARDS, NUM_SEATS, RANKS, SUITS, Played, name
from jaxcards.records.egn_rules import PRESET, Rules
from jaxcards.records.record import DealRecord

JACK = 2
HAND_SIZE, NUM_TRICKS = 5, 5
ALONE, TEAM = 30, 31  # our actions (docs/euchre.md, 12.2)


@dataclasses.dataclass(frozen=True)
class Turn:
    """A card that was played.

    Attributes:
      seat, card: the player and the card.
      trick: the number of the trick.
      led: the suit to follow; None for the leader.
    """

    seat: int
    card: int
    trick: int
    led: int | None


def deal_record(
    played: Played, rules: Rules, totals: tuple[int, ...], players: tuple[str, ...]
) -> DealRecord:
    """Return the record of a deal, without a source.

    Raises:
      UserError: if the deal breaks the rules, or a card is in two places.
    """
    turns, winners = _turns(played, rules)
    _check_twice(turns)
    _check_revokes(played, turns)
    hands, discard = _hands(played, turns)
    deck, unknown = _deck(played, hands, discard, turns)
    actions, notes = _actions(played, discard, deck, turns)
    return DealRecord(
        game=PRESET,
        rules=rules.changed,
        deck=deck,
        dealer=played.dealer,
        facts={"totals": totals},
        actions=actions,
        points=_points(played, rules, winners),
        players=players,
        notes=notes,
        unknown=unknown,
    )


def suit_of(card: int, trump: int) -> int:
    """Return the suit of a card: the left bower is a trump."""
    # The numbers of two suits of one colour add up to 3.
    suit, rank = divmod(card, len(RANKS))
    return trump if rank == JACK and suit == 3 - trump else suit


def strength(card: int, trump: int, led: int) -> int:
    """Return a number that is larger for the better card of a trick."""
    suit, rank = divmod(card, len(RANKS))
    # Trumps are from 20 on, and the bowers above the other trumps.
    if suit_of(card, trump) == trump:
        return 20 + (11 if rank == JACK and suit == trump else 10 if rank == JACK else rank)
    return rank if suit == led else -1


def _turns(played: Played, rules: Rules) -> tuple[list[Turn], list[int]]:
    """Return every card in order with its player, and the winner of each complete trick."""
    turns: list[Turn] = []
    winners: list[int] = []
    if played.trump is None:
        return turns, winners
    seat, size = played.leader(rules), len(played.active)
    winner = seat
    for number, cards in enumerate(played.tricks):
        # Only the last trick may be incomplete.
        last = number == len(played.tricks) - 1
        if len(cards) != size and (not last or len(cards) > size) or number >= NUM_TRICKS:
            raise UserError(
                f"trick {number} has {len(cards)} cards, where {size} players play {NUM_TRICKS}"
            )
        if not cards:
            continue
        led = suit_of(cards[0], played.trump)
        best = max(cards, key=lambda card: strength(card, played.trump, led))  # type: ignore[arg-type]
        for place, card in enumerate(cards):
            turns.append(Turn(seat, card, number, led if place else None))
            if card == best:
                winner = seat
            seat = played.following(seat)
        if len(cards) == size:
            winners.append(winner)
            seat = winner
    return turns, winners


def _check_twice(turns: Sequence[Turn]) -> None:
    """Raise an error for a card that is played again."""
    seen: set[int] = set()
    for turn in turns:
        if turn.card in seen:
            raise UserError(f"trick {turn.trick}: {name(turn.card)} is played a second time")
        seen.add(turn.card)


def _check_revokes(played: Played, turns: Sequence[Turn]) -> None:
    """Raise an error for a card that revokes, that is, a later card of its seat would have followed."""
    for number, turn in enumerate(turns):
        assert played.trump is not None
        if turn.led is None or suit_of(turn.card, played.trump) == turn.led:
            continue
        for later in turns[number + 1 :]:
            if later.seat == turn.seat and suit_of(later.card, played.trump) == turn.led:
                raise UserError(
                    f"trick {turn.trick}: seat {turn.seat} plays {name(turn.card)} and does not follow "
                    f"{SUITS[turn.led]}, but has {name(later.card)} for trick {later.trick}"
                )


def _hands(played: Played, turns: Sequence[Turn]) -> tuple[list[list[int]], int | None]:
    """Return the cards that each seat is known to have been dealt, and the card laid down if known.

    The up-card belongs to no hand.
    """
    hands = [list(cards) for cards in played.given]
    for turn in turns:
        # A card that was played was in the hand, except for the up-card that the dealer has taken.
        if turn.card not in hands[turn.seat] and not (turn.card == played.up_card and played.picked_up):
            hands[turn.seat].append(turn.card)
        elif turn.card == played.up_card and turn.seat != played.dealer:
            raise UserError(f"seat {turn.seat} plays the up-card, which dealer {played.dealer} has")
    discard = played.discard if played.picked_up else None
    own = [turn.card for turn in turns if turn.seat == played.dealer]
    if played.picked_up and discard is None and len(own) == HAND_SIZE and played.up_card not in own:
        discard = played.up_card  # five cards of the hand were played
    if discard is not None and discard != played.up_card and discard not in hands[played.dealer]:
        hands[played.dealer].append(discard)
    if discard is not None and discard in own:
        raise UserError(f"the dealer plays {name(discard)}, which it has laid down")
    _check_places(played, hands)
    for seat, hand in enumerate(hands):
        if len(hand) > HAND_SIZE:
            raise UserError(f"seat {seat} has {len(hand)} cards: {' '.join(map(name, hand))}")
    return hands, discard


def _check_places(played: Played, hands: Sequence[Sequence[int]]) -> None:
    """Raise an error for a card that is in two places."""
    where: dict[int, str] = {played.up_card: "turned up"}
    for place, cards in [*((f"in the hand of seat {s}", h) for s, h in enumerate(hands)),
                         ("in the kitty", played.kitty)]:  # fmt: skip
        for card in cards:
            if card in where:
                raise UserError(f"{name(card)} is {where[card]}, and also {place}")
            where[card] = place


def _deck(
    played: Played, hands: Sequence[Sequence[int]], discard: int | None, turns: Sequence[Turn]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return a whole deck, and the places of cards that were never seen."""
    # places: the deck, with None for cards that were never seen.
    places: list[int | None] = []
    # The deck has the hands by seat, then the up-card and the kitty.
    for hand in hands:
        places += [*hand, *[None] * (HAND_SIZE - len(hand))]
    places += [played.up_card, *played.kitty]
    places += [None] * (NUM_CARDS - len(places))
    if len(places) > NUM_CARDS:
        raise UserError(f"the kitty has {len(played.kitty)} cards")
    rest = [card for card in range(NUM_CARDS) if card not in places]
    open_places = [place for place, card in enumerate(places) if card is None]
    chosen = _fill(
        # The quotient is the seat of a place, and 4 for the kitty.
        open_places, rest, [_lacks(played, turns, place // HAND_SIZE) for place in open_places]
    )
    if chosen is None:
        raise UserError("no cards are left for the hands, given the suits that were not followed")
    for place, card in zip(open_places, chosen, strict=True):
        places[place] = card
    return tuple(card for card in places if card is not None), tuple(open_places)


def _lacks(played: Played, turns: Sequence[Turn], seat: int) -> set[int]:
    """Return the cards that a seat is known not to hold; for a kitty or a finished hand, none."""
    own = [turn for turn in turns if turn.seat == seat]
    if seat >= NUM_SEATS or played.trump is None or len(own) == HAND_SIZE:
        return set()
    # A card of another suit than the one led shows a void.
    shown = {turn.led for turn in own if turn.led not in (None, suit_of(turn.card, played.trump))}
    return {card for card in range(NUM_CARDS) if suit_of(card, played.trump) in shown}


def _fill(places: Sequence[int], cards: Sequence[int], lacks: Sequence[set[int]]) -> list[int] | None:
    """Return a possible card for each place, or None if that is impossible."""
    holder: dict[int, int] = {}

    # Bipartite matching by augmenting paths: a card that is taken may move to another place.
    def seek(place: int, tried: set[int]) -> bool:
        for card in cards:
            if card in lacks[place] or card in tried:
                continue
            tried.add(card)
            if card not in holder or seek(holder[card], tried):
                holder[card] = place
                return True
        return False

    if not all(seek(place, set()) for place in range(len(places))):
        return None
    found = {place: card for card, place in holder.items()}
    return [found[place] for place in range(len(places))]


def _actions(
    played: Played, discard: int | None, deck: Sequence[int], turns: Sequence[Turn]
) -> tuple[tuple[int, ...], dict[int, str]]:
    """Return our actions in order, and the notes by the number of an action."""
    # After the bids come the discard, the choice of the maker, and those of the defenders.
    actions = list(played.bids)
    if played.picked_up:
        actions.append(_unseen_discard(played, deck, turns) if discard is None else discard)
    if played.maker is not None:
        actions.append(ALONE if played.alone else TEAM)
        if played.alone and played.defender is not None:
            # The second defender is asked only after a "no" of the first.
            actions += [TEAM] * (played.defender != _first_defender(played)) + [ALONE]
    bids, plays = played.notes
    # Notes of bids keep their numbers; cards come after all calls and the discard.
    first = len(actions)
    notes = {number: text for number, text in bids.items() if number < len(played.bids)}
    notes |= {first + number: text for number, text in plays.items() if number < len(turns)}
    return (*actions, *(turn.card for turn in turns)), notes


def _unseen_discard(played: Played, deck: Sequence[int], turns: Sequence[Turn]) -> int:
    """Return a card that the dealer may have laid down: not played, and never seen."""
    own = [turn.card for turn in turns if turn.seat == played.dealer]
    held = [*deck[HAND_SIZE * played.dealer : HAND_SIZE * (played.dealer + 1)], played.up_card]
    unplayed = [card for card in held if card not in own]
    if played.up_card in _lacks(played, turns, played.dealer) and played.up_card in unplayed:
        return played.up_card  # otherwise the dealer would have had to follow suit with it
    # Cards that were never seen lie behind the known ones of a hand: begin with the last.
    return next(card for card in reversed(unplayed) if card != played.up_card)


def _first_defender(played: Played) -> int:
    assert played.maker is not None
    following = (played.dealer + 1) % NUM_SEATS
    # The player left of the dealer is asked first, unless it is of the makers' side.
    return following if (following - played.maker) % 2 else (following + 1) % NUM_SEATS


def _points(played: Played, rules: Rules, winners: Sequence[int]) -> tuple[int, ...] | None:
    """Return the points of a finished deal for each player; None if it is not finished."""
    if played.maker is None:
        return (0,) * NUM_SEATS if len(played.bids) == NUM_BIDS else None
    if len(winners) < NUM_TRICKS:
        return None
    side = played.maker % 2
    tricks = sum(winner % 2 == side for winner in winners)
    points = rules.points(tricks, played.alone, played.defender is not None)
    # The first of the two numbers is that of the makers.
    return tuple(points[seat % 2 != side] for seat in range(NUM_SEATS))
