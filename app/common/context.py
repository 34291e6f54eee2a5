"""The chosen data set, model and series, loaded and fitted to each other."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from app.common import loading, state
from app.common.span import Span, is_thinned, parsed
from app.common.state import Selection
from timemil_core.data.series_set import BoolArray, FloatArray, SeriesSet
from timemil_core.explain.cost import PROBE_TIMEPOINTS
from timemil_core.models.shelf import ShelfEntry, shelf
from timemil_core.models.sweep_notes import CELL_PREFIX
from timemil_core.models.trained import TrainedModel

OPENING_MODEL = "synthetic-distractor-faithful"
OPENING_DATA = "synthetic-distractor"
LONGEST_TOLD = 60  # characters of a name that a link gives


@dataclass(frozen=True, eq=False)
class Context:
    """What a page shows. ``index`` is the chosen series' place in the data set, ``span`` what is seen of it in time.

    ``marked`` is the span of a short series that was chosen: all of the series is seen, and that is bracketed.
    ``pin_series`` and ``pin_model`` are what is held beside it, to compare with (empty: nothing).
    """

    series_set: SeriesSet
    data: str
    model: TrainedModel | None
    model_reference: str
    index: int
    span: Span | None = None
    marked: Span | None = None
    pin_series: str = ""
    pin_model: str = ""

    @property
    def chosen_span(self) -> Span | None:
        """The span that was chosen of the series: looked at where it is long, marked where it is short."""
        return self.span or self.marked

    @property
    def series_id(self) -> str:
        """The chosen series' own name."""
        return self.series_set.series_ids[self.index]

    @property
    def series(self) -> FloatArray:
        """The chosen series, ``(n_channels, n_timepoints)``."""
        return self.series_set.series[self.index]

    @property
    def is_long(self) -> bool:
        """Whether a pass of the chosen series through a model takes longer than a page may."""
        return self.series.shape[1] > PROBE_TIMEPOINTS


def truth(series_set: SeriesSet, index: int) -> BoolArray | None:
    """Return the instance labels of a series, where the set has any and they mark something."""
    if series_set.instance_labels is None or not series_set.instance_labels[index].any():
        return None
    return series_set.instance_labels[index]


def tested(series_set: SeriesSet) -> SeriesSet:
    """Return the test series where there are any, else all."""
    indices = series_set.indices("test")
    return series_set.subset(indices) if len(indices) else series_set


def opening(entries: list[ShelfEntry]) -> Selection:
    """Return what a new session opens on: the shipped model whose truth is known, else any model there is."""
    preferred = [entry for entry in entries if entry.reference == OPENING_MODEL] or entries
    if not preferred:
        return Selection(data=OPENING_DATA)
    entry = preferred[0]
    return Selection(entry.data or OPENING_DATA, entry.reference, str(entry.facts.get("opening_series", "")))


def resolved(
    selection: Selection, entries: list[ShelfEntry], titles: Mapping[str, str], unreadable: Collection[str] = ()
) -> tuple[Selection, str]:
    """Return a selection of things that exist, and a sentence on what a link named and nobody knows; else "".

    Parameters
    ----------
    selection
        What a link or the session names: data sets and models by reference or by title.
    entries
        All models.
    titles
        Of all data sets, by reference.
    unreadable
        References of models that are there and cannot be opened: they are told of elsewhere.
    """
    data, model = _named(selection.data, titles), _named(selection.model, {one.reference: one.title for one in entries})
    unknown = []
    if selection.data and data is None:
        unknown.append(f"the data set {selection.data[:LONGEST_TOLD]!r}")
    is_elsewhere = selection.model in unreadable or selection.model.startswith(CELL_PREFIX)
    if selection.model and model is None and not is_elsewhere:
        unknown.append(f"the model {selection.model[:LONGEST_TOLD]!r}")
    if not unknown:
        return replace(selection, data=data or "", model=model or selection.model), ""
    told = f"This link names {' and '.join(unknown)}, which this machine does not have. Choose another in the sidebar."
    if data is None:
        return opening(entries), told
    return replace(selection, data=data or "", model=""), told


def _named(name: str, titles: Mapping[str, str]) -> str | None:
    if name in titles:
        return name
    return next(
        (reference for reference, title in titles.items() if name and title.casefold() == name.casefold()), None
    )


def completed(selection: Selection, entries: list[ShelfEntry]) -> Selection:
    """Derive what the selection leaves open: the model's own data set, the newest model of a data set."""
    by_reference = {entry.reference: entry for entry in entries}
    if not selection.data:
        entry = by_reference.get(selection.model)  # none: a cell of a sweep, or unreadable, which is told elsewhere
        return replace(selection, data=(entry and entry.data) or OPENING_DATA)
    if selection.data and not selection.model:
        own = [entry for entry in entries if entry.data == selection.data]
        return replace(selection, model=own[0].reference) if own else selection
    return selection


def series_index(series_set: SeriesSet, series_id: str) -> int:
    """Return the place of a series; where the id is empty or unknown, the first test series, else the first."""
    if series_id in series_set.series_ids:
        return series_set.series_ids.index(series_id)
    test = series_set.indices("test")
    return int(test[0]) if len(test) else 0


def load_data() -> SeriesSet:
    """Load the chosen data set alone. Raises DataError where it cannot be opened."""
    return loading.data_set(state.current(opening(shelf())).data)


def load() -> Context:
    """Load what is chosen.

    Raises
    ------
    DataError, ModelError
        Where the data set or the model cannot be opened, or they do not fit each other.
    """
    selection = state.current(opening(shelf()))
    series_set = loading.data_set(selection.data)
    trained = loading.model(selection.model) if selection.model else None
    if trained is not None:
        trained.check_fits(series_set)
    index = series_index(series_set, selection.series)
    seen, marked = spans(selection.span, series_set, index)
    return Context(
        series_set, selection.data, trained, selection.model, index, seen, marked,
        selection.pin_series, selection.pin_model,
    )  # fmt: skip


def spans(text: str, series_set: SeriesSet, index: int) -> tuple[Span | None, Span | None]:
    """Return what a span in the URL makes of a series: what is seen of it, and what is marked in it."""
    times = series_set.times(index)
    span = parsed(text, times)
    return (span, None) if is_thinned(times) else (None, span)
