"""Where a search gains: in whose seat, and with how many cards left.

    python experiments/search/where.py sheepshead/standard --worlds 64 --candidates 4 --deals 384
    python experiments/search/where.py euchre/standard --worlds 64 --candidates 4 --deals 768

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
from evidence import brought, by_deal, looking
from tables import TABLES, decisions

import jaxcards
from jaxcards.cards.seats import by_seat
from jaxcards.champions.catalogue import BELIEFS
from jaxcards.evaluation import intervals
from jaxcards.files import write_text
from jaxcards.games.sheepshead.state import NO_SEAT, partner_seats
from jaxcards.xla import cache

FOUND = Path(__file__).parent / "where.json"
THRESHOLD = 1.0  # that of the search


def of_sheepshead(state):
    me, picker = state.current_player, state.public.picker
    helps = by_seat(partner_seats(state), me.astype(jnp.uint32))
    role = jnp.where(picker == me, 0, jnp.where(helps, 1, 2))
    return jnp.where(picker == NO_SEAT, 3, role)


def of_euchre(state):
    me, maker = state.current_player, state.calls.maker
    return jnp.where(maker == me, 0, jnp.where((maker ^ 2) == me, 1, 2))


ROLES = {
    "sheepshead": (of_sheepshead, ("picker", "partner", "defender", "leaster")),
    "euchre": (of_euchre, ("maker", "partner of the maker", "defender")),
}


def gather(game, options):
    """Returns columns by name: deal, role and cards left, and the findings, of every card searched."""
    policy, params = jaxcards.load_agent(game)
    role_of = ROLES[game.name][0]
    look = looking(game, policy, options.worlds, options.candidates, BELIEFS.get(game.name))

    def look_and_say(params, state, key):
        following, found = look(params, state, key)
        left = by_seat(game.card_places(state).hands, state.current_player).count()
        return following, (*found, role_of(state), left)

    rows = []
    played = decisions(game, look_and_say, params, options.deals, options.seed)
    for deals, (searched, found, real, role, left) in played:
        values = (found.legal, found.policy, found.gain, found.gain_error, real, role, left)
        rows.append((deals[searched], *(value[searched] for value in values)))
    names = ("deal", "legal", "policy", "gain", "gain_error", "real", "role", "left")
    columns = dict(zip(names, map(np.concatenate, zip(*rows, strict=True)), strict=True))
    return columns | {"deals": options.deals, "seats": game.num_players}


def summed(rows, which):
    """Returns what a search brings at some of the cards: values of JSON."""
    real, _ = brought(rows, THRESHOLD, 0.0)
    seen, _ = brought(rows | {"real": rows["gain"]}, THRESHOLD, 0.0)
    halves = [by_deal(rows, np.where(which, real, 0), part) for part in (0, 1)]
    return {
        "cards": int(which.sum()),
        "changed": float((seen[which] > 0).mean()) if which.any() else 0.0,
        "gain": asdict(intervals.mean_interval(np.concatenate(halves))),
        "seen": float(np.where(which, seen, 0).sum() / rows["deals"] / rows["seats"]),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--deals", type=int, default=384, help=f"a multiple of {TABLES}")
    parser.add_argument("--worlds", type=int, default=64)
    parser.add_argument("--candidates", type=int, default=4)
    parser.add_argument("--seed", type=int, default=77)
    options = parser.parse_args()
    cache.enable()
    game = jaxcards.make(options.game)
    rows = gather(game, options)
    roles = enumerate(ROLES[game.name][1])
    parts = {"all": np.ones(len(rows["deal"]), bool)}
    parts |= {name: rows["role"] == number for number, name in roles}
    parts |= {f"{left} cards left": rows["left"] == left for left in sorted(set(rows["left"]))[::-1]}
    first = ROLES[game.name][1][0]
    parts |= {
        f"{first}, {left} cards left": parts[first] & (rows["left"] == left)
        for left in sorted(set(rows["left"]))[::-1]
    }
    found = {name: summed(rows, which) for name, which in parts.items()}
    for name, part in found.items():
        gain = part["gain"]
        print(
            f"{name:24} {part['cards']:6} cards, {100 * part['changed']:4.1f} % changed: "
            f"{gain['mean']:+.3f} ({gain['low']:+.3f} to {gain['high']:+.3f}), sees {part['seen']:+.3f}"
        )
    written = json.loads(FOUND.read_text("utf-8")) if FOUND.exists() else {}
    written[options.game] = {name: getattr(options, name) for name in ("deals", "worlds", "seed")}
    written[options.game] |= {"candidates": options.candidates, "parts": found}
    write_text(FOUND, json.dumps(dict(sorted(written.items())), indent=1) + "\n")


if __name__ == "__main__":
    main()
