"""How lit runs the goldens: warm by default, under lit's own shell with `-D slow=1`; samples with `-D shared=DIR`."""

import atexit
import os
import shutil
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import lit.formats

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # there is a worker for each processor; read as numpy is imported

HERE = Path(__file__).parent
ROOT = HERE.parent
SECONDS = 120  # for one command of a golden

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
    lit_config.note(f"no samples at {shared}: tests that need them are skipped (make golden SHARED=DIR)")

# The extra torch is not part of the environment; tests that train state `REQUIRES: torch`.
if find_spec("torch") is not None:
    config.available_features.add("torch")
# Nor is the extra import-onnx in an environment from before it; tests that read models state `REQUIRES: onnx`.
if find_spec("onnx") is not None:
    config.available_features.add("onnx")

if find_spec("pynestml") is not None:  # the extra import-nestml
    config.available_features.add("nestml")

if lit_config.params.get("slow"):
    config.test_format = lit.formats.ShTest(execute_external=False)
else:
    import filecheck.main

    sys.path.insert(0, str(HERE))
    from fork_format import ForkTest
    from warm import compile_quickly, fork_server, import_nopt, run_python

    from nopt.tools.main import main

    import_nopt()
    compile_quickly()
    shell_bin = tempfile.mkdtemp(dir=config.test_exec_root)
    fork_server(Path(shell_bin))
    config.environment["PATH"] = os.pathsep.join([shell_bin, config.environment["PATH"]])

    CACHES = (
        "nopt.core.universe",
        "nopt.core.ir.contents:VERIFIED",
        "nopt.passes.legalize.delays._retiming_check:TRACES",
        "nopt.targets.c.library:_OPENED",
    )
    tools = {"nopt": main, "filecheck": filecheck.main.main, "python": run_python}
    if log := lit_config.params.get("helps"):
        from help_format import HelpTest
        from help_sample import choose

        sample = choose(HERE) if lit_config.params.get("sample") else None
        config.test_format = HelpTest(tools, SECONDS, Path(log), sample)
    else:
        config.test_format = ForkTest(tools, SECONDS, CACHES)
