"""What every test shares: generated inputs are the same in each run, unless somebody asks for new ones."""

import os

from hypothesis import settings

# A suite that passes or fails by luck tells nothing; new inputs are looked for by the fuzz command and by
# `HYPOTHESIS_PROFILE=explore python -m pytest`.
settings.register_profile("repeatable", derandomize=True)
settings.register_profile("explore", print_blob=True)
# Two workers share two cores: threads of both in each operation wait for one another.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Trainings of the tests are followed by no measurement of minutes, which would take the processors from other tests.
os.environ.setdefault("TIMEMIL_RANK", "0")
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))
