"""``python -m timemil_core COMMAND``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from timemil_core.commands.registry import COMMANDS, build_parser
from timemil_core.errors import TimeMILError

WRONG_INPUT = 2
INTERRUPTED = 130


def main(words: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 2 for what the user can mend, told in one line; 130 for Ctrl-C."""
    arguments = build_parser().parse_args(words)
    try:
        return COMMANDS[arguments.command].execute(arguments)
    except TimeMILError as error:
        print(f"error: {error}", file=sys.stderr)
        return WRONG_INPUT
    except KeyboardInterrupt:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
