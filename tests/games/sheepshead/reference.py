"""Sheepshead in plain Python: lists, dicts and loops, written from the rules page alone.

Slow and simple on purpose; the compiled game must agree with it at every decision. Section numbers
are those of docs/sheepshead.md.
"""

SUITS, RANKS = "CDHS", "789TJQKA"
POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
LADIES = "QC QS QH QD JC JS JH JD".split()
TRUMP = 4
PASS, PICK, PARTNER, ALONE, CRACK, RECRACK, BLITZ = range(32, 39)
PHASES = ("pick", "loner", "call", "unknown", "bury", "crack", "recrack", "play", "done")
SIZES = {3: (10, 2), 4: (7, 4), 5: (6, 2), 6: (5, 2)}
JACKS = "JD JH JS JC".split()  # the lowest first
BLACK_QUEENS = (5, 29)  # the queen of clubs, the queen of spades


def card(name: str) -> int:
    """Return the number of a card such as "QC" (rank, suit)."""
    return 8 * SUITS.index(name[1]) + RANKS.index(name[0])


def cards(text: str) -> list[int]:
    return [card(name) for name in text.split()]


def name(number: int) -> str:
    return RANKS[number % 8] + SUITS[number // 8]


def suit(number: int) -> int:
    return number // 8


def rank(number: int) -> str:
    return RANKS[number % 8]


def points(number: int) -> int:
    return POINTS.get(rank(number), 0)


def trump_order(rules) -> list[int]:
    """Section 1: all trumps, highest first."""
    letter = SUITS[rules.trump_suit]
    order = LADIES + [r + letter for r in "ATK98"]
    seven = "7" + letter
    place = {"none": len(order), "second": 1, "top": 0}[rules.spitz]
    return cards(" ".join(order[:place] + [seven] + order[place:]))


def is_trump(rules, number: int) -> bool:
    return rank(number) in "QJ" or suit(number) == rules.trump_suit


def card_class(rules, number: int, unknown=None, called=None) -> int:
    if number == unknown:
        return suit(called)
    return TRUMP if is_trump(rules, number) else suit(number)


def strength(rules, number: int, led: int, unknown=None, called=None) -> int:
    """Section 1, the second table."""
    if number == unknown:
        return 0 if suit(called) == led else -1
    if is_trump(rules, number):
        return 100 - trump_order(rules).index(number)
    if suit(number) != led:
        return -1
    if number == called and rank(number) != "A" and rules.called_ten_wins:
        return 50
    return 1 + "789KTA".index(rank(number))


def trick_winner(rules, trick: list[int], unknown=None, called=None) -> int:
    """Place in the trick of the winning card."""
    led = card_class(rules, trick[0], unknown, called)
    values = [strength(rules, number, led, unknown, called) for number in trick]
    return values.index(max(values))


def sizes(rules) -> tuple[int, int]:
    """Return the cards of a hand and of the blind."""
    return (8, 0) if rules.partner == "black_queens" else SIZES[rules.num_players]


def partner_jack(rules, hand: list[int]) -> int | None:
    """Return the jack whose holder is the partner (8.2); None if the picker has to play alone."""
    jacks = JACKS if rules.call_up else JACKS[:1]
    return next((card(jack) for jack in jacks if card(jack) not in hand), None)


def fail_aces(rules) -> list[int]:
    return [card("A" + SUITS[s]) for s in range(4) if s != rules.trump_suit]


def callable_cards(rules, hand: list[int]) -> tuple[list[int], bool]:
    """Section 3.3: the callable cards, and whether the call takes an unknown."""
    fails = [number for number in hand if not is_trump(rules, number)]
    missing = [ace for ace in fail_aces(rules) if ace not in hand]
    near = [ace for ace in missing if any(suit(number) == suit(ace) for number in fails)]
    if near:
        return near, False
    if missing:
        return (missing, True) if rules.allow_unknown else ([], False)
    ranks = {"none": "", "ten": "T", "down": "TK987"}[rules.call_fallback]
    for letter in ranks:
        found = [8 * suit(ace) + RANKS.index(letter) for ace in fail_aces(rules)]
        found = [number for number in found if number not in hand]
        if found:
            return sorted(found), False
    return [], False


def kept_ace(rules, called) -> int | None:
    """Return the card H of sections 3.5 and 4."""
    if called is None or rank(called) == "A" or rules.called_hold == "any":
        return None
    return card("A" + SUITS[suit(called)])


def bury_choices(rules, hand, called, unknown) -> list[int]:
    """Section 3.5."""
    choices = [number for number in hand if number != unknown]
    if called is None or unknown is not None:
        return sorted(choices)
    ace = kept_ace(rules, called)
    own = [n for n in hand if not is_trump(rules, n) and suit(n) == suit(called)]
    if ace is not None:
        choices.remove(ace)
    elif len(own) == 1:
        choices.remove(own[0])
    return sorted(choices)


def play_choices(rules, hand, led, role, called, is_open, unknown) -> list[int]:
    """Section 4. `role` is "picker", "partner" or None; `led` a class or None."""
    if len(hand) == 1:
        return list(hand)

    def of(number):
        return card_class(rules, number, unknown, called)

    bound = is_open and rules.partner == "called_ace"
    called_suit = suit(called) if bound else None
    ace = kept_ace(rules, called) if bound else None
    if ace is not None and ace not in hand:
        ace = None
    if led is None:
        if bound and role == "partner":
            return [n for n in hand if of(n) != called_suit or n == called]
        if bound and role == "picker" and ace is not None:
            return [n for n in hand if of(n) != called_suit or n == ace]
        return list(hand)
    follow = [n for n in hand if of(n) == led]
    if follow:
        if bound and led == called_suit and role == "partner":
            return [called]
        if bound and led == called_suit and role == "picker" and ace is not None:
            return [ace]
        return follow
    left = list(hand)
    if bound and role == "partner" and not rules.partner_offsuit:
        left.remove(called)
    if bound and role == "picker":
        own = [n for n in hand if of(n) == called_suit]
        if kept_ace(rules, called) is not None:
            left = [n for n in left if n != kept_ace(rules, called)]
        elif len(own) == 1:
            left.remove(own[0])
    return left


def magnitude(side_points: int, side_tricks: int, hand_size: int) -> int:
    """Section 6."""
    if side_tricks == hand_size:
        return 3
    if side_tricks == 0:
        return -3
    if side_points >= 91:
        return 2
    if side_points >= 61:
        return 1
    return -1 if side_points >= 31 else -2


def picked_chips(rules, picker, partner, m, factor, side_tricks) -> list[int]:
    """Section 6, the table. `factor` is the stakes and all doubling."""
    n = rules.num_players
    unit = m * factor
    if m < 0 and rules.double_on_bump:
        unit *= 2
    chips = [-unit] * n
    if partner is None:
        chips[picker] = (n - 1) * unit
    elif side_tricks == 0 and rules.partner_off_hook:
        chips[picker], chips[partner] = (n - 2) * unit, 0
    else:
        chips[picker], chips[partner] = {4: 1, 5: 2, 6: 3}[n] * unit, unit
    return chips


def leaster_winner(totals, tricks) -> int | None:
    """Section 5."""
    candidates = [seat for seat, count in enumerate(tricks) if count]
    lowest = min(totals[seat] for seat in candidates)
    winners = [seat for seat in candidates if totals[seat] == lowest]
    return winners[0] if len(winners) == 1 else None


def leaster_chips(totals, tricks, stakes) -> list[int]:
    winner, n = leaster_winner(totals, tricks), len(totals)
    if winner is None:
        return [0] * n
    return [(n - 1) * stakes if seat == winner else -stakes for seat in range(n)]


def next_stakes(rules, void: bool, multiplier: int, queue: int) -> tuple[int, int, int]:
    """Section 7: stakes of the next deal, and the new M and Q."""
    if rules.doubler_mode == "multiply":
        multiplier = min(2 * multiplier, rules.doubler_cap) if void else 1
        return multiplier, multiplier, 0
    queue = queue + 1 if void else max(queue - 1, 0)
    return (2 if queue > 0 else 1), 1, queue
