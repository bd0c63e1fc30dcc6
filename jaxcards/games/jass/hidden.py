"""The observation of a Jass player, and samples of hidden hands that fit it."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import jax
import jax.numpy as jnp

from jaxcards import kit
from jaxcards.cards import sets
from jaxcards.cards.seats import field
from jaxcards.cards.sets import CardSet
from jaxcards.determinize import Claim, claim_of_announced, sample_hands
from jaxcards.games.jass import play, score, weis
from jaxcards.games.jass.play import DECK, JassGame, Observation, Public, State
from jaxcards.games.jass.rules import JassRules
from jaxcards.kit import dealt_hands
from jaxcards.kit.state import observed
from jaxcards.xla import prng


def observe(game: JassGame, state: State, player: jax.Array) -> Observation:
    announced, shown = public_weis(game.rules, state) if game.rules.weis else (None, None)
    predictions, won = state.predictions, None
    if predictions is not None and not game.rules.open_predictions:
        # Until the end, only the player's own field of the predictions is visible.
        own = jnp.uint32(255) << jnp.uint32(play.POINTS_BITS) * jnp.asarray(player, jnp.uint32)
        predictions = jnp.where(state.terminated, predictions, predictions & own)
    if state.ends_early and state.match_winner is not None:
        won = state.match_winner != play.NO_WINNER
    return Observation(
        **observed(state, player), announced=announced, shown=shown, predictions=predictions, won=won
    )


def public_weis(rules: JassRules, state: State) -> tuple[jax.Array, tuple[CardSet, ...]]:
    assert state.weis is not None
    found = [weis.chosen(weis.find_melds(rules, hand), state.public.mode) for hand in state.hands]
    return weis_in_public(state.public, state.played_by, found, state.weis)


def weis_in_public(
    public: Public, played_by: Sequence[CardSet], found: Sequence[weis.Melds], settled: jax.Array
) -> tuple[jax.Array, tuple[CardSet, ...]]:
    """Return `announced` and `shown` as in `Observation`.

    A seat names the points of its best Weis with its first card; the scoring team lays its Weis open
    after the first trick. `found` are the Weis of each seat in the mode, `settled` is `State.weis`.
    """
    scores = weis.weis_points(settled)
    first_trick_over = public.num_played >= play.NUM_SEATS
    announced = jnp.uint32(0)
    shown = []
    for seat, melds in enumerate(found):
        points = jnp.where(played_by[seat].any(), melds.best, play.NOT_ANNOUNCED)
        announced = announced | points << (play.ANNOUNCED_BITS * seat)
        # Seats of equal parity are a team.
        lays_open = first_trick_over & (scores[seat % 2] > 0)
        shown.append(weis.meld_cards(melds).where(lays_open))
    return announced, tuple(shown)


def sample_state(game: JassGame, key: jax.Array, observation: Observation) -> State:
    """Return a state with other hands, all possible deals equally likely (docs/jass.md, 7.6).

    It uses all that is certain under the rules of play: cards played, suits that a seat has shown to
    lack, Weis announced and laid open, and that there were no better ones. In Differenzler it draws the
    predictions of others uniformly, unless they are open.
    """
    rules, seen = game.rules, observation
    allowed, sizes = possible_cards(seen)
    held = sample_hands(
        key, seen.player, seen.hand, allowed, sizes, max_size=play.HAND_SIZE, facts=seen,
        fits=partial(_fits, rules) if rules.weis or rules.finish == "immediate" else None,
        claim=_claim(rules, seen) if rules.weis else None,
    )  # fmt: skip
    state = _state(rules, seen, held)
    if seen.won is not None:
        # All know whether a team has won the match; the hands tell which one.
        winner = score.replayed_match_winner(rules, state)
        state = replace(state, match_winner=jnp.where(seen.won, winner, jnp.uint8(play.NO_WINNER)))
    if seen.predictions is None or rules.open_predictions:
        return replace(state, predictions=seen.predictions)
    return replace(state, predictions=_predictions(key, seen))


def _state(rules: JassRules, seen: Observation, held: Sequence[CardSet]) -> State:
    """Return the state in which the seats hold these cards, without predictions."""
    hands = dealt_hands(held, seen)
    state = State(
        public=seen.public, hands=hands, played=seen.played, weis=_weis(rules, seen, hands),
        match_winner=jnp.uint8(play.NO_WINNER) if rules.target else None, predictions=None,
        ends_early=rules.finish == "immediate",
    )  # fmt: skip
    # Where a winner ends the deal, its going on shows that neither team has won.
    if rules.target and rules.finish == "deal_end":
        state = replace(state, match_winner=score.replayed_match_winner(rules, state))
    return state


def possible_cards(seen: Observation) -> tuple[list[CardSet], list[jax.Array]]:
    """Return the unseen cards that each seat may hold, and the number it holds: int32."""
    public = seen.public
    # The jack of trumps need not follow a lead of trumps: lacking trumps may not mean it.
    jack = CardSet.in_suit(DECK, public.mode, jnp.uint32(1 << play.JACK))
    allowed, sizes = kit.possible_cards(seen, seen.unseen, public.voids, play.HAND_SIZE, excused=jack)
    if seen.shown is not None:
        # Cards laid open cannot be held by another seat.
        for other, shown in enumerate(seen.shown):
            allowed = [cards if seat == other else cards - shown for seat, cards in enumerate(allowed)]
    return allowed, sizes


def _claim(rules: JassRules, seen: Observation) -> Claim:
    """Return the event that another seat has a Weis of the points that it announced."""
    table = weis.table(rules)
    words = tuple(map(jnp.asarray, table.sets))
    return claim_of_announced(seen, play.ANNOUNCED_BITS, words, jnp.asarray(table.number))


def _fits(rules: JassRules, seen: Observation, held: Sequence[CardSet]) -> jax.Array:
    """Return whether a deal agrees with all that is public of Weis and of the match: bool."""
    public, fits = seen.public, jnp.ones((), bool)
    if seen.announced is not None and seen.shown is not None:
        hands = dealt_hands(held, seen)
        found = [weis.chosen(weis.find_melds(rules, hand), public.mode) for hand in hands]
        by_partner = _partner_leads(rules, public)
        settled = weis.settled_contest(found, public.mode, public.forehand, by_partner)
        announced, shown = weis_in_public(public, seen.played_by, found, settled)
        fits = announced == seen.announced
        for one, other in zip(shown, seen.shown, strict=True):
            fits = fits & one.equals(other)
    if seen.won is not None:
        # The deal goes on if and only if neither side has won, with Weis and Stöck that others hold.
        won = score.replayed_match_winner(rules, _state(rules, seen, held)) != play.NO_WINNER
        fits = fits & (won == seen.won)
    return fits


def _partner_leads(rules: JassRules, public: Public) -> jax.Array | None:
    return play.partner_leads(rules, public.num_calls == 2, public.mode)


def _weis(rules: JassRules, seen: Observation, hands: tuple[CardSet, ...]) -> jax.Array | None:
    """Return `State.weis` of hands."""
    if seen.shown is None:
        return None
    public = seen.public
    # After the first trick it is public which Weis count: those that lie open.
    settled = public.num_played >= play.NUM_SEATS
    counted = [sets.select(settled, a, b) for a, b in zip(seen.shown, hands, strict=True)]
    fresh = weis.contest(rules, counted, public.forehand)
    settled_now = weis.settle(fresh, public.mode, _partner_leads(rules, public))
    return jnp.where(public.mode < play.NUM_MODES, settled_now, fresh)


def _predictions(key: jax.Array, seen: Observation) -> jax.Array:
    """Return the known predictions and, for other seats that have predicted, random ones."""
    public = seen.public
    assert seen.predictions is not None
    over = public.num_played == play.NUM_CARDS_PLAYED
    words = prng.key_words(key)
    said = jnp.uint32(0)
    for seat in range(play.NUM_SEATS):
        # place: the seat's turn to predict, from 0 on.
        place = (jnp.uint32(seat) - public.dealer.astype(jnp.uint32) - 1) & 3
        drawn = prng.below(
            prng.random_word(words, seat), jnp.uint32(play.CARD_POINTS + 1), play.CARD_POINTS + 1
        )
        known = field(seen.predictions, seat, play.POINTS_BITS)
        drawn = jnp.where(over | (seen.player == seat), known, drawn)
        # A seat that has not predicted yet has 0.
        drawn = jnp.where(place < public.num_calls.astype(jnp.uint32), drawn, 0)
        said = said | drawn << (play.POINTS_BITS * seat)
    return said
