"""OpenSpiel under the loop of its examples in Python."""

import random

TITLE = "OpenSpiel Euchre, loop in Python"
PACKAGES = ("open_spiel",)
INSTALL = "pip install -e '.[peers]'"
OURS = "euchre/open_spiel"
UNIT = "decisions"
SAME = "as in C++"
NOT_SAME = "as in C++, and every action crosses into Python"


def start():
    import pyspiel

    game = pyspiel.load_game("euchre()")

    def play(seed: int, deals: int) -> dict[str, float]:
        source = random.Random(seed)
        decisions = 0
        for _ in range(deals):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    actions, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(source.choices(actions, chances)[0])
                else:
                    state.apply_action(source.choice(state.legal_actions()))
                    decisions += 1
            if sum(state.returns()):
                raise AssertionError(f"a deal of {state.returns()} points")
        return {"deals": deals, "decisions": decisions}

    return play
