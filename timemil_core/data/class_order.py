"""The order in which a set's own file names its classes: that of the logits of models trained elsewhere on it."""

from __future__ import annotations

from timemil_core import workspace
from timemil_core.data import archive
from timemil_core.data.bundled import aeon_datasets
from timemil_core.data.files.source import from_path
from timemil_core.data.known_sets import named_classes
from timemil_core.data.ts_files import peek_header


def declared_classes(reference: str) -> tuple[str, ...]:
    """Return the classes in the order of the header of ``NAME_TRAIN.ts``; none where there is no such file.

    A ``SeriesSet`` has the classes that occur, in an order for people; aeon's ``class_values`` are the header's.
    """
    if workspace.SAFE_NAME.fullmatch(reference) is None:
        return ()
    for root in (aeon_datasets() / "data", workspace.local_archive_folder(), archive.cache_folder()):
        folder = None if root is None else archive.set_folder(root, reference)
        if folder is not None:
            declared = peek_header(from_path(folder / f"{reference}_TRAIN.ts")).class_names
            return named_classes(reference, declared)
    return ()
