"""The UEA and UCR archives: what of them is on this machine, and how the rest comes here.

``folders`` says where sets lie, ``downloading`` brings one (``zenodo`` and ``zipped`` know the two places that aeon
takes sets from, ``transfer`` moves one file), and ``jobs`` does it beside whatever else runs.
"""

from timemil_core.data.archive.downloading import download, downloadable
from timemil_core.data.archive.folders import cache_folder, read_folder, set_folder
from timemil_core.data.archive.transfer import Progress
from timemil_core.data.series_set import SeriesSet

__all__ = ["Progress", "cache_folder", "download", "downloadable", "load_archive", "read_folder", "set_folder"]


def load_archive(name: str, progress: Progress | None = None) -> SeriesSet:
    """Load a set, downloading it at the first time; a failed download leaves nothing behind.

    Raises
    ------
    DataError
        Where the name is unknown to aeon, or the download fails: says where to put the files by hand.
    """
    return read_folder(download(name, progress), name)
