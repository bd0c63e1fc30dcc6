"""Ask a game for the view of a state: of one player, or of everybody with all hands open."""

import dataclasses
import functools
from collections.abc import Sequence
from typing import Any, Protocol

import jax
import jax.numpy as jnp

from jaxcards.cards.places import CardPlaces
from jaxcards.cards.sets import Deck
from jaxcards.view import parts
from jaxcards.view.structure import Pile, Seat, View
from jaxcards.view.text import Text


class Viewable(Protocol):
    """What a view needs of a game; every `Game` has it."""

    def __hash__(self) -> int: ...
    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def num_players(self) -> int: ...
    @property
    def deck(self) -> Deck: ...
    def observe(self, state: Any, player: Any) -> Any: ...
    def legal_action_mask(self, state: Any) -> jax.Array: ...
    def points(self, state: Any) -> jax.Array: ...
    def card_places(self, state: Any) -> CardPlaces: ...
    def view_of(
        self, observation: Any, legal: Sequence[int] = (), points: Sequence[int] | None = None
    ) -> View: ...


def look(game: Viewable, state: Any, seat: int | None) -> View:
    """Return the view of a player of an untraced state; for None all hands lie open.

    Args:
      game: the game of the state.
      state: a single deal.
      seat: the player who looks.
    """
    # One at a time, and the player who looks alone: no view is made from what another one sees.
    if seat is not None:
        return _seen_by(game, state, int(seat))
    views = [_seen_by(game, state, player) for player in range(game.num_players)]
    return _open(game, state, views)


@functools.lru_cache(maxsize=32)
def _looking(game: Viewable) -> Any:
    """Return a compiled function of a state and a player; see `_seen_by`."""

    def facts(state: Any, player: jax.Array) -> Any:
        return (
            game.observe(state, player),
            game.legal_action_mask(state),
            state.current_player,
            state.terminated,
            game.points(state),
        )

    # All facts of a view come from one call of one compiled program.
    return jax.jit(facts)


def facts_of(game: Viewable, state: Any, player: int) -> Any:
    """Return the arguments of `seen_by`, as arrays of the host."""
    return jax.device_get(_looking(game)(state, jnp.int32(player)))


def _seen_by(game: Viewable, state: Any, player: int) -> View:
    return seen_by(game, player, *facts_of(game, state, player))


def seen_by(
    game: Viewable, player: int, observation: Any, mask: Any, acting: int, over: bool, points: Any
) -> View:
    """Return the view of a player, from arrays of the host.

    Args:
      game: the game of the state.
      player: the player who looks.
      observation: of this player.
      mask: bool[num_actions], the legal actions of the player to act.
      acting: the player to act.
      over: whether the deal is over.
      points: int[num_players], which count once it is.
    """
    legal = [] if over or acting != player else mask.nonzero()[0].tolist()
    view = game.view_of(observation, legal, points.tolist() if over else None)
    return dataclasses.replace(view, game=game.id or game.name, player=player)


def _seen(game: Viewable, state: Any, views: Sequence[View], seat: Seat) -> Seat:
    """Return a seat as its player sees it, with a hand at which that player may not look yet."""
    own = views[seat.player].seats[seat.seat]
    hands = [view.seats[seat.seat].hand for view in views]
    known = next((hand for hand in (own.hand, *hands) if hand is not None), None)
    if known is None and hasattr(state, "hand_of"):  # none of the players may look
        known = parts.in_order(game.deck, state.hand_of(seat.seat).to_list())
    return dataclasses.replace(own, hand=known)


def _open(game: Viewable, state: Any, views: Sequence[View]) -> View:
    """Put the views of all players together: each seat as its own player sees it."""
    # The player to act has the choices; after the end every view has the same common parts.
    acting = next((view for view in views if view.choices), views[0])
    seats = tuple(_seen(game, state, views, seat) for seat in acting.seats)
    # Piles that at least one player sees in full.
    known = {pile.name: pile for view in views for pile in view.piles if None not in pile.cards}
    piles = [known[pile.name] for pile in acting.piles if pile.name in known]
    # The same for facts about a card that lies face down for some.
    told = {fact.key: fact for view in views for fact in view.facts if _is_known(fact)}
    facts = tuple(fact if _is_known(fact) else told.get(fact.key, fact) for fact in acting.facts)
    shown = {card for pile in piles for card in pile.cards}
    hidden_from_some = {fact.key for view in views for fact in view.facts if not _is_known(fact)}
    shown |= {fact.args["card"] for fact in facts if fact.key in hidden_from_some}
    shown |= {card for seat in seats for card in (*(seat.hand or ()), *seat.aside)}
    # Cards that lie aside and that none of the players sees.
    hidden = [card for card in game.card_places(state).aside.to_list() if card not in shown]
    if hidden:
        # They are the pile that lies face down for everyone, or else were not dealt.
        covered = [pile.name for pile in acting.piles if pile.name not in known]
        piles.append(Pile(covered[0] if covered else Text("pile.not_dealt"), tuple(hidden)))
    seen = dataclasses.replace(acting, player=None, seats=seats, facts=facts, piles=tuple(piles))
    # An outcome belongs to one player, and here none looks.
    return dataclasses.replace(seen, outcome="", verdict=None)


def _is_known(fact: Text) -> bool:
    return None not in fact.args.values()
