"""The rules of Belote: every choice that players differ on, and the named sets of choices.

This file imports no JAX, so that a command line is checked at once.
docs/belote.md names the sources and the differences between them.
"""

import dataclasses
from typing import Literal

from jaxcards.errors import UserError
from jaxcards.settings import setting, validate

MODES = ("d", "h", "s", "c", "nt", "at")
"""Names of modes 0 to 5: four trump suits, no trump, all trump."""

LOWEST_BID = 80

ALL_TRICKS = {"capot": 250, "generale": 500}
"""Values of the contracts to win all tricks."""


@dataclasses.dataclass(frozen=True)
class BeloteRules:
    """Rules of Belote; instances are valid, or `UserError` is raised."""

    auction: Literal["bela", "turnup", "contract"] = setting(
        "bela",
        "trumps are named with six cards in hand (bela), by a card turned up (turnup), or by bids of "
        "points (contract)",
    )
    all_pass: Literal["dealer_must", "forehand_must", "void"] = setting(
        "dealer_must", "when all pass, the dealer or forehand must name a suit, or the deal is void"
    )
    modes_nt_at: bool = setting(False, "no trump and all trump may be bid")
    max_bid: int = setting(160, "highest bid of points, a multiple of ten", minimum=160, maximum=400)
    generale: bool = setting(False, "players may bid to win all eight tricks alone, for 500 points")
    overtake_plain: bool = setting(
        True, "a led plain suit must be beaten if possible, unless it was ruffed"
    )
    partner_exempt: bool = setting(
        False, "a player void in the led suit may play anything while the partner is winning the trick"
    )
    undertrump: Literal["forced", "free"] = setting(
        "forced", "a void player who can only ruff too low must do so (forced) or need not (free)"
    )
    declarations: bool = setting(True, "runs and four of a kind score")
    decl_share_cards: bool = setting(True, "a card may serve in a run and in four of a kind")
    decl_trump_first: bool = setting(
        False, "a run in trumps beats an equal run in a plain suit, before decl_tie decides"
    )
    decl_tie: Literal["forehand", "none"] = setting(
        "forehand", "of equal best declarations the one nearer to forehand scores, or none does"
    )
    decl_reveal: Literal["before_play", "after_first_trick"] = setting(
        "before_play", "when declarations become public"
    )
    straight8: Literal["match", "hundred"] = setting(
        "match", "a run of eight cards wins the match, or scores 100 as one of five does"
    )
    belote: bool = setting(True, "king and queen of trumps score 20")
    belote_safe: bool = setting(False, "these 20 stay with their owner, even if the rest is lost")
    capot_bonus: int = setting(90, "points for all eight tricks", minimum=0, maximum=1_000)
    capot_declarations: Literal["transfer", "void"] = setting(
        "void", "declarations of a side without a trick go to the other side, or are lost"
    )
    bonus_makes: bool = setting(True, "declarations and belote help to make the bid")
    tie: Literal["fail", "litige", "make"] = setting(
        "fail",
        "with exactly half of the points the bidding side fails, or its points wait for the next deal "
        "(litige), or it makes its contract",
    )
    contract_only: bool = setting(False, "a contract scores its value alone, for the side that wins it")
    rounding: Literal[1, 10] = setting(1, "each side's score is rounded to the nearest multiple")
    target: int = setting(1001, "points that win a match", minimum=1, maximum=30_000, of_match=True)
    match_tie: Literal["bidder", "play_on", "draw"] = setting(
        "bidder",
        "if both sides reach the target with equal totals, the bidding side wins, the match goes on, "
        "or neither side wins",
        of_match=True,
    )
    belote_wins: bool = setting(
        True, "a belote alone may win the match for a side that failed or won no trick", of_match=True
    )
    max_deals: int = setting(
        1_000, "a match that no rule ends is over after this number of deals; the higher total wins",
        minimum=1, maximum=100_000, of_match=True,
    )  # fmt: skip

    def __post_init__(self) -> None:
        validate(self)
        if self.all_pass == "forehand_must" and self.auction != "bela":
            raise UserError("all_pass='forehand_must' needs auction='bela'")
        if self.auction == "contract":
            if self.all_pass != "void":
                raise UserError("auction='contract' needs all_pass='void'")
        else:
            for name in ("modes_nt_at", "max_bid", "generale", "contract_only"):
                value = getattr(self, name)
                if value not in (False, 160):
                    raise UserError(f"{name}={value} needs auction='contract'")
        if self.contract_only and self.tie == "litige":
            raise UserError("contract_only=True needs tie='fail' or tie='make'")
        if self.max_bid % 10:
            raise UserError(f"max_bid must be a multiple of ten, not {self.max_bid}")

    @property
    def levels(self) -> tuple[str, ...]:
        """Names of the levels of a contract, the lowest first."""
        points = map(str, range(LOWEST_BID, self.max_bid + 1, 10))
        return (*points, *tuple(ALL_TRICKS)[: 1 + self.generale])

    @property
    def values(self) -> tuple[int, ...]:
        """Values of the levels of a contract."""
        return tuple(ALL_TRICKS.get(level) or int(level) for level in self.levels)

    @property
    def capot(self) -> int:
        """The level of a capot; higher levels ask for all tricks, too."""
        return self.levels.index("capot")


Rules = BeloteRules

_BELOTE_501 = BeloteRules(
    auction="turnup", all_pass="void", overtake_plain=False, partner_exempt=True,
    decl_share_cards=False, decl_trump_first=True, decl_tie="none", decl_reveal="after_first_trick",
    straight8="hundred", belote_safe=True, capot_declarations="transfer", tie="litige", target=501,
    match_tie="play_on",
)  # fmt: skip
_COINCHE = dataclasses.replace(
    _BELOTE_501, auction="contract", undertrump="free", tie="fail", rounding=10, target=3000
)

PRESETS: dict[str, BeloteRules] = {
    "bela": BeloteRules(),
    "belot": BeloteRules(overtake_plain=False, capot_declarations="transfer", match_tie="draw"),
    "belote_classic": dataclasses.replace(_BELOTE_501, declarations=False, target=1000),
    "belote_501": _BELOTE_501,
    "contree": dataclasses.replace(_COINCHE, declarations=False, target=2000),
    "coinche": _COINCHE,
    "coinche_nt_at": dataclasses.replace(_COINCHE, modes_nt_at=True),
}

OLD_PRESETS = {"seed": "belot"}

DEFAULT_PRESET = "bela"
