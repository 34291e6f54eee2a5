"""Every format that people bring, behind one contract: inspect files, correct the guess, read them.

``inspect_files`` says what files seem to hold and which guesses can be changed; ``read_files`` reads them. Both take
anything at all and raise nothing but ``DataError``.
"""

from timemil_core.data.formats.inspecting import inspect_files, read_files

__all__ = ["inspect_files", "read_files"]
