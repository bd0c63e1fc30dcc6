"""The score of a deal of Jass (docs/jass.md, 4.5 and 4.6)."""

import dataclasses
from collections.abc import Sequence

import jax
import jax.numpy as jnp

from jaxcards.cards import history
from jaxcards.cards.seats import field
from jaxcards.cards.sets import CardSet
from jaxcards.games.jass import play, weis
from jaxcards.games.jass.play import DECK, Observation, Public, State
from jaxcards.games.jass.rules import JassRules
from jaxcards.kit.play import every_trick_won
from jaxcards.xla.lookup import lookup

STOCK_POINTS = 20

Teams = tuple[jax.Array, jax.Array]


def team_score(rules: JassRules, state: State) -> Teams:
    """Return the points that a deal has added to the totals of both teams so far: uint32."""
    stock = _stock(rules, state.hands, state.public.mode)
    return _of_teams(rules, state.public, stock, _weis(rules, state))


def known_score(rules: JassRules, observation: Observation) -> Teams:
    """Return the points that a player knows a deal has added to the totals of both teams: uint32.

    These are the tricks, the Weis that lie open, and Stöck of cards played or in the own hand.
    """
    public = observation.public
    hand, played = observation.hand, enumerate(observation.played_by)
    seen = [cards | hand.where(observation.player == seat) for seat, cards in played]
    stock, melds = _stock(rules, seen, public.mode), [jnp.uint32(0)] * 2
    if observation.shown is not None:
        totals = [
            weis.chosen(weis.find_melds(rules, cards), public.mode).total for cards in observation.shown
        ]
        melds = [10 * (totals[team] + totals[team + 2]) for team in (0, 1)]
    return _of_teams(rules, public, stock, melds)


def differences(rules: JassRules, state: State) -> list[jax.Array]:
    """Return the penalty of each seat, by its prediction and its points: int32 (Differenzler)."""
    assert state.predictions is not None
    penalties = []
    for seat in range(play.NUM_SEATS):
        said = field(state.predictions, seat, play.POINTS_BITS).astype(jnp.int32)
        missed = jnp.abs(said - play.card_points(state.public, seat).astype(jnp.int32))
        # An exact prediction of 0 earns no bonus.
        if rules.exact_bonus:
            missed = jnp.where((missed == 0) & (said > 0), -rules.exact_bonus, missed)
        penalties.append(missed)
    return penalties


def match_winner(rules: JassRules, state: State) -> jax.Array:
    """Return the team that is first to reach the target with a complete trick: uint8, 2 for none.

    Points are counted in the order Stöck, Weis, tricks, match bonus, or with the first trick before
    Weis. Only one team gains in each step.
    """
    public = state.public
    assert public.totals is not None
    factor, melds = _factor(rules, public), _weis(rules, state)
    stock = _stock(rules, state.hands, public.mode)
    points, bonus = play.team_points(public), _bonus(rules, public)
    winner = jnp.uint32(play.NO_WINNER)
    running = [public.totals[team].astype(jnp.uint32) for team in (0, 1)]
    counted = []
    tricks = (points[0] + bonus[0], points[1] + bonus[1])
    # The order matters in the first trick only: in a later one just its winner can reach the target.
    rest = (melds, tricks) if rules.target_order == "stock_weis_trick" else (tricks, melds)
    for step in (stock, *rest):
        running = [running[team] + factor * step[team] for team in (0, 1)]
        counted.append([total >= rules.target for total in running])
    # The earliest step at which a team is at the target decides.
    for reached in reversed(counted):
        winner = jnp.where(reached[0], 0, jnp.where(reached[1], 1, winner))
    return winner.astype(jnp.uint8)


def replayed_match_winner(rules: JassRules, state: State) -> jax.Array:
    """Return the value of `State.match_winner` after the tricks so far, computed from the cards."""
    public = state.public
    assert public.totals is not None
    factor, bonus = _factor(rules, public), _bonus(rules, public)
    trick = jnp.arange(play.NUM_TRICKS, dtype=jnp.uint32)
    complete = trick < public.num_played >> 2
    # Seats 0 and 2 are team 0.
    side = (public.winners >> (2 * trick)) & 1
    points = jnp.where(complete, _points_of_tricks(public), 0)

    def add(totals: Sequence[jax.Array], step: Sequence[jax.Array]) -> list[jax.Array]:
        pairs = zip(totals, step, strict=True)
        return [total.astype(jnp.uint32) + factor * gain for total, gain in pairs]

    with_stock = add(public.totals, _stock(rules, state.hands, public.mode))
    second = running = add(with_stock, _weis(rules, state))
    if rules.target_order == "stock_trick_weis":
        second = add(with_stock, [jnp.where(side[0] == team, points[0], 0) for team in (0, 1)])
    steps = [[total >= rules.target for total in totals] for totals in (with_stock, second)]
    firsts = []
    for team in (0, 1):
        # won: uint32[9], a team's points after each trick.
        won = jnp.cumsum(jnp.where(side == team, points, 0), dtype=jnp.uint32)
        won = won + jnp.where(trick == play.NUM_TRICKS - 1, bonus[team], 0)
        reached = complete & (running[team] + factor * won >= rules.target)
        firsts.append(jnp.where(reached.any(), reached.argmax().astype(jnp.int32), play.NUM_TRICKS))
    first = jnp.where(firsts[0] < firsts[1], 0, 1)
    winner = jnp.where(jnp.minimum(*firsts) < play.NUM_TRICKS, first, play.NO_WINNER)
    # What is counted before the second trick comes before all that.
    for early in reversed(steps):
        winner = jnp.where(early[0], 0, jnp.where(early[1], 1, winner))
    return jnp.where(complete.any(), winner, play.NO_WINNER).astype(jnp.uint8)


def _points_of_tricks(public: Public) -> jax.Array:
    """Return the points of every trick in the order of play: uint32[9]; 0 for cards to come."""
    index = jnp.arange(DECK.num_cards, dtype=jnp.uint32)
    suit, rank = DECK.suit_and_rank(history.cards(public.history, DECK.num_cards))
    values = play.card_value(public.mode, rank, suit == public.mode)
    points = jnp.where(index < public.num_played, values, 0).reshape(play.NUM_TRICKS, play.NUM_SEATS)
    # The last trick has five points more.
    return points.sum(1, dtype=jnp.uint32).at[-1].add(play.LAST_TRICK_POINTS)


def _of_teams(rules: JassRules, public: Public, stock: Teams, melds: Sequence[jax.Array]) -> Teams:
    """Return the score of both teams: Stöck, Weis, tricks and bonus."""
    factor, bonus, points = _factor(rules, public), _bonus(rules, public), play.team_points(public)
    first, second = (
        factor * (points[team] + stock[team] + melds[team] + bonus[team]) for team in (0, 1)
    )
    return first, second


def _factor(rules: JassRules, public: Public) -> jax.Array:
    if len(set(rules.multipliers)) == 1:
        return jnp.uint32(rules.multipliers[0])
    return lookup(rules.multipliers, public.mode & 7)


def _stock(rules: JassRules, hands: Sequence[CardSet], mode: jax.Array) -> Teams:
    """Return the points of Stöck of both teams, by the cards of each seat: uint32."""
    if not rules.stock:
        return jnp.uint32(0), jnp.uint32(0)
    held = [weis.has_stock(hand, mode) for hand in hands]
    return _points_for((held[0] | held[2], held[1] | held[3]), STOCK_POINTS)


def _weis(rules: JassRules, state: State) -> Teams:
    if state.weis is None:
        return jnp.uint32(0), jnp.uint32(0)
    chosen = state.public.mode < play.UNDECIDED  # Weis count only once a mode is chosen
    first, second = (jnp.where(chosen, points, 0) for points in weis.weis_points(state.weis))
    return first, second


def _bonus(rules: JassRules, public: Public) -> Teams:
    over = public.num_played == play.NUM_CARDS_PLAYED
    return _points_for(every_trick_won(public.winners, over, play.HAND_SIZE), rules.match_bonus)


def _points_for(teams: Teams, points: int) -> Teams:
    """Return points for the teams that have earned them: uint32."""
    first, second = (jnp.where(earned, jnp.uint32(points), 0) for earned in teams)
    return first, second


def with_match_winner(rules: JassRules, state: State, complete: jax.Array) -> State:
    assert state.match_winner is not None
    open_ = complete & (state.match_winner == play.NO_WINNER)
    winner = match_winner(rules, state)
    return dataclasses.replace(state, match_winner=jnp.where(open_, winner, state.match_winner))
