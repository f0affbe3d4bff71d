"""Stamps: verification and printing of modules of which a pass changed a part."""

import pytest
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, StringAttr, i32
from xdsl.ir import Operation
from xdsl.irdl import OpDef

from nopt.core.ir import source
from nopt.core.ir.context import NoptContext
from nopt.core.ir.source_printer import OpTexts
from nopt.core.ir.stamps import are_same, is_same, stamp_of, stamps_of

TEXT = """builtin.module {
  %a = "arith.constant"() <{value = 1 : i32}> : () -> i32
  %b = "arith.constant"() <{value = 2 : i32}> : () -> i32
  %c = "arith.addi"(%a, %b) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
}
"""


@pytest.fixture
def module() -> ModuleOp:
    return source.parse_module(NoptContext(), TEXT)


@pytest.fixture
def verified(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the ops whose definition is verified."""
    from nopt.core.ir import stamps

    found: list[str] = []

    def verify(definition: OpDef, op: Operation) -> None:
        found.append(op.name)
        original(definition, op)

    original = stamps.verify_definition
    monkeypatch.setattr(stamps, "verify_definition", verify)
    return found


def test_an_unchanged_module_is_verified_once(module: ModuleOp, verified: list[str]) -> None:
    assert list(source.verify(module)) == []
    assert verified.count("arith.constant") == 2
    verified.clear()
    assert list(source.verify(module)) == []
    assert verified == []


def test_only_the_definition_of_a_changed_op_is_verified_again(module: ModuleOp, verified: list[str]) -> None:
    list(source.verify(module))
    verified.clear()
    one, *_ = module.body.block.ops
    one.properties["value"] = IntegerAttr(3, i32)
    assert list(source.verify(module)) == []
    assert verified == ["arith.constant"]


@pytest.mark.parametrize("change", ["property", "result", "operand"])
def test_every_change_is_found(module: ModuleOp, change: str) -> None:
    assert list(source.verify(module)) == []
    one, _, three = module.body.block.ops
    if change == "property":
        one.properties["value"] = StringAttr("no number")
    elif change == "result":
        one.results[0]._type = StringAttr("no type")
    else:
        three.operands = three.operands[:1]
    wrong = list(source.verify(module))
    assert wrong
    assert list(source.verify(module)) == wrong  # a refused module is verified again


def test_a_change_of_an_operand_s_type_reaches_its_user(module: ModuleOp) -> None:
    list(source.verify(module))
    one, _, three = module.body.block.ops
    before = stamp_of(three)
    one.results[0]._type = StringAttr("")
    assert not is_same(before, stamp_of(three))


def test_a_moved_op_changes_the_module(module: ModuleOp) -> None:
    before = stamps_of(module)
    assert are_same(before, stamps_of(module))
    one, two, _ = module.body.block.ops
    two.detach()
    module.body.block.insert_op_before(two, one)
    assert not are_same(before, stamps_of(module))


def test_texts_of_unchanged_ops_follow_the_names_of_values(module: ModuleOp) -> None:
    texts: OpTexts = {}
    assert source.format_module(NoptContext(), module, texts=texts) == source.format_module(NoptContext(), module)
    assert len(texts) == 3
    first, *_ = module.body.block.ops
    copy = first.clone()
    copy.results[0].name_hint = "a"
    module.body.block.insert_op_before(copy, first)  # the first value gets another name
    plain = source.format_module(NoptContext(), module)
    assert source.format_module(NoptContext(), module, texts=texts) == plain
    assert "%a_1" in plain


def test_a_text_with_the_placeholder_of_values_is_kept_as_it_is(module: ModuleOp) -> None:
    first, *_ = module.body.block.ops
    first.attributes["nopt.note"] = StringAttr("\0")
    texts: OpTexts = {}
    for _ in range(2):
        assert source.format_module(NoptContext(), module, texts=texts) == source.format_module(NoptContext(), module)
