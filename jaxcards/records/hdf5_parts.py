"""Parts of HDF5 files that may be foreign, damaged or hostile, checked before reading."""

import math
from typing import Any

import numpy as np

from jaxcards.errors import UserError
from jaxcards.records.bounded import H5PY_ERRORS
from jaxcards.records.hdf5_disk import library

DAMAGE = H5PY_ERRORS
"""The exceptions of h5py for a damaged file; and `UserError`, which is a `ValueError`."""

MOST_TEXT = 1 << 20
MOST_GROUPS = 10_000
_LARGEST_CHUNK = 1 << 26  # bytes; a small file can name huge ones


def open_file(path: Any) -> Any:
    """Return an HDF5 file, open for reading. Raise `UserError` if it is not an HDF5 file."""
    try:
        return library().File(path, "r", locking=False)
    except OSError as error:
        raise UserError(f"is not an HDF5 file, or damaged: {one_line(error)}") from None


def one_line(error: BaseException) -> str:
    """Return an error of `DAMAGE` as a reason."""
    if isinstance(error, UserError):
        return str(error)
    if isinstance(error, TypeError | AttributeError):  # their texts are about Python
        return "damaged: a part is of an unexpected kind"
    return f"damaged: {' '.join(str(error).split())[:200]}"


def text(holder: Any, name: str) -> str:
    """Return an attribute that is a text of bounded length."""
    if name not in holder.attrs:
        raise UserError(f"the attribute {name} is missing")
    # Check type and size before the value is read: a hostile file can name any size.
    attribute = holder.attrs.get_id(name)
    kind = attribute.get_type()
    is_text = isinstance(kind, library().h5t.TypeStringID) and not kind.is_variable_str()
    if not is_text or attribute.shape != () or kind.get_size() > MOST_TEXT:
        raise UserError(f"the attribute {name} is not a short text of fixed length")
    value = holder.attrs[name]
    return value.decode("utf-8") if isinstance(value, bytes) else str(value)


def hard(parent: Any, name: str, kind: type) -> Any:
    """Return a member of a file, which must be in the file itself."""
    h5py = library()
    if not isinstance(parent.get(name, getlink=True), h5py.HardLink):
        raise UserError(f"{name} is a link, and links are not followed")
    found = parent[name]
    if not isinstance(found, kind):
        raise UserError(f"{name} is not a {kind.__name__.lower()}")
    return found


def data_set(group: Any, name: str, shape: tuple[int, ...], *dtypes: Any) -> Any:
    """Return a data set, if it is complete, and has the format's row shape and one of its types."""
    parent, h5py = group, library()
    *folders, last = name.split("/")
    # In a name such as facts/totals, the folders on the way must not be links either.
    for folder in folders:
        parent = hard(_present(parent, folder), folder, h5py.Group)
    dataset = hard(_present(parent, last), last, h5py.Dataset)
    if dataset.dtype not in dtypes or dataset.ndim != 1 + len(shape) or dataset.shape[1:] != shape:
        raise UserError(
            f"{name} must be {np.dtype(dtypes[0])}[n{''.join(f', {size}' for size in shape)}], not "
            f"{dataset.dtype}{list(dataset.shape)}"
        )
    if dataset.is_virtual or dataset.external:
        raise UserError(f"{name} lies in another file, and others are not opened")
    # A float: the product of hostile sizes could overflow an integer.
    chunk = int(np.prod(dataset.chunks or (0,), dtype=np.float64)) * dataset.dtype.itemsize
    if chunk > _LARGEST_CHUNK:
        raise UserError(f"{name} has chunks of {chunk} bytes, but at most {_LARGEST_CHUNK} are read")
    if not _is_whole(dataset):
        raise UserError(f"{name} says it has {dataset.shape[0]} rows, but some of them are missing")
    return dataset


def _is_whole(dataset: Any) -> bool:
    """Return whether all rows are in the file: HDF5 makes up missing rows, without limit."""
    if dataset.chunks is None:
        # Without chunks, all rows lie in one block.
        return dataset.id.get_storage_size() >= dataset.size * dataset.dtype.itemsize
    # The last chunk along an axis may be partly filled, so the division rounds up.
    pairs = zip(dataset.shape, dataset.chunks, strict=True)
    return dataset.id.get_num_chunks() >= math.prod(-(-size // chunk) for size, chunk in pairs)


def _present(parent: Any, name: str) -> Any:
    if name not in parent:
        raise UserError(f"{name} is missing")
    return parent
