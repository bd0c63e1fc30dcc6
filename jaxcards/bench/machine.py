"""The description of the machine of a measurement."""

import os
import platform
import re
import subprocess
from pathlib import Path
from typing import Any

import jax
import jaxlib
import numpy as np

import jaxcards


def describe() -> dict[str, Any]:
    """Return hardware and versions, as JSON values."""
    device = jax.devices()[0]
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "cores_usable": _usable_cores(),
        "load_average": [round(load, 2) for load in _load()],
        "system": f"{platform.system()} {platform.machine()}",
        "device": f"{device.platform}: {device.device_kind}",
        "devices": jax.device_count(),
        "python": platform.python_version(),
        "jaxcards": jaxcards.__version__,
        "commit": commit(),
        "jax": jax.__version__,
        "jaxlib": jaxlib.__version__,
        "numpy": np.__version__,
        "xla_flags": os.environ.get("XLA_FLAGS", ""),
    }


def commit(root: Path = Path(jaxcards.__file__).parents[1]) -> str:
    """Return the commit of a checkout of the project, with "-dirty" after local changes.

    Args:
      root: the folder that holds the package.

    Returns:
      The hash; "" if the package is not a checkout of Git.
    """

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(root), *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=10, check=True).stdout

    try:
        # This fails in a repository of another project that has the package installed in it.
        git("ls-files", "--error-unmatch", "jaxcards/__init__.py")
        return git("describe", "--always", "--dirty", "--abbrev=40", "--exclude=*").strip()
    except (OSError, subprocess.SubprocessError):
        return ""


def to_lines(machine: dict[str, Any]) -> list[str]:
    """Return a description in words."""
    loads = machine["load_average"]
    return [
        f"{machine['processor']}, {machine['cores_usable']} of {machine['cores']} cores"
        + (f", load {loads[0]}" if loads else "")
        + f"; device {machine['device']}",
        f"python {machine['python']}, jax {machine['jax']}, jaxlib {machine['jaxlib']}, "
        f"jaxcards {machine['jaxcards']}",
    ]


def processor() -> str:
    """Return the name of the processor, if the system tells it."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        text = ""
    found = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return found[1].strip() if found else platform.processor() or platform.machine()


def slug(name: str) -> str:
    """Return a name for files: "Intel(R) Xeon(R) Gold 6130" -> "intel-xeon-gold-6130"."""
    return "-".join(re.findall(r"[a-z0-9]+", re.sub(r"\(\w+\)", "", name.lower())))


def _usable_cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _load() -> tuple[float, ...]:
    return os.getloadavg() if hasattr(os, "getloadavg") else ()
