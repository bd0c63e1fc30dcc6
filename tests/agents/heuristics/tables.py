"""Tables at which the heuristics of all games are watched: strength, honesty, single answers."""

import functools
from collections.abc import Iterable, Sequence

import jax
import jax.numpy as jnp
import numpy as np

import jaxcards
from jaxcards.agents.players import make_player
from jaxcards.rollouts import recorded_rollout
from jaxcards.testing.deals import quick_jit


def against_random(game, seatings, deals: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Play the same deals with the heuristic (0) and the random player (1) in several seatings.

    Args:
      game: what is played.
      seatings: int[tables, players], who sits where.
      deals: how many.

    Returns:
      returns float[deals, tables, players]; bool[deals, tables], every action was legal;
      bool[deals, tables], the deal ended.
    """
    agents = [make_player(name, game) for name in ("heuristic", "random")]
    seatings = jnp.asarray(seatings)

    @quick_jit
    def play(keys):
        def table(key, seats):
            result, steps = recorded_rollout(game, agents, [(), ()], key, seats=seats)
            legal = jax.vmap(lambda legal, action: legal.contains(action))(steps.legal, steps.action)
            return result.returns, jnp.all(legal), result.state.terminated

        return jax.vmap(lambda key: jax.vmap(lambda seats: table(key, seats))(seatings))(keys)

    returns, legal, ended = play(jax.random.split(jax.random.key(5), deals))
    return np.asarray(returns), np.asarray(legal), np.asarray(ended)


def interval(gain: np.ndarray) -> tuple[float, float]:
    """Mean of independent values, and the half width of its 95 % interval."""
    return float(gain.mean()), float(1.96 * gain.std() / np.sqrt(len(gain)))


MOST_ACTIONS = 20


@functools.cache
def _replaying(id: str):
    """Compile the state after some actions, whether they were legal, and the heuristic answer."""
    game = jaxcards.make(id)
    agent = make_player("heuristic", game)

    def replay(deck, dealer, actions, facts):
        def step(state, action):
            ends = action < 0
            legal = game.legal_actions(state).contains(action) | ends
            after = game.step(state, action)
            return jax.tree.map(lambda a, b: jnp.where(ends, a, b), state, after), legal

        state, legal = jax.lax.scan(step, game.init_from_deck(deck, dealer, **facts), actions)
        seen = game.observe(state, state.current_player)
        answer = agent.act((), seen, game.legal_actions(state), jax.random.key(0))
        return state, legal.all(), answer

    return quick_jit(replay)


def replayed(id: str, deck: Sequence[int], dealer: int, actions: Sequence[int], **facts: int):
    """Return the state of a deal after some actions, and what the heuristic player then does."""
    numbers = np.full(MOST_ACTIONS, -1, np.int32)
    numbers[: len(actions)] = actions
    facts = {name: np.uint32(fact) for name, fact in facts.items()}
    state, legal, answer = _replaying(id)(np.array(deck), np.uint32(dealer), numbers, facts)
    assert legal, "the situation is not a legal one"
    return state, int(answer)


def filled(hands: Sequence[Sequence[int]], sizes: Sequence[int], rest: Iterable[int]) -> list[int]:
    """Return a deck that deals these cards to the places, each filled up in the order of `rest`."""
    taken = {card for cards in hands for card in cards}
    others, deck = [card for card in rest if card not in taken], []
    for own, size in zip(hands, sizes, strict=True):
        missing = size - len(own)
        deck += [*own, *others[:missing]]
        others = others[missing:]
    return deck + others


def check_acts_on_nothing_but_the_observation(game, deals: int, least: int) -> None:
    """Deal other hidden cards at random moments: equal observations must get equal answers.

    If other hands change public facts, such as melds, the observations differ and the moment is
    skipped.

    Args:
      game: the game to play.
      deals: number of moments.
      least: in more than this number of moments, other cards must give the same observation.
    """
    agent = make_player("heuristic", game)

    def moment(key):
        steps = jax.random.randint(key, (), 0, game.max_steps)

        def step(state, number):
            word = jax.random.bits(jax.random.fold_in(key, number))
            after = game.step(state, game.legal_actions(state).sample_word(word))
            on = (number < steps) & ~after.terminated
            return jax.tree.map(lambda a, b: jnp.where(on, a, b), after, state), None

        return jax.lax.scan(step, game.init(key), jnp.arange(game.max_steps))[0]

    def act(key, state):
        seen = game.observe(state, state.current_player)
        return agent.act((), seen, game.legal_actions(state), key), seen

    def hidden(key, state):
        return game.determinize(key, state, state.current_player)

    keys = jax.random.split(jax.random.key(1), deals)
    first = quick_jit(jax.vmap(moment))(keys)
    second = quick_jit(jax.vmap(hidden))(keys, first)
    answers = quick_jit(jax.vmap(act))
    (chosen, seen), (again, seen_again) = answers(keys, first), answers(keys[::-1], second)
    pairs = zip(jax.tree.leaves(seen), jax.tree.leaves(seen_again), strict=True)
    equal = np.all([np.asarray(a == b) for a, b in pairs], axis=0)
    hands = zip(jax.tree.leaves(first.hands), jax.tree.leaves(second.hands), strict=True)
    differ = np.any([np.asarray(a != b) for a, b in hands], axis=0)
    assert (equal & differ).sum() > least
    np.testing.assert_array_equal(np.asarray(chosen)[equal], np.asarray(again)[equal])
