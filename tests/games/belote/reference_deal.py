"""One deal of Belote in plain Python, from the given deck to its end (docs/belote.md, 3, 4 and 7)."""

from games.belote.reference import (
    AT,
    BID,
    NAME,
    PASS,
    RANKS,
    belote_suits,
    contest,
    deal_score,
    declarations_of,
    legal_cards,
    levels,
    rank,
    suit,
    trick_points,
    trick_winner,
)


class ReferenceDeal:
    """Section 3: one deal from the given deck to its end."""

    def __init__(self, rules, deck, dealer, totals=(0, 0), carry=0):
        self.rules, self.dealer, self.totals, self.carry_in = rules, dealer, list(totals), carry
        self.forehand = (dealer + 1) % 4
        self.order = [(self.forehand + k) % 4 for k in range(4)]
        self.deck = list(deck)
        size = {"bela": 6, "turnup": 5, "contract": 8}[rules.auction]
        self.hands: list[list[int]] = [[] for _ in range(4)]
        for k, seat in enumerate(self.order):
            self.hands[seat] = sorted(self.deck[size * k : size * (k + 1)])
        self.levels = levels(rules)
        self.coinche = BID + 6 * len(self.levels)  # the next action is surcoinche
        self.turn_up = self.deck[20] if rules.auction == "turnup" else None
        self.dealt = None  # the hands of eight cards, once there are
        self.calls: list[tuple[int, int]] = []  # seat, action
        self.bidder: int | None = None
        self.mode: int | None = None
        self.level: str | None = None
        self.multiplier = 1
        self.current_player = self.forehand
        self.table: list[int] = []
        self.tricks: list[tuple[int, list[int], int, int]] = []  # leader, cards, winner, points
        self.played: list[tuple[int, int]] = []  # seat, card
        self.terminated = self.void = False
        self.straight_team: int | None = None
        self.excluded: list[set[int]] = [set() for _ in range(4)]
        self._bid: tuple[int, int, int] | None = None  # seat, level, mode

    # --- the auction ----------------------------------------------------------------------------

    def legal(self) -> list[int]:
        """Legal actions, ascending; none after the end (section 7.1)."""
        if self.terminated:
            return []
        if self.mode is not None:
            hand = self.hands[self.current_player]
            return legal_cards(self.rules, self.mode, self.table, hand)
        return sorted(getattr(self, f"_legal_{self.rules.auction}")())

    def _legal_bela(self) -> list[int]:
        names = list(range(NAME, NAME + 4))
        number = len(self.calls)
        forced = {"dealer_must": number == 3, "forehand_must": number == 4, "void": False}
        return names if forced[self.rules.all_pass] else [PASS, *names]

    def _legal_turnup(self) -> list[int]:
        turned = NAME + suit(self.turn_up)
        if len(self.calls) < 4:
            return [PASS, turned]
        others = [NAME + s for s in range(4) if NAME + s != turned]
        forced = self.rules.all_pass == "dealer_must" and len(self.calls) == 7
        return others if forced else [PASS, *others]

    def _legal_contract(self) -> list[int]:
        modes = range(6 if self.rules.modes_nt_at else 4)
        legal = [PASS]
        lowest = self._bid[1] + 1 if self._bid else 0
        if self.multiplier == 1:
            legal += [BID + 6 * level + m for level in range(lowest, len(self.levels)) for m in modes]
        if self._bid:
            own = self._bid[0] % 2 == self.current_player % 2
            if not own and self.multiplier == 1:
                legal.append(self.coinche)
            if own and self.multiplier == 2:
                legal.append(self.coinche + 1)
        return legal

    def step(self, action: int) -> None:
        """Play one action of the player to move."""
        if self.mode is not None:
            self._play(action)
            return
        seat = self.current_player
        self.calls.append((seat, action))
        self.current_player = (seat + 1) % 4
        if self.rules.auction == "contract":
            self._contract_call(seat, action)
        elif action != PASS:
            self._settle(seat, action - NAME)
        elif self.rules.all_pass == "void":
            self._void_after({"bela": 4, "turnup": 8}[self.rules.auction])

    def _contract_call(self, seat: int, action: int) -> None:
        if BID <= action < self.coinche:
            self._bid = (seat, (action - BID) // 6, (action - BID) % 6)
        elif action != PASS:
            self.multiplier *= 2
        last = [call for _, call in self.calls[-3:]]
        if self._bid and (action == self.coinche + 1 or last == [PASS] * 3):
            self.level = self.levels[self._bid[1]]
            self._settle(self._bid[0], self._bid[2])
        elif not self._bid:
            self._void_after(4)

    def _void_after(self, number: int) -> None:
        if len(self.calls) == number:
            self.terminated = self.void = True

    def _settle(self, bidder: int, mode: int) -> None:
        """End the auction: deal the last cards, and begin the play."""
        self.bidder, self.mode, self.current_player = bidder, mode, self.forehand
        if self.rules.auction == "bela":
            for k, seat in enumerate(self.order):
                self.hands[seat] += self.deck[24 + 2 * k : 26 + 2 * k]
        elif self.rules.auction == "turnup":
            self.hands[bidder].append(self.turn_up)
            at = 21
            for seat in self.order:
                number = 2 if seat == bidder else 3
                self.hands[seat] += self.deck[at : at + number]
                at += number
        self.hands = [sorted(hand) for hand in self.hands]
        self.dealt = [list(hand) for hand in self.hands]
        self.declarations = [declarations_of(self.rules, mode, hand) for hand in self.dealt]
        self.decl_team, self.decl_points = contest(self.rules, mode, self.dealer, self.dealt)
        self.belote = [belote_suits(self.rules, mode, hand) for hand in self.dealt]
        self._check_straight()

    def _check_straight(self) -> None:
        if not self.rules.declarations or self.rules.straight8 != "match":
            return
        found = [seat for seat in self.order if len({suit(c) for c in self.dealt[seat]}) == 1]
        if found:
            trumps = [seat for seat in found if suit(self.dealt[seat][0]) == self.mode]
            self.straight_team = (trumps or found)[0] % 2
            self.terminated = True

    # --- the play -------------------------------------------------------------------------------

    def _play(self, c: int) -> None:
        player = self.current_player
        self.excluded[player] |= self._shown_by(player, c)
        self.hands[player].remove(c)
        self.played.append((player, c))
        self.table.append(c)
        self.current_player = (player + 1) % 4
        if len(self.table) < 4:
            return
        leader, number = self.current_player, len(self.tricks) + 1
        winner = (leader + trick_winner(self.mode, self.table)) % 4
        points = trick_points(self.mode, self.table, number)
        self.tricks.append((leader, self.table, winner, points))
        self.table = []
        self.current_player = winner
        self.terminated = number == 8

    def _shown_by(self, seat: int, c: int) -> set[int]:
        """Cards that a seat cannot hold, since it plays this one.

        Section 4.1, turned round: a card is excluded if, held beside the one played, it would have
        made that one illegal; and a king or queen of trumps that is not announced is single.
        """
        found = {
            other
            for other in range(32)
            if other != c and c not in legal_cards(self.rules, self.mode, self.table, [c, other])
        }
        if self.rules.belote and rank(c) in "QK" and self.mode in (suit(c), AT):
            other = 8 * suit(c) + RANKS.index("Q" if rank(c) == "K" else "K")
            if other not in self.dealt[seat]:
                found.add(other)
        return found

    def progress(self) -> list[int]:
        """Card points of each seat's side so far."""
        return [sum(p for _, _, w, p in self.tricks if w % 2 == s % 2) for s in range(4)]

    def tricks_won(self) -> list[int]:
        return [sum(w % 2 == t for _, _, w, _ in self.tricks) for t in (0, 1)]

    def belote_points(self) -> list[int]:
        return [20 * sum(len(self.belote[s]) for s in (t, t + 2)) for t in (0, 1)]

    def outcome(self):
        """(scores of the teams, outcome, carry) of a finished deal."""
        if self.void:
            return [0, 0], "void", self.carry_in
        if self.straight_team is not None:
            scores = [0, 0]
            scores[self.straight_team] = self.rules.target
            return scores, "straight", 0
        return deal_score(
            self.rules,
            self.bidder % 2,
            self.level,
            self.multiplier,
            self.progress()[:2],
            self.tricks_won(),
            self.decl_points,
            self.belote_points(),
            self.carry_in,
            alone={winner for _, _, winner, _ in self.tricks} == {self.bidder},
        )

    # --- 4.7 the match --------------------------------------------------------------------------

    def match_over(self, totals: list[int]) -> tuple[bool, list[int]]:
        """Return whether the match is over, and the teams that have won it; `totals` with this deal."""
        if self.void:
            return False, []
        if self.straight_team is not None:
            return True, [self.straight_team]
        reached = [team for team in (0, 1) if totals[team] >= self.rules.target]
        if not self.rules.belote_wins:
            reached = [team for team in reached if self.confirmed(team, totals[team])]
        if not reached:
            return False, []
        if len(reached) == 1 or totals[0] != totals[1]:
            return True, [max(reached, key=lambda team: totals[team])]
        tie = self.rules.match_tie
        return tie != "play_on", [self.bidder % 2] if tie == "bidder" else []

    def confirmed(self, team: int, total: int) -> bool:
        """Section 4.7: whether more than a belote of this deal makes the total count."""
        scores, outcome, _ = self.outcome()
        if self.tricks_won()[team] == 0:
            return False
        failed = outcome == "failed" and self.bidder % 2 == team
        return not failed or total - scores[team] >= self.rules.target

    # --- 7.2, 7.3 what is seen ------------------------------------------------------------------

    def announced(self) -> list[int]:
        """Section 7.2: points of each seat's best declaration, 0 = none, -1 = not yet public."""
        if self.mode is None:
            return [-1] * 4
        best = [max((d.points for d in found), default=0) for found in self.declarations]
        if self.rules.decl_reveal == "before_play":
            return best
        out = {seat for seat, _ in self.played}
        return [best[seat] if seat in out else -1 for seat in range(4)]

    def shown(self) -> list[set[int]]:
        """Section 7.2: cards of all declarations of the scoring team, once they are laid open."""
        early = self.rules.decl_reveal == "before_play"
        if self.mode is None or self.decl_team is None or not (early or self.tricks):
            return [set() for _ in range(4)]
        found: list[set[int]] = [set() for _ in range(4)]
        for seat in (self.decl_team, self.decl_team + 2):
            found[seat] = {c for d in self.declarations[seat] for c in d.cards}
        return found

    def belote_shown(self) -> list[set[int]]:
        """Section 7.2: kings and queens that a seat has announced as a pair."""
        if self.mode is None:
            return [set() for _ in range(4)]
        found: list[set[int]] = [set() for _ in range(4)]
        for seat in range(4):
            for s in self.belote[seat]:
                pair = {8 * s + RANKS.index("Q"), 8 * s + RANKS.index("K")}
                if pair & {c for _, c in self.played}:
                    found[seat] |= pair
        return found

    def planes(self, player: int):
        """Section 7.3: nested lists [4][3][32] in thirds, trump and bidder one-hot."""
        gone = {c for _, c in self.played}
        complete = {(w, c) for w, c in self.played[: len(self.played) // 4 * 4]}
        current = set(self.played[len(self.played) // 4 * 4 :])
        shown = [cards - gone for cards in self.shown()]
        known = gone | set(self.hands[player]) | set().union(*shown)
        rows = []
        for seat in ((player + 2) % 4, (player - 1) % 4, (player + 1) % 4):
            available = [3 if c in shown[seat] else 0 if c in known else 1 for c in range(32)]
            unavailable = [3 * ((seat, c) in complete) for c in range(32)]
            rows.append([available, unavailable, [3 * ((seat, c) in current) for c in range(32)]])
        own = [3 * (c in self.hands[player]) for c in range(32)]
        rows.append([own, [3 * ((player, c) in complete) for c in range(32)], [0] * 32])
        trump = [int(self.mode == s) for s in range(4)]
        bidder = [0] * 4
        if self.bidder is not None:
            bidder[(self.bidder - player) % 4] = 1
        return rows, trump, bidder
