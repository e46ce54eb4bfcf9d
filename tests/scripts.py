"""Files that are run, not imported, as modules for tests."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]


def loaded(path: str | Path) -> ModuleType:
    """A script as a module; what stands beside it can be imported while it is loaded.

    Args:
        path: absolute, or from the repository's root.
    """
    file = ROOT / path
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(file.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(file.parent))
    return module
