"""Options of commands: valid values and unusual values."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from nopt.api.catalogue.listing import passes

ODD = (
    "", " ", "0", "-1", "1", "2", "1e300", "-1e300", "1e999", "5e-324", "nan", "inf", "-inf", "9" * 30, "9" * 5000, "18446744073709551616",
    "9223372036854775808", "1e-400", "x", "none", "true", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\u202eright", "\u2066", "\x9b31m", "a\nb", "a\tb",
    "é漢", "\udcff", "x" * 300, "n" * 5000, "/", "..", ".", "-", "--", "%s", "{x}", "a,b", ",", "=", "a=b", "'", '"', "(" * 3000, "1,2,3", "0.5",
    "*", "nodes=1", "./no/such", "/dev/null", "lif", "lif.v", "input", "in",
)  # fmt: skip
TIMES = ("1ms", "0.1ms", "100us", "1e-4s", "1s")
ODD_TIMES = (
    "0ms",
    "-1ms",
    "1",
    "ms",
    "1e300s",
    "1e-300s",
    "9e9s",
    "1e-9999s",
    "9" * 400 + "s",
    "nans",
    "infs",
    "1 ms",
    "1ms\x1b[0m",
    "0.3ns",
    "1e18ns",
)
PRESETS = ("norse", "snntorch", "nengo", "sinabs", "lava", "rockpool", "spinnaker2", "spyx", "euler", "spikingjelly")
TARGETS = ("c", "c/generic", "asic/mesh", "asic/edge", "asic/multi", "asic", "reference", "all", "auto")


def some(random: Random, good: Sequence[str], odd: Sequence[str] = ODD, share: float = 0.06) -> str:
    """Returns a valid value, or sometimes an unusual one."""
    return random.choice(odd) if random.random() < share else random.choice(good)


def is_safe(name: str, levels: Sequence[str], options: Sequence[tuple[str, str, str]]) -> bool:
    """Returns whether a pass of one of these levels applies to most networks: it changes no dialect and needs no option."""
    level = tuple(one for one in levels if not one.startswith("convert-"))
    return name.startswith(level) and not any(default == "required" for _, _, default in options)


class Pipelines:
    """Random pipelines over all passes of nopt."""

    def __init__(self) -> None:
        self.passes = {entry.name: [(o.name, o.kind, o.default) for o in entry.options] for entry in passes()}

    def pipeline(self, random: Random, levels: Sequence[str] = ("",)) -> str:
        """Returns up to four passes; those whose name starts with one of `levels` are likely."""
        likely = [name for name in self.passes if name.startswith(tuple(levels))] or list(self.passes)
        names = [
            random.choice(likely if random.random() < 0.85 else list(self.passes))
            for _ in range(random.choice((1, 1, 2, 3, 4)))
        ]
        text = ",".join(self.one(random, name) for name in names)
        if random.random() < 0.04:
            place = random.randint(0, len(text))
            text = text[:place] + random.choice((*ODD, "{", "}", ",", "builtin.module(", "{a=")) + text[place:]
        return text

    def safe(self, random: Random, levels: Sequence[str]) -> str:
        """Returns one or two passes that stay in their dialect and need no option."""
        likely = [name for name, options in self.passes.items() if is_safe(name, levels, options)] or ["canonicalize"]
        return ",".join(random.choice(likely) for _ in range(random.choice((1, 2))))

    def one(self, random: Random, name: str) -> str:
        given: list[str] = []
        for option, kind, default in self.passes[name]:
            if default == "required" or random.random() < 0.3:
                given.append(f"{option}={self.value(random, option, kind)}")
        if random.random() < 0.03:
            given.append(random.choice(("nothing=1", "bits", "bits=", "bits=8 bits=8", "=1", '"x"=1')))
        return f"{name}{{{' '.join(given)}}}" if given else name

    def value(self, random: Random, option: str, kind: str) -> str:
        if random.random() < 0.05:
            odd = random.choice(ODD)
            return (
                odd
                if random.random() < 0.4
                else '"' + odd.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
            )
        if option == "like":
            return random.choice(PRESETS)
        if option == "to":
            return random.choice((*PRESETS, '"mesh.neuron"', '"edge.neuron"', '"net.neuron"'))
        if option == "dt-ns":
            return random.choice(("1000000", "100000", "1000000", "0.5", "1e18", "0"))
        if option in ("device", "target"):
            return random.choice(("asic/mesh", "asic/edge", "asic/multi", "c/generic", '"device.json"'))
        if option == "data":
            return '"x.npy"'
        if "|" in kind:
            return random.choice(kind.split("|"))
        match kind.partition(",")[0]:
            case "int":
                return random.choice(
                    ("1", "2", "4", "8", "16", "32", "63", "64", "0", "-1", "65", "1000000", "99999999999999999999")
                )
            case "float":
                return random.choice(("0", "1", "0.5", "99", "1e-3", "-1", "1e300", "5e-324", "nan", "1e999"))
            case "bool":
                return random.choice(("true", "false"))
            case _:
                return random.choice(("lif", "fc", '"lif.v"', "lif,fc", "row", "auto", "none", "mesh"))
