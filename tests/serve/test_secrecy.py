"""No message says anything of a card that the seat may not know, in any game, at any moment."""

import copy
import dataclasses
import json
import random
import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from support.marks import by_cost

from jaxcards.host.programs import LOOK, Programs
from jaxcards.serve import messages
from jaxcards.serve.batches import SIZES
from jaxcards.serve.library import Library
from jaxcards.serve.seating import PERSON, Occupant
from jaxcards.serve.store import Kept
from jaxcards.serve.table import ServedTable
from jaxcards.view.text import Text

GAMES = ["jass", "belote/coinche", "euchre", "rikiki", "sheepshead/standard_crack", "hearts", "spades"]
GAMES += ["skat", "bridge"]
MESSAGES = 2000  # of each game
WORLDS = 4


def table_of(programs, number):
    game = programs.game
    occupants = [Occupant(PERSON, f"guest {n}", token=str(n)) for n in range(game.num_players)]
    kept = Kept(f"{number}", game.id, {}, False, bytes(16), "", occupants, [], [], 0)
    table = ServedTable(kept, programs, None, None, 0)
    table.ready = True
    return table


def played(programs, source):
    """Yield tables with every deal as it is after each action, four side by side."""
    while True:
        keys = [np.asarray([source.getrandbits(32), n], np.uint32) for n in range(SIZES[0])]
        rows = [programs.run("begin", [(key,)])[0] for key in keys]
        tables = [table_of(programs, n) for n in range(SIZES[0])]
        looks = programs.run("advance", [(row, LOOK) for row in rows])
        for table, look in zip(tables, looks, strict=True):
            table.begin(0, programs.look(look), [0] * programs.game.num_players)
        while not all(table.look.over for table in tables):
            yield from (table for table in tables if not table.look.over)
            actions = [source.choice(table.look.legal.nonzero()[0].tolist()) for table in tables]
            rows = [(t.look.state, np.int32(a)) for t, a in zip(tables, actions, strict=True)]
            for table, action, look in zip(tables, actions, programs.run("advance", rows), strict=True):
                if not table.look.over:
                    table.apply(action, programs.look(look), None)


def turned_up(table):
    """Return the cards that everybody has seen before the first action, and may name from then on."""
    piles = table.view(0, 0).piles
    return {card for pile in piles for card in pile.cards}


def mentioned(message, faces):
    """Return the cards that a message names, by number or in words."""
    view = copy.deepcopy(message["view"])
    del view["faces"]
    found = set()
    for choice in view["choices"]:
        if choice["kind"] == "call":  # names a card that may be anywhere
            choice.update(card=None, text=None)
    for seat in view["seats"]:
        found |= {*(seat["hand"] or ()), *seat["aside"]}
        found |= {card for meld in seat["melds"] for card in meld["cards"]}
    tricks = [view["trick"], view["last_trick"] or {"plays": []}]
    found |= {play["card"] for trick in tricks for play in trick["plays"]}
    found |= {card for pile in view["piles"] for card in pile["cards"]}
    found |= {choice["card"] for choice in view["choices"]}
    found |= set(in_texts([view, message["log"]]))
    texts = json.dumps([view, message["log"]], ensure_ascii=False)
    words = set(re.findall(r"[♥♦♣♠](?:10|[2-9JQKA])", texts))
    words |= {face for face in faces if face[0] not in "♥♦♣♠" and face in texts}
    return (found | {faces.index(word) for word in words if word in faces}) - {None}


def in_texts(values):
    """Yield the cards that the arguments of texts name, wherever the texts are."""
    if isinstance(values, dict):
        if "args" in values:
            yield from (values["args"].get("card"), *values["args"].get("cards", ()))
        values = list(values.values())
    if isinstance(values, list | tuple):
        for value in values:
            yield from in_texts(value)


@pytest.fixture(scope="module", params=by_cost(GAMES, {*GAMES} - {"euchre"}))
def recorded(request):
    """Messages of a game, each with the hidden cards: where they are in worlds that fit the view."""
    library = Library(lambda name, game: None, None, None, False)
    programs = library.game(request.param, {})
    assert isinstance(programs, Programs)
    game = programs.game

    def places(row, player):
        seen = game.observe(programs.state.unpack(row), player)

        def world(number):
            found = game.card_places(game.sample_state(jnp.stack([number, number]), seen))
            return jnp.stack([hand.mask() for hand in (*found.hands, found.aside)])

        return jax.vmap(world)(jnp.arange(WORLDS, dtype=jnp.uint32))

    sample = jax.jit(jax.vmap(places)).lower(
        jax.ShapeDtypeStruct((game.num_players, programs.state.num_words), jnp.uint32),
        jax.ShapeDtypeStruct((game.num_players,), jnp.int32),
    )
    sample = sample.compile()
    players = np.arange(game.num_players, dtype=np.int32)
    found = []
    for table in played(programs, random.Random(7)):
        worlds = np.asarray(sample(np.stack([table.look.state] * game.num_players), players))
        for player in range(game.num_players):
            # A card is unknown if worlds that fit what the player sees have it in different hands.
            moves = (worlds[player] != worlds[player][:1]).any(axis=(0, 1))
            hidden = set(moves.nonzero()[0].tolist()) - turned_up(table)
            found.append((messages.of_table(table, player), hidden, table))
        if len(found) >= MESSAGES:
            return found


@pytest.mark.slow
def test_no_message_names_a_card_whose_place_is_unknown(recorded):
    unknown = 0
    for message, hidden, _ in recorded:
        view = message["view"]
        called = {fact["args"]["card"] for fact in view["facts"] if fact["key"] == "fact.called"}
        named = mentioned(message, view["faces"]) - called
        assert not named & hidden, (message, named & hidden)
        unknown += len(hidden)
    assert len(recorded) >= MESSAGES and unknown > 4 * MESSAGES


@pytest.mark.slow
def test_a_message_that_tells_a_hidden_card_is_found(recorded):
    found = 0
    for message, hidden, table in recorded[:200]:
        place = len(message["log"])
        others = [table.view(player, place) for player in range(len(table.occupants))]
        leak = copy.deepcopy(message)
        leak["view"]["seats"] = [dataclasses.asdict(view.seats[view.me]) for view in others]
        for seat in leak["view"]["seats"]:
            seat["melds"] = []
        found += bool(mentioned(leak, message["view"]["faces"]) & hidden)
        line = Text("log.said", seat=0, said=(Text("said.order_up", card=min(hidden, default=0)),))
        leak = message | {"log": [[dataclasses.asdict(line)]]}
        assert not hidden or min(hidden) in mentioned(leak, message["view"]["faces"])
    assert found > 150


def test_nothing_of_a_message_depends_on_what_is_hidden(recorded):
    """A view stays the same when everything but the observation of its player is overwritten."""
    for message, _, table in recorded[:: MESSAGES // 50]:
        player, place = message["player"], len(message["log"])
        twin = table_of(table.programs, table.id)
        look = table.looks[place]
        blind = dict(vars(look)) | {"state": np.zeros_like(look.state), "points": [0] * 9}
        seen = np.full_like(look.seen, 0xABCDEF)
        seen[player] = look.seen[player]
        twin.begin(0, type(look)(**(blind | {"seen": seen})), table.totals)
        assert messages.of_table(twin, player)["view"] == message["view"]
