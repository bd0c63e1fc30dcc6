"""People at a table who type by a rule, and what they have seen."""

import builtins
import functools
import random

import numpy as np

import jaxcards
from jaxcards.agent import RandomAgent
from jaxcards.play import answers
from jaxcards.play.conversation import Conversation
from jaxcards.play.local import LocalPlayer, LocalTable
from jaxcards.rollouts import deal_keys


def table_of(game, *, people=(0,), seed=1, match=False, number=0):
    """Return a table with people in some seats, and random players in the others."""
    occupants = [
        LocalPlayer("you" if len(people) == 1 else f"person {n}")
        if n in people
        else LocalPlayer(f"player {n}", RandomAgent(), ())
        for n in range(game.num_players)
    ]
    return LocalTable(game, occupants, seed, match=match, number=number)


@functools.cache
def seed_where_first(id, player):
    """Return the first seed whose deal 0 begins with a player."""
    game = jaxcards.make(id)
    number = np.arange(1, dtype=np.uint32)
    seeds = range(100)
    return next(s for s in seeds if int(game.init(deal_keys(s, number)[0]).current_player) == player)


class Typist:
    """Stands in for `input`: the lines of a script, then legal choices at random, then the end."""

    def __init__(self, table, script=(), *, deals=1, seed=0):
        self.table, self.script, self.deals = table, list(script), deals
        self.source = random.Random(seed)
        self.prompts = []

    def __call__(self, prompt=""):
        print(prompt, end="")
        self.prompts.append(prompt)
        if self.script:
            line = self.script.pop(0)
            if isinstance(line, type):
                raise line
            return line
        if "press Enter when" in prompt:
            return ""
        if "next deal" in prompt:
            self.deals -= 1
            return "" if self.deals else "q"
        view = self.table.view(self.table.player)
        choice = self.source.choice(view.legal)
        return answers.Keys(view).of_action(choice.action)


def converse(monkeypatch, table, typist, **more):
    """Play a conversation to its end."""
    monkeypatch.setattr(builtins, "input", typist)
    usual = {"keep": lambda: None, "finish": lambda: "", "hints": None}
    conversation = Conversation(table, **(usual | more))
    conversation.run()
    return conversation
