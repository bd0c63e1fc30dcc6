"""The devices of a run."""

import contextlib
import math
import os

import jax

from jaxcards.errors import UserError
from jaxcards.training.config import TrainingConfig
from jaxcards.training.host_learner import CompiledLearner
from jaxcards.xla import devices

_MOST = 8  # largest number of cores for a batch of the usual size


def prepare(config: TrainingConfig, processes: int = 1) -> None:
    """Divide the processor into devices; called before JAX starts its backend.

    Their number is this process's share of `config.devices`, or one for each core up to 8. XLA spreads
    the products of one device over the cores, but little else. GPUs and the like are not divided.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    # The user has chosen the number of devices by a flag of XLA.
    if "xla_force_host_platform_device_count" in os.environ.get("XLA_FLAGS", ""):
        return
    with contextlib.suppress(RuntimeError):  # the backend runs already, with its own devices
        # This process's share, rounded up, or else one device for each core up to `_MOST`.
        jax.config.update("jax_num_cpu_devices", min(-(-config.devices // processes) or _MOST, cores))


def choose(config: TrainingConfig) -> int:
    """Return the number of devices to train on, those of all processes together.

    With `devices = 0` these are all devices, or the largest number that can share the deals of a
    minibatch evenly.

    Raises:
      UserError: if there are fewer, or they cannot share the deals.
    """
    processes, available = jax.process_count(), jax.device_count()
    of_each = [len(devices.of_process(process)) for process in range(processes)]
    if len(set(of_each)) > 1:
        raise UserError(f"every process must have the same number of devices, not {of_each}")
    if config.devices > available:
        where = "on this machine" if processes == 1 else "in these processes"
        raise UserError(f"devices must be at most {available} {where}, not {config.devices}")
    if config.devices % processes:
        raise UserError(f"devices ({config.devices}) must be a multiple of the {processes} processes")
    if config.devices:
        config.check_devices(config.devices)
        return config.devices
    deals = config.shared_deals
    # From all devices down, with the same number of each process.
    for number in range(available, 0, -processes):
        if deals % number == 0:
            return number
    raise UserError(f"{processes} processes cannot share the {deals} deals of a minibatch evenly")


def check_memory(learner: CompiledLearner, config: TrainingConfig) -> None:
    """Raise `UserError` if a run needs more memory than exists, before any of it is allocated.

    The estimate is a lower bound: the state of the learner, and the experience of an update as bits.
    """
    leaves = jax.tree.leaves(learner.shapes())
    state = sum(math.prod(leaf.shape) * leaf.dtype.itemsize for leaf in leaves)
    game, deals = learner.learner.game, getattr(config, "deals_per_update", 0)
    # A step has the features of player and critic, and the legal actions, a bit each.
    bits = game.num_features + game.num_full_state_features + game.num_actions
    needed = learner.num_runs * state + deals * game.max_steps * bits // 8
    available = _memory()
    if needed > available:
        raise UserError(
            f"the run needs {needed / 2**30:,.0f} GiB of memory or more, but only "
            f"{available / 2**30:,.0f} GiB exist: choose a smaller hidden, fewer "
            "deals_per_update, or fewer runs at once"
        )


def _memory() -> int:
    """Return the bytes of memory of all devices of this process; for a processor, of the machine."""
    limits = [(device.memory_stats() or {}).get("bytes_limit", 0) for device in jax.local_devices()]
    if all(limits):
        return sum(limits)
    # A processor names no limit: take the memory of the machine.
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
