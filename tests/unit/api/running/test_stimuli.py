"""Input arrays: accepted and refused forms. Output arrays: deterministic, and equal when read again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from nopt.api.atomic_files import whole, write_whole
from nopt.api.running.array_writers import save
from nopt.core.diagnostics import Diagnostics, Refused
from nopt.simulation.axes import order_axes
from nopt.simulation.stimuli import Stimulus, load_arrays, stimulus


def values(found: Stimulus, name: str = "x") -> NDArray[Any]:
    """Returns an array `[samples, ticks, *shape]`."""
    window = found.signals[name].window(slice(0, found.samples), slice(0, found.ticks))
    return np.swapaxes(window, 0, 1)


def codes(refusal: pytest.ExceptionInfo[Refused]) -> list[str]:
    return [finding.code.id for finding in refusal.value.findings]


@pytest.mark.parametrize(
    ("shape", "given", "samples"),
    [
        ((3,), (5, 3), None),
        ((3,), (2, 5, 3), 2),
        ((1,), (5,), None),
        ((1,), (5, 1), None),
        ((1,), (2, 5, 1), 2),
        ((2, 4, 4), (5, 2, 4, 4), None),
        ((2, 4, 4), (3, 5, 2, 4, 4), 3),
        ((), (5,), None),
        ((), (2, 5), 2),
        ((3,), (0, 3), None),
    ],
)
def test_rank_says_what_the_axes_are(shape: tuple[int, ...], given: tuple[int, ...], samples: int | None) -> None:
    array = np.arange(np.prod(given), dtype=np.float32).reshape(given)
    found = stimulus(array, {"x": shape})
    assert found.has_samples == (samples is not None)
    assert (found.samples, found.ticks) == (samples or 1, given[1] if samples else given[0])
    np.testing.assert_array_equal(values(found).reshape(-1), array.reshape(-1))


@pytest.mark.parametrize("text", ["poisson:0.5", "constant:1", "zeros", "zeros,samples=2"])
@pytest.mark.parametrize("axes", ["ticks,samples", "samples,ticks", "ticks"])
def test_generated_inputs_have_an_order_of_axes(text: str, axes: str) -> None:
    with pytest.raises(Refused) as refusal:
        stimulus(order_axes(text, axes), {"x": (3,)})
    assert codes(refusal) == ["SIM012"]


@pytest.mark.parametrize("text", ["zeros,ticks=4,ticks=5", "poisson:0.5,seed=1,samples=2,seed=2"])
def test_generated_inputs_have_one_value_of_each_option(text: str) -> None:
    with pytest.raises(Refused) as refusal:
        stimulus(text, {"x": (3,)})
    assert codes(refusal) == ["SIM014"]


def test_generated_inputs_may_exceed_integers() -> None:
    assert values(stimulus("constant:1e39,ticks=2", {"x": (1,)})).tolist() == [[[1e39], [1e39]]]


@pytest.mark.parametrize(
    ("shape", "given"),
    [((3,), (3,)), ((3,), (5, 4)), ((3,), (1, 2, 5, 3)), ((1,), (2, 5)), ((2, 4), (2, 4)), ((), ()), ((3,), ())],
)
def test_another_shape_is_refused(shape: tuple[int, ...], given: tuple[int, ...]) -> None:
    with pytest.raises(Refused) as refusal:
        stimulus(np.zeros(given), {"x": shape})
    assert codes(refusal) == ["SIM008"]
    assert all(finding.expected and finding.found and finding.help for finding in refusal.value.findings)


@pytest.mark.parametrize("dtype", ["bool", "i1", "u8", "f2", "f4", "f8", ">f4", ">i2"])
def test_dtypes_that_are_taken(dtype: str, tmp_path: Path) -> None:
    array = np.array([[0, 1, 1], [1, 0, 1]], dtype)
    np.save(tmp_path / "x.npy", array)
    np.testing.assert_array_equal(values(stimulus(tmp_path / "x.npy", {"x": (3,)}))[0], array)


@pytest.mark.parametrize("array", [np.array([["a"]]), np.zeros((1, 1), complex), np.zeros((1, 1), "M8[s]")], ids=str)
def test_dtypes_that_are_refused(array: NDArray[Any]) -> None:
    with pytest.raises(Refused) as refusal:
        stimulus(array, {"x": (1,)})
    assert codes(refusal) == ["SIM006"]


def test_pickles_are_not_loaded(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return (Path.touch, (tmp_path / "sprung",))

    bad = np.empty(1, object)
    bad[0] = Trap()
    np.save(tmp_path / "x.npy", bad, allow_pickle=True)
    np.savez(tmp_path / "x.npz", x=bad)
    for name in ("x.npy", "x.npz"):
        with pytest.raises(Refused) as refusal:
            stimulus(tmp_path / name, {"x": (1,)})
        assert codes(refusal) == ["SIM006"]
    assert not (tmp_path / "sprung").exists()


def test_names_with_slashes_and_of_event_parts(tmp_path: Path) -> None:
    """The name of a node may equal that of an event array, and may contain a slash; a whole name takes precedence over a part."""
    inputs = {"a/tick": (1,), "tick": (2,)}
    np.savez(tmp_path / "x.npz", **{"a/tick": np.ones((4, 1)), "tick": np.zeros((4, 2))})
    found = stimulus(tmp_path / "x.npz", inputs)
    assert list(found.signals) == ["a/tick", "tick"]
    assert found.ticks == 4


@given(st.data())
def test_events_say_the_same_as_an_array(data: st.DataObject) -> None:
    shape = data.draw(st.sampled_from([(1,), (3,), (2, 2)]))
    samples, ticks = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 5))
    size = int(np.prod(shape))
    events = data.draw(
        st.lists(
            st.tuples(
                st.integers(0, samples - 1), st.integers(0, ticks - 1), st.integers(0, size - 1), st.integers(-3, 3)
            ),
            max_size=20,
        )
    )
    dense = np.zeros((samples, ticks, size))
    for sample, tick, index, value in events:
        dense[sample, tick, index] += value  # repeated events are added
    columns = np.array(events, np.int64).reshape(-1, 4).T
    given = {
        "x/sample": columns[0],
        "x/tick": columns[1],
        "x/index": columns[2],
        "x/value": columns[3],
        "x/shape": np.array(shape),
        "x/ticks": np.array(ticks),
        "x/samples": np.array(samples),
    }
    found = stimulus(given, {"x": shape})
    np.testing.assert_array_equal(values(found), dense.reshape(samples, ticks, *shape))
    assert found.has_samples


def test_outputs_read_back_and_have_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    arrays = {"lif1.lif": np.eye(3, dtype=bool), 'a/b "c" é': np.arange(4, dtype=np.int32), "v": np.zeros((0, 2))}
    save(tmp_path / "1.npz", arrays, has_samples=False)
    monkeypatch.setattr("time.time", lambda: 2e9)
    save(tmp_path / "2.npz", arrays, has_samples=False)
    assert (tmp_path / "1.npz").read_bytes() == (tmp_path / "2.npz").read_bytes()
    with np.load(tmp_path / "1.npz") as found:
        assert found.files == list(arrays)
        for name, array in arrays.items():
            np.testing.assert_array_equal(found[name], array, strict=True)
    assert load_arrays(tmp_path / "1.npz")[1] is False
    save(tmp_path / "3.npz", arrays, has_samples=True)
    assert load_arrays(tmp_path / "3.npz")[1] is True


# Files.


def test_a_failed_write_leaves_what_was_there(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.write_bytes(b"before")

    def half() -> None:
        with whole(target) as file:
            file.write(b"half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half()
    assert target.read_bytes() == b"before"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_write_keeps_the_mode_and_follows_a_link(tmp_path: Path) -> None:
    target, link = tmp_path / "out", tmp_path / "link"
    target.write_bytes(b"before")
    target.chmod(0o640)
    link.symlink_to(target)
    write_whole(link, b"after")
    assert link.is_symlink()
    assert target.read_bytes() == b"after"
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_folder_is_no_output(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refusal:
        write_whole(tmp_path, b"x")
    assert codes(refusal) == ["API012"]


def looks_swapped(array: NDArray[Any]) -> bool:
    found = Diagnostics()
    stimulus(array, {"x": array.shape[2:]}, diagnostics=found)
    return [finding.code.id for finding in found.findings] == ["SIM013"]


@pytest.mark.parametrize("seed", range(10))
def test_rates_tell_samples_from_ticks(seed: int) -> None:
    random = np.random.default_rng(seed)
    rates = random.random((60, 1, 16)) * 0.6
    spikes = random.random((60, 20, 16)) < rates
    assert not looks_swapped(spikes)
    few = spikes[:5, :, :]
    assert looks_swapped(few.swapaxes(0, 1))


@pytest.mark.parametrize("seed", range(10))
def test_courses_tell_samples_from_ticks(seed: int) -> None:
    random = np.random.default_rng(seed)
    waves = np.sin(0.3 * np.arange(20)[:, None] + 6 * random.random((60, 1, 16)))
    assert not looks_swapped(waves)
    assert looks_swapped(waves[:5].swapaxes(0, 1))


@pytest.mark.parametrize("seed", range(10))
def test_noise_tells_nothing_but_its_shape(seed: int) -> None:
    noise = np.random.default_rng(seed).random((100, 20, 64)) < 0.2
    assert looks_swapped(noise)
    assert not looks_swapped(noise.swapaxes(0, 1))


@given(st.integers(1, 4), st.integers(1, 4), st.booleans())
def test_axes_read_the_same_signal(samples: int, ticks: int, is_swapped: bool) -> None:
    array = np.arange(samples * ticks * 3, dtype=np.float32).reshape(samples, ticks, 3)
    shown = array.swapaxes(0, 1) if is_swapped else array
    found = stimulus(order_axes(shown, "ticks,samples,…" if is_swapped else "samples, ticks"), {"x": (3,)})
    assert (found.samples, found.ticks, found.has_samples) == (samples, ticks, True)
    np.testing.assert_array_equal(values(found), array)
