"""Our games as environments of pgx: `to_pgx(jaxcards.make("jass"))`.

All tools of pgx work: `init`, `step` and `observe` under `vmap`, `pgx.experimental.auto_reset`, its
examples, its `api_test`. Policies of pgx's form play as our agents: see
`jaxcards.interop.policies.PolicyAgent`.
"""

import functools
from typing import Any, get_args

import jax
import jax.numpy as jnp

from jaxcards.errors import UserError
from jaxcards.game import Game
from jaxcards.interop import turns
from jaxcards.interop.extras import require
from jaxcards.pictures.grid import grid

_core = require("pgx.core", "pgx", "pgx")
_struct = require("pgx._src.struct", "pgx", "pgx")

_VERSION = "v1"


def to_pgx(game: Game, illegal_penalty: float = -1.0) -> "PgxEnv":
    """Return an environment of pgx that plays a game or a match.

    * `observation` is bool[num_features], the features of the player to act.
    * Actions and `legal_action_mask` have the names of the features; see `turns`.
    * `rewards` are `Game.returns` at the end, and 0 before.
    * An illegal action ends the game, as everywhere in pgx: the side of the player gets
      `illegal_penalty`, and the others share the opposite amount.

    Args:
      game: a game, such as `jaxcards.make("jass")`, or a `Match`.
      illegal_penalty: the reward of the side that chooses an illegal action.

    Raises:
      UserError: if `game` is not a game.
    """
    return PgxEnv(turns.check_game(game), illegal_penalty)


class PgxEnv(_core.Env):  # type: ignore[misc, name-defined]
    """Initialise; see `to_pgx`."""

    def __init__(self, game: Game, illegal_penalty: float) -> None:
        super().__init__()
        self.game, self._penalty = game, float(illegal_penalty)
        self._state_class = _state_class(game)

    def __reduce__(self) -> tuple[Any, ...]:
        return PgxEnv, (self.game, self._penalty)

    def _init(self, key: jax.Array) -> Any:
        return self._with(self.game.init(key), jnp.int32(0))

    def _step(self, state: Any, action: jax.Array, key: jax.Array | None) -> Any:
        del key  # the cards are dealt at the start
        deal = turns.play(self.game, state._deal, action)
        return self._with(deal, state._step_count)

    def _with(self, deal: Any, count: jax.Array) -> Any:
        """Return the state of pgx around a jaxcards state; pgx adds the observation."""
        seen = turns.turn(self.game, deal)
        over = deal.terminated
        return self._state_class(
            current_player=deal.current_player,
            observation=jnp.zeros_like(seen.features),
            rewards=jnp.where(over, self.game.returns(deal), 0.0),
            terminated=over,
            truncated=jnp.zeros((), bool),
            legal_action_mask=seen.mask,
            _step_count=count,
            _deal=deal,
        )

    def _observe(self, state: Any, player_id: jax.Array) -> jax.Array:
        return turns.turn(self.game, state._deal, player_id).features

    def _step_with_illegal_action(self, state: Any, loser: jax.Array) -> Any:
        players = jnp.arange(self.num_players, dtype=jnp.int32)
        guilty = players == loser
        if self.game.teams is not None:
            sides = jnp.array(self.game.teams)
            guilty = sides == sides[loser]
        # At least 1, so that the division is defined if all players are on one side.
        others = jnp.maximum((~guilty).sum(), 1)
        share = -self._penalty * guilty.sum() / others
        rewards = jnp.where(guilty, self._penalty, share).astype(jnp.float32)
        return state.replace(rewards=rewards, terminated=jnp.ones((), bool))

    @property
    def id(self) -> str:
        return turns.env_id(self.game)

    @property
    def version(self) -> str:
        return _VERSION

    @property
    def num_players(self) -> int:
        return self.game.num_players

    @property
    def num_actions(self) -> int:
        return self.game.num_actions

    @property
    def observation_shape(self) -> tuple[int, ...]:
        return (self.game.num_features,)

    @property
    def _illegal_action_penalty(self) -> float:
        return self._penalty


@functools.lru_cache(maxsize=64)
def _state_class(game: Game) -> Any:
    """Return the class of the states of a game: pgx finds the game by the class, not in the data."""
    _register(turns.env_id(game))

    @_struct.dataclass
    class PgxState(_core.State):  # type: ignore[misc, name-defined]
        _deal: Any

        @property
        def env_id(self) -> str:
            return turns.env_id(game)

        def __reduce__(self) -> tuple[Any, ...]:
            return _state_of, (game, vars(self))

        def to_svg(self, *, color_theme: str | None = None, scale: float | None = None) -> str:
            """Return a picture of the table, all hands open; of a batch, the first tables in a grid."""
            del color_theme  # the pictures follow the reader's colours
            return grid(_pictures(game, self._deal), 1.0 if scale is None else scale)

        def save_svg(self, filename: Any, **options: Any) -> None:
            """Write `to_svg` to a file whose name ends in .svg."""
            if not str(filename).endswith(".svg"):
                raise UserError(f"the name must end in .svg, unlike {filename}")
            with open(filename, "w", encoding="utf-8") as file:
                file.write(self.to_svg(**options))

    return PgxState


def _state_of(game: Game, fields: dict[str, Any]) -> Any:
    """Return the state of a game with these fields. A pickle cannot name the class of a game."""
    return _state_class(game)(**fields)


_MOST = 9  # largest number of tables in a picture


def _pictures(game: Game, deal: Any) -> list[str]:
    if not jnp.ndim(deal.terminated):
        return [game.to_svg(deal)]
    # `terminated` is a scalar in one deal, so that all of its axes are axes of the batch.
    flat = jax.tree.map(lambda leaf: leaf.reshape(-1, *leaf.shape[deal.terminated.ndim :]), deal)
    number = min(_MOST, len(flat.terminated))
    return [game.to_svg(jax.tree.map(lambda leaf, i=i: leaf[i], flat)) for i in range(number)]  # type: ignore[misc]


def _register(id: str) -> None:
    """Add an id to those of pgx, which lists them as a type and checks states by it."""
    known: Any = _core.EnvId
    if id not in get_args(known):
        known.__args__ = (*known.__args__, id)
