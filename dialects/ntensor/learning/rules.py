"""Learning rules: the arithmetic of weights and traces at events, as a symbol (`ntensor.rule`).

The body of a rule is scalar, like that of an update. `dialects/equations/rules.py` builds rules from the synapse language, and
`docs/rationale/plasticity.md` defines when an engine runs which region.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from xdsl.dialects.builtin import ArrayAttr as ListAttr
from xdsl.dialects.builtin import Float32Type, Float64Type, StringAttr, SymbolNameConstraint, f64, i1
from xdsl.dialects.utils import EnumAttribute
from xdsl.ir import Attribute, Block, BlockArgument, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    base,
    irdl_attr_definition,
    irdl_op_definition,
    lazy_traits_def,
    prop_def,
    region_def,
    traits_def,
    var_region_def,
)
from xdsl.irdl.declarative_assembly_format import (
    CustomDirective,
    ParsingState,
    PrintingState,
    RegionVariable,
    irdl_custom_directive,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsolatedFromAbove, SymbolOpInterface

from ....core.diagnostics import Code, invalid
from ....core.ir.contents import VerifiesByContents
from ....core.ir.graph_region import names, walk_upstream
from ....core.ir.operation import (
    BracketedAttribute,
    ComputesInOrder,
    TerminatorOperation,
    texts_of,
)
from ....core.synapse.tree import EVENTS, POST, PRE, TICK, Delay
from ...fixed import IntType
from ..neurons import DerivedOp, EquationsOp, InitialOp, NameList, Regions, Section

NTE024 = Code("NTE024", "rule-inconsistent", "a learning rule is not consistent")


@irdl_attr_definition
class DelayMeaningAttr(BracketedAttribute, EnumAttribute[Delay]):  # pyrefly: ignore[partially-unknown-type]
    name = "ntensor.delay_meaning"


@irdl_custom_directive
class EfficacySection(CustomDirective):
    """The region `efficacy`, after its name as a keyword; it is omitted if a spike transmits the weight."""

    region: RegionVariable

    def parse(self, parser: Parser, state: ParsingState) -> None:
        if parser.parse_optional_keyword("efficacy"):
            self.region.parse(parser, state)
        else:
            self.region.set(state, no_efficacy())

    def print(self, printer: Printer, state: PrintingState, op: IRDLOperation) -> None:
        if not self.region.get(op).is_structurally_equivalent(no_efficacy()):
            state.print_whitespace(printer)
            printer.print_string("efficacy")
            self.region.print(printer, state, op)


def no_efficacy() -> Region:
    """Returns the region `efficacy` of a rule whose spikes transmit the weight."""
    return Region(Block([TransmittedOp()]))


class RuleTerminatorOp(TerminatorOperation):
    """Base of the terminators of the regions of a rule."""

    traits = lazy_traits_def(lambda: (HasParent(RuleOp),))


@irdl_op_definition
class LearnedOp(RuleTerminatorOp):
    """Terminator of an event: the weight, then the synapse states, the pre states and the post states after it."""

    name = "ntensor.learned"


@irdl_op_definition
class TransmittedOp(RuleTerminatorOp):
    """Terminator of `efficacy`: the value that a spike transmits."""

    name = "ntensor.transmitted"


@irdl_op_definition
class RuleOp(EquationsOp):
    """The arithmetic of one learning rule, as scalar ops; one symbol for each rule, choice of options, and precision.

    `derive` takes dt [s] and the raw parameters in f64, and computes the parameters of the other regions, then the lower and the upper
    bound of the weight. `initial` takes the parameters, and computes the synapse states, pre states and post states before the first
    tick. Each of `blocks` belongs to one of `events`: `tick`, `pre`, `post` or a modulator. All blocks and `efficacy` take the same
    arguments: the weight, synapse states, pre states, post states, observed states of the postsynaptic neuron, modulators, random
    numbers, and parameters. A block ends in `ntensor.learned` with the weight and all states after the event; `efficacy`, of which there
    is at most one, in `ntensor.transmitted`. A random number is uniform in [0, 1) if it is real, else in its interval from 0.

    Errors: COR010 a value that is used before it is defined; NTE024 a region that does not match the lists of names, a name that is used
    twice, an unknown event, a trace that depends on something its neuron lacks.
    """

    name = "ntensor.rule"
    sym_name = prop_def(SymbolNameConstraint())
    delay = prop_def(DelayMeaningAttr)
    weight = prop_def(StringAttr)
    synapse = prop_def(base(ListAttr[StringAttr]))
    pre = prop_def(base(ListAttr[StringAttr]))
    post = prop_def(base(ListAttr[StringAttr]))
    observed = prop_def(base(ListAttr[StringAttr]))
    modulators = prop_def(base(ListAttr[StringAttr]))
    randoms = prop_def(base(ListAttr[StringAttr]))
    params = prop_def(base(ListAttr[StringAttr]))
    raw = prop_def(base(ListAttr[StringAttr]))
    events = prop_def(base(ListAttr[StringAttr]))
    derive = region_def("single_block")
    initial = region_def("single_block")
    blocks = var_region_def("single_block")
    efficacy = region_def("single_block")
    traits = traits_def(SymbolOpInterface(), IsolatedFromAbove(), ComputesInOrder(), VerifiesByContents())
    custom_directives = (NameList, Section, Regions, EfficacySection)
    assembly_format = (
        "$sym_name $delay `weight` $weight custom<NameList>($synapse) custom<NameList>($pre) custom<NameList>($post)"
        " custom<NameList>($observed) custom<NameList>($modulators) custom<NameList>($randoms) custom<NameList>($params)"
        " custom<NameList>($raw) custom<Section>($derive) custom<Section>($initial) `on` $events custom<Regions>($blocks)"
        " custom<EfficacySection>($efficacy) attr-dict"
    )

    def __init__(
        self,
        name: str,
        delay: str,
        weight: str,
        sides: Mapping[str, Iterable[str]],
        *,
        params: Iterable[str],
        raw: Iterable[str],
        derive: Region,
        initial: Region,
        events: Iterable[str],
        blocks: Sequence[Region],
        efficacy: Region | None = None,
    ):
        given = ("synapse", "pre", "post", "observed", "modulators", "randoms")
        super().__init__(
            properties={
                "sym_name": StringAttr(name),
                "delay": DelayMeaningAttr(Delay(delay)),
                "weight": StringAttr(weight),
                **{side: names(sides.get(side, ())) for side in given},
                "params": names(params),
                "raw": names(raw),
                "events": names(events),
            },
            regions=[derive, initial, blocks, no_efficacy() if efficacy is None else efficacy],
        )

    # ---- names and places

    @property
    def canonical(self) -> ListAttr[StringAttr]:
        """The names of the bounds of the weight, which `derive` returns after the parameters."""
        return names(f"{self.weight.data}.{end}" for end in ("low", "high"))

    @property
    def states(self) -> list[str]:
        """Returns the names of all states, in the order of the regions."""
        return [*texts_of(self.synapse), *texts_of(self.pre), *texts_of(self.post)]

    @property
    def leading(self) -> list[str]:
        """Returns the names of the arguments before the parameters."""
        others = (*texts_of(self.observed), *texts_of(self.modulators), *texts_of(self.randoms))
        return [self.weight.data, *self.states, *others]

    @property
    def arguments(self) -> list[str]:
        """Returns the names of the arguments of each block and of `efficacy`, in their order."""
        return [*self.leading, *texts_of(self.params)]

    @property
    def transmitted(self) -> Block | None:
        """Returns the block that computes what a spike transmits; None if it transmits the weight."""
        block = self.efficacy.block
        return block if len(block.args) or last_values(block) else None

    @property
    def argument_types(self) -> dict[str, Attribute]:
        """Returns the type of each argument by name; a verified rule has the same in all blocks."""
        first = next((block for _, block in self.steps), self.efficacy.block)
        return {name: arg.type for name, arg in zip(self.arguments, first.args, strict=False)}

    @property
    def weight_type(self) -> Attribute:
        return self.argument_types[self.weight.data]

    @property
    def is_dendritic(self) -> bool:
        return self.delay.data.is_dendritic

    @property
    def steps(self) -> list[tuple[str, Block]]:
        """Returns the event and the block of each step of the rule, in the order of execution."""
        return [(event.data, region.block) for event, region in zip(self.events, self.blocks, strict=True)]

    def is_equal(self, other: RuleOp) -> bool:
        """Returns whether two rules are equal except for their symbols."""
        return (
            {**self.properties, "sym_name": other.sym_name} == other.properties
            and len(self.regions) == len(other.regions)
            and all(map(Region.is_structurally_equivalent, self.regions, other.regions))
        )

    # ---- verification

    def refuse(self, message: str, expected: str, found: str) -> None:
        help = "build the rule from the synapse language, which keeps it consistent"
        invalid(self, NTE024, message, expected=expected, found=found, help=help)

    def verify_(self) -> None:
        arguments, states = self.arguments, self.states
        if len(set(arguments)) != len(arguments):
            self.refuse("two names of the rule are equal", f"{len(arguments)} different names", ", ".join(arguments))
        if len(self.events) != len(self.blocks):
            message = "the numbers of events and of their regions differ"
            self.refuse(message, f"{len(self.events)} regions", str(len(self.blocks)))
        if not self.blocks and self.transmitted is None:
            self.refuse("the rule computes nothing", "a block of an event, or an efficacy", "neither")
        known = (*EVENTS, *texts_of(self.modulators))
        for event in texts_of(self.events):
            if event not in known:
                self.refuse("an event of the rule is unknown", f"one of {', '.join(known)}", event)
        self.ends("derive", DerivedOp, self.derive.block, 1 + len(self.raw), len(self.params) + 2)
        self.ends("initial", InitialOp, self.initial.block, len(self.params), len(states))
        for value in (*self.derive.block.args, *last_values(self.derive.block)):
            self.same("a value of region derive", value.type, f64)
        types = self.argument_types
        for event, block in self.steps:
            self.ends(f"of event {event}", LearnedOp, block, len(arguments), 1 + len(states))
            self.verify_step(event, block, types)
        if self.transmitted is not None:
            self.ends("efficacy", TransmittedOp, self.transmitted, len(arguments), 1)
        for name, value in zip(states, last_values(self.initial.block), strict=True):
            self.same(f"the initial value of state {name}", value.type, types[name])

    def verify_step(self, event: str, block: Block, types: Mapping[str, Attribute]) -> None:
        """Refuses arguments of other types than in the first block, and traces that depend on something their neurons lack."""
        for (name, wanted), arg in zip(types.items(), block.args, strict=True):
            if wanted != i1 and not isinstance(wanted, Float32Type | Float64Type | IntType):
                self.refuse(f"argument {name} is not a number", "f32, f64, i1 or !fixed.int", str(wanted))
            self.same(f"argument {name} of event {event}", arg.type, wanted)
        names_by_arg = dict(zip(block.args, types, strict=True))
        finals = dict(zip([self.weight.data, *self.states], last_values(block), strict=True))
        for name, value in finals.items():
            self.same(f"{name} after event {event}", value.type, types[name])
        post = {*texts_of(self.post), *texts_of(self.observed), *texts_of(self.modulators)}
        for side, own, may_read in (
            (PRE, texts_of(self.pre), set(texts_of(self.pre))),
            (POST, texts_of(self.post), post),
        ):
            allowed = may_read | {*texts_of(self.params)}
            for name in own:
                foreign = [read for read in reads(finals[name], names_by_arg) if read not in allowed]
                is_kept = is_argument(finals[name], name, names_by_arg)
                if foreign or not (is_kept or event in (TICK, side)):
                    found = f"{', '.join(foreign)} at event {event}" if foreign else f"a change at event {event}"
                    expected = f"changes at events tick and {side}, from {', '.join(sorted(may_read))} and parameters"
                    self.refuse(f"trace {name} of a neuron depends on something the neuron lacks", expected, found)

    def same(self, what: str, found: Attribute, wanted: Attribute) -> None:
        if found != wanted:
            self.refuse(f"the type of {what} differs from its type in the rule", str(wanted), str(found))

    def ends(self, what: str, terminator: type[TerminatorOperation], block: Block, takes: int, gives: int) -> None:
        """Refuses a region with another terminator, or other numbers of arguments or operands."""
        last = block.last_op
        values = last.values if isinstance(last, terminator) else None
        if values is None or (len(block.args), len(values)) != (takes, gives):
            given = f"{terminator.name} with {len(values)}" if values is not None else "another terminator"
            self.refuse(
                f"region {what} does not match the names that the rule declares",
                f"{takes} arguments, and {terminator.name} with {gives} operands",
                f"{len(block.args)} arguments, and {given}",
            )


def last_values(block: Block) -> Sequence[SSAValue]:
    """Returns the operands of the terminator of a region."""
    return () if block.last_op is None else block.last_op.operands


def is_argument(value: SSAValue, name: str, names_by_arg: Mapping[BlockArgument, str]) -> bool:
    """Returns whether a value is the argument of a name."""
    return isinstance(value, BlockArgument) and names_by_arg.get(value) == name


def reads(value: SSAValue, names_by_arg: Mapping[BlockArgument, str]) -> list[str]:
    """Returns the names of the arguments that a value depends on."""
    found = walk_upstream([value], lambda op: True)
    return [names_by_arg[one] for one in found if isinstance(one, BlockArgument)]


def find_rules(module: Operation | None) -> dict[str, RuleOp]:
    """Returns the rules of a module by symbol; empty for any other op."""
    body = module.regions[0].blocks if module is not None and module.regions else ()
    return {op.sym_name.data: op for block in body for op in block.ops if isinstance(op, RuleOp)}
