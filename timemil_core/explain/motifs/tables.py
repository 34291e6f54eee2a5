"""An atlas as tables: a row a motif, and a row a span."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from timemil_core.data.formulas import guarded
from timemil_core.data.series_set import SeriesSet
from timemil_core.explain.motifs.motif import Atlas, Presence

Table = dict[str, list[Any]]
USED = {True: "yes", False: "no", None: "too few series"}


def summary_table(atlas: Atlas, class_names: Sequence[str]) -> Table:
    """Return a row a motif; what was counted stands as ``3 of 8``, with no series looked at as an empty text."""
    rows = []
    for motif in atlas.motifs:
        name = class_names[motif.target]
        others = [one for key, one in motif.presence.items() if key != name]
        elsewhere = Presence(sum(one.found for one in others), sum(one.of for one in others))
        rows.append(
            {
                "class": name,
                "motif": motif.place + 1,
                "spans": len(motif.members),
                "series": motif.n_series,
                "in its class": _of(motif.presence.get(name, Presence(0, 0))),
                "in other classes": _of(elsewhere),
                "beats random spans": f"{motif.tested.n_beaten} of {motif.tested.n_series}",
                "used": USED[motif.is_used],
            }
        )
    return _columns(rows)


def occurrence_table(atlas: Atlas, class_names: Sequence[str], series_set: SeriesSet) -> Table:
    """Return a row a span: of which motif, whether it was cut out or found again, where, and whether it is used."""
    unit, rows = series_set.axis.length, []
    for motif in atlas.motifs:
        for how, spans in (("cut", motif.members), ("found again", motif.matches)):
            for one in spans:
                times = series_set.times(one.series)
                rows.append(
                    {
                        "class of the motif": guarded(class_names[motif.target]),
                        "motif": motif.place + 1,
                        "used": USED[motif.is_used],
                        "how": how,
                        "series": guarded(series_set.series_ids[one.series]),
                        "true class": guarded(series_set.label_name(one.series) or ""),
                        f"from, {unit}": float(times[one.start]),
                        f"to, {unit}": float(times[one.stop - 1]),
                        "first time point": one.start,
                        "last time point": one.stop - 1,
                    }
                )
    return _columns(rows)


def _of(presence: Presence) -> str:
    return f"{presence.found} of {presence.of}" if presence.of else ""


def _columns(rows: list[dict[str, Any]]) -> Table:
    return {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}
