"""The rules of Rikiki: every choice that players differ on, and the named sets of choices.

This file imports no JAX, so that a command line is checked at once.
Sources: the descriptions of Oh Hell by Wikipedia and pagat.com, the Hungarian rules of hogyankell.hu,
and OpenSpiel's `oh_hell`, run as a program. docs/rikiki.md names the differences between them.
"""

import dataclasses
from typing import Any, Literal

from jaxcards.errors import UserError
from jaxcards.settings import setting, validate

PACK = 52
NO_TRUMP = 4
MAX_ROUNDS = 255
MAX_WEIGHT = 1000


def up(low: int, high: int) -> tuple[int, ...]:
    """Return hand sizes that grow by one: low, …, high."""
    return tuple(range(low, high + 1))


def down_up(high: int, low: int = 1) -> tuple[int, ...]:
    """Return hand sizes that shrink and grow again: high, …, low, …, high; `low` comes once."""
    return (*range(high, low, -1), *range(low, high + 1))


def up_down(low: int, high: int) -> tuple[int, ...]:
    """Return hand sizes that grow and shrink again: low, …, high, …, low; `high` comes once."""
    return (*range(low, high), *range(high, low - 1, -1))


def _weight(default: int, help: str) -> Any:
    return setting(default, help, minimum=-MAX_WEIGHT, maximum=MAX_WEIGHT)


@dataclasses.dataclass(frozen=True)
class RikikiRules:
    """Rules of Rikiki; instances are valid, or `UserError` is raised.

    With hands of k cards, a seat that bids b and wins b tricks scores `made_base + made_linear * b +
    made_square * b**2`, and `made_zero_cards * k` more if b is 0. A seat that wins w others scores
    `miss_trick * w - miss_base - miss_diff * |w - b| - miss_square * |w - b|**2`. With `miss_made` it
    also loses the score of an exact bid.
    """

    num_players: int = setting(4, "number of players", minimum=2, maximum=7)
    schedule: tuple[int, ...] = setting(
        up(2, 12), "cards of each hand, round by round", minimum=1, maximum=PACK // 2
    )
    trump_mode: Literal["turnup", "cycle", "none"] = setting(
        "turnup",
        "the card turned up behind the hands shows the trump suit (turnup), or trumps come from a list "
        "(cycle), or there are none",
    )
    trump_cycle: tuple[int, ...] = setting(
        (0, 1, 2, 3, NO_TRUMP), "trumps in turn under cycle: ♣ 0, ♦ 1, ♥ 2, ♠ 3, no trump 4",
        minimum=0, maximum=NO_TRUMP,
    )  # fmt: skip
    all_dealt: Literal["no_trump", "dealers_card"] = setting(
        "no_trump",
        "trumps of a turnup round in which all cards are dealt: none, or the suit of the dealer's last "
        "card, which everybody sees (dealers_card)",
    )
    forehead: bool = setting(
        False, "in rounds of one card everybody sees the cards of the others, but not the own one"
    )
    hook: bool = setting(True, "the last bidder may not make the bids add up to the number of tricks")
    hook_from: int = setting(
        1, "the smallest hand that the hook is for; 2 leaves it out with one card",
        minimum=1, maximum=PACK // 2,
    )  # fmt: skip
    lead_offset: int = setting(
        1, "how many seats after the dealer the first trick is led", minimum=1, maximum=2
    )
    dealer_rotates: bool = setting(True, "the next seat deals the next round", of_match=True)
    made_base: int = _weight(10, "points for an exact bid")
    made_linear: int = _weight(1, "extra points for each trick of an exact bid")
    made_square: int = _weight(0, "extra points for an exact bid, multiplied by its square")
    made_zero_base: int = setting(
        -1, "points for an exact bid of 0 that replace made_base; -1 keeps made_base",
        minimum=-1, maximum=MAX_WEIGHT,
    )  # fmt: skip
    made_zero_cards: int = _weight(0, "extra points for an exact bid of 0, for each card of the hand")
    miss_base: int = _weight(0, "points lost for a wrong bid, however wrong it is")
    miss_made: bool = setting(False, "a wrong bid also loses the points that it would have brought")
    miss_diff: int = _weight(0, "points lost for each trick above or below the bid")
    miss_square: int = _weight(
        0, "points lost for a wrong bid, multiplied by the square of the tricks above or below it"
    )
    miss_trick: int = _weight(0, "points for each trick won with a wrong bid")

    @property
    def shows_dealers_card(self) -> bool:
        """Whether the dealer's last card gives trumps in some rounds."""
        shows = self.trump_mode == "turnup" and self.all_dealt == "dealers_card"
        return shows and any(size * self.num_players == PACK for size in self.schedule)

    @property
    def covers_hands(self) -> bool:
        """Whether players may not look at their hands in some rounds."""
        return self.forehead and 1 in self.schedule

    def __post_init__(self) -> None:
        validate(self)
        if not self.trump_cycle:
            raise UserError("trump_cycle must name at least one trump")
        if not 1 <= len(self.schedule) <= MAX_ROUNDS:
            raise UserError(f"schedule must have 1 to {MAX_ROUNDS} rounds, not {len(self.schedule)}")
        most = PACK // self.num_players
        for size in self.schedule:
            if size > most:
                raise UserError(
                    f"schedule: each of {self.num_players} players gets 1 to {most} of {PACK} cards, "
                    f"not {size!r}"
                )


Rules = RikikiRules

PRESETS: dict[str, RikikiRules] = {
    "plain": RikikiRules(lead_offset=2, made_base=5, made_linear=0, miss_diff=1),
    "standard": RikikiRules(schedule=down_up(10)),
    "standard3": RikikiRules(num_players=3, schedule=down_up(10)),
    "standard5": RikikiRules(num_players=5, schedule=down_up(10)),
    "standard6": RikikiRules(num_players=6, schedule=down_up(8)),
    "standard7": RikikiRules(num_players=7, schedule=down_up(7)),
    "open_spiel": RikikiRules(schedule=(10,), miss_trick=1),
    "open_spiel_penalty": RikikiRules(schedule=(10,), miss_diff=1),
    "up_down_13": RikikiRules(schedule=up_down(1, 13)),
    "no_trump_free_bids": RikikiRules(
        schedule=up(1, 13), trump_mode="none", hook=False, made_linear=0, made_square=1, miss_trick=1
    ),
    "cycle": RikikiRules(num_players=5, schedule=up_down(1, 10), trump_mode="cycle", miss_diff=1),
    "square": RikikiRules(schedule=down_up(10), made_linear=0, made_square=1, miss_square=1),
}

OLD_PRESETS = {"seed": "plain"}

DEFAULT_PRESET = "standard"
