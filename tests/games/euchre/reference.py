"""Slow reference of Euchre in plain Python: lists, sets and loops, no arrays.

Written from docs/euchre.md alone and meant to be read beside it; the section numbers in the
docstrings are those of the page. `rules` is any object with the fields of section 10. Cards are the
ints 6*suit + rank, suits C D H S, ranks 9 T J Q K A, and 24 for the joker.
"""

SUITS = "CDHS"
RANKS = "9TJQKA"
JACK = RANKS.index("J")
JOKER = 24
REDEAL, PASS, CALL, ALONE, TEAM = 24, 25, 26, 30, 31

PHASES = (
    "BID1", "BID2", "NAME_BLIND", "DISCARD", "ALONE", "EXCHANGE", "DEFEND", "PLAY", "DONE"
)  # fmt: skip

SEATS = {"partners4": 4, "dummy_pool": 3, "dummy_cutthroat": 3, "dummy_partner": 4, "cutthroat": 3}
AGENTS = {
    "partners4": {0: 0, 1: 1, 2: 2, 3: 3},
    "dummy_pool": {0: 0, 1: 1, 2: 2},
    "dummy_cutthroat": {0: 0, 1: 1, 2: 2},
    "dummy_partner": {0: 0, 1: 1, 2: 0, 3: 2},
    "cutthroat": {0: 0, 1: 1, 2: 2},
}
BIDDERS = {
    "partners4": [0, 1, 2, 3],
    "dummy_pool": [0, 1, 2],
    "dummy_cutthroat": [0, 1, 2],
    "dummy_partner": [0, 1, 3],
    "cutthroat": [0, 1, 2],
}


def card(text: str) -> int:
    """Card of a text such as `TD` or `JK`."""
    return JOKER if text == "JK" else 6 * SUITS.index(text[1]) + RANKS.index(text[0])


def cards(text: str) -> list[int]:
    """Cards of a text such as `TD 9C`."""
    return [card(word) for word in text.split()]


def name(c: int) -> str:
    return "JK" if c == JOKER else RANKS[c % 6] + SUITS[c // 6]


# --- 3 cards ------------------------------------------------------------------------------------


def effective_suit(c: int, trump: int) -> int:
    """Section 3: the suit that a card belongs to."""
    if c == JOKER or (c % 6 == JACK and c // 6 == 3 - trump):
        return trump
    return c // 6


def strength(c: int, led: int, trump: int) -> int:
    """Section 3: what wins a trick; -1 for a card that cannot."""
    if c == JOKER:
        return 20
    if c == 6 * trump + JACK:
        return 19
    if c == 6 * (3 - trump) + JACK:
        return 18
    if c // 6 == trump:
        return 10 + c % 6
    return c % 6 if c // 6 == led else -1


def legal_cards(hand: list[int], trick: list[int], trump: int) -> list[int]:
    """Section 7.3."""
    if not trick:
        return sorted(hand)
    led = effective_suit(trick[0], trump)
    return sorted([c for c in hand if effective_suit(c, trump) == led] or hand)


def trick_winner(trick: list[int], trump: int) -> int:
    """Section 7.4: the place of the card that wins."""
    led = effective_suit(trick[0], trump)
    return max(range(len(trick)), key=lambda k: strength(trick[k], led, trump))


# --- 4 seats ------------------------------------------------------------------------------------


def partner(mode: str, seat: int) -> int | None:
    """Section 4."""
    if mode in ("partners4", "dummy_partner"):
        return (seat + 2) % 4
    return {1: 2, 2: 1}.get(seat) if mode == "dummy_pool" else None


def up_card_place(mode: str) -> int:
    """Section 5: the place in the deck of the card turned up."""
    return 15 if mode == "cutthroat" else 20


def next_bidder(mode: str, seat: int) -> int:
    """Section 4: the next bidder seat to the left."""
    later = [s for s in BIDDERS[mode] if s > seat]
    return later[0] if later else BIDDERS[mode][0]


# --- 5 to 7 the deal ----------------------------------------------------------------------------


class ReferenceDeal:
    """One deal from the given deck to its end."""

    def __init__(self, rules, deck: list[int], dealer: int):
        self.rules, self.dealer = rules, dealer
        self.num_seats = SEATS[rules.mode]
        self.hands = [sorted(deck[5 * s : 5 * s + 5]) for s in range(self.num_seats)]
        self.dummy = sorted(deck[15:20]) if rules.mode in ("dummy_pool", "dummy_cutthroat") else []
        place = up_card_place(rules.mode)
        self.up_card, self.kitty = deck[place], sorted(deck[place + 1 :])
        self.picked_up = self.took_dummy = self.alone = self.dealt_again = False
        self.trump = self.maker = self.lone_defender = None
        self.discards: dict[int, list[int]] = {s: [] for s in range(self.num_seats)}
        self.sitting_out: set[int] = set()
        self.trick: list[tuple[int, int]] = []
        self.plays: list[tuple[int, int]] = []
        self.winners: list[int] = []
        self.voids: set[tuple[int, int]] = set()
        self.passes, self.asked = 0, 0
        self.phase, self.seat = "BID1", next_bidder(rules.mode, dealer)
        if self.up_card == JOKER:
            self.phase, self.seat = "NAME_BLIND", dealer

    @property
    def current_player(self) -> int:
        return AGENTS[self.rules.mode][self.seat]

    @property
    def terminated(self) -> bool:
        return self.phase == "DONE"

    @property
    def active(self) -> list[int]:
        return [s for s in range(self.num_seats) if s not in self.sitting_out]

    def legal(self) -> list[int]:
        """Legal actions, ascending; none after the end (sections 6 and 7.3)."""
        turned, hand = self.up_card // 6, self.hands[self.seat]
        if self.phase == "BID1":
            weak = self.rules.farmers_hand and all(c % 6 < 2 for c in hand)
            return [*([REDEAL] if weak else []), PASS, CALL + turned]
        if self.phase == "BID2":
            stuck = self.rules.stick_dealer and self.seat == self.dealer
            return [*([] if stuck else [PASS]), *(CALL + s for s in range(4) if s != turned)]
        if self.phase == "NAME_BLIND":
            return [CALL + s for s in range(4)]
        if self.phase == "DISCARD":
            return [c for c in hand if self.rules.discard_upcard or c != self.up_card]
        if self.phase == "ALONE":
            ordered_up = self.picked_up and self.dealer == partner(self.rules.mode, self.seat)
            return [ALONE] if self.rules.canadian_loner and ordered_up else [ALONE, TEAM]
        if self.phase == "DEFEND":
            return [ALONE, TEAM]
        if self.phase == "EXCHANGE":
            return list(hand)
        if self.phase == "PLAY":
            return legal_cards(hand, [c for _, c in self.trick], self.trump)
        return []

    def step(self, action: int) -> None:
        """Section 6: one action of the seat to act."""
        getattr(self, f"_{self.phase.lower()}")(action)

    def _bid1(self, action: int) -> None:
        if action == REDEAL:
            self.dealt_again, self.phase = True, "DONE"
        elif action == PASS:
            self._pass("BID2")
        else:
            self._name(action - CALL)
            self._pick_up()

    def _bid2(self, action: int) -> None:
        if action == PASS:
            self._pass("DONE")
        else:
            self._name(action - CALL)
            self._ask_alone()

    def _name_blind(self, action: int) -> None:
        self._name(action - CALL)
        self._pick_up()

    def _pass(self, following: str) -> None:
        self.passes += 1
        if self.seat == self.dealer:
            self.phase = following
        self.seat = next_bidder(self.rules.mode, self.seat)

    def _name(self, suit: int) -> None:
        self.trump, self.maker = suit, self.seat

    def _pick_up(self) -> None:
        self.picked_up = True
        self.hands[self.dealer] = sorted([*self.hands[self.dealer], self.up_card])
        self.phase, self.seat = "DISCARD", self.dealer

    def _lay_down(self, c: int) -> None:
        self.hands[self.seat].remove(c)
        self.discards[self.seat].append(c)

    def _discard(self, c: int) -> None:
        self._lay_down(c)
        self._ask_alone()

    def _ask_alone(self) -> None:
        """Section 6.4."""
        self.phase, self.seat = "ALONE", self.maker
        if not self.rules.allow_alone:
            self._alone(TEAM)

    def _alone(self, action: int) -> None:
        """Section 6.5."""
        mode = self.rules.mode
        self.alone = action == ALONE
        if self.alone and partner(mode, self.maker) is not None:
            self.sitting_out.add(partner(mode, self.maker))
        may_take = mode == "dummy_cutthroat" or (mode == "dummy_pool" and self.maker == 0)
        if may_take and not self.alone:
            self.took_dummy = True
            self.hands[self.maker] = sorted(self.hands[self.maker] + self.dummy)
            self.phase = "EXCHANGE"
        else:
            self._ask_defence()

    def _exchange(self, c: int) -> None:
        self._lay_down(c)
        if len(self.hands[self.seat]) == 5:
            self._ask_defence()

    def _ask_defence(self) -> None:
        """Section 6.6."""
        asks = self.rules.defend_alone
        if asks == "always" or (asks == "if_alone" and self.alone):
            ring = [(self.dealer + k) % 4 for k in (1, 2, 3, 4)]
            self.seat = next(s for s in ring if s % 2 != self.maker % 2)
            self.phase = "DEFEND"
        else:
            self._begin()

    def _defend(self, action: int) -> None:
        self.asked += 1
        if action == ALONE:
            self.lone_defender = self.seat
            self.sitting_out.add((self.seat + 2) % 4)
        elif self.asked == 1:
            self.seat = (self.seat + 2) % 4
            return
        self._begin()

    def _begin(self) -> None:
        """Section 7.1."""
        lone = self.alone and self.rules.lone_lead == "maker_left"
        self.phase, self.seat = "PLAY", self._left_of(self.maker if lone else self.dealer)

    def _left_of(self, seat: int) -> int:
        ring = [(seat + k) % self.num_seats for k in range(1, self.num_seats + 1)]
        return next(s for s in ring if s not in self.sitting_out)

    def _play(self, c: int) -> None:
        if self.trick:
            led = effective_suit(self.trick[0][1], self.trump)
            if effective_suit(c, self.trump) != led:
                self.voids.add((self.seat, led))
        self.hands[self.seat].remove(c)
        self.trick.append((self.seat, c))
        self.plays.append((self.seat, c))
        if len(self.trick) < len(self.active):
            self.seat = self._left_of(self.seat)
            return
        place = trick_winner([c for _, c in self.trick], self.trump)
        self.seat = self.trick[place][0]
        self.winners.append(self.seat)
        self.trick = []
        if len(self.winners) == 5:
            self.phase = "DONE"

    # --- 8 what it comes to ---------------------------------------------------------------------

    def makers(self) -> set[int]:
        """Seats of the makers' side."""
        return {self.maker, partner(self.rules.mode, self.maker)} - {None}

    def side_points(self) -> tuple[int, int]:
        """Section 8: makers' and defenders' points of a finished deal."""
        rules = self.rules
        if self.maker is None:
            return 0, 0
        taken = sum(w in self.makers() for w in self.winners)
        if taken == 5:
            return (rules.points_alone_march if self.alone else rules.points_march), 0
        if taken >= 3:
            return rules.points_make, 0
        alone = self.lone_defender is not None
        defence = rules.points_lone_defence if alone else rules.points_euchre
        if self.alone:
            defence = max(defence, rules.points_lone_euchre)
        return 0, max(defence, rules.points_super_euchre) if taken == 0 else defence

    def _by_agent(self, of_makers: int, of_others: int) -> list[int]:
        agents = AGENTS[self.rules.mode]
        side = {agents[s] for s in self.makers()} if self.maker is not None else set()
        number = len(set(agents.values()))
        return [of_makers if agent in side else of_others for agent in range(number)]

    def points(self) -> list[int]:
        return self._by_agent(*self.side_points())

    def returns(self) -> list[int]:
        makers, others = self.side_points()
        if self.rules.mode in ("dummy_cutthroat", "cutthroat"):
            return self.points()
        return self._by_agent(makers - others, others - makers)

    def progress(self) -> list[int]:
        """Tricks that each agent's side has won."""
        if self.maker is None:
            return self._by_agent(0, 0)
        taken = sum(w in self.makers() for w in self.winners)
        return self._by_agent(taken, len(self.winners) - taken)

    # --- 12 what is seen ------------------------------------------------------------------------

    def seat_of(self, agent: int) -> int:
        return 3 if self.rules.mode == "dummy_partner" and agent == 2 else agent

    def seen_hand(self, agent: int) -> list[int]:
        """Return the agent's own hand, which the dealer may not look at in `NAME_BLIND`."""
        seat = self.seat_of(agent)
        hidden = self.phase == "NAME_BLIND" and seat == self.dealer
        return [] if hidden else sorted(self.hands[seat])

    def seen_discards(self, agent: int) -> list[int]:
        return sorted(self.discards[self.seat_of(agent)])
