"""Writing files whole or not at all, and the two formats for named arrays."""

from __future__ import annotations

import errno
import io
import json
import os
import tempfile
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np

from verifier.compile.transformer import Transformer
from verifier.export.arrays import arrays, metadata


class MissingPackageError(RuntimeError):
    """A package that an export needs is not installed; the message says how to install it."""


def load_package(name: str) -> ModuleType:
    """Import a package of the extra `onnx`.

    Raises:
        MissingPackageError: it is not installed.
    """
    try:
        return import_module(name)
    except ImportError:
        message = f"the package {name} is missing; install it by: pip install 'hard-attention-verifier[onnx]'"
        raise MissingPackageError(message) from None


def write_whole(path: Path, content: bytes) -> None:
    """Write a file by way of a temporary one beside it, so that it is there whole or not at all.

    A link is followed; a device, a pipe or a folder is refused, since renaming would replace it.

    Raises:
        OSError: it cannot be written; whatever stood there before is unchanged.
    """
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:40]}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(temporary).unlink()
        raise


def npz_bytes(transformer: Transformer, dtype: str = "float64") -> bytes:
    """The arrays as an npz file; `metadata` is one array more, a JSON text."""
    out = io.BytesIO()
    text = np.array(json.dumps(dict(metadata(transformer)), ensure_ascii=True))
    np.savez(out, **arrays(transformer, dtype), metadata=text)  # type: ignore[arg-type]
    return out.getvalue()


def safetensors_bytes(transformer: Transformer, dtype: str = "float64") -> bytes:
    """The arrays as a safetensors file, whose header holds the metadata.

    Raises:
        MissingPackageError: the package safetensors is not installed.
    """
    package = load_package("safetensors.numpy")
    return bytes(package.save(arrays(transformer, dtype), dict(metadata(transformer))))
