"""Checks of observations, and of resampled hidden cards."""

import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from jaxcards.cards import features as bits
from jaxcards.game import Game
from jaxcards.match import Match
from jaxcards.testing.deals import (
    Deals,
    check,
    dealers_of,
    leaves,
    play_deals,
    quick_jit,
    require,
    require_all,
    require_equal,
    to_numpy,
)
from jaxcards.testing.tracing import More


@check
def check_features(game: Game, deals: Deals | None = None) -> None:
    """Check that all features are 0 or 1 and match the table, for every player at every moment."""
    deals = deals or play_deals(game)
    table = game.feature_table
    names = [feature.name for feature in table]
    require(len(set(names)) == len(names), "two features have the same name")
    size = sum(feature.size for feature in table)
    require(size == game.num_features, f"the table names {size} features of {game.num_features}")
    states = deals.some(256)

    def look(state: Any, player: jax.Array) -> tuple[Any, Any, Any]:
        observation = game.observe(state, player)
        return observation, game.feature_words(observation), game.features(observation)

    players = jnp.arange(256, dtype=jnp.int32) % game.num_players
    observation, words, features = to_numpy(quick_jit(jax.vmap(look))(states, players))
    for name, leaf in leaves(observation).items():
        require(leaf.dtype.kind in "iub", f"{name} of an observation is {leaf.dtype}")
    _check_words("feature_words", words, game.num_features)
    require(
        features.dtype == np.float32 and features.shape == (256, game.num_features),
        f"features are {features.dtype}{list(features.shape[1:])}, not float32[{game.num_features}]",
    )
    require_all((features == 0) | (features == 1), "a feature is not 0 or 1")
    unpacked = np.asarray(bits.unpack(jnp.asarray(words), game.num_features))
    require_all(features == unpacked, "features and feature_words differ")
    whole = quick_jit(jax.vmap(lambda s: (game.full_state_words(s), game.full_state_features(s))))
    words, features = to_numpy(whole(states))
    _check_words("full_state_words", words, game.num_full_state_features)
    unpacked = np.asarray(bits.unpack(jnp.asarray(words), game.num_full_state_features))
    require(features.shape == unpacked.shape, "full_state_features has not its length")
    require_all(features == unpacked, "full_state_features and full_state_words differ")


def _check_words(name: str, words: np.ndarray, size: int) -> None:
    number = -(-size // 32)
    require(words.dtype == np.uint32, f"{name} are {words.dtype}, not uint32")
    require(words.shape[1:] == (number,), f"{name} has shape {list(words.shape[1:])}, not [{number}]")
    if size % 32:
        require_all(words[:, -1] >> (size % 32) == 0, f"{name} has bits beyond its {size} features")


@check
def check_relabelling(game: Game, deals: Deals | None = None) -> None:
    """Check that `relabel_action` is its own inverse, and `relabel_legal` moves legal sets equally."""
    deals = deals or play_deals(game)
    states = deals.some(512, over=False)

    def look(state: Any) -> tuple[Any, Any, Any, Any]:
        observation = game.observe(state, state.current_player)
        actions = jnp.arange(game.num_actions, dtype=jnp.int32)
        legal = game.legal_actions(state)
        renamed = jax.vmap(lambda action: game.relabel_action(observation, action))(actions)
        back = jax.vmap(lambda action: game.relabel_action(observation, action))(renamed)
        return legal.mask(), game.relabel_legal(observation, legal).mask(), renamed, back

    legal, moved, renamed, back = to_numpy(quick_jit(jax.vmap(look))(states))
    require(renamed.dtype == np.int32, f"relabel_action gives {renamed.dtype}, not int32")
    inside = (renamed >= 0) & (renamed < game.num_actions)
    require_all(inside, "relabel_action gives a number of no action")
    require_all(back == np.arange(game.num_actions), "relabel_action is not its own inverse")
    rows = np.arange(len(legal))[:, None]
    require_all(moved[rows, renamed] == legal, "relabel_legal and relabel_action disagree")


@check
def check_history(game: Game, deals: Deals | None = None) -> None:
    """Check that `history` has the past actions, for every player at every moment of a deal.

    A player's own actions must be shown. Cards laid aside or passed on may come in another order. An
    action of another player may be hidden if `hints.secret_actions`. A game without `history` passes.
    """
    if type(game).history is Game.history:
        return
    deals = (deals or play_deals(game)).first(64)
    players = np.arange(game.num_players, dtype=np.int32)

    def look(state: Any) -> tuple[Any, Any, Any]:
        found = jax.vmap(lambda player: game.history(game.observe(state, player)))(players)
        played = jnp.stack([cards.mask() for cards in game.card_places(state).played]).any(0)
        return found, played, game.hints.names_cards(state)

    found, played, names = to_numpy(quick_jit(jax.vmap(jax.vmap(look)))(deals.states))
    # The actions taken, as [moment, deal, player, action].
    steps, goes_on = game.max_steps, ~deals.over[:-1]
    # length: int[moment, deal], the actions before each moment.
    length = np.concatenate([np.zeros_like(goes_on[:1]), goes_on]).cumsum(0)
    inside = np.arange(steps) < length[..., None, None]
    acting = np.asarray(deals.states.current_player)[:-1].T[:, None]
    taken = deals.actions.T[:, None]
    # Cards that their action does not play are laid aside or passed on.
    card = np.minimum(deals.actions, game.deck.num_cards - 1)
    is_card = (deals.actions < game.deck.num_cards) & ~names[:-1]
    plays = np.take_along_axis(played[1:], card[..., None], 2)[..., 0]
    aside = (is_card & ~plays).T[:, None]

    for name, array in found._asdict().items():
        require(array.dtype == np.int32, f"{name} of a history are {array.dtype}, not int32")
    shape = (*deals.over.shape, game.num_players, steps)
    require(found.actions.shape == shape, f"a history does not have max_steps {steps} entries")
    require_all(found.length == length[..., None], "length is not the number of actions so far")
    require_all(found.players == np.where(inside, acting, -1), "players are not those who acted")
    own = acting == players[:, None]
    hidden = (found.actions == -1) & ~own & game.hints.secret_actions
    wrong = (found.actions != np.where(inside, taken, -1)) & ~hidden
    require_all(~wrong | inside, "actions after the last one are not -1")
    require_all(~wrong | aside, "actions are not those taken")
    for player in players:
        here = inside & aside & (acting == player)
        # Their order is free: sort both, with -1 for all other actions.
        listed, wanted = (np.sort(np.where(here, x, -1)) for x in (found.actions, taken))
        same = (listed == wanted).all(-1) | (hidden | ~here).all(-1)
        require_all(same, "cards laid aside are not those taken")


def _names(path: str, parts: tuple[str, ...]) -> bool:
    """Return whether the path of a leaf, such as ".shown[0]", lies in one of the named parts."""
    return any(path == f".{part}" or path.startswith((f".{part}.", f".{part}[")) for part in parts)


class Pairs:
    """States, and the states that `determinize` returns for them, observed by the same players.

    A quarter of the states are of finished deals, if `deals` has any.
    """

    def __init__(self, game: Game, deals: Deals, number: int) -> None:
        self.players = np.arange(number, dtype=np.int32) % game.num_players
        num_finished = number // 4 if deals.over.any() else 0
        self.states = deals.some(number - num_finished, seed=5, over=False)
        if num_finished:
            finished = deals.some(num_finished, seed=5, over=True)
            self.states = jax.tree.map(lambda *parts: np.concatenate(parts), self.states, finished)
        keys = jax.random.split(jax.random.key(5), number)
        self.deal = quick_jit(jax.vmap(game.determinize))
        self.others = to_numpy(self.deal(keys, self.states, self.players))

        def look(state: Any, player: Any) -> dict[str, Any]:
            observation = game.observe(state, player)
            places = game.card_places(state)
            deal = state.deal if isinstance(game, Match) else state
            return {
                "observation": observation,
                "legal": game.legal_actions(state).words,
                "player": state.current_player,
                "over": deal.terminated,
                "hands": jnp.stack([hand.mask() for hand in places.hands]),
                "played": jnp.stack([cards.mask() for cards in places.played]),
                "aside": places.aside.mask(),
            }

        view_of = quick_jit(jax.vmap(look))
        self.before = to_numpy(view_of(self.states, self.players))
        self.after = to_numpy(view_of(self.others, self.players))
        acting = (self.before["player"] == self.players)[:, None]
        for view in (self.before, self.after):
            # Only the player to act knows the legal actions: do not compare those of others.
            view["legal"] = tuple(np.where(acting[:, 0], word, 0) for word in view["legal"])


@functools.lru_cache(maxsize=1)  # two checks use the same pairs
def pairs_of(game: Game, deals: Deals, number: int) -> Pairs:
    """Return pairs of states, made once for all checks that use them."""
    return Pairs(game, deals, number)


@check
def check_determinize(game: Game, deals: Deals | None = None, *, number: int = 512) -> None:
    """Check that `determinize` returns a deal with the same observation for the player.

    The player's hand, the cards played, the sizes of hands, the player to act and the whole observation
    must stay the same, also in a finished deal. Equal observations and equal keys must give equal
    results, bit for bit: `determinize` reads only the observation. It must move some cards.
    """
    deals = deals or play_deals(game)
    pairs = pairs_of(game, deals, number)
    before, after = pairs.before, pairs.after
    times = after["hands"].sum(axis=1) + after["played"].sum(axis=1) + after["aside"]
    require_all(times == 1, "determinize: a card is in no place, or in two")
    rows = np.arange(number)
    own = (before["hands"] == after["hands"])[rows, pairs.players]
    require_all(own, "determinize changes the player's own hand")
    require_all(before["played"] == after["played"], "determinize changes cards that were played")
    sizes = before["hands"].sum(axis=2) == after["hands"].sum(axis=2)
    require_all(sizes, "determinize changes the number of cards of a hand")
    require_all(before["player"] == after["player"], "determinize changes who is to act")
    require_all(before["over"] | ~after["over"], "determinize ends a deal that goes on")
    require_all(~before["over"] | after["over"], "determinize goes on with a deal that is over")
    for name, leaf in leaves(before["observation"]).items():
        new = leaves(after["observation"])[name]
        require_all(leaf == new, f"determinize changes what the player sees: {name}")
    for a, b in zip(before["legal"], after["legal"], strict=True):
        require_all(a == b, "determinize changes what is legal for the player to act")
    moved = (before["hands"] != after["hands"]).any()
    require(moved, "determinize moves no card in any of the deals")

    keys = jax.random.split(jax.random.key(6), number)
    first = to_numpy(pairs.deal(keys, pairs.states, pairs.players))
    second = to_numpy(pairs.deal(keys, pairs.others, pairs.players))
    require_equal(first, second, "determinize reads what the player does not see")


@check
def check_observations_hide(game: Game, deals: Deals | None = None, *, number: int = 512) -> None:
    """Check that hidden cards do not affect a player's observation and legal set.

    `determinize` resamples the hidden cards, and the observations before and after are compared.
    Features are functions of an observation and need no separate check. `check_play_hides` finds leaks
    of cards that `determinize` does not move.
    """
    deals = deals or play_deals(game)
    pairs = pairs_of(game, deals, number)
    before, after = pairs.before, pairs.after
    differ = (before["hands"] != after["hands"]).any(axis=(1, 2))
    require(differ.any(), "no two deals to compare: determinize moved no hidden card")
    for what in ("observation", "legal"):
        for name, leaf in leaves(before[what]).items():
            shown = "the legal set" if what == "legal" else f"{what}{name}"
            require_all(leaf == leaves(after[what])[name], f"hidden cards show in {shown}")


@check
def check_play_hides(
    game: Game, *, num_deals: int = 64, seed: int = 0, more: More | None = None
) -> None:
    """Check that deals with exchanged hidden cards look the same until the play distinguishes them.

    Two cards of a deck change places, and the same actions, legal in both deals, are played. During
    this, a player whose own cards are the same must get the same observations. The check does not use
    `determinize`. A player who has seen a difference in the parts named in `Hints.told_by_rules` is
    left out from then on. A game of two players passes: where one hand changes, so do the cards aside,
    which may be open.

    Args:
      game: the game.
      num_deals: number of pairs of deals.
      seed: of decks and choices.
      more: draws the other arguments of `init_from_deck`.
    """
    if game.num_players == 2:
        return
    rng = np.random.default_rng(seed)
    decks = rng.permuted(np.tile(np.arange(game.deck.num_cards), (num_deals, 1)), axis=1)
    swapped = decks.copy()
    places = np.array([rng.choice(game.deck.num_cards, 2, replace=False) for _ in range(num_deals)])
    rows = np.arange(num_deals)[:, None]
    swapped[rows, places] = decks[rows, places[:, ::-1]]
    dealers = rng.choice(dealers_of(game), size=num_deals)
    drawn = [dict(more(rng)) if more else {} for _ in range(num_deals)]
    extra = {name: np.array([one[name] for one in drawn]) for name in drawn[0]}
    players = jnp.arange(game.num_players, dtype=jnp.int32)

    def look(state: Any) -> tuple[Any, Any, Any]:
        observations = jax.vmap(lambda player: game.observe(state, player))(players)
        cards = game.card_places(state)
        # A talon may be open, and so may single cards and hands.
        open_ = jnp.stack([places.mask() for places in (cards.aside, *cards.shown)])
        return observations, jnp.stack([hand.mask() for hand in cards.hands]), open_

    def play(deck: Any, other: Any, dealer: Any, extra: Any, key: jax.Array) -> Any:
        def step(both: Any, key: jax.Array) -> tuple[Any, Any]:
            legal = jax.vmap(game.legal_action_mask)(both)
            common = legal[0] & legal[1]
            logits = jnp.where(common, jnp.float32(0), -jnp.inf)
            action = jax.random.categorical(key, logits).astype(jnp.int32)
            record = (jax.vmap(look)(both), legal, both.terminated, both.current_player)
            return jax.vmap(game.step, (0, None))(both, action), record

        pair = jax.vmap(lambda deck: game.init_from_deck(deck, dealer, **extra))
        keys = jax.random.split(key, game.max_steps)
        return jax.lax.scan(step, pair(jnp.stack([deck, other])), keys)[1]

    keys = jax.random.split(jax.random.key(seed), num_deals)
    record = quick_jit(jax.vmap(play))(decks, swapped, dealers, extra, keys)
    _compare_pairs(game, *to_numpy(record))


def _compare_pairs(
    game: Game, views: Any, legal: np.ndarray, over: np.ndarray, acting: np.ndarray
) -> None:
    """Compare [deals, steps, 2, ...] of the two deals of each pair."""
    observations, hands, open_ = views
    number, steps = over.shape[:2]
    # Stop when one of the two is over, another player is to act, or they share no legal action.
    same = ~over.any(axis=2) & (acting[:, :, 0] == acting[:, :, 1])
    possible = (legal[:, :, 0] & legal[:, :, 1]).any(axis=2)
    goes_on = np.concatenate([np.ones((number, 1), bool), (same & possible)[:, :-1]], axis=1)
    same &= np.logical_and.accumulate(goes_on, axis=1)
    same &= (open_[:, :, 0] == open_[:, :, 1]).all(axis=(2, 3))
    # If the cards differ only aside, one turned up may have changed places with one below it.
    same &= (hands[:, :1, 0] != hands[:, :1, 1]).any(axis=(2, 3))
    # unaware: bool[deals, steps, players], whether a player has the same cards in both deals.
    unaware = same[:, :, None] & (hands[:, :, 0] == hands[:, :, 1]).all(axis=3)
    found = leaves(observations)
    for name, leaf in found.items():
        equal = leaf[:, :, 0] == leaf[:, :, 1]
        if _names(name, game.hints.told_by_rules):
            unaware &= np.logical_and.accumulate(equal, axis=1)
    differ = (hands[:, :, 0] != hands[:, :, 1]).any(axis=(2, 3))
    require((unaware.any(axis=2) & differ).any(), "no two deals differ in hidden cards alone")
    for name, leaf in found.items():
        equal = (leaf[:, :, 0] == leaf[:, :, 1]).reshape(number, steps, game.num_players, -1)
        require_all(equal.all(axis=3) | ~unaware, f"hidden cards show in observation{name}")
    # seen: bool[deals, steps], `unaware` for the player to act.
    seen = np.take_along_axis(unaware, acting[:, :, :1], axis=2)[:, :, 0]
    equal = (legal[:, :, 0] == legal[:, :, 1]).all(axis=2)
    require_all(equal | ~seen, "hidden cards show in the legal set")
