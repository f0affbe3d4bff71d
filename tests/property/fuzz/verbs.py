"""Commands of every verb: valid or damaged files, valid or unusual options."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from draft import Draft
from folder_verbs import FolderVerbs
from material import Material
from model_verbs import ModelVerbs
from network_verbs import NetworkVerbs
from options import ODD, ODD_TIMES
from other_verbs import OtherVerbs

GOOD = 0.2
"""Share of drafts without damage and unusual options."""


class Verbs(NetworkVerbs, FolderVerbs, OtherVerbs, ModelVerbs):
    """Drafts of commands over the same material."""

    def __init__(self, material: Material):
        super().__init__(material)
        self.makers: tuple[tuple[Callable[[Draft], None], int], ...] = (
            (self.drive, 6), (self.check, 4), (self.run, 5), (self.levels, 3), (self.compile, 6), (self.report_file, 2), (self.sweep, 3), (self.reduce, 2),
            (self.device, 4), (self.conform, 2), (self.neuron, 2), (self.run_build, 4), (self.report_build, 4), (self.diff, 4), (self.plot, 4),
            (self.compare, 3), (self.config, 4), (self.project, 3), (self.program, 4), (self.weights, 2), (self.training, 1), (self.module, 1), (self.measurement, 1), (self.new, 2), (self.explain, 1), (self.show_targets, 2),
            (self.show_passes, 1), (self.show, 2), (self.unknown, 1),
            (self.rule, 4), (self.node, 2), (self.onnx, 2), (self.nestml, 1), (self.brian, 2),
        )  # fmt: skip

    def draft(self, random: Random) -> tuple[Draft, str]:
        """Returns a command with the name of its maker."""
        made = Draft(random, is_good=random.random() < GOOD)
        makers, weights = zip(*self.makers, strict=True)
        (maker,) = random.choices(makers, weights)
        maker(made)
        made.unusual(0.03, "--max-time", "1ms", "300ms", "1h", "none", *ODD_TIMES, *ODD)
        if made.damages(0.02):
            made.arguments.insert(random.randint(1, len(made.arguments)), random.choice(ODD))
        takes_format = maker != self.unknown and not any(word.startswith("--format") for word in made.arguments)
        if takes_format and made.chance(0.35):
            made.format = random.choice(("json", "json", "sarif"))
            made.arguments += ["--format", made.format]
        if made.damages(0.06):
            made.arguments.append("--strict")
        return made, maker.__name__
