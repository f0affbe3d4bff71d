"""Tables of the devices in order of preference: those that a network fits on with their loss and cost, those that need an option, of
approximations or of exact passes, and the others with the reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from attrs import frozen

from ..api.checking.device_ranking import Candidate
from ..api.compiling.device_fit import Estimate
from ..api.costing.amounts import Amount
from ..api.costing.estimates import AT_LEAST
from ..api.judging.loss import Loss
from ..core.number_texts import counted_text, number_text, percent_text, scaled_text
from .command import table

UNKNOWN = "?"
FITS = {"exact": "as trained", "approximate": "approximated", "no": "no", None: "not checked"}


GROUPS = {"exact": "fit as trained", "approximate": "fit with approximations", "no": "do not fit"}


@frozen
class Column:
    """A figure of the devices that the network fits on."""

    name: str
    text: Callable[[Candidate], str | None]
    """Returns None for an unknown value."""
    is_optional: bool = True
    """Whether the column is left out if no device knows the figure."""
    source: str | None = None
    """The field of an estimate that holds the reason of an unknown value."""

    def reason(self, one: Candidate) -> str | None:
        """Returns why the figure of a device is unknown, if that is known."""
        return None if self.source is None or one.estimate is None else getattr(one.estimate, self.source)


def of_loss(text: Callable[[Loss], str | None]) -> Callable[[Candidate], str | None]:
    return lambda one: None if one.loss is None else text(one.loss)


def accuracy_text(loss: Loss) -> str | None:
    if loss.accuracy is None or loss.accuracy_before is None:
        return None
    return f"{percent_text(loss.accuracy_before)} -> {percent_text(loss.accuracy)}"


def share_text(share: float | None) -> str | None:
    return None if share is None else percent_text(share)


def error_text(error: float | None) -> str | None:
    return None if error is None else number_text(error)


def cost_text(one: Amount | None, per: str, source: str | None) -> str | None:
    """Formats an estimate with the confidence of its coefficients; without some of them it is a bound."""
    if one is None:
        return None
    confidence, _, notes = (source or UNKNOWN).partition("; ")
    bound = "at least " if notes.startswith(AT_LEAST) else ""
    return f"{bound}{one.text(per)} ({confidence})"


def energy_text(one: Estimate) -> str | None:
    return cost_text(one.energy, one.per, one.energy_source)


def time_text(one: Estimate) -> str | None:
    return cost_text(one.time, one.per, one.time_source)


ACCURACY = Column("accuracy", of_loss(accuracy_text))
LOSS = (
    Column("agreement", of_loss(lambda loss: share_text(loss.agreement))),
    Column("count error", of_loss(lambda loss: error_text(loss.count_error))),
    Column("relative error", of_loss(lambda loss: error_text(loss.relative_error))),
)
COST = (
    Column("energy", lambda one: None if one.estimate is None else energy_text(one.estimate), source="energy_source"),
    Column("time", lambda one: None if one.estimate is None else time_text(one.estimate), source="time_source"),
    Column(
        "memory",
        lambda one: (
            None
            if one.estimate is None or one.estimate.memory_bytes is None
            else scaled_text(one.estimate.memory_bytes, "byte")
        ),
        is_optional=False,
    ),
)


def ranking_lines(ranking: Sequence[Candidate]) -> Iterator[str]:
    """Yields the lines of the tables, and a summary. The numbers are the places in the order of preference."""
    places = {one.device: str(place) for place, one in enumerate(ranking, 1)}
    fitting = [one for one in ranking if one.is_fitting]
    permissible = [one for one in ranking if not one.is_permitted]
    others = [one for one in ranking if one.is_permitted and not one.is_fitting]
    columns = columns_of(fitting)
    if fitting:
        yield table([["", *(one.name for one in columns)], *(fitting_row(one, places, columns) for one in fitting)])
        yield ""
    if permissible:
        rows = [[places[one.device], one.device, FITS[one.fits], one.reason] for one in permissible]
        yield table([["", "device", "fits", "option"], *rows])
        yield ""
    if others:
        rows = [[places[one.device], one.device, FITS[one.fits], reason_text(one)] for one in others]
        yield table([["", "device", "fits", "reason"], *rows])
        yield ""
    yield summary(ranking)
    yield from unknown_lines(fitting, columns)


def columns_of(fitting: Sequence[Candidate]) -> list[Column]:
    """Returns the columns of the devices that the network fits on: optional ones only if a device knows the figure."""
    loss = (ACCURACY,) if any(ACCURACY.text(one) for one in fitting) else LOSS
    head = (
        Column("device", lambda one: one.device, is_optional=False),
        Column("fits", lambda one: FITS[one.fits], is_optional=False),
        Column("approximations", lambda one: ", ".join(one.approximations)),
    )
    score = Column("score", lambda one: None if one.score is None else f"{one.score:.3g}")
    cores = Column("cores", lambda one: "" if one.cores is None else str(one.cores))
    wanted = (*head, *loss, score, cores, *COST)
    return [one for one in wanted if not one.is_optional or any(one.text(device) for device in fitting)]


def fitting_row(one: Candidate, places: dict[str, str], columns: Sequence[Column]) -> list[str]:
    texts = (column.text(one) for column in columns)
    return [places[one.device], *(UNKNOWN if text is None else text for text in texts)]


def reason_text(one: Candidate) -> str:
    return f"{one.code}: {one.reason}" if one.code else one.reason


def summary(ranking: Sequence[Candidate]) -> str:
    """Returns the number of devices of each group."""
    groups = Counter(map(group_text, ranking))
    return f"{counted_text(len(ranking), 'device')}: {', '.join(f'{count} {words}' for words, count in groups.items())}"


def group_text(one: Candidate) -> str:
    if not one.is_permitted:
        return f"would fit with {'approximations' if one.approximations else 'exact passes'}"
    return "were not checked" if one.fits is None else GROUPS[one.fits]


def unknown_lines(fitting: Sequence[Candidate], columns: Sequence[Column]) -> Iterator[str]:
    """Yields a line for each group of figures that the same devices lack for the same reason."""
    listed = (*columns, *(one for one in COST if one not in columns))
    lacking: dict[tuple[str, str], list[str]] = {}
    for one in fitting:
        for column in listed:
            if column.text(one) is None:
                lacking.setdefault((one.device, column.reason(one) or ""), []).append(column.name)
    groups: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for (device, reason), names in lacking.items():
        groups.setdefault((tuple(names), reason), []).append(device)
    for (names, reason), devices in groups.items():
        whose = "every device" if len(devices) == len(fitting) else ", ".join(devices_text(devices, fitting))
        yield f"unknown: {', '.join(names)} of {whose}" + (f": {reason}" if reason else "")


def devices_text(devices: Sequence[str], fitting: Sequence[Candidate]) -> Iterator[str]:
    """Yields the devices; all devices of a target are one entry."""
    targets: dict[str, list[str]] = {}
    for one in devices:
        targets.setdefault(one.partition("/")[0], []).append(one)
    for target, names in targets.items():
        is_whole = len(names) > 1 and len(names) == sum(one.target == target for one in fitting)
        yield from [f"all of {target}"] if is_whole else names
