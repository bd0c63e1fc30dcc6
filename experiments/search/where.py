"""Where a search gains: in whose seat, and with how many cards left.

    python experiments/search/where.py sheepshead/standard --deals 384
    python experiments/search/where.py euchre/standard --deals 768

The shipped network plays deals, and at every card the search is asked, with the belief that it has in
this game. What it would leave the policy for is played in the true deal as well, with the network in
all seats from there on, as evidence.py does. So each card has a gain that the search sees, and one that
there is. Their sums, for a seat and a deal, go to where.json by role and by cards left.
"""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

import jax.numpy as jnp
import numpy as np
from evidence import brought, by_deal, findings
from tables import TABLES

import jaxcards
from jaxcards.cards.seats import by_seat
from jaxcards.champions.catalogue import BELIEFS
from jaxcards.evaluation import intervals
from jaxcards.files import write_text
from jaxcards.games.sheepshead.state import NO_SEAT, partner_seats
from jaxcards.xla import cache

FOUND = Path(__file__).parent / "where.json"
THRESHOLD = 1.0  # that of the search


def in_sheepshead(state):
    """Returns the role of the player to act: its place among those of `ROLES`."""
    me, picker = state.current_player, state.public.picker
    helps = by_seat(partner_seats(state), me.astype(jnp.uint32))
    role = jnp.where(picker == me, 0, jnp.where(helps, 1, 2))
    return jnp.where(picker == NO_SEAT, 3, role)


def in_euchre(state):
    """Returns the same in Euchre of two sides."""
    me, maker = state.current_player, state.calls.maker
    return jnp.where(maker == me, 0, jnp.where((maker ^ 2) == me, 1, 2))


ROLES = {
    "sheepshead/standard": (in_sheepshead, ("picker", "partner", "defender", "leaster")),
    "euchre/standard": (in_euchre, ("maker", "partner of the maker", "defender")),
}


def parts_of(rows, roles):
    """Returns which cards belong to each part of the table: bool[cards] by name."""
    of_role = {name: rows["role"] == number for number, name in enumerate(roles)}
    of_left = {f"{n} cards left": rows["left"] == n for n in sorted(set(rows["left"]), reverse=True)}
    first = {f"{roles[0]}, {name}": of_role[roles[0]] & which for name, which in of_left.items()}
    return {"all": rows["role"] >= 0} | of_role | of_left | first


def summed(rows, real, seen, which):
    """Returns what a search brings at some of the cards: values of JSON.

    Args:
      rows: of all cards.
      real, seen: what it brings at each of them, and what it sees.
      which: of the cards.
    """
    halves = [by_deal(rows, np.where(which, real, 0), part) for part in (0, 1)]
    return {
        "cards": int(which.sum()),
        "changed": float((seen[which] > 0).mean()) if which.any() else 0.0,
        "gain": asdict(intervals.mean_interval(np.concatenate(halves))),
        "seen": float(np.where(which, seen, 0).sum() / rows["deals"] / rows["seats"]),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=ROLES)
    parser.add_argument("--deals", type=int, default=384, help=f"a multiple of {TABLES}")
    parser.add_argument("--worlds", type=int, default=64)
    parser.add_argument("--candidates", type=int, default=4)
    parser.add_argument("--seed", type=int, default=77)
    options = parser.parse_args()
    cache.enable()
    game, (role_of, roles) = jaxcards.make(options.game), ROLES[options.game]

    def facts(state):
        hand = by_seat(game.card_places(state).hands, state.current_player)
        return {"role": role_of(state), "left": hand.count()}

    rows = findings(game, options, BELIEFS[game.name], facts)
    real, _ = brought(rows, THRESHOLD, 0.0)
    seen, _ = brought(rows | {"real": rows["gain"]}, THRESHOLD, 0.0)
    found = {name: summed(rows, real, seen, which) for name, which in parts_of(rows, roles).items()}
    for name, part in found.items():
        gain = part["gain"]
        print(
            f"{name:24} {part['cards']:6} cards, {100 * part['changed']:4.1f} % changed: "
            f"{gain['mean']:+.3f} ({gain['low']:+.3f} to {gain['high']:+.3f}), sees {part['seen']:+.3f}"
        )
    written = json.loads(FOUND.read_text("utf-8")) if FOUND.exists() else {}
    settings = {name: getattr(options, name) for name in ("deals", "worlds", "seed", "candidates")}
    written[f"{options.game}, seed {options.seed}"] = settings | {"parts": found}
    write_text(FOUND, json.dumps(dict(sorted(written.items())), indent=1) + "\n")


if __name__ == "__main__":
    main()
