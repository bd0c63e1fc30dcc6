"""Fits the weights of the Euchre heuristic in self-play.

    python experiments/euchre_heuristic/fit.py bids partners 6  worth of the parts of a hand: batches
    python experiments/euchre_heuristic/fit.py defence 6  the same for lone defenders
    python experiments/euchre_heuristic/fit.py passing partners 6  what to call with: in rounds
    python experiments/euchre_heuristic/fit.py play 120  weights of card play: seconds

The kinds of seats are those of `PRESET` below; a batch is 16,384 deals. All write what they find into
`jaxcards/agents/heuristics/euchre/bidding_tables.py` or, if the new weights beat the old ones, into
`playing.py`. README.md says what the steps brought.
"""

import re
import sys
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from jaxcards.agents.heuristics.euchre import bidding, hands, playing
from jaxcards.agents.heuristics.euchre import bidding_tables as tables
from jaxcards.agents.heuristics.euchre import player as euchre_rules
from jaxcards.cards.seats import places_after
from jaxcards.evaluation.duplicate import evaluate
from jaxcards.games.euchre import calls
from jaxcards.games.euchre.play import BID2, DEFEND, DISCARD
from jaxcards.rollouts import rollout
from jaxcards.xla import jit

sys.path.append(str(Path(__file__).parents[1]))

from common.fitting import climb, flat, gradient_of

NAMES = (*bidding.PLACE_PARTS, *hands.HAND_PARTS)
TABLES = Path(tables.__file__)
PRESET = {
    "PARTNERS": "standard", "PARTNERS_STICK": "stick_the_dealer",
    "TAKER": "three_handed", "PAIR": "three_handed",
    "CUTTHROAT": "three_handed_code", "OPEN": "dummy_partner", "AGAINST_OPEN": "dummy_partner",
}  # fmt: skip
ONLY_SEAT_0 = {"TAKER": True, "OPEN": True, "PAIR": False, "AGAINST_OPEN": False}
BATCH = 16384


class Player:
    """The heuristic with its weights as parameters."""

    def __init__(self, rules: Any) -> None:
        self.rules = rules

    def init(self, key: jax.Array, game: Any) -> Any:
        return euchre_rules.weights_of(self.rules)

    def act(self, params: Any, observation: Any, legal: Any, key: jax.Array) -> jax.Array:
        return euchre_rules.choose(self.rules, params, observation, legal)


def as_floats(weights: Any) -> Any:
    return jax.tree.map(jnp.float32, weights)


def act(player: Player, params: Any, game: Any, state: Any) -> jax.Array:
    seen = game.observe(state, state.current_player)
    return player.act(params, seen, game.legal_actions(state), None)


def bidding_until(game: Any, player: Player, params: Any, key: jax.Array) -> tuple[Any, jax.Array]:
    """A deal up to a random decision of the bidding, and whether nobody has named a suit before."""
    state = game.init(key)
    bidders = len(game.hints.dealers)
    length = jax.random.randint(jax.random.fold_in(key, 1), (), 0, 2 * bidders)

    def step(carry: Any, number: jax.Array) -> Any:
        state, passed = carry
        action = act(player, params, game, state)
        before = number < length
        passed = passed & (~before | (action == calls.PASS))
        after = game.step(state, jnp.int32(calls.PASS))
        return (jax.tree.map(lambda a, b: jnp.where(before, a, b), after, state), passed), None

    (state, passed), _ = jax.lax.scan(step, (state, jnp.bool_(True)), jnp.arange(2 * bidders))
    return state, passed & ~state.terminated & (state.calls.phase <= BID2)


def best_call(game: Any, params: Any, state: Any, noise: jax.Array) -> tuple[jax.Array, Any]:
    """The suit that looks best, with some noise, and its offer."""
    rules = game.rules
    seen = game.observe(state, state.current_player)
    bids = euchre_rules.seat_bids(params, seen)
    scores, _ = bidding.call_scores(rules, bids, seen)
    first = bidding.first_suit(seen)
    (word,) = game.legal_actions(state).words
    legal = [(word >> (calls.CALL + (first ^ c))) & 1 == 1 for c in range(4)]
    values = jnp.stack([jnp.where(ok, s, -1e9) for ok, s in zip(legal, scores, strict=True)])
    colour = jnp.argmax(values + noise).astype(jnp.uint32)
    return (calls.CALL + (first ^ colour)).astype(jnp.int32), values.max()


def settled(game: Any, player: Player, params: Any, state: Any, call: jax.Array) -> Any:
    """The state in which the maker is asked whether it plays alone."""
    state = game.step(state, call)
    after = game.step(state, act(player, params, game, state))
    discards = state.calls.phase == DISCARD
    return jax.tree.map(lambda a, b: jnp.where(discards, a, b), after, state)


def relevant(kind: str, state: Any) -> jax.Array:
    wanted = ONLY_SEAT_0.get(kind)
    return jnp.bool_(True) if wanted is None else (state.calls.seat == 0) == wanted


def collect(function: Any, params: Any, numbers: Any) -> Any:
    """What a function of a deal and of the player's weights gives, over some batches of deals."""
    run = jit(lambda keys, params: jax.vmap(function, (0, None))(keys, params))
    rows = []
    for number in numbers:
        keys = jax.random.split(jax.random.key(number + 1000), BATCH)
        rows.append(jax.tree.map(np.asarray, run(keys, params)))
    return jax.tree.map(lambda *a: np.concatenate(a), *rows)


def both(game: Any, player: Player, params: Any, key: jax.Array, state: Any, *actions: Any) -> Any:
    """The ends of a deal after each of two actions."""

    def play_on(action: jax.Array) -> Any:
        return rollout(game, player, params, key, state=game.step(state, action))

    return jax.vmap(play_on)(jnp.stack([jnp.asarray(a, jnp.int32) for a in actions]))


def tune_bids(kind: str, batches: int) -> None:
    """Regression of the makers' tricks on the parts of the hand, of success on the tricks expected."""
    game = jaxcards.make(f"euchre/{PRESET[kind]}")
    player = Player(game.rules)

    def deal(key: jax.Array, params: Any) -> Any:
        state, valid = bidding_until(game, player, params, key)
        valid = valid & relevant(kind, state)
        noise = 0.4 * jax.random.gumbel(jax.random.fold_in(key, 2), (4,))
        call, value = best_call(game, params, state, noise)
        asked = settled(game, player, params, state, call)
        seen = game.observe(asked, asked.current_player)
        bids = euchre_rules.seat_bids(params, seen)
        own = bidding.offer(game.rules, bids, seen, 0)
        # Of a taker the hand after the exchange counts, whichever cards it was to name the suit with.
        found = bidding.parts(game.rules, seen, 0)
        counted = [jnp.stack(part) if part else jnp.zeros(0) for part in found]
        maker = asked.current_player
        done = both(game, player, params, key, asked, calls.SAY_TEAM, calls.SAY_ALONE)
        won = jax.vmap(game.progress)(done.state)[:, maker]
        return valid, own.points, own.points_alone, *counted, *won

    params = as_floats(euchre_rules.weights_of(game.rules))
    valid, points, points_alone, *counted, team, alone = collect(deal, params, range(batches))
    together, lone, opened = [rows[valid] for rows in counted]
    points, points_alone, team, alone = (a[valid] for a in (points, points_alone, team, alone))
    fair = points >= np.quantile(points, 0.35)
    # Both choose: what a partner or a dummy makes strong is not what the player holds for strong alone.
    good = (points >= np.quantile(points, 0.7)) | (points_alone >= np.quantile(points_alone, 0.7))
    x = np.column_stack([together, opened])[fair]
    found = regression(x, team[fair])
    worth = [found[: len(NAMES)], regression(lone[good], alone[good]), found[len(NAMES) :]]
    logits = []
    for weights, rows, won in ((found, x, team[fair]), (worth[1], lone[good], alone[good])):
        estimate = rows @ weights
        logits.append([logistic(estimate, won >= 3), logistic(estimate, won == 5)])
        print(f"{kind}: {len(won)} deals, mean {won.mean():.2f}, {(won - estimate).std():.2f} around")
    write(kind, table_text(kind, worth, logits))


def regression(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    x = x.astype(np.float64)
    penalty = np.diag([1e-3] + [15.0] * (x.shape[1] - 1))
    return np.round(np.linalg.solve(x.T @ x + penalty, x.T @ y), 3)


def logistic(estimate: np.ndarray, success: np.ndarray) -> tuple[float, float]:
    """Constant and slope by Newton's method."""
    a = np.column_stack([np.ones(len(estimate)), estimate]).astype(np.float64)
    b = np.zeros(2)
    for _ in range(30):
        p = 1 / (1 + np.exp(-a @ b))
        hessian = (a * (p * (1 - p))[:, None]).T @ a + 1e-3 * np.eye(2)
        b = b + np.linalg.solve(hessian, a.T @ (success - p) - 1e-3 * b)
    return round(float(b[0]), 2), round(float(b[1]), 2)


def table_text(kind: str, worth: Any, logits: Any) -> str:
    lines = [f"{kind}: tuple[Row, ...] = ("]
    opened = {name: value for name, value in zip(hands.HAND_PARTS, worth[2], strict=False)}
    for name, together, alone in zip(NAMES, worth[0], worth[1], strict=True):
        more = f", {opened[name]:.2f}" if name in opened else ""
        lines.append(f'    ("{name}", {together:.2f}, {alone:.2f}{more}),')
    lines += [")", f"{kind}_CHANCES = ("]
    for name, (three, five) in zip(("together", "alone"), logits, strict=True):
        lines.append(f"    ({three}, {five}),  # {name}")
    return "\n".join([*lines, ")"]).replace("-0.00", "0.00")


def write(name: str, text: str) -> None:
    """Puts a table in the place of the one that is there."""
    head = text.split("\n")[0].split(" =")[0].split(":")[0]
    heads = [line for line in text.split("\n") if not line.startswith((" ", ")"))]
    last = heads[-1].split(" =")[0].split(":")[0]
    source = TABLES.read_text()
    single = rf"^{head}(:[^=]*)? = \(.*?^\)$"
    pattern = single if head == last else rf"^{head}: .*?^{last} = \(\n.*?^\)$"
    source, number = re.subn(pattern, lambda _: text, source, flags=re.M | re.S)
    assert number == 1, f"no table {name}"
    TABLES.write_text(source)


def tune_passing(kind: str, rounds: int) -> None:
    """Finds for each place and round the value from which on naming a suit brings more than passing."""
    game = jaxcards.make(f"euchre/{PRESET[kind]}")
    player = Player(game.rules)

    def deal(key: jax.Array, params: Any) -> Any:
        state, valid = bidding_until(game, player, params, key)
        (word,) = game.legal_actions(state).words
        valid = valid & relevant(kind, state) & ((word >> calls.PASS) & 1 == 1)
        call, value = best_call(game, params, state, jnp.zeros(4))
        me, number = state.current_player, len(game.init(key).hands)
        place = places_after(state.public.dealer, state.calls.seat, number)
        results = both(game, player, params, key, state, call, calls.PASS).returns
        # Where everyone plays alone, what the others get is theirs.
        own = [r[me] - (r.sum() - r[me]) / 2 * (game.teams is None) for r in results]
        return valid, value, place, state.calls.phase == BID2, *own

    run = jit(lambda keys, params: jax.vmap(deal, (0, None))(keys, params))
    params = as_floats(euchre_rules.weights_of(game.rules))
    name = "own" if ONLY_SEAT_0.get(kind) else "bids"
    found = np.array(getattr(euchre_rules.weights_of(game.rules), name).passing)
    for number in range(rounds):
        passing = tuple(tuple(jnp.float32(v) for v in row) for row in found)
        params = params._replace(**{name: getattr(params, name)._replace(passing=passing)})
        keys = jax.random.split(jax.random.key(number + 2000), BATCH)
        rows = jax.tree.map(np.asarray, run(keys, params))
        # What passing brings depends on what others call with.
        found = found + (0.7 if number < 2 else 0.4) * (best_thresholds(kind, found, *rows) - found)
        print(kind, number, np.round(found, 2).tolist(), flush=True)
    rows = "\n".join(f"    {tuple(round(float(v), 2) for v in row)}," for row in found)
    write(f"{kind}_PASSING", f"{kind}_PASSING = (\n{rows}\n)")


def best_thresholds(
    kind: str, now: Any, valid: Any, value: Any, place: Any, second: Any, called: Any, passed: Any
) -> np.ndarray:
    """The values, by round and place, from which on naming a suit brings most."""
    best = now.copy()
    grid = np.arange(-1.6, 1.6, 0.04)
    for late in (0, 1):
        for number in range(4):
            use = valid & (place == number) & (second == bool(late))
            if use.sum() < 40:
                continue
            gains = [np.where(value[use] >= t, (called - passed)[use], 0).mean() for t in grid]
            near = np.convolve(np.pad(gains, 4, mode="edge"), np.ones(9) / 9, mode="valid")
            # Hands about which there is doubt pass.
            doubt = 0.15 * (called - passed)[use].std() / np.sqrt(use.sum())
            best[late][number] = grid[np.flatnonzero(near >= near.max() - doubt)[-1]]
    return best


def tune_defence(batches: int) -> None:
    """Regression of a lone defender's tricks, and the number from which on it brings more."""
    game = jaxcards.make("euchre/open_spiel_no_stick_lone_defender")
    player = Player(game.rules)

    def deal(key: jax.Array, params: Any) -> Any:
        state, _ = bidding_until(game, player, params, key)
        call, value = best_call(game, params, state, jnp.zeros(4))
        asked = settled(game, player, params, state, call)
        lone = jax.random.bernoulli(jax.random.fold_in(key, 3), 0.5)
        state = game.step(asked, jnp.where(lone, calls.SAY_ALONE, calls.SAY_TEAM))
        late = jax.random.bernoulli(jax.random.fold_in(key, 4), 0.5)
        second = game.step(state, jnp.int32(calls.SAY_TEAM))
        state = jax.tree.map(lambda a, b: jnp.where(late, a, b), second, state)
        strong = jnp.where(lone, act(player, params, game, asked) == calls.SAY_ALONE, value > 0)
        valid = (state.calls.phase == DEFEND) & strong
        me = state.current_player
        seen = game.observe(state, me)
        hand = bidding._renamed(bidding.first_suit(seen), seen.hand)
        counted = jnp.stack([jnp.float32(1), *hands.hand_parts(hand)])
        done = both(game, player, params, key, state, calls.SAY_ALONE, calls.SAY_TEAM)
        won = jax.vmap(game.progress)(done.state)[0, me]
        return valid, lone, counted, won, *done.returns[:, me]

    params = as_floats(euchre_rules.weights_of(game.rules))
    valid, lone, counted, won, alone, team = collect(deal, params, range(batches))
    least, worths = [], []
    for case in (True, False):
        use = valid & (lone == case)
        x = counted[use]
        strong = x @ np.array([1, 1, 1, 0.7, 0.6, 0.5, 0.4] + [0] * 5 + [0.6] + [0] * 8) > 2
        worth = regression(x[strong], won[use][strong])
        estimate = x @ worth
        grid = np.arange(1.0, 4.5, 0.05)
        gain = [np.where(estimate >= t, (alone - team)[use], 0).mean() for t in grid]
        best = float(grid[int(np.argmax(gain))]) if max(gain) > 0 else 9.0
        least.append(round(best, 2))
        worths.append(worth)
        print(f"lone maker {case}: {use.sum()} deals, from {best:.2f} on, gain {max(gain):.4f}, "
              f"{(estimate >= best).mean():.4f} of hands")  # fmt: skip
    lines = ["DEFENCE_ROWS: tuple[Row, ...] = ("]
    for name, one, two in zip(("any hand", *hands.HAND_PARTS), *worths, strict=True):
        lines.append(f'    ("{name}", {one:.2f}, {two:.2f}),')
    write("DEFENCE_ROWS", "\n".join([*lines, ")"]).replace("-0.00", "0.00"))
    write("DEFENCE_LEAST", f"DEFENCE_LEAST = (\n    {least[0]},  # against a lone maker\n"
          f"    {least[1]},  # against two\n)")  # fmt: skip


def tune_play(seconds: float, batch: int = 8192) -> None:
    """Evolution strategy: every deal tries its own small change of all weights, at both tables."""
    game = jaxcards.make("euchre/stick_the_dealer")
    player, base = Player(game.rules), as_floats(euchre_rules.weights_of(game.rules))
    centre, structure = flat(playing.WEIGHTS), jax.tree.structure(playing.WEIGHTS)
    scale = np.maximum(0.05, 0.15 * np.abs(centre)).astype(np.float32)
    seatings = jnp.array([[0, 1, 0, 1], [1, 0, 1, 0]])

    def deal(key: jax.Array, centre: jax.Array) -> tuple[jax.Array, jax.Array]:
        change = jax.random.normal(jax.random.fold_in(key, 7), centre.shape)
        sides = []
        for sign in (1, -1):
            values = centre + sign * scale * change
            leaves = [values[i] for i in range(values.shape[0])]
            sides.append(base._replace(play=jax.tree.unflatten(structure, leaves)))

        def table(seats: jax.Array) -> jax.Array:
            state = auction(game, player, base, key)
            done = rollout(game, [player, player], sides, key, state=state, seats=seats)
            return (done.returns * (1 - 2 * seats)).mean()

        return jax.vmap(table)(seatings).mean(), change

    gradient = gradient_of(deal, batch, np.inf)
    theta = climb(gradient, centre, scale, seconds, rate=0.25, floor=0.1, steady=1e-3)
    theta = np.round(theta, 3)
    theta[:2] = np.minimum(theta[:2], 1)  # `ruffs` and `rescue` are chances
    gain, margin = head_to_head(game, theta, centre, structure)
    print(f"{gain:.4f} ± {margin:.4f} points per deal against the weights before")
    if gain < margin / 2:
        return
    found = jax.tree.unflatten(structure, [round(float(t), 3) for t in theta])
    lines = ["WEIGHTS = Weights(", *(f"    {name}={value}," for name, value in found._asdict().items())]
    source = Path(playing.__file__).read_text()
    text = "\n".join([*lines, ")"])
    source = re.sub(r"^WEIGHTS = Weights\(\n.*?^\)$", lambda _: text, source, flags=re.M | re.S)
    Path(playing.__file__).write_text(source)


def head_to_head(game: Any, ours: Any, theirs: Any, structure: Any) -> tuple[float, float]:
    """Points per deal of one set of weights of card play against another, and the margin."""
    player, base = Player(game.rules), as_floats(euchre_rules.weights_of(game.rules))
    params = [
        base._replace(play=jax.tree.unflatten(structure, [jnp.float32(v) for v in side]))
        for side in (ours, theirs)
    ]
    result = evaluate(game, [player, player], params, ["ours", "theirs"], 32768, batch=4096)
    difference = result.pairs[0].difference
    return difference.mean, (difference.high - difference.low) / 2


def auction(game: Any, player: Player, params: Any, key: jax.Array) -> Any:
    """A deal with its bids and discards made, the same for both tables."""

    def step(state: Any, _: Any) -> Any:
        before = state.calls.phase < 7
        after = game.step(state, act(player, params, game, state))
        return jax.tree.map(lambda a, b: jnp.where(before, a, b), after, state), None

    return jax.lax.scan(step, game.init(key), None, length=10)[0]


if __name__ == "__main__":
    if sys.argv[1] == "bids":
        tune_bids(sys.argv[2].upper(), int(sys.argv[3]))
    elif sys.argv[1] == "passing":
        tune_passing(sys.argv[2].upper(), int(sys.argv[3]))
    elif sys.argv[1] == "defence":
        tune_defence(int(sys.argv[2]))
    else:
        tune_play(float(sys.argv[2]))
