"""Agents are evaluated on few deals each: most of the time goes into compiling."""

import pytest
import quick

from jaxcards import compile


@pytest.fixture(scope="module", autouse=True)
def compiled_fast():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compile, "jit", quick.jit)
        yield
