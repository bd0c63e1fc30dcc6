"""Agents are evaluated on few deals each: most of the time goes into compiling."""

import pytest
from support import quick

from jaxcards import xla


@pytest.fixture(scope="module", autouse=True)
def compiled_fast():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xla, "jit", quick.jit)
        yield
