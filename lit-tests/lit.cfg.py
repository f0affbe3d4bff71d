"""How lit runs the goldens: warm by default, under lit's own shell with `-D slow=1`; samples with `-D shared=DIR`."""

import atexit
import gc
import os
import pkgutil
import shutil
import sys
import tempfile
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import lit.formats

HERE = Path(__file__).parent
ROOT = HERE.parent
SECONDS = 120  # for one command of a golden
ROOMS = ("core", "frontends", "dialects", "analysis", "passes", "simulation", "targets", "api", "tools")
LATE = ("h5py", "lark", "nir", "rich.console", "xdsl.xdsl_opt_main")  # what nopt imports inside of functions

config.name = "nopt"
config.suffixes = [".mlir", ".test"]
config.excludes = ["bin", "inputs"]
config.test_source_root = str(HERE)
config.test_exec_root = tempfile.mkdtemp(prefix="nopt-lit-")
atexit.register(shutil.rmtree, config.test_exec_root, ignore_errors=True)

config.environment["PATH"] = os.pathsep.join([str(HERE / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]])
config.environment["XDG_CACHE_HOME"] = str(ROOT / "build" / "cache")  # compiled networks, kept from run to run
config.substitutions.append(("%root", str(ROOT)))

# Third-party samples are not part of the tree; tests that read them say `REQUIRES: shared`.
shared = Path(lit_config.params.get("shared") or ROOT.parent / "shared").resolve()
if shared.is_dir():
    config.available_features.add("shared")
    config.substitutions.append(("%shared", str(shared)))
else:
    lit_config.note(f"no samples at {shared}: tests that need them are skipped (make lit SHARED=DIR)")

if lit_config.params.get("slow"):
    config.test_format = lit.formats.ShTest(execute_external=False)
else:
    import filecheck.main

    sys.path.insert(0, str(HERE))
    from fork_format import ForkTest

    from nopt.tools.main import main

    # A fork finds imported what it would import itself. Nothing else is prepared, so that it starts as a process does.
    packages = [import_module(f"nopt.{room}") for room in ROOMS]
    modules = [
        m.name for p in packages for m in pkgutil.walk_packages(p.__path__, f"{p.__name__}.", onerror=lambda name: None)
    ]
    for name in [*modules, *LATE]:
        with suppress(Exception):  # the golden that needs the module fails, not all of them
            import_module(name)
    gc.freeze()

    tools = {"nopt": main, "filecheck": filecheck.main.main}
    if log := lit_config.params.get("helps"):
        from help_format import HelpTest
        from help_sample import choose

        sample = choose(HERE) if lit_config.params.get("sample") else None
        config.test_format = HelpTest(tools, SECONDS, Path(log), sample)
    else:
        config.test_format = ForkTest(tools, SECONDS)
