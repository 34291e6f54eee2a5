"""Build as ``pyproject.toml`` says, with the shipped models inside: in the checkout they lie beside the package."""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

MODELS = Path(__file__).resolve().parent / "pretrained"


class WithModels(build_py):
    """Copies ``pretrained/`` to where ``timemil_core.workspace`` looks for it in an installed package."""

    def run(self) -> None:
        """Build the packages; an editable installation reads the models where they lie."""
        super().run()
        if not self.editable_mode:
            shutil.copytree(MODELS, Path(self.build_lib) / "timemil_core" / "pretrained", dirs_exist_ok=True)


setup(cmdclass={"build_py": WithModels})
