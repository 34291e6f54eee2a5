from __future__ import annotations

import numpy as np
import pytest

HOSTILE = "<script>alert(1)</script> & <b>%{x}</b>"
HOSTILE_DRAWN = "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &lt;b&gt;%&#123;x}&lt;/b&gt;"


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(0)
