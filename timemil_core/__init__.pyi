from timemil_core.data.series_set import SeriesSet as SeriesSet
from timemil_core.estimator import TimeMILClassifier as TimeMILClassifier

__version__: str
