"""Our games as Python games of OpenSpiel. Importing this module registers them.

    import jaxcards.interop.openspiel
    game = pyspiel.load_game("jaxcards_euchre")
    game = pyspiel.load_game("jaxcards_rikiki", {"preset": "plain", "rules": "num_players:3"})

Optional parameters:

    preset   a preset of the game, such as "tournament"
    rules    rules that differ from it: "num_players:3 schedule:4+3", with + between numbers of a list
    round    of games with rounds, as `Game.init` takes it
    cards    only these cards are shuffled, such as "Ad Kd Qd Jd"; all others lie behind them in order
    deals    chance chooses among this number of deals: deal n of `seed`; 0 for all deals
    seed     of `deals`

Chance draws the dealer, other random facts of a deal, and all cards one by one; or, with `deals`, the
number of a deal. Actions have the numbers and the names of the game. An information state is the
observation of a player, with its full memory. As a string it is the hand and a checksum. As a tensor it
is the features, followed by the suits in the order in which the features name them.
"""

from typing import Any

import jax.numpy as jnp
import numpy as np

from jaxcards.errors import UserError, quote
from jaxcards.interop.extras import require
from jaxcards.interop.openspiel_programs import Programs, Seen, programs, tensor_size
from jaxcards.interop.openspiel_settings import PARAMETERS, read_settings
from jaxcards.rollouts import deal_keys

_pyspiel = require("pyspiel", "openspiel", "OpenSpiel")

PREFIX = "jaxcards_"
# Wide: returns of all presets stay within these, with all melds, doubles and multipliers.
_BOUNDS = {"jass": 10_000, "belote": 10_000, "euchre": 20, "rikiki": 2_000, "sheepshead": 200}
_BOUNDS |= {"hearts": 100, "spades": 2_000, "skat": 2_500, "bridge": 8_000}
_MOST_PLAYERS = 7


def _game_type(name: str) -> Any:
    return _pyspiel.GameType(
        short_name=PREFIX + name,
        long_name=f"jaxcards {name}",
        dynamics=_pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=_pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=_pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=_pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=_pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=_MOST_PLAYERS,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


class CardGame(_pyspiel.Game):  # type: ignore[misc, name-defined]
    """A jaxcards game in OpenSpiel; see above. `jaxcards_game` is the game itself."""

    name: str

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        self.settings = read_settings(self.name, dict(params or {}))
        game = self.jaxcards_game = self.settings.game
        bound = float(_BOUNDS[self.name])
        info = _pyspiel.GameInfo(
            num_distinct_actions=game.num_actions,
            max_chance_outcomes=self.settings.most_outcomes,
            num_players=game.num_players,
            min_utility=-bound,
            max_utility=bound,
            utility_sum=None,
            max_game_length=game.max_steps,
        )
        super().__init__(_game_type(self.name), info, params or {})

    def __reduce__(self) -> tuple[Any, ...]:
        return _game_of, (self.name, self.get_parameters())

    def max_chance_nodes_in_history(self) -> int:
        """Return the number of chance nodes of every history."""
        return self.settings.chance_nodes

    def new_initial_state(self) -> "CardState":
        """Return the state before anything is dealt."""
        return CardState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "CardObserver":
        """Return the observer that writes information states; see `CardObserver`."""
        if params:
            raise UserError(f"observers of jaxcards take no parameters, such as {quote(params)}")
        return CardObserver(self)


class _Kept:
    """A jaxcards deal in a state of OpenSpiel. Immutable, so that copies of a state share it."""

    def __init__(self, deal: Any, seen: Seen) -> None:
        self.deal, self.seen = deal, seen
        self.known: dict[int, tuple[str, np.ndarray]] = {}

    def __deepcopy__(self, memo: Any) -> "_Kept":
        return self


class CardState(_pyspiel.State):  # type: ignore[misc, name-defined]
    """A state: the results of chance so far, or a jaxcards deal."""

    def __init__(self, game: CardGame) -> None:
        super().__init__(game)
        self._settings = game.settings
        self._drawn: list[int] = []
        self._kept: _Kept | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return _state_of, (self.get_game(), self.history(), self._kept)

    @property
    def _programs(self) -> Programs:
        return programs(self._settings.game)

    @property
    def deal(self) -> Any:
        """The state of `jaxcards`; None while chance deals."""
        return None if self._kept is None else self._kept.deal

    # ---- The interface of OpenSpiel -------------------------------------------------------------

    def current_player(self) -> int:
        """Return the player to act, or OpenSpiel's number of chance or of the end."""
        if self._kept is None:
            return _pyspiel.PlayerId.CHANCE
        seen = self._kept.seen
        return _pyspiel.PlayerId.TERMINAL if seen.over else seen.player

    def is_terminal(self) -> bool:
        """Return whether the deal is over."""
        return self._kept is not None and self._kept.seen.over

    def returns(self) -> list[float]:
        """Return `Game.returns` of the finished deal, and 0 before."""
        if not self.is_terminal():
            return [0.0] * self._settings.game.num_players
        assert self._kept is not None
        return list(self._kept.seen.returns)

    def _legal_actions(self, player: int) -> list[int]:
        assert self._kept is not None
        return list(self._kept.seen.legal) if player == self._kept.seen.player else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of chance, all equally likely."""
        outcomes = self._outcomes()
        return [(outcome, 1 / len(outcomes)) for outcome in outcomes]

    def _outcomes(self) -> tuple[int, ...]:
        own = self._settings
        if own.deals:
            return tuple(range(own.deals))
        # Chance draws the dealer and other facts first, then the cards that are left.
        place = len(self._drawn)
        if place < len(own.draws):
            return own.draws[place][1]
        dealt = self._drawn[len(own.draws) :]
        return tuple(sorted(card for card in own.cards if card not in dealt))

    def _apply_action(self, action: int) -> None:
        if self._kept is not None:
            self._kept = _Kept(*self._programs.step(self._kept.deal, action))
            return
        self._drawn.append(action)
        if len(self._drawn) == self._settings.chance_nodes:
            self._kept = _Kept(*self._start())

    def _start(self) -> tuple[Any, Seen]:
        own, game = self._settings, self._settings.game
        if own.deals:
            key = deal_keys(jnp.uint32(own.seed), jnp.array(self._drawn, jnp.uint32))[0]
            return self._programs.deal(key)
        number = len(own.draws)
        names = [name for name, _ in own.draws]
        facts = dict(zip(names, self._drawn, strict=False)) | dict(own.fixed)
        dealt = self._drawn[number:]
        rest = [card for card in range(game.deck.num_cards) if card not in own.cards]
        return self._programs.start(np.array([*dealt, *rest], np.int32), facts)

    def _action_to_string(self, player: int, action: int) -> str:
        own, game = self._settings, self._settings.game
        if player != _pyspiel.PlayerId.CHANCE:
            return game.action_to_string(action)
        if own.deals:
            return f"deal {action}"
        place = len(self._drawn)
        if place < len(own.draws):
            return f"{own.draws[place][0]} {action}"
        return game.deck.name(action)

    def resample_from_infostate(self, player: int, sampler: Any) -> "CardState":
        """Return a state with other hidden cards that fit a player's knowledge, all equally likely.

        The history of the state stays the same.

        Args:
          player: the observing player.
          sampler: a function without arguments that returns a float in [0, 1), as OpenSpiel's samplers.
        """
        assert self._kept is not None
        words = [int(sampler() * 2**32) % 2**32 for _ in range(2)]
        other = self.clone()
        other._kept = _Kept(
            *self._programs.resample(jnp.array(words, jnp.uint32), self._kept.deal, player)
        )
        return other

    def known(self, player: int) -> tuple[str, np.ndarray]:
        """Return the information state of a player as a string and as a tensor, from a cache."""
        if self._kept is None:
            game = self._settings.game
            return f"player {player} | nothing is dealt", np.zeros(tensor_size(game), np.float32)
        if player not in self._kept.known:
            self._kept.known[player] = self._programs.known(self._kept.deal, player)
        return self._kept.known[player]

    def __str__(self) -> str:
        if self._kept is None:
            return f"chance has drawn {self._drawn}"
        return self._settings.game.to_string(self._kept.deal)


class CardObserver:
    """The observer that writes a player's knowledge, for observations and information states.

    A jaxcards observation contains all that the player has seen, so it is also an information state.

    Attributes:
      tensor: float32[n]; see `interop.openspiel`.
      dict: parts of it by name: "features" and "suits".
    """

    def __init__(self, game: CardGame) -> None:
        own = game.jaxcards_game
        self.tensor = np.zeros(tensor_size(own), np.float32)
        # Slices are views: they change with `tensor`.
        self.dict = {
            "features": self.tensor[: own.num_features],
            "suits": self.tensor[own.num_features :],
        }

    def set_from(self, state: CardState, player: int) -> None:
        """Write a player's knowledge into `tensor`."""
        self.tensor[:] = state.known(player)[1]

    def string_from(self, state: CardState, player: int) -> str:
        """Return the information state of a player as a unique string."""
        return state.known(player)[0]


def _game_of(name: str, params: dict[str, Any]) -> Any:
    """Return the game of a pickle. Naming this function imports this module and registers games."""
    return _pyspiel.load_game(PREFIX + name, params)


def _state_of(game: CardGame, history: list[int], kept: _Kept | None) -> CardState:
    """Return the state of a pickle. The cards of a resampled state differ from its history."""
    state = game.new_initial_state()
    for action in history:
        state.apply_action(action)
    state._kept = kept
    return state


def register() -> None:
    """Register the games; importing this module calls it."""
    for name in _BOUNDS:
        if PREFIX + name not in _pyspiel.registered_names():
            _pyspiel.register_game(_game_type(name), type(f"Card{name}", (CardGame,), {"name": name}))


register()
