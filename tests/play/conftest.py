"""Drawing in a terminal needs the extra `play`."""

import pytest

pytest.importorskip("rich")
