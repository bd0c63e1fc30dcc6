"""Positions in a picture of a table: pixels, from the upper left corner."""

import math
from typing import NamedTuple

WIDTH, HEIGHT = 960, 690
HEADER = 58  # height of the line at the top
PLATE = (164.0, 58.0)


class Place(NamedTuple):
    """The position of a seat.

    Attributes:
      x, y: the middle of its plate.
      card: the middle of the card that it plays.
      angle: by which that card is turned, in degrees.
    """

    x: float
    y: float
    card: tuple[float, float]
    angle: float


class Layout(NamedTuple):
    """The positions of the parts of a table.

    Attributes:
      centre: the middle of the trick.
      reach: how far from there the plates are, sideways and up.
      trick: how far from there the cards of a trick are.
      below: the height of the plate of the seat that sits below.
      banner: the height of the line that says whose turn it is.
    """

    centre: tuple[float, float]
    reach: tuple[float, float]
    trick: tuple[float, float]
    below: float
    banner: float

    def places(self, num_seats: int, first: int) -> list[Place]:
        """Return the place of each seat, clockwise from below; the seat `first` sits there."""
        found = []
        for seat in range(num_seats):
            turn = (seat - first) % num_seats / num_seats
            # Pixels count downwards, so that a growing angle turns clockwise.
            angle = math.pi / 2 + 2 * math.pi * turn
            right, down = math.cos(angle), math.sin(angle)
            x, y = self.centre[0] + self.reach[0] * right, self.centre[1] + self.reach[1] * down
            card = self.centre[0] + self.trick[0] * right, self.centre[1] + self.trick[1] * down
            # Real cards on a table never lie quite straight.
            tilt = ((seat * 7) % 5 - 2) * 1.6
            found.append(Place(x, y if turn else self.below, card, tilt))
        return found


ONE_HAND = Layout((480.0, 268.0), (372.0, 142.0), (118.0, 58.0), below=468.0, banner=416.0)
"""The layout for one observing player: its hand at the lower edge, the backs of the other hands."""

OPEN = Layout((480.0, 340.0), (346.0, 228.0), (118.0, 62.0), below=588.0, banner=508.0)
"""The layout with all hands open, each below the plate of its seat."""


def spread(number: int, width: float, room: float) -> tuple[float, float]:
    """Return where a row of cards starts, centred around 0, and the distance of its cards.

    Args:
      number: of cards.
      width: of a card.
      room: for all of them; the cards overlap if it is too small.
    """
    if number <= 1:
        return -width / 2, 0.0
    step = min(width * 1.06, (room - width) / (number - 1))
    return -(step * (number - 1) + width) / 2, step
