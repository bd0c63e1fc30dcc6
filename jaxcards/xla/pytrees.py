"""Frozen dataclasses as pytrees, which `jax.export` and `flax.serialization` can write.

Neither library writes a pytree of an unregistered type. Importing Flax takes half a second, so the core
does not import it: the types are registered when other code imports Flax.
"""

import collections
import dataclasses
import importlib.util
import json
import sys
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, TypeVar

import jax

ClassT = TypeVar("ClassT", bound=type)

_FLAX = "flax.serialization"
_for_flax: list[tuple[type, Sequence[str], Sequence[str]]] = []  # until the import of Flax


def pytree(cls: ClassT) -> ClassT:
    """Decorate a frozen dataclass, or a `NamedTuple`, to register it for `jax.export` and Flax.

    A dataclass becomes a pytree. Fields with the metadata `{"static": True}` are not leaves; their
    values are strings, numbers and tuples.
    """
    if issubclass(cls, tuple):  # JAX and Flax know how to take it apart
        name = _name(cls)
        return jax.export.register_namedtuple_serialization(cls, serialized_name=name)  # type: ignore[return-value]
    fields = dataclasses.fields(cls)  # type: ignore[arg-type]
    static = [field.name for field in fields if field.metadata.get("static")]
    data = [field.name for field in fields if field.name not in static]
    register(cls, data, static)
    return cls


def register(
    cls: type, data: Sequence[str], static: Sequence[str], restore: Callable[..., Any] | None = None
) -> None:
    """Register any class as a pytree; see `pytree`.

    Args:
      cls: takes all of its fields by name.
      data: the names of the fields with leaves.
      static: the names of the others, each a string, a number, a tuple or a dataclass of such.
      restore: rebuilds the values of `static` from their JSON form; a dataclass is a tuple there.
    """
    # JAX flattens the class by its field names; `jax.export` also needs its static values as JSON.
    jax.tree_util.register_dataclass(cls, data, static)
    jax.export.register_pytree_node_serialization(
        cls,
        serialized_name=_name(cls),
        serialize_auxdata=lambda values: json.dumps(values, default=dataclasses.astuple).encode(),
        deserialize_auxdata=lambda text: (restore or tuple)(_tuples(json.loads(bytes(text)))),
    )
    if _FLAX in sys.modules:
        _tell_flax(sys.modules[_FLAX], cls, data, static)
    else:
        # Wait for the import of Flax, which may never come.
        _for_flax.append((cls, data, static))


_defined: collections.Counter[str] = collections.Counter()


def _name(cls: type) -> str:
    """Return the name of a class for `jax.export`, which refuses duplicate names.

    A class that is defined again, as in a notebook, gets a number behind its name.
    """
    name = f"{cls.__module__}.{cls.__qualname__}"
    _defined[name] += 1
    return name if _defined[name] == 1 else f"{name}#{_defined[name]}"


def _tuples(value: Any) -> Any:
    # JSON has lists only; static values are tuples, so that they stay hashable.
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


# ---- Flax ---------------------------------------------------------------------------------------


def _tell_flax(flax: ModuleType, cls: type, data: Sequence[str], static: Sequence[str]) -> None:
    def to_state(value: Any) -> dict[str, Any]:
        return {name: flax.to_state_dict(getattr(value, name)) for name in data}

    def from_state(value: Any, state: dict[str, Any]) -> Any:
        if set(state) != set(data):
            raise ValueError(f"{cls.__name__} has the fields {sorted(data)}, not {sorted(state)}")
        # Flax restores a state into an existing value, which supplies the static fields.
        fields = {name: getattr(value, name) for name in (*data, *static)}
        return cls(
            **fields | {name: flax.from_state_dict(fields[name], state[name], name) for name in data}
        )

    flax.register_serialization_state(cls, to_state, from_state)


class _UntilFlaxIsImported:
    """An import hook that waits for Flax and then registers the types with it."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != _FLAX:
            return None
        # Remove the hook first, or `find_spec` would call it again.
        sys.meta_path.remove(self)  # type: ignore[arg-type]
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        # Run the module as usual, then register the waiting types.
        run = spec.loader.exec_module

        def run_and_tell(module: ModuleType) -> None:
            run(module)
            for waiting in _for_flax:
                _tell_flax(module, *waiting)

        spec.loader.exec_module = run_and_tell  # type: ignore[method-assign]
        return spec


if _FLAX not in sys.modules:
    # At the front: Python takes the first finder that knows a module.
    sys.meta_path.insert(0, _UntilFlaxIsImported())  # type: ignore[arg-type]
