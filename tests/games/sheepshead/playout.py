"""Compiled playouts of Sheepshead: see `games.playout`."""

from dataclasses import dataclass

import jax.numpy as jnp
import numpy as np

from games import playout
from games.playout import bits
from games.sheepshead.reference import BLACK_QUEENS, JACKS, PHASES, card, fail_aces, is_trump, sizes
from games.sheepshead.reference_deal import ReferenceDeal
from games.sheepshead.variants import overrides_of, rules_of
from jaxcards.cards import history
from jaxcards.games.sheepshead import score
from jaxcards.games.sheepshead.play import NO_SEAT, trick_winner

BATCH = 96
FACE_DOWN = NO_CARD = 32


@dataclass
class Deals(playout.Dealt):
    """Input of a batch: decks [n, 32], dealers [n], stakes [n]."""

    stakes: np.ndarray

    def reference(self, variant: str, i: int) -> ReferenceDeal:
        return ReferenceDeal(rules_of(variant), self.deck(i), int(self.dealers[i]), int(self.stakes[i]))


def random_deals(variant: str, n: int, seed: int) -> Deals:
    """Random decks, dealers and stakes. In a third of the decks one seat has all fail aces, in another
    nothing but trumps and aces, so that calls of every kind occur. Where the jacks or the black queens
    matter, one seat has these in the third of the aces."""
    rules = rules_of(variant)
    rng = np.random.default_rng(seed)
    decks = playout.random_decks(rng, n, 32)
    hand_size, _ = sizes(rules)
    aces = fail_aces(rules)
    strong = [number for number in range(32) if is_trump(rules, number) or number in aces]
    if rules.call_up:
        aces = [card(jack) for jack in JACKS[:3]]
    if rules.blitz or rules.partner == "black_queens":
        aces = [*BLACK_QUEENS, *aces[:2]]
    for i, deck in enumerate(decks):
        wanted = [[], aces, strong][i % 3]
        place = int(rng.integers(rules.num_players)) * hand_size
        chosen = rng.permutation(wanted)[:hand_size]
        for k, number in enumerate(chosen):
            other = int(np.flatnonzero(deck == number)[0])
            deck[[place + k, other]] = deck[[other, place + k]]
    return Deals(
        decks=decks,
        dealers=rng.integers(0, rules.num_players, n, dtype=np.int32),
        stakes=rng.integers(1, 3, n, dtype=np.int32),
    )


def view(game, state) -> dict:
    """Everything that the tests compare, of one state of the compiled game."""
    n = game.num_players
    seen = [game.observe(state, player) for player in range(n)]
    public = seen[0].public

    winners = jnp.stack([trick_winner(public.winners, t) for t in range(game.rules.hand_size)])
    counted = [score.public_points(game.rules, o) for o in seen]

    def words(sets):
        return jnp.stack([cards.words[0] for cards in sets])

    def each(name, default):
        found = [getattr(o.public if hasattr(o.public, name) else o, name) for o in seen]
        return jnp.stack([jnp.uint32(default if value is None else value) for value in found])

    return {
        "player": state.current_player,
        "terminated": state.terminated,
        "mask": game.legal_action_mask(state),
        "progress": game.progress(state),
        "chips": game.points(state),
        "returns": game.returns(state),
        "num_played": public.num_played,
        "hand": words([o.hand for o in seen]),
        "buried": words([o.buried for o in seen]),
        "blind": words([o.blind for o in seen]),
        "played_by": jnp.stack([words(o.played_by) for o in seen]),
        "history": jnp.stack([history.cards(public.history, game.rules.num_plays)] * n),
        "points": jnp.stack([jnp.stack(points) for points in counted]),
        "winners": jnp.stack([winners] * n),
        **{name: each(name, 0) for name in ("phase", "dealer", "stakes", "num_buried")},
        **{name: each(name, NO_CARD) for name in ("called", "unknown")},
        **{
            name: each(name, NO_SEAT)
            for name in ("picker", "partner", "cracker", "recracker", "blitzer")
        },
        **{name: each(name, 0) for name in ("has_unknown", "recracked")},
        "tricks": jnp.stack(score.tricks_won(game.rules, state)),
    }


def _start(game, deck, dealer, stakes):
    return game.init_from_deck(deck, dealer, stakes=stakes)


def seen_by(record: dict[str, np.ndarray], i: int, t: int, player: int) -> dict:
    """Return the expected `ReferenceDeal.observation` of moment `t` of deal `i` of a record."""
    at = {key: value[i, t] for key, value in record.items()}

    def one(name, missing=None):
        number = int(at[name][player])
        return None if number == missing else number

    played = int(at["num_played"])
    unknown = one("unknown", NO_CARD)
    order = [int(number) for number in at["history"][player][:played]]
    shown = [unknown if number == FACE_DOWN else number for number in order]
    sets = [bits(word) for word in at["played_by"][player]]
    n = len(sets)
    return {
        "phase": PHASES[int(at["phase"][player])],
        "current_player": int(at["player"]),
        "dealer": one("dealer"),
        "stakes": one("stakes"),
        "hand": bits(at["hand"][player]),
        "picker": one("picker", NO_SEAT),
        "called": one("called", NO_CARD),
        "has_unknown": bool(at["has_unknown"][player]),
        "unknown": unknown,
        "cracker": one("cracker", NO_SEAT),
        "recracked": bool(at["recracked"][player]),
        "recracker": one("recracker", NO_SEAT),
        "blitzer": one("blitzer", NO_SEAT),
        "shown": shown,
        "played_by": sets,
        "winners": [int(seat) for seat in at["winners"][player][: played // n]],
        "points": [int(x) for x in at["points"][player]],
        "num_buried": one("num_buried"),
        "buried": bits(at["buried"][player]),
        "blind": bits(at["blind"][player]),
        "partner": one("partner", NO_SEAT),
    }


def reference_seen(deal: ReferenceDeal, player: int) -> dict:
    """Return the same, of the reference."""
    seen = deal.observation(player)
    plays = seen["shown"]
    return seen | {
        "shown": [number for _, number in plays],
        "played_by": [
            sorted(number for s, number in plays if s == seat and number is not None)
            for seat in range(deal.n)
        ],
    }


def _views(variant: str, deal: ReferenceDeal, record: dict[str, np.ndarray], i: int, t: int):
    """Legal actions, player and progress, or the result, and what a seat sees; after the deal all."""
    at = {key: value[i, t] for key, value in record.items()}
    over = deal.terminated
    # Every seat's view costs more than all else: at each moment one, after each deal all.
    seats = range(deal.n) if over else [(i + t) % deal.n]
    want = {
        "terminated": over,
        "progress": deal.progress(),
        "seen": [reference_seen(deal, seat) for seat in seats],
        "player": None if over else deal.current_player,
        "legal": None if over else sorted(deal.legal()),
        "result": [deal.chips(), deal.chips(), deal.tricks_won()] if over else None,
    }
    got = {
        "terminated": bool(at["terminated"]),
        "progress": at["progress"].tolist(),
        "seen": [seen_by(record, i, t, seat) for seat in seats],
        "player": None if over else int(at["player"]),
        "legal": None if over else np.flatnonzero(at["mask"]).tolist(),
        "result": [at[key].tolist() for key in ("chips", "returns", "tricks")] if over else None,
    }
    return want, got


PLAYOUTS = playout.Playouts(
    "sheepshead", overrides_of, random_deals, _start, view, _views, batch=BATCH, number=BATCH
)
game_of, play, random_record = PLAYOUTS.game_of, PLAYOUTS.play, PLAYOUTS.random_record
