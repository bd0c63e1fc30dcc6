# ---
# jupyter:
#   jupytext:
#     text_representation: {extension: .py, format_name: percent}
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [markdown]
# # Training, and looking at the curve
#
# `jaxcards train` learns by self-play in one compiled step: deals, policy, gradients and optimiser. A
# minute on a laptop is enough to see it learn; a run goes on from its last checkpoint whenever you
# like.

# %%
import os
import sys
import tempfile
from pathlib import Path

import jax
import matplotlib.pyplot as plt

import jaxcards
from jaxcards.training.metrics import read_metrics

MINUTES = os.environ.get("MINUTES", "1")
run = Path(tempfile.mkdtemp()) / "euchre"
command = f"{sys.executable} -m jaxcards"

# %%
# !{command} train euchre --minutes {MINUTES} --out {run} --hidden 64,64 --no-evaluate 2>&1 | tail -n 6

# %% [markdown]
# The folder has everything: settings, the numbers of every call, checkpoints, the player.

# %%
print(sorted(path.name for path in run.iterdir()))
records = read_metrics(run / "metrics.jsonl")
print(list(records[-1]))

# %%
figure, axes = plt.subplots(1, 3, figsize=(12, 3), layout="constrained")
learned = [record for record in records if "entropy" in record]  # the first one has an evaluation alone
deals = [record["deals"] for record in learned]
for axis, name in zip(axes, ("entropy", "value_loss", "return_spread"), strict=True):
    axis.plot(deals, [record[name] for record in learned])
    axis.set(xlabel="deals", title=name.replace("_", " "))
plt.show()

# %% [markdown]
# How strong is it? Duplicate deals against the heuristic and random play, with intervals.

# %%
# !{command} evaluate {run} heuristic random --deals 200 2>/dev/null

# %% [markdown]
# The same player in Python: an agent and its parameters, for `rollout`, `evaluate` and `SearchAgent`.

# %%
game = jaxcards.make("euchre")
agent, params = jaxcards.load_player(run, game)
print(type(agent).__name__, "with", sum(leaf.size for leaf in jax.tree.leaves(params)), "numbers")
