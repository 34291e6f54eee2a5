"""The command line: a file a command, each with ``NAME``, ``SUMMARY``, ``add_arguments`` and ``execute``."""
