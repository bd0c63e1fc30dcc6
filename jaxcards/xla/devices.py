"""The devices that a program runs on; every process contributes the same number."""

import jax

from jaxcards.errors import UserError


def first(number: int) -> list[jax.Device]:
    """Return `number` devices, equally many of each process, those of process 0 first."""
    processes = jax.process_count()
    if number % processes:
        raise UserError(f"devices ({number}) must be a multiple of the {processes} processes")
    return [device for i in range(processes) for device in of_process(i)[: number // processes]]


def of_process(process: int) -> list[jax.Device]:
    """Return the devices of one process."""
    return [device for device in jax.devices() if device.process_index == process]
