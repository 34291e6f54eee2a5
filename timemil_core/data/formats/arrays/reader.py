"""Arrays of any format as a reader among others: one array of series, or several named for what they hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from timemil_core.data.files.choices import Choosing
from timemil_core.data.files.contract import Progress, Understood
from timemil_core.data.files.joining import joined
from timemil_core.data.files.parts import Parts
from timemil_core.data.files.source import Source
from timemil_core.data.formats.arrays.loading import Array, Held, held_by_numpy
from timemil_core.data.formats.arrays.matlab_hdf5 import held_by_matlab_or_hdf5, is_matlab_or_hdf5
from timemil_core.data.formats.arrays.roles import AXES, guess_axes, parts_of
from timemil_core.data.formats.arrays.set_of_arrays import as_parts
from timemil_core.data.report_line import ReportLine, note, repair, warning
from timemil_core.data.wording import listed
from timemil_core.errors import DataError

HEAD = 1024  # bytes by which a format is recognised
SHARED = ("channel_names", "class_names", "sampling_rate", "timestamp_unit")


def understand_arrays(sources: Sequence[Source], choose: Choosing) -> Understood:
    """Look at the arrays of one ``.npz``, MATLAB or HDF5 file, or of several ``.npy`` files.

    Raises
    ------
    DataError
        Where an array is pickled, damaged or too large, or none holds series.
    """
    heads = [source.head(HEAD) for source in sources]
    is_other = is_matlab_or_hdf5(sources[0], heads[0])
    title = ("an HDF5 file" if heads[0].startswith(b"\x89HDF") else "a MATLAB file") if is_other else "NumPy arrays"
    return understand_held(_all_held(sources), title, sources[0].name, choose)


def understand_held(held: Held, title: str, where: str, choose: Choosing) -> Understood:
    """Look at named arrays; the title says whose they are.

    Raises
    ------
    DataError
        Where none holds series, or they do not fit together.
    """
    arrays = held.arrays
    numeric = [name for name, array in arrays.items() if array.dtype.kind in "biuf" and array.ndim]
    found = parts_of(arrays)
    found[""] = {**found.get("", {}), **held.roles}
    lines = list(held.lines)
    if not any("values" in roles for roles in found.values()):
        largest = _largest(arrays, numeric, where)
        found = {"": {**found.get("", {}), "values": largest}}
    if "train" in found and "values" in found["train"]:
        common = {role: name for role, name in found.get("", {}).items() if role in SHARED}
        parts = {part: {**common, **found[part]} for part in ("train", "test") if "values" in found.get(part, {})}
    else:
        roles = found[""] if "values" in found.get("", {}) else next(one for one in found.values() if "values" in one)
        values = choose.one("values", "Series", numeric, roles["values"], reshapes=True)
        others = [name for name in arrays if name != values]
        guess = roles.get("labels")
        labels = choose.one_or_none("labels", "Class labels", others, guess if guess in others else None)
        parts = {"": {**{role: name for role, name in roles.items() if role != "labels"}, "values": values}}
        if labels is not None:
            parts[""]["labels"] = labels
    for roles in parts.values():
        if roles["values"] in held.lengths:
            name = f"lengths of {roles['values']}"
            arrays = {**arrays, name: held.lengths[roles["values"]]}
            roles["lengths"] = name
    first = next(iter(parts.values()))
    axes = _choose_axes(arrays, first, choose, lines)
    lines.extend(_told(arrays, parts))
    return Understood(
        title=title,
        load=lambda progress: _load(arrays, parts, axes, where, progress),
        lines=lines,
        has_labels=all("labels" in roles for roles in parts.values()) or axes in ("lnt", "ntl"),
    )


def array_bundles(own: Sequence[Source], _others: Sequence[Source]) -> list[list[Source]]:
    """Put files together that are named for what they hold (X.npy, y.npy); else each stands alone."""
    found = parts_of(source.stem for source in own if source.suffix == ".npy")
    is_one_set = len(own) > 1 and any({"values", "labels"} <= set(roles) for roles in found.values())
    return [list(own)] if is_one_set else [[source] for source in own]


def _all_held(sources: Sequence[Source]) -> Held:
    everything = Held({})
    for source in sources:
        is_other = is_matlab_or_hdf5(source, source.head(HEAD))
        held = held_by_matlab_or_hdf5(source) if is_other else held_by_numpy(source)
        for name, array in held.arrays.items():
            key = name if name not in everything.arrays else f"{source.stem}/{name}"
            everything.arrays[key] = array
            if name in held.lengths:
                everything.lengths[key] = held.lengths[name]
        everything.roles |= held.roles
        everything.lines += held.lines
    return everything


def _largest(arrays: Mapping[str, Array], numeric: Sequence[str], where: str) -> str:
    if not numeric:
        raise DataError("No array holds numbers.", where=where, remedy="Save the series as an array of numbers.")
    return max(numeric, key=lambda name: arrays[name].size)


def _choose_axes(
    arrays: Mapping[str, Array], roles: Mapping[str, str], choose: Choosing, lines: list[ReportLine]
) -> str:
    values = arrays[roles["values"]]
    options = {key: title for key, (n_axes, title) in AXES.items() if n_axes == values.ndim}
    if not options:
        raise DataError(
            f"The array {roles['values']!r} has {values.ndim} axes.",
            where=choose.where,
            remedy="Save it as (series, channels, time points), or as (series, time points).",
        )
    guess, reason, is_sure = guess_axes(arrays, roles)
    axes = choose.one("axes", "Axes of the array", options, guess, reshapes=True)
    if axes == guess:
        text = f"The axes of {roles['values']!r}, {values.shape}, are taken for {options[axes]}: {reason}."
        lines.append(note(text, choice="axes") if is_sure else warning(text, remedy="Please check.", choice="axes"))
    return axes


def _told(arrays: Mapping[str, Array], parts: Mapping[str, Mapping[str, str]]) -> list[ReportLine]:
    lines = []
    for part, roles in parts.items():
        what = f" of the {part} part" if part else ""
        for role, name in roles.items():
            if role != "values" and not name.startswith("lengths of "):
                lines.append(note(f"{name!r} is taken for the {role.replace('_', ' ')}{what}: its name says so."))
        if "labels" not in roles:
            lines.append(
                warning(
                    f"No array holds the classes{what}: the series can be looked at, but not learned from.",
                    remedy="Save them as 'y', or choose the array.",
                    choice="labels",
                )
            )
    used = {name for roles in parts.values() for name in roles.values()}
    if unused := [name for name in arrays if name not in used]:
        lines.append(repair(f"Arrays that are not used: {listed(unused)}."))
    return lines


def _load(
    arrays: Mapping[str, Array], parts: Mapping[str, Mapping[str, str]], axes: str, where: str, progress: Progress
) -> Parts:
    made = []
    for position, (part, roles) in enumerate(parts.items()):
        progress(position / len(parts), f"reading {roles['values']}")
        one = as_parts({role: arrays[name] for role, name in roles.items()}, axes, where)
        if part:
            one.split = [part] * len(one.series)
        made.append((part or where, one))
    return joined(made) if len(made) > 1 else made[0][1]
