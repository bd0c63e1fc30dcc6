"""The cache of compiled programs on disk, so that a command starts sooner the second time."""

import contextlib
import hashlib
import os
import re
import warnings
from pathlib import Path
from typing import Any

import jax
from jax.experimental.compilation_cache import compilation_cache

_ENABLED = "jax_enable_compilation_cache"
_FOLDER = "jax_compilation_cache_dir"
_TIME = "jax_persistent_cache_min_compile_time_secs"
_LARGEST = 256 * 2**20  # bytes; each configuration of a training run adds about one million
_SHORTEST = 0.3  # programs that compile faster than this many seconds are not stored


def enable(wanted: bool = True) -> None:
    """Keep compiled programs in the user's cache folder, unless JAX already has a folder.

    If `wanted` is False, disable the cache, including a folder that JAX already has.

    JAX tells programs of different versions, options and devices apart. Machines that share a home
    folder may have different processors, so each kind of processor has its own folder. If the folder
    cannot be written, every process compiles its own programs.
    """
    if not wanted:
        compilation_cache.reset_cache()  # keep a folder that JAX already uses
        jax.config.update(_ENABLED, False)
        return
    if jax.config.values[_FOLDER] is not None:
        return
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(base, "jaxcards", f"xla-{_processor()}")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return
    # A cache that cannot be written would only produce warnings.
    if not os.access(folder, os.W_OK):
        return
    prune(folder)
    jax.config.update(_FOLDER, str(folder))
    jax.config.update(_TIME, _SHORTEST)
    # On a full disk a program may be cut short: JAX then compiles it again.
    warnings.filterwarnings("ignore", "Error (reading|writing) persistent compilation cache entry")


def options() -> dict[str, Any]:
    """Return the JAX options that make another process use this process's cache."""
    return {name: jax.config.values[name] for name in (_ENABLED, _FOLDER, _TIME)}


def prune(folder: Path, largest: int = _LARGEST) -> None:
    """Delete the oldest files until the rest of a folder takes at most `largest` bytes.

    JAX could do this, but only with an additional package.
    """
    files = []
    for file in folder.iterdir():
        with contextlib.suppress(OSError):  # another process may be pruning as well
            status = file.stat()
            files.append((status.st_mtime, status.st_size, file))
    # Delete the least recently written files first.
    excess = sum(size for _, size, _ in files) - largest
    for _, size, file in sorted(files):
        if excess <= 0:
            break
        file.unlink(missing_ok=True)
        excess -= size


def _processor() -> str:
    """Return a short name for the processor kind; programs are shared only within one kind."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        text = ""
    # The flags name the instruction sets; a program compiled for others might crash.
    found = re.search(r"^(flags|Features)\s*:.*$", text, re.MULTILINE)
    # Windows has no `os.uname`.
    kind = f"{os.uname().machine if hasattr(os, 'uname') else ''} {found[0] if found else ''}"
    return hashlib.sha256(kind.encode()).hexdigest()[:12]
