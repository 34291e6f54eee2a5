"""``python -m timemil_core COMMAND``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from timemil_core.commands.registry import NAMES, build_parser, load_command
from timemil_core.errors import TimeMILError

WRONG_INPUT = 2
INTERRUPTED = 130


def main(words: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 2 for what the user can mend, told in one line; 130 for Ctrl-C."""
    words = sys.argv[1:] if words is None else words
    asked = [name for name in words[:1] if name in NAMES]
    arguments = build_parser(asked or NAMES).parse_args(words)
    try:
        return load_command(arguments.command).execute(arguments)
    except TimeMILError as error:
        print(f"error: {error}", file=sys.stderr)
        return WRONG_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
