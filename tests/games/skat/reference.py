"""Slow reference of Skat in plain Python: lists, sets and loops, no arrays.

Written from docs/skat.md alone and meant to be read beside it; the section numbers in the docstrings
are those of the page. `rules` is any object with the fields of section 7. Cards are the ints
8*suit + rank, suits d h s c, ranks 7 8 9 Q K T A J; seats are 0..2.
"""

PASS, BID, TAKE, GAMES, LEVELS, KONTRA, RE = 32, 33, 34, 35, 41, 45, 46
GRAND, NULL, RAMSCH = 4, 5, 6
SUIT_VALUES = {0: 9, 1: 10, 2: 11, 3: 12, GRAND: 24}
NULLS = {(False, False): 23, (True, False): 35, (False, True): 46, (True, True): 59}
WORTH = {"7": 0, "8": 0, "9": 0, "Q": 3, "K": 4, "T": 10, "A": 11, "J": 2}


def all_values() -> list[int]:
    """Return every value that a game can have (section 3)."""
    found = set(NULLS.values())
    for game, base in SUIT_VALUES.items():
        for spitzen in range(1, 5 if game == GRAND else 12):
            for extra in range(1, 8):  # the game, Hand, Schneider, Schwarz, two announcements, Ouvert
                found.add(base * (spitzen + extra))
    return sorted(found)


VALUES = all_values()


def rank(card: int) -> str:
    return "789QKTAJ"[card % 8]


def points(cards) -> int:
    return sum(WORTH[rank(card)] for card in cards)


def trumps(game: int) -> list[int]:
    """Return the trumps of a game, the highest first (section 2)."""
    if game == NULL:
        return []
    jacks = [8 * suit + 7 for suit in (3, 2, 1, 0)]
    return jacks + ([8 * game + r for r in range(6, -1, -1)] if game < GRAND else [])


def kind(game: int, card: int):
    """Return the class that a card asks for: trumps or a suit."""
    return "trumps" if card in trumps(game) else card // 8


def strength(game: int, card: int) -> int:
    """Return the rank of a card among cards of its kind."""
    if card in trumps(game):
        return -trumps(game).index(card)
    return ("789TJQKA" if game == NULL else "789QKTA").index(rank(card))


class ReferenceDeal:
    """Sections 2 to 6: one deal from the given deck to its end."""

    def __init__(self, rules, deck, dealer):
        self.rules, self.dealer = rules, dealer
        self.forehand, self.middlehand, self.rearhand = ((dealer + n) % 3 for n in (1, 2, 3))
        self.hands: list[list[int]] = [[], [], []]
        for turn in range(3):
            self.hands[(dealer + 1 + turn) % 3] = sorted(deck[10 * turn : 10 * turn + 10])
        self.dealt = [list(hand) for hand in self.hands]
        self.skat = sorted(deck[30:])
        self.dealt_skat = list(self.skat)
        self.out: list[int] = []
        self.bid = 0
        self.waits = False  # a bid waits for its answer
        self.duel = [self.middlehand, self.forehand]
        self.phase = "bid"
        self.declarer = self.game = None
        self.hand = False
        self.level = 0
        self.doubled = 0
        self.table: list[tuple[int, int]] = []
        self.won: list[list[int]] = [[], [], []]
        self.current_player = self.middlehand if rules.auction == "values" else self.forehand

    # ---- Section 3 ----

    def higher(self) -> list[int]:
        return [value for value in VALUES if value > self.bid]

    def call(self, passes: bool) -> None:
        seat = self.current_player
        if passes:
            self.out.append(seat)
            if len(self.out) == 3:
                self.all_passed()
                return
        if self.rules.auction == "first":
            if passes:
                self.current_player = (seat + 1) % 3
            else:
                self.bid = VALUES[0]
                self.declare(seat)
            return
        if len(self.out) == 2 and self.bid == 0 and not passes:  # forehand opens
            self.bid = VALUES[0]
            self.declare(seat)
            return
        caller, hearer = self.duel
        if not passes:
            if not self.waits:
                self.bid = self.higher()[0]
            self.waits = not self.waits
            self.current_player = hearer if self.waits else caller
            return
        self.waits = False
        winner = hearer if seat == caller else caller
        if self.rearhand not in self.duel:
            self.duel = [self.rearhand, winner]
            self.current_player = self.rearhand
        elif self.bid:
            self.declare(winner)
        else:
            self.current_player = self.forehand

    def all_passed(self) -> None:
        if self.rules.all_pass == "ramsch":
            self.game = RAMSCH
            self.start()
        else:
            self.phase = "over"

    def declare(self, seat: int) -> None:
        self.declarer = self.current_player = seat
        self.phase = "declare"

    # ---- Section 4 ----

    def games(self, hand: bool) -> list[int]:
        """Return the actions of games that may be announced."""
        open_values = [NULLS[hand, False]] + [NULLS[hand, True]] * self.rules.null_ouvert
        return [GAMES + game for game in range(6) if game != NULL or max(open_values) >= self.bid]

    def levels(self) -> list[int]:
        """Return the announcements that are legal with the game; empty without a choice."""
        if self.game == NULL:
            if not self.rules.null_ouvert:
                return []
            return [LEVELS] * (NULLS[self.hand, False] >= self.bid) + [LEVELS + 3]
        return [LEVELS + n for n in range(4)] if self.hand else []

    def announced(self) -> None:
        if self.rules.kontra:
            self.phase, self.current_player = "kontra", (self.declarer + 1) % 3
        else:
            self.start()

    def start(self) -> None:
        self.phase, self.current_player = "play", self.forehand

    def open_to(self, seat: int) -> list[int]:
        """Return the cards of another player that a seat sees: those of an open game."""
        shown = self.level == 3 and self.phase != "level" and seat != self.declarer
        return self.hands[self.declarer] if shown else []

    # ---- All decisions ----

    @property
    def terminated(self) -> bool:
        return self.phase == "over"

    def legal(self) -> list[int]:
        """Legal actions, ascending; none after the end."""
        hand = self.hands[self.current_player]
        if self.phase == "bid":
            return [PASS, BID] if self.waits or self.higher() else [PASS]
        if self.phase == "declare":
            return [TAKE, *(self.games(True) if self.rules.hand else [])]
        if self.phase == "discard":
            return list(hand)
        if self.phase == "announce":
            return self.games(False)
        if self.phase == "level":
            return self.levels()
        if self.phase in ("kontra", "re"):
            return [PASS, KONTRA if self.phase == "kontra" else RE]
        if self.phase == "over":
            return []
        led = [kind(self.game, self.table[0][1])] if self.table else []
        return [card for card in hand if kind(self.game, card) in led] or list(hand)

    def step(self, action: int) -> None:
        """Take one action of the player to move."""
        seat = self.current_player
        if self.phase == "bid":
            self.call(action == PASS)
        elif action == TAKE:
            self.hands[seat] = sorted(self.hands[seat] + self.skat)
            self.skat, self.phase = [], "discard"
        elif self.phase == "discard":
            self.hands[seat].remove(action)
            self.skat.append(action)
            if len(self.skat) == 2:
                self.phase = "announce"
        elif GAMES <= action < LEVELS:
            self.hand, self.game = self.phase == "declare", action - GAMES
            if self.levels():
                self.phase = "level"
            else:
                self.announced()
        elif LEVELS <= action < KONTRA:
            self.level = action - LEVELS
            self.announced()
        elif self.phase == "kontra":
            if action == KONTRA:
                self.doubled, self.phase, self.current_player = 1, "re", self.declarer
            elif seat == (self.declarer + 1) % 3:
                self.current_player = (seat + 1) % 3
            else:
                self.start()
        elif self.phase == "re":
            self.doubled += action == RE
            self.start()
        else:
            self.play(action)

    # ---- Section 5 ----

    def play(self, card: int) -> None:
        seat = self.current_player
        self.hands[seat].remove(card)
        self.table.append((seat, card))
        self.current_player = (seat + 1) % 3
        if len(self.table) < 3:
            return
        lead = kind(self.game, self.table[0][1])
        for wanted in (lead, "trumps"):
            fits = [(strength(self.game, c), s) for s, c in self.table if kind(self.game, c) == wanted]
            if fits:
                winner = max(fits)[1]
        self.won[winner] += [c for _, c in self.table]
        self.table, self.current_player = [], winner
        if not any(self.hands) or (self.game == NULL and winner == self.declarer):
            self.phase = "over"

    # ---- Section 6 ----

    def progress(self) -> list[int]:
        """Return the card points that each player's side has in tricks."""
        own = [points(cards) for cards in self.won]
        if self.declarer is None:
            return own
        others = sum(own) - own[self.declarer]
        return [own[seat] if seat == self.declarer else others for seat in range(3)]

    def points(self) -> list[int]:
        """Return the score of each seat."""
        if self.game is None:
            return [0, 0, 0]
        if self.game == RAMSCH:
            return self.ramsch()
        me = self.declarer
        won, value = self.null(me) if self.game == NULL else self.game_value(me)
        value *= 2**self.doubled
        found = [0, 0, 0]
        found[me] = value if won else -2 * value
        if self.rules.seeger_fabian:
            found = [n + (40 if not won else 0) for n in found]
            found[me] = value + 50 if won else -2 * value - 50
        return found

    def null(self, me: int) -> tuple[bool, int]:
        return not self.won[me], NULLS[self.hand, self.level == 3]

    def game_value(self, me: int) -> tuple[bool, int]:
        own = set(self.dealt[me]) | set(self.dealt_skat)
        held = [card in own for card in trumps(self.game)]
        times = 1 + next((n for n, has in enumerate(held) if has != held[0]), len(held))
        eyes = points(self.won[me]) + points(self.skat)
        tricks = len(self.won[me]) // 3
        reached = [eyes >= 61, eyes >= 90, tricks == 10, tricks == 10][self.level]
        schneider = eyes >= 90 or eyes <= 30 or self.level >= 1
        schwarz = tricks in (0, 10) or self.level >= 2
        times += self.hand + schneider + schwarz
        times += [0, 1, 2, 3][self.level]  # announced Schneider, announced Schwarz, Ouvert
        base = SUIT_VALUES[self.game]
        value = base * times
        if value < self.bid:
            reached = False
            while value < self.bid:
                value += base
        return reached, value

    def ramsch(self) -> list[int]:
        eyes = [points(cards) for cards in self.won]
        eyes[self.current_player] += points(self.skat)
        empty = [not cards for cards in self.won]
        if sum(empty) == 2:
            return [0 if none else 120 for none in empty]
        return [-n * (1 + sum(empty)) if n == max(eyes) else 0 for n in eyes]
