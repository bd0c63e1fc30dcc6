"""Pick, find a partner, bury and crack: the phases before the play (docs/sheepshead.md, 3).

Seats ask for the blind, the picker finds its partner and buries, the others may crack. The duties that
a call brings to picker and partner are here as well. Sets of cards are uint32 words.
"""

import dataclasses

import jax
import jax.numpy as jnp

from jaxcards.cards.actions import IDLE, ActionLayout
from jaxcards.cards.seats import seat_after
from jaxcards.cards.sets import NO_SUIT, CardSet
from jaxcards.games.sheepshead import play
from jaxcards.games.sheepshead.play import DECK, SheepsheadGame, State
from jaxcards.games.sheepshead.rules import SheepsheadRules
from jaxcards.stages import Stage
from jaxcards.xla.fence import fence

PASS_ACTION, PICK_ACTION, PARTNER_ACTION, ALONE_ACTION, CRACK_ACTION, RECRACK_ACTION = range(32, 38)
BLITZ_ACTION = 38
CALL_NAMES = ("pass", "pick", "partner", "alone", "crack", "recrack")
FALL_BACK = ("T", "K", "9", "8", "7")  # in the order in which they may be called
_PHASE_BITS = 4


def call_names(rules: SheepsheadRules) -> tuple[str, ...]:
    """Return the names of the actions from 32 on."""
    return (*CALL_NAMES, "blitz") if rules.blitz else CALL_NAMES


def action_layout(game: SheepsheadGame) -> ActionLayout:
    """Return the layout of the legal actions."""
    # A picker chooses among all its cards, and may show the black queens.
    most = game.rules.hand_size + game.rules.blind_size + game.rules.blitz
    return ActionLayout.after_cards(DECK, PASS_ACTION + len(call_names(game.rules)), most)


def most_calls(rules: SheepsheadRules) -> dict[int, int]:
    """Return for each phase before the play the largest number of decisions in it."""
    others = rules.num_players - 1
    most = {
        play.PICK: others + 1, play.LONER: int(rules.asks_loner),
        play.CALL: int(rules.calls), play.UNKNOWN: int(rules.has_unknown),
        play.BURY: rules.blind_size + rules.blitz, play.CRACK: others * rules.crack,
        # The picker, and then all others except the cracker, may answer.
        play.RECRACK: others if rules.partner_recracks else int(rules.recrack),
    }  # fmt: skip
    return most if rules.picks else {}


# ---- Legal actions ------------------------------------------------------------------------------


def legal_calls(
    rules: SheepsheadRules, state: State, hand: jax.Array, may_call: jax.Array | None, stage: Stage
) -> jax.Array:
    """Return the actions from 32 on that are legal, bit 0 for 32: uint32 (docs/sheepshead.md, 3)."""
    public = state.public
    # The actions as bits, from `PASS_ACTION` on.
    pass_, pick, partner, alone, crack, recrack, blitz = (1 << i for i in range(7))
    phase = state.deciding(stage)
    found = jnp.where(phase == play.PICK, jnp.uint32(pass_ | pick), 0)
    if rules.no_pick == "forced_pick":
        forced = (phase == play.PICK) & (state.current_player.astype(jnp.uint32) == public.dealer)
        found = jnp.where(forced, pick, found)
    if rules.asks_loner:
        # A partner is possible only if another player can hold the partner card.
        if may_call is not None:
            possible = may_call != 0
        elif rules.call_up:
            # The lowest jack that the picker lacks is called; with all four, it plays alone.
            possible = play.partner_jack(hand) < play.NO_CARD
        else:
            possible = hand & jnp.uint32(1 << play.JACK_OF_DIAMONDS) == 0
        both = jnp.where(possible, jnp.uint32(partner | alone), jnp.uint32(alone))
        found = jnp.where(phase == play.LONER, both, found)
    if rules.crack and public.called is not None:
        is_partner = hand & play.single(public.called) != 0
        # The holder of the partner card may not crack against its own side.
        may_crack = jnp.where(is_partner, jnp.uint32(pass_), jnp.uint32(pass_ | crack))
        found = jnp.where(phase == play.CRACK, may_crack, found)
    elif rules.crack:
        found = jnp.where(phase == play.CRACK, jnp.uint32(pass_ | crack), found)
    if rules.recrack:
        answers = jnp.uint32(pass_ | recrack)
        if rules.partner_recracks:
            may_answer = is_partner | (state.current_player.astype(jnp.uint32) == public.picker)
            answers = jnp.where(may_answer, answers, jnp.uint32(pass_))
        found = jnp.where(phase == play.RECRACK, answers, found)
    if rules.blitz:
        # The unknown cannot be shown. A partner cannot crack, so it cannot blitz.
        shown = hand if state.unknown is None else hand & ~play.single(state.unknown)
        has_both = shown & play.BLACK_QUEENS == play.BLACK_QUEENS
        begins_bury = (phase == play.BURY) & (state.buried.words[0] == 0)
        now = begins_bury & (public.blitzer == play.NO_SEAT) | (found & crack != 0)
        found = jnp.where(has_both & now, found | blitz, found)
    return found


def callable_cards(rules: SheepsheadRules, hand: jax.Array) -> jax.Array:
    """Return the cards that a picker may call, by its cards and the blind (docs/sheepshead.md, 3.3)."""
    # Fail aces that the picker lacks, and its fail cards.
    fails = play.fail_set(rules.trump_suit)
    aces = fails & play.rank_set("A")
    missing = jnp.uint32(aces) & ~hand
    held = hand & jnp.uint32(fails)
    # A suit is eight bits, the ace on top: a sum carries into the top bit if any other is set.
    low = jnp.uint32(0x7F7F7F7F)
    with_fails = missing & ((held & low) + low)
    # Without such an ace: one of a suit that the picker lacks, or, with all aces, a lower card.
    lower = _fall_back(rules, fails, hand)
    beyond = jnp.where(missing != 0, missing if rules.allow_unknown else jnp.uint32(0), lower)
    return jnp.where(with_fails != 0, with_fails, beyond)


def _fall_back(rules: SheepsheadRules, fails: int, hand: jax.Array) -> jax.Array:
    """Return the cards that a picker with all fail aces may call: uint32."""
    # To get to the next rank takes three more cards in hand, so that not all ranks can be reached.
    reachable = (rules.hand_size + rules.blind_size) // 3
    ranks = {"none": (), "ten": FALL_BACK[:1], "down": FALL_BACK[:reachable]}[rules.call_fallback]
    found = jnp.uint32(0)
    # The first rank with a missing card overrides those after it.
    for rank in reversed(ranks):
        missing = jnp.uint32(fails & play.rank_set(rank)) & ~hand
        found = jnp.where(missing != 0, missing, found)
    return found


def called_class(rules: SheepsheadRules, state: State) -> jax.Array:
    """Return the cards of the called suit's class, the unknown included: uint32; 0 without a call."""
    public = state.public
    assert public.called is not None
    cards = play.fails_of(rules.trump_suit, public.called >> 3)
    return cards if state.unknown is None else cards | play.single(state.unknown)


def cards_of_class(rules: SheepsheadRules, state: State, number: jax.Array) -> jax.Array:
    """Return the cards that follow a class, with the unknown where it belongs: uint32."""
    public = state.public
    cards = play.class_set(rules.trump_suit, number)
    if state.unknown is None or public.called is None:
        return cards
    unknown = play.single(state.unknown)
    return jnp.where(number == public.called >> 3, cards | unknown, cards & ~unknown)


def kept_ace(rules: SheepsheadRules, called: jax.Array) -> jax.Array:
    """Return the ace that a picker must keep for a call below the ace: uint32, else 0."""
    if rules.called_hold == "any":
        return jnp.uint32(0)
    low_call = (called < play.NO_CARD) & (called & 7 != play.ACE)
    return jnp.where(low_call, play.single(called | play.ACE), 0)


def playable(rules: SheepsheadRules, state: State, hand: jax.Array, stage: Stage) -> jax.Array:
    """Return the cards to play, bury or lay as the unknown: uint32 (docs/sheepshead.md, 3.4, 3.5, 4).

    A bury is like a discard on a suit that the hand lacks: the picker keeps what it owes to the called
    suit; the unknown is a card of that suit.
    """
    public = state.public
    # Cards that follow, else the whole hand.
    led = state.trick(stage).led
    follow = hand & cards_of_class(rules, state, led)
    cards = jnp.where(follow == 0, hand, follow)
    if not rules.calls or public.called is None:
        return cards
    # The obligations end when the called card is played: then `own_call` is empty.
    own_call = play.open_call(state)
    suit = called_class(rules, state)
    picks = (state.current_player.astype(jnp.uint32) == public.picker) & (own_call != 0)
    # What a holder must give when the suit is asked for: the called card, or the ace kept for it.
    partner_card = hand & own_call
    ace = jnp.where(picks, kept_ace(rules, public.called) & hand, 0)
    key = partner_card | ace
    withheld = jnp.where(key != 0, suit & ~key, 0)
    # What it must not throw away.
    own = hand & suit
    # `own & (own - 1)` is the set without its lowest card: 0 for a single card.
    last_one = jnp.where(own & (own - 1) == 0, own, 0)
    owed = jnp.where(picks, jnp.where(ace != 0, ace, last_one), 0)
    if not rules.partner_offsuit:
        owed = owed | partner_card
    # A discard or a bury keeps what is owed; a lead or a following card may not withhold the key card.
    leads = (led == NO_SUIT) & (state.deciding(stage) == play.PLAY)
    left = cards & ~jnp.where((follow == 0) & ~leads, owed, withheld)
    return jnp.where(left == 0, hand, left)  # the last card may always be played


# ---- Steps --------------------------------------------------------------------------------------


def prepare(rules: SheepsheadRules, state: State, action: jax.Array, stage: Stage) -> State:
    """Pick, find a partner, bury or crack; a card that is played changes nothing here."""
    public = state.public
    # The kind of action: a pass, a pick, or a card that is buried.
    phase, seat = state.deciding(stage), state.current_player.astype(jnp.uint32)
    is_card = action < play.NO_CARD
    passes, picks = action == PASS_ACTION, action == PICK_ACTION
    buries = is_card & (phase == play.BURY)
    buried = state.buried | CardSet.single(DECK, action).where(buries)
    bury_full = buried.count() == rules.blind_size
    picker = jnp.where(picks, seat, public.picker)
    changed = dataclasses.replace(state, buried=buried).with_public(picker=picker)
    # The phase that follows: after a pick or a pass, then after a call, a bury and a crack.
    following = _after_pick(rules, state, phase, action)
    following = jnp.where(passes & (phase == play.PICK), _after_pass(rules, state, phase), following)
    if rules.calls:
        changed, following = _call(rules, changed, phase, action, following)
    elif rules.partner == "jack_of_diamonds":
        assert public.called is not None
        sure = picks if not rules.loner_choice else action == PARTNER_ACTION
        jack = jnp.uint32(play.JACK_OF_DIAMONDS)
        if rules.call_up:
            jack = play.partner_jack(state.hand_of(state.current_player).words[0])
        called = jnp.where(sure, jack, public.called)
        changed = changed.with_public(called=called)
    if public.blitzer is not None:
        blitzer = jnp.where(action == BLITZ_ACTION, seat, public.blitzer)
        changed = changed.with_public(blitzer=blitzer)
    goes_left = passes
    if rules.crack:
        changed, following = _crack(rules, changed, phase, action, following, buries & bury_full)
        goes_left = goes_left | ((phase == play.BURY) & (following == play.CRACK))
    else:
        following = jnp.where(buries & bury_full, play.PLAY, following)
    # The next player: the seat to the left after a pass, else the picker; the play begins left of the
    # dealer.
    left = seat_after(seat, 1, rules.num_players)
    if rules.partner_recracks:
        left = _asked_to_recrack(rules, changed, seat, phase)
    player = jnp.where(goes_left, left, seat)
    if rules.recrack:
        # The picker answers a crack first.
        player = jnp.where((following == play.RECRACK) & (phase == play.CRACK), picker, player)
    begins = (following == play.PLAY) & (phase != play.PLAY)
    player = jnp.where(begins, seat_after(public.dealer, 1, rules.num_players), player)
    following = state.phase_after(following.astype(jnp.uint32), stage)
    # Fenced together: without it random play is 5 % slower.
    both = fence(following | player << _PHASE_BITS)
    return changed.with_public(
        phase=both & ((1 << _PHASE_BITS) - 1),
        current_player=(both >> _PHASE_BITS).astype(jnp.int32),
    )


def _after_pick(rules: SheepsheadRules, state: State, phase: jax.Array, action: jax.Array) -> jax.Array:
    """Return the phase after a pick, "partner" or "alone", else the phase that is: uint32."""
    picks = action == PICK_ACTION
    if rules.partner == "none":
        return jnp.where(picks, play.BURY, phase)
    first = play.CALL if rules.calls else play.BURY
    if rules.loner_choice:
        following = jnp.where(picks, play.LONER, phase)
        following = jnp.where(action == PARTNER_ACTION, first, following)
        return jnp.where(action == ALONE_ACTION, play.BURY, following)
    if not rules.calls:
        return jnp.where(picks, play.BURY, phase)
    # The picker has not been noted yet, so that its hand still lacks the blind.
    hand = state.hand_of(state.current_player) | state.blind
    # Without a card to call, the picker plays alone.
    after = jnp.where(callable_cards(rules, hand.words[0]) != 0, play.CALL, play.BURY)
    return jnp.where(picks, after, phase)


def _after_pass(rules: SheepsheadRules, state: State, phase: jax.Array) -> jax.Array:
    """Return the phase after a pass on the blind: uint32 (docs/sheepshead.md, 3.1)."""
    after = play.DONE if rules.no_pick == "doubler" else play.PLAY
    last = state.current_player.astype(jnp.uint32) == state.public.dealer
    return jnp.where(last, after, phase)


def _call(
    rules: SheepsheadRules, state: State, phase: jax.Array, action: jax.Array, following: jax.Array
) -> tuple[State, jax.Array]:
    """Call a card and choose the unknown; return the phase that follows as well."""
    assert state.public.called is not None and state.public.keeps is not None
    is_card = action < play.NO_CARD
    calls = is_card & (phase == play.CALL)
    state = state.with_public(
        called=jnp.where(calls, action, state.public.called), keeps=state.public.keeps | calls
    )
    after = jnp.uint32(play.BURY)
    if state.unknown is not None:
        marks = is_card & (phase == play.UNKNOWN)
        state = dataclasses.replace(state, unknown=jnp.where(marks, action, state.unknown))
        # Only an ace can be called without a card of its suit, and then with an unknown.
        (hand,) = state.hand_of(state.current_player).words
        held = hand & play.fails_of(rules.trump_suit, action >> 3)
        after = jnp.where(held == 0, play.UNKNOWN, after)
        following = jnp.where(marks, play.BURY, following)
    return state, jnp.where(calls, after, following)


def _asked_to_recrack(
    rules: SheepsheadRules, state: State, seat: jax.Array, phase: jax.Array
) -> jax.Array:
    """Return the seat that is asked after another one: uint32; to crack back, the cracker is not."""
    left = seat_after(seat, 1, rules.num_players)
    skips = (phase == play.RECRACK) & (left == state.public.cracker)
    return jnp.where(skips, seat_after(left, 1, rules.num_players), left)


def _crack(
    rules: SheepsheadRules, state: State, phase: jax.Array, action: jax.Array,
    following: jax.Array, done: jax.Array,
) -> tuple[State, jax.Array]:  # fmt: skip
    """Crack and crack back (docs/sheepshead.md, 3.6); return the phase that follows as well.

    `state` has the bury of this action, and `done` tells whether that completes it. `phase` is the one
    before, `following` the next as far as other actions decide it.
    """
    assert state.public.cracker is not None
    seat, in_crack = state.current_player.astype(jnp.uint32), phase == play.CRACK
    cracks = action == CRACK_ACTION
    if rules.blitz:
        cracks = cracks | (in_crack & (action == BLITZ_ACTION))
    # Seats after the picker up to the dealer may crack, or all opponents.
    if rules.crack_who == "unasked":
        last = state.public.dealer
        # After a pick by the dealer, all others have passed, and so may not crack.
        asks = jnp.where(state.public.picker == last, jnp.uint32(play.PLAY), jnp.uint32(play.CRACK))
    else:
        last = seat_after(state.public.picker, rules.num_players - 1, rules.num_players)
        asks = jnp.uint32(play.CRACK)
    following = jnp.where(done, asks, following)
    all_passed = in_crack & (action == PASS_ACTION) & (seat == last)
    following = jnp.where(all_passed, play.PLAY, following)
    following = jnp.where(cracks, play.RECRACK if rules.recrack else play.PLAY, following)
    state = state.with_public(cracker=jnp.where(cracks, seat, state.public.cracker))
    if state.public.recracked is not None:
        recracks = action == RECRACK_ACTION
        answered = (phase == play.RECRACK) & (action < IDLE)
        recracker = state.public.recracker
        if recracker is not None:
            asked = _asked_to_recrack(rules, state, seat, phase)
            # If the picker would be asked next, everybody has answered.
            answered = answered & (recracks | (asked == state.public.picker))
            recracker = jnp.where(recracks, seat, recracker)
        following = jnp.where(answered, play.PLAY, following)
        recracked = state.public.recracked | recracks
        state = state.with_public(recracked=recracked, recracker=recracker)
    return state, following


def legal_words(rules: SheepsheadRules, state: State, stage: Stage) -> tuple[jax.Array, jax.Array]:
    """Return the legal actions before the end: the cards, and those from 32 on: uint32 each."""
    (hand,) = state.hand_of(state.current_player).words
    if stage.last:
        return hand, jnp.uint32(0)
    may_call = callable_cards(rules, hand) if rules.calls else None
    said = legal_calls(rules, state, hand, may_call, stage)
    return _legal_cards(rules, state, hand, may_call, stage), said


def _legal_cards(
    rules: SheepsheadRules, state: State, hand: jax.Array, may_call: jax.Array | None, stage: Stage
) -> jax.Array:
    """Return the cards that may be called, made the unknown, buried or played: uint32."""
    phase = state.deciding(stage)
    found = playable(rules, state, hand, stage)
    if may_call is not None:
        found = jnp.where(phase == play.CALL, may_call, found)
    if rules.blitz:
        # A picker that has shown the black queens keeps them in hand.
        shown = (phase == play.BURY) & (state.public.blitzer != play.NO_SEAT)
        found = found & ~jnp.where(shown, jnp.uint32(play.BLACK_QUEENS), 0)
    # The phases in which a card is chosen, as bits.
    moves = (
        (1 << play.BURY)
        | (1 << play.PLAY)
        | ((1 << play.CALL | 1 << play.UNKNOWN) if rules.calls else 0)
    )
    return jnp.where((jnp.uint32(moves) >> phase) & 1 == 1, found, 0)
