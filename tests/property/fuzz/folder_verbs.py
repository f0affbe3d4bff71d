"""Commands on folders of `nopt compile` and on files of `nopt run`: run, report, diff, plot, compare."""

from __future__ import annotations

import array_mutations
import file_mutations
from draft import Draft
from inputs import Inputs
from material import Network
from options import ODD

DIFFERENT = r"(?m)^different$|\"equal\": false|differ"
"""The answer of `diff` and `compare` that ends with exit code 1."""


class FolderVerbs(Inputs):
    """Drafts of commands on builds and outputs."""

    def build_input(self, made: Draft, share: float, network: Network) -> None:
        if made.chance(share):
            made.option("--input", self.signal(made, network, 0.1))

    def run_build(self, made: Draft) -> None:
        build = self.build(made, "made", 0.6)
        made.arguments += ["run", "made", "--input", self.signal(made, build.network, 0.1)]
        made.maybe(0.3, "--model", "chip", "reference")
        made.unusual(0.1, "--record", *(build.network.nodes or ("x",)), *ODD)
        made.unusual(0.1, "--max-memory", "64KiB", "1GiB", *ODD)
        made.unusual(0.05, "--ticks", "0", "3", "100", "-1", *ODD)
        if made.chance(0.2):
            made.option("-o", "out.npz")
            made.allowed.add("out.npz")

    def report_build(self, made: Draft) -> None:
        build = self.build(made, "made", 0.7)
        made.arguments += ["report", "made"]
        self.build_input(made, 0.3, build.network)
        if made.chance(0.7):
            made.option("-o", "page.html")
            made.allowed.add("page.html")
        else:
            made.allowed |= {"made/report.html", "made/report.json"}  # the list of files of the build

    def diff(self, made: Draft) -> None:
        build = self.build(made, "a", 0.3)
        same_target = [one for one in self.material.builds if one.network.inputs == build.network.inputs]
        self.build(made, "b", 0.4, made.random.choice((build, made.random.choice(same_target))))
        made.arguments += ["diff", "a", made.some(("b",), ("a", ".", "no", *ODD), 0.04)]
        self.build_input(made, 0.2, build.network)
        made.answer = DIFFERENT

    def plot(self, made: Draft) -> None:
        suffix, data = made.random.choice([*self.material.outputs[:2], (".npz", b"")])
        if not data:
            arrays = made.random.choice(self.material.networks).arrays()
            damaged = made.damages(0.5)
            data = array_mutations.damage_npz(made.random, arrays) if damaged else array_mutations.npz(arrays)
        elif suffix == ".h5" and made.damages(0.6):
            data = file_mutations.damaged(made.random, data, [data])
        elif made.damages(0.4):
            data = made.random.choice(file_mutations.BYTES)(made.random, data)
        made.files[f"a{suffix}"] = data
        out = made.some(("p.svg", "p.svg", "p.png"), ("p", "p.pdf", "p.SVG", "", "/dev/null", "..", "a/p.svg"), 0.08)
        made.arguments += ["plot", f"a{suffix}", "-o", out]
        made.allowed.add(out)
        made.unusual(0.3, "--name", "output", "voters.v", "input", "v", *ODD)
        made.maybe(0.4, "--kind", "rates", odd=("raster", "trace", *ODD))
        if made.damages(0.2):
            made.option("--kind", "trace")
            made.option("--neurons", made.some(("0", "0,1", "1,1,1", "-1", "99", "0-3", "1.0", "0,,1"), ODD, 0.3))
        made.unusual(0.2, "--samples", "yes", "no", *ODD)

    def compare(self, made: Draft) -> None:
        network = made.random.choice(self.material.networks)
        names: list[str] = []
        suffix, output = made.random.choice(self.material.outputs[:2])
        is_output = made.chance(0.4)
        for side in "ab":
            if is_output:
                names.append(f"{side}{suffix}")
                damaged = made.damages(0.4)
                made.files[names[-1]] = file_mutations.damaged(made.random, output, [output]) if damaged and suffix == ".h5" else output  # fmt: skip
                continue
            forms = {name: data for name, data in network.signals().items() if name != ".csv"}
            form = made.random.choice(sorted(forms))
            names.append(f"{side}{form}")
            made.files[names[-1]] = forms[form]
            if made.damages(0.5) and form == ".h5":
                made.files[names[-1]] = file_mutations.damaged(made.random, forms[form], [forms[form]])
            elif made.damages(0.5) and form.endswith(".npy"):
                made.files[names[-1]] = array_mutations.damage_npy(made.random, forms[form])
            elif made.damages(0.5):
                made.files[names[-1]] = array_mutations.damage_npz(made.random, network.arrays())
        if made.is_good and not is_output:  # the same form has the same names
            names[1] = f"b{names[0][1:]}"
            made.files[names[1]] = made.files[names[0]]
        made.arguments += ["compare", *names]
        made.maybe(0.2, "--tolerance", "0", "1e-6", "1")
        made.maybe(0.3, "--shift", "0", "auto", odd=("2", "-3", "100000", *ODD))
        made.unusual(0.2, "--samples", "yes", "no", *ODD)
        made.unusual(0.1, "--map", "output=v", "v=v,v=output", "a", *ODD)
        made.answer = DIFFERENT
