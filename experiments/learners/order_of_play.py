"""Whether the order of play tells where hidden cards are, beyond what the features tell.

    python experiments/learners/order_of_play.py euchre/standard sheepshead/standard

The features of a game say who has played which cards, but not in which tricks. The shipped player plays
deals, and at every choice two networks are asked who holds each card that others hold: one sees the
features, the other also the cards of every trick and those that were led. Both learn from the same
choices, and `order_of_play.json` has how surprised each is at choices that it has not learned from.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

import jaxcards
from jaxcards import xla
from jaxcards.agents.networks.network import PlanesNetwork
from jaxcards.cards.history import CARD_BITS, card_at
from jaxcards.files import write_text
from jaxcards.rollouts import chooser, deal_keys
from jaxcards.stages import ANY
from jaxcards.xla import prng

FOUND = Path(__file__).parent / "order_of_play.json"
PART = 2048  # deals played at the same time
HIDDEN = (512, 256)
BATCH, STEPS, RATE = 1024, 2500, 2e-3
HELD_OUT = 0.1  # of the choices: the first ones, from other deals than the rest


def names_of(game: Any, seen: Any) -> jax.Array:
    """Returns what features name each card, and the card of each name: int32[num_cards]."""
    return jax.vmap(lambda card: game.relabel_action(seen, card))(jnp.arange(game.deck.num_cards))


def order_of(game: Any, seen: Any) -> jax.Array:
    """Returns which cards were led, and which fell in each trick, as features name them: bool[n]."""
    public, cards = seen.public, jnp.arange(game.deck.num_cards)
    number = sum(owned.count() for owned in seen.played_by)
    a_trick = game.num_players
    if game.name == "euchre":  # a partner may sit out
        a_trick = jax.lax.population_count(public.calls.active)
    places = jnp.arange(len(public.history) * (32 // CARD_BITS))
    card = jnp.stack([card_at(public.history, place) for place in range(len(places))])
    played = (card[:, None] == cards) & (places < number)[:, None]
    played = played[:, names_of(game, seen)]  # [place, card as features name it]
    sets = [places % a_trick == 0]
    sets += [places // a_trick == trick for trick in range(-(-len(places) // game.num_players))]
    return jnp.concatenate([(played & chosen[:, None]).any(0) for chosen in sets])


def choices_of(game: Any) -> Any:
    """Returns a compiled function from numbers of deals to what is seen and hidden at their choices."""
    agent, params = jaxcards.load_agent(game)
    agent, others = agent.fast_policy, game.num_players - 1

    def at(state: Any) -> tuple[jax.Array, jax.Array, jax.Array]:
        me = state.current_player
        seen = game.observe(state, me)
        bits = jnp.concatenate([game.features(seen) > 0, order_of(game, seen)])
        hands = [hand.mask() for hand in game.card_places(state).hands]
        around = jnp.roll(jnp.stack(hands), -1 - me, axis=0)[:others]
        around = around[:, names_of(game, seen)]
        holder = jnp.where(around.any(0), around.argmax(0), others)
        chooses = ~state.terminated & (game.legal_actions(state).count() > 1)
        return jnp.packbits(bits), holder.astype(jnp.uint8), chooses

    def deal(key: Any) -> Any:
        choose = chooser(game, agent, params, key, None)

        def once(carry: Any, _: None) -> Any:
            state, place = carry
            action, _ = choose(game, carry, ANY)
            return (game.step(state, action), place + jnp.uint32(prng.PLACE_STEP)), at(state)

        start = game.init(key), prng.place(prng.key_words(key), 0)
        return jax.lax.scan(once, start, length=game.max_steps)[1]

    return xla.jit(lambda numbers: jax.vmap(deal)(deal_keys(jnp.uint32(5), numbers)))


def gather(game: Any, deals: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns packed bits and holders of the choices of so many deals."""
    play, seen, holders = choices_of(game), [], []
    for first in range(0, deals, PART):
        bits, holder, chooses = map(np.asarray, play(jnp.arange(first, first + PART, dtype=jnp.uint32)))
        seen.append(bits[chooses])
        holders.append(holder[chooses])
    return np.concatenate(seen), np.concatenate(holders)


def surprise(game: Any, size: int, seen: np.ndarray, holders: np.ndarray) -> dict[str, float]:
    """Returns -log p of the true holder of a card that another player holds, on choices held out.

    Args:
      game: what is played.
      size: how many of the bits the network sees.
      seen, holders: what `gather` returned.

    Returns:
      `mean`, in nats, with `half_width` of its 95 % interval, by choices.
    """
    cards, others = game.deck.num_cards, game.num_players - 1
    network = PlanesNetwork(size, HIDDEN, cards * others, jnp.float32)

    def losses(params: Any, bits: jax.Array, holder: jax.Array) -> jax.Array:
        logits = network.apply(params, jnp.unpackbits(bits, axis=-1)[:, :size].astype(jnp.float32))
        chances = jax.nn.log_softmax(logits.reshape(-1, cards, others))
        held = holder < others
        right = jnp.take_along_axis(chances, jnp.minimum(holder, others - 1)[..., None], -1)[..., 0]
        return -(right * held).sum(-1) / jnp.maximum(held.sum(-1), 1)

    optimiser = optax.adam(optax.cosine_decay_schedule(RATE, STEPS))

    @jax.jit
    def step(params: Any, state: Any, bits: jax.Array, holder: jax.Array) -> tuple[Any, Any]:
        slope = jax.grad(lambda p: losses(p, bits, holder).mean())(params)
        change, state = optimiser.update(slope, state, params)
        return optax.apply_updates(params, change), state

    params = network.fresh(jax.random.key(0))
    state, rng, test = optimiser.init(params), np.random.default_rng(0), int(HELD_OUT * len(seen))
    for _ in range(STEPS):
        chosen = rng.integers(test, len(seen), BATCH)
        params, state = step(params, state, seen[chosen], holders[chosen])
    judge, whole = jax.jit(losses), test // BATCH * BATCH
    parts = [judge(params, seen[k : k + BATCH], holders[k : k + BATCH]) for k in range(0, whole, BATCH)]
    found = np.concatenate(parts)
    return {"mean": float(found.mean()), "half_width": float(1.96 * found.std() / len(found) ** 0.5)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("games", nargs="+", metavar="ID")
    parser.add_argument("--deals", type=int, default=20 * PART)
    options = parser.parse_args()
    for id in options.games:
        game = jaxcards.make(id)
        seen, holders = gather(game, options.deals)
        first = game.observe(game.init(jax.random.key(0)), jnp.int32(0))
        every = game.num_features + order_of(game, first).size
        row = {
            "choices": len(seen),
            "features": surprise(game, game.num_features, seen, holders),
            "features_and_order": surprise(game, every, seen, holders),
        }
        print(id, json.dumps(row), flush=True)
        known = json.loads(FOUND.read_text("utf-8")) if FOUND.exists() else {}
        write_text(FOUND, json.dumps(known | {game.id: row}, indent=1) + "\n")


if __name__ == "__main__":
    main()
