from __future__ import annotations

import pytest

from verifier.coq import Toolchain, Unavailable


@pytest.fixture(scope="session")
def toolchain() -> Toolchain:
    try:
        return Toolchain.find()
    except Unavailable as reason:
        pytest.skip(f"Coq cannot be used here: {reason}")
