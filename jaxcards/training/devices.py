"""The devices that a run trains on."""

import contextlib
import os

import jax

from jaxcards.errors import UserError
from jaxcards.training.config import TrainingConfig
from jaxcards.xla import devices

_MOST = 8  # cores that a batch of the usual size is spread over


def prepare(config: TrainingConfig, processes: int = 1) -> None:
    """Divides the processor into devices; called before JAX starts its backend.

    They are this process's share of `config.devices`, or one for each core up to 8: of one device's
    work XLA spreads products over the cores, but little else. GPUs and the like are not divided.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if "xla_force_host_platform_device_count" in os.environ.get("XLA_FLAGS", ""):
        return
    with contextlib.suppress(RuntimeError):  # the backend runs already, with the devices it has
        jax.config.update("jax_num_cpu_devices", min(-(-config.devices // processes) or _MOST, cores))


def choose(config: TrainingConfig) -> int:
    """Returns the number of devices to train on, those of all processes together.

    With `devices = 0` these are all, or as many as can share the deals of a minibatch evenly.

    Raises:
      UserError: there are not as many, or they cannot share the deals.
    """
    processes, available = jax.process_count(), jax.device_count()
    of_each = [len(devices.of_process(process)) for process in range(processes)]
    if len(set(of_each)) > 1:
        raise UserError(f"every process must have as many devices as the others, not {of_each}")
    if config.devices > available:
        where = "on this machine" if processes == 1 else "in these processes"
        raise UserError(f"devices must be at most {available} {where}, not {config.devices}")
    if config.devices % processes:
        raise UserError(f"devices ({config.devices}) must be a multiple of the {processes} processes")
    if config.devices:
        config.check_devices(config.devices)
        return config.devices
    deals = config.shared_deals
    for number in range(available, 0, -processes):
        if deals % number == 0:
            return number
    raise UserError(f"{processes} processes cannot share the {deals} deals of a minibatch evenly")
