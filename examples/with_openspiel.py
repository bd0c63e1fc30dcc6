"""A tiny Rikiki in OpenSpiel: CFR on four deals of one card each, and its policy at our table."""

import jax
import pyspiel
from open_spiel.python.algorithms import cfr

import jaxcards
import jaxcards.interop.openspiel  # registers jaxcards_rikiki and the others
from jaxcards.interop.openspiel_policies import OpenSpielAgent

parameters = {"rules": "num_players:3 schedule:1", "deals": 4}
game = pyspiel.load_game("jaxcards_rikiki", parameters)
solver = cfr.CFRSolver(game)
for _ in range(5):
    solver.evaluate_and_update_policy()
average = solver.average_policy()

state = game.new_initial_state()
state.apply_action(0)  # chance: the first of the four deals
print(state.information_state_string(), average.action_probabilities(state))
deal = state.deal  # the state of jaxcards
own = game.jaxcards_game
observation, legal = own.observe(deal, deal.current_player), own.legal_actions(deal)
action = OpenSpielAgent(own, average).act((), observation, legal, jax.random.key(0))
print("at our table it plays", own.action_to_string(int(action)), "in", jaxcards.make("rikiki").name)
