"""The description of Jass for a table: the choice of a mode or a prediction, then the play."""

import jax.numpy as jnp

from jaxcards.agents.heuristics.jass import bidding
from jaxcards.agents.heuristics.jass.view import missing_points, view_of
from jaxcards.agents.learners.qtable import cards
from jaxcards.agents.learners.qtable.decision import Found, bucket, options
from jaxcards.agents.learners.qtable.layout import Feature, Situation
from jaxcards.cards.actions import ActionSet
from jaxcards.games.jass import calls
from jaxcards.games.jass.play import CARD_POINTS, DECK, NO_TRUMP, UNDENUFE, Observation
from jaxcards.games.jass.rules import JassRules

_LEFT = (3, 5, 8)  # classes of cards in hand
_POINTS = (5, 14)  # classes of points on the table
_WORTH = range(-20, 220, 10)  # classes of the expected result of a hand
_STEPS = (-20, -10, 0, 10, 20)  # points by which a prediction differs from the expected result
_PREDICTIONS = (
    "predict 20 points less than promised", "predict 10 points less than promised",
    "predict what is promised",
    "predict 10 points more than promised", "predict 20 points more than promised",
)  # fmt: skip
_MISSING = (1, 15, 35, 60)

_PROMISE = Feature("the best mode promises", ("less", *(f"{points:+d} points" for points in _WORTH)))
_KIND = Feature("it is", ("trumps", "bottom-up", "top-down", "slalom"))
_MARGIN = Feature("the second best promises", ("about as much", "less", "much less"))
_PUSHED = Feature("pushed", cards.YES)
_EXPECTED = Feature("the hand promises", tuple(f"{10 * n} points or more" for n in range(16)))
_SIDE = Feature("side", ("defender", "declarer"))
_SHORT = Feature(
    "points short of the prediction", ("none", "1 to 14", "15 to 34", "35 to 59", "60 or more")
)


def situations(rules: JassRules) -> tuple[Situation, ...]:
    """Return the kinds of decisions."""
    if rules.game == "differenzler":
        leads = Feature("leads first", cards.YES)
        calling = Situation("predicting", (_EXPECTED, leads), _PREDICTIONS)
        return calling, *cards.situations((_SHORT,), _LEFT, alone=True, points=_POINTS)
    actions = ("choose the best mode", "choose the second best mode", "push")
    calling = Situation("choosing a mode", (_PROMISE, _KIND, _MARGIN, _PUSHED), actions)
    return calling, *cards.situations((_SIDE,), _LEFT, points=_POINTS)


def look(rules: JassRules, seen: Observation, legal: ActionSet) -> list[Found]:
    """Return every situation, as seen by the player to act."""
    playable = legal.cards(DECK)
    view = view_of(rules, seen, playable)
    if rules.game == "differenzler":
        calling, own = _predict(rules, seen, legal), bucket(missing_points(seen), _MISSING)
    else:
        # Seats at an even distance from the declarer are on its side.
        calling, own = _choose(rules, seen, legal), (view.from_declarer & 1) == 0
    play = cards.found(playable.any(), view.outlook, [own], _LEFT, view.value, view.on_table, _POINTS)
    return [calling._replace(here=~playable.any()), *play]


def _choose(rules: JassRules, seen: Observation, legal: ActionSet) -> Found:
    pushed = seen.public.num_calls > 0
    values = jnp.stack(bidding.estimates(rules, seen.hand, pushed))
    places = jnp.arange(values.shape[0], dtype=jnp.int32)
    actions = jnp.array([calls.choice_of(mode) for mode in rules.modes], jnp.int32)
    best = values.argmax()
    # Below any estimate, so that the best mode is never the second best as well.
    others = jnp.where(places == best, jnp.iinfo(jnp.int32).min, values)
    second = others.argmax()
    # Estimates are in sixteenths of a point.
    points = values.max() // bidding.UNIT
    mode = jnp.array(rules.modes, jnp.int32)[best]
    # The values of `_KIND`; slaloms have the highest numbers.
    kind = jnp.where(mode == UNDENUFE, 1, jnp.where(mode < NO_TRUMP, 0, 2))
    kind = jnp.where(mode >= NO_TRUMP + 2, 3, kind)
    margin = points - others.max() // bidding.UNIT
    found = options(
        (legal.contains(actions[best]), actions[best]),
        (legal.contains(actions[second]), actions[second]),
        (legal.contains(jnp.uint32(calls.PUSH)), calls.PUSH),
    )
    worth = bucket(points, _WORTH)
    return Found(jnp.bool_(True), [worth, kind, bucket(margin, (8, 25)), pushed], found)


def _predict(rules: JassRules, seen: Observation, legal: ActionSet) -> Found:
    expected = bidding.choose_prediction(rules, seen) - calls.PREDICT
    # The player left of the dealer leads first.
    leads = (seen.player - seen.public.dealer.astype(jnp.int32) - 1) & 3 == 0
    said = [calls.PREDICT + jnp.clip(expected + step, 0, CARD_POINTS) for step in _STEPS]
    found = options(*((legal.contains(action), action) for action in said))
    return Found(jnp.bool_(True), [expected // 10, leads], found)
