"""The Streamlit app: pages hold layout, the library holds everything else."""

import timemil_core  # noqa: F401  before torch is loaded: it settles how torch's threads wait
