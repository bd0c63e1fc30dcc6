"""On how many devices a run trains."""

import contextlib
import os

import jax

from jaxcards.errors import UserError
from jaxcards.training.config import TrainingConfig

_MOST = 8  # cores that a batch of the usual size is spread over


def prepare(config: TrainingConfig) -> None:
    """Divides the processor into devices; called before JAX starts its backend.

    They are `config.devices`, or one for each core up to 8: on two cores two devices trained 1.27
    times as fast as one, because XLA spreads a product over cores by itself, but little else.
    (Other devices, such as GPUs, are what they are.)

    Raises:
      UserError: more devices than cores.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if "xla_force_host_platform_device_count" in os.environ.get("XLA_FLAGS", ""):
        return
    with contextlib.suppress(RuntimeError):  # the backend runs already, with the devices it has
        jax.config.update("jax_num_cpu_devices", min(config.devices or _MOST, cores))


def choose(config: TrainingConfig) -> int:
    """Returns the number of devices to train on.

    With `devices = 0` these are all, or as many as can share the deals of a minibatch evenly.

    Raises:
      UserError: there are not as many, or they cannot share the deals.
    """
    available = jax.device_count()
    if config.devices > available:
        raise UserError(f"devices must be at most {available} on this machine, not {config.devices}")
    if config.devices:
        config.check_devices(config.devices)
        return config.devices
    deals = config.deals_per_update // config.minibatches
    return next(n for n in range(available, 0, -1) if deals % n == 0)
