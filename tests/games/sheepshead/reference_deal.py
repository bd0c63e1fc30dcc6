"""A deal of Sheepshead in plain Python, by the rules of `games.sheepshead.reference`."""

from games.sheepshead.reference import (
    ALONE,
    BLACK_QUEENS,
    BLITZ,
    CRACK,
    PARTNER,
    PASS,
    PICK,
    RECRACK,
    bury_choices,
    callable_cards,
    card,
    card_class,
    leaster_chips,
    magnitude,
    partner_jack,
    picked_chips,
    play_choices,
    points,
    sizes,
    trick_winner,
)


class ReferenceDeal:
    """One deal: `legal()` and `step(action)` until `terminated`."""

    def __init__(self, rules, deck, dealer, stakes=1):
        n = rules.num_players
        h, b = sizes(rules)
        self.rules, self.n, self.h, self.b = rules, n, h, b
        self.dealer, self.stakes = dealer, stakes
        self.hands = [sorted(deck[seat * h : seat * h + h]) for seat in range(n)]
        self.blind = sorted(deck[n * h : n * h + b])
        self.phase = "pick" if rules.partner != "black_queens" else "play"
        self.current_player = (dealer + 1) % n
        self.picker = self.partner_card = self.called = self.unknown = None
        self.announced_alone = False
        self.buried: list[int] = []
        self.cracker, self.recracked, self.recracker, self.blitzer = None, False, None, None
        self.table: list[tuple[int, int]] = []  # seat, card
        self.tricks: list[tuple[int, list[int], int]] = []  # leader, cards, winner
        self.record: list[tuple[int, int]] = []  # seat, card of every play
        self.calls: list[tuple[int, str, int]] = []  # seat, phase, action

    # What is what

    @property
    def terminated(self) -> bool:
        return self.phase == "done"

    def partner(self) -> int | None:
        """Return the seat that is the picker's partner."""
        if self.partner_card is None:
            return None
        for seat in range(self.n):
            played = [number for s, number in self.record if s == seat]
            if self.partner_card in self.hands[seat] + played and seat != self.picker:
                return seat
        return None

    def role(self, seat: int) -> str | None:
        return {self.picker: "picker", self.partner(): "partner"}.get(seat)

    def is_open(self) -> bool:
        return self.called is not None and self.called not in [number for _, number in self.record]

    # Legal actions

    def legal(self) -> list[int]:
        seat, rules = self.current_player, self.rules
        hand = self.hands[seat]
        if self.phase == "pick":
            forced = rules.no_pick == "forced_pick" and seat == self.dealer
            return [PICK] if forced else [PASS, PICK]
        if self.phase == "loner":
            return [PARTNER, ALONE] if self._partner_possible() else [ALONE]
        if self.phase == "call":
            return callable_cards(rules, hand)[0]
        if self.phase == "unknown":
            return list(hand)
        if self.phase == "bury":
            choices = bury_choices(rules, hand, self.called, self.unknown)
            if self.blitzer is not None:
                choices = [number for number in choices if number not in BLACK_QUEENS]
            begins = not self.buried and self.blitzer is None
            return choices + ([BLITZ] if begins and self._may_blitz(seat) else [])
        if self.phase == "crack":
            cracks = [CRACK, BLITZ] if self._may_blitz(seat) else [CRACK]
            return [PASS] if seat == self.partner() else [PASS, *cracks]
        if self.phase == "recrack":
            return [PASS, RECRACK] if seat in (self.picker, self.partner()) else [PASS]
        led = None
        if self.table:
            led = card_class(rules, self.table[0][1], self.unknown, self.called)
        unknown = self.unknown if seat == self.picker else None
        return play_choices(rules, hand, led, self.role(seat), self.called, self.is_open(), unknown)

    def _may_blitz(self, seat: int) -> bool:
        """Section 8.5: the seat can show both black queens."""
        shown = [number for number in self.hands[seat] if number != self.unknown]
        return self.rules.blitz and all(queen in shown for queen in BLACK_QUEENS)

    def _partner_possible(self) -> bool:
        if self.rules.partner == "jack_of_diamonds":
            return partner_jack(self.rules, self.hands[self.picker]) is not None
        return bool(callable_cards(self.rules, self.hands[self.picker])[0])

    # Steps

    def step(self, action: int) -> None:
        assert action in self.legal(), (self.phase, action, self.legal())
        if self.phase != "play":
            self.calls.append((self.current_player, self.phase, action))
        getattr(self, "_" + self.phase)(action)

    def _pick(self, action):
        rules = self.rules
        if action == PASS:
            if self.current_player == self.dealer:
                self.phase = "done" if rules.no_pick == "doubler" else "play"
            self.current_player = (self.current_player + 1) % self.n
            return
        self.picker = self.current_player
        self.hands[self.picker] = sorted(self.hands[self.picker] + self.blind)
        if rules.partner == "none":
            self.phase = "bury"
        elif rules.loner_choice:
            self.phase = "loner"
        elif self._partner_possible():
            self._with_partner()
        else:
            # The jack of diamonds is the picker's own; the others are not told.
            self.phase = "bury"

    def _loner(self, action):
        if action == ALONE:
            self.announced_alone = True
            self.phase = "bury"
        else:
            self._with_partner()

    def _with_partner(self):
        if self.rules.partner == "jack_of_diamonds":
            self.partner_card = partner_jack(self.rules, self.hands[self.picker])
            self.phase = "bury"
        else:
            self.phase = "call"

    def _call(self, action):
        needs_unknown = callable_cards(self.rules, self.hands[self.picker])[1]
        self.called = self.partner_card = action
        self.phase = "unknown" if needs_unknown else "bury"

    def _unknown(self, action):
        self.unknown = action
        self.phase = "bury"

    def _bury(self, action):
        if action == BLITZ:
            self.blitzer = self.picker
            return
        self.hands[self.picker].remove(action)
        self.buried.append(action)
        if len(self.buried) == self.b:
            self._ask(self.picker)

    def asked(self) -> list[int]:
        """Section 3.6: who is asked to crack, in order."""
        if not self.rules.crack:
            return []
        others = [(self.picker + k) % self.n for k in range(1, self.n)]
        if self.rules.crack_who == "defenders":
            return others
        order = [(self.dealer + k) % self.n for k in range(1, self.n + 1)]
        return order[order.index(self.picker) + 1 :]

    def _ask(self, after):
        """Ask the next seat to crack, or begin the play."""
        seats = self.asked()
        if after != self.picker:
            seats = seats[seats.index(after) + 1 :]
        if seats:
            self.phase, self.current_player = "crack", seats[0]
        else:
            self._begin()

    def _begin(self):
        self.phase, self.current_player = "play", (self.dealer + 1) % self.n

    def _crack(self, action):
        if action == PASS:
            self._ask(self.current_player)
            return
        self.cracker = self.current_player
        if action == BLITZ:
            self.blitzer = self.current_player
        if self.rules.recrack:
            self.phase, self.current_player = "recrack", self.picker
        else:
            self._begin()

    def _recrack(self, action):
        if action == RECRACK:
            self.recracked, self.recracker = True, self.current_player
            self._begin()
            return
        # Section 8.5: after the picker, all others except the cracker.
        around = [(self.picker + k) % self.n for k in range(self.n)]
        seats = [seat for seat in around if seat != self.cracker]
        left = seats[seats.index(self.current_player) + 1 :] if self.rules.partner_recracks else []
        if left:
            self.current_player = left[0]
        else:
            self._begin()

    def _play(self, action):
        seat = self.current_player
        self.hands[seat].remove(action)
        self.table.append((seat, action))
        self.record.append((seat, action))
        if len(self.table) < self.n:
            self.current_player = (seat + 1) % self.n
            return
        trick = [number for _, number in self.table]
        winner = self.table[trick_winner(self.rules, trick, self.unknown, self.called)][0]
        self.tricks.append((self.table[0][0], trick, winner))
        self.table = []
        self.current_player = winner
        if len(self.tricks) == self.h:
            self.phase = "done"

    # Results

    def is_leaster(self) -> bool:
        queens = self.rules.partner == "black_queens"
        return self.picker is None and bool(self.record) and not queens

    def card_points(self) -> list[int]:
        """Points of every seat's tricks; the blind of a leaster is in it at the end."""
        totals = [0] * self.n
        for _, trick, winner in self.tricks:
            totals[winner] += sum(points(number) for number in trick)
        if self.terminated and self.is_leaster() and self.rules.leaster_blind != "none":
            which = -1 if self.rules.leaster_blind == "last_trick" else 0
            totals[self.tricks[which][2]] += sum(points(number) for number in self.blind)
        return totals

    def progress(self) -> list[int]:
        """As all can count: the unknown is 0 until the end."""
        totals = self.card_points()
        if not self.terminated and self.unknown is not None:
            for _, trick, winner in self.tricks:
                if self.unknown in trick:
                    totals[winner] -= points(self.unknown)
        return totals

    def tricks_won(self) -> list[int]:
        return [sum(winner == seat for *_, winner in self.tricks) for seat in range(self.n)]

    def side(self) -> list[int]:
        """Return the seats that play as the picker and as the partner."""
        if self.rules.partner == "black_queens":
            return list(dict.fromkeys(map(self._dealt_to, BLACK_QUEENS)))
        return [seat for seat in (self.picker, self.partner()) if seat is not None]

    def _dealt_to(self, number: int) -> int:
        seats = range(self.n)
        return next(s for s in seats if number in self.hands[s] or (s, number) in self.record)

    def side_points(self) -> int:
        own = sum(self.card_points()[seat] for seat in self.side())
        return own + sum(points(number) for number in self.buried)

    def magnitude(self) -> int:
        tricks = sum(self.tricks_won()[seat] for seat in self.side())
        return magnitude(self.side_points(), tricks, self.h)

    def chips(self) -> list[int]:
        if not self.record:
            return [0] * self.n
        if self.is_leaster():
            return leaster_chips(self.card_points(), self.tricks_won(), self.stakes)
        factor = self.stakes
        if self.cracker is not None:
            factor *= 4 if self.recracked else 2
        if self.blitzer is not None:
            factor *= 2
        tricks = sum(self.tricks_won()[seat] for seat in self.side())
        picker, partner = [*self.side(), None][:2]
        return picked_chips(self.rules, picker, partner, self.magnitude(), factor, tricks)

    # What a seat sees: section 10.3

    def observation(self, player: int) -> dict:
        over, picks = self.terminated, player == self.picker
        shown = [
            (seat, None if number == self.unknown and not (over or picks) else number)
            for seat, number in self.record
        ]
        secret_jack = self.rules.partner == "jack_of_diamonds" and not self.rules.loner_choice
        called = self.called
        if self.rules.partner == "jack_of_diamonds" and self.picker is not None:
            called = card("JD") if secret_jack else self.partner_card
        partner = self.partner()
        revealed = self.partner_card in [number for _, number in self.record]
        revealed = revealed or (self.recracker is not None and self.recracker == partner)
        knows = over or revealed or player == partner
        return {
            "phase": self.phase,
            "current_player": self.current_player,
            "dealer": self.dealer,
            "stakes": self.stakes,
            "hand": sorted(self.hands[player]),
            "picker": self.picker,
            "called": called,
            "has_unknown": self.unknown is not None,
            "unknown": self.unknown if picks or over else None,
            "cracker": self.cracker,
            "recracked": self.recracked,
            "recracker": self.recracker if self.rules.partner_recracks else None,
            "blitzer": self.blitzer,
            "shown": shown,
            "winners": [winner for *_, winner in self.tricks],
            "points": self.progress(),
            "num_buried": len(self.buried),
            "buried": sorted(self.buried) if picks or over else [],
            "blind": self.blind if picks or over else [],
            "partner": partner if knows else None,
        }
