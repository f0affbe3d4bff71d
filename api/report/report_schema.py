"""The JSON Schema of `report.json`, the record `nopt.report/1`. A damaged file is refused with the path of the wrong part.

A target adds entries of its own, such as `compiler` and `flags`; `nopt report` adds `pages`.
"""

from __future__ import annotations

from ..field_schemas import (
    INTEGER,
    NUMBER,
    TEXT,
    TRUTH,
    RecordSchemas,
    Schema,
    array_of,
    map_of,
    maybe,
    record_of,
)
from ..json_record import Record
from ..judging.chip_agreement import Agreement
from ..judging.loss import Loss
from ..judging.sum_saturation import SumSaturation
from ..recipes.records import RecipeChoice
from ..running.chip_records import ChipRuns
from ..running.level_records import Confusion, Level

ANY: Schema = {}
COUNT = maybe(INTEGER)


def parts_of(schemas: RecordSchemas) -> dict[str, Schema]:
    """Returns the schemas of the entries that are records of classes."""
    return {name: schemas.of(cls) for name, cls in RECORDS.items()}


RECORDS: dict[str, type[Record]] = {
    "level": Level,
    "loss": Loss,
    "confusion": Confusion,
    "chips": ChipRuns,
    "agreement": Agreement,
    "saturation": SumSaturation,
    "recipe": RecipeChoice,
}
TERM = record_of(
    name=TEXT,
    count=NUMBER,
    coefficient=NUMBER,
    unit=TEXT,
    **dict.fromkeys(("value", "low", "high"), NUMBER),
    scope=TEXT,
    basis=maybe(TEXT),
    condition=maybe(TEXT),
    contains=array_of(TEXT),
    source=TEXT,
    confidence=maybe(TEXT),
    note=maybe(TEXT),
)
RANGE = dict.fromkeys(("value", "low", "high"), NUMBER)
COST = record_of(**RANGE, unit=TEXT, terms=array_of(TERM), unknown=array_of(TEXT))
PACE = record_of(
    tick_ns=NUMBER, time_ns=NUMBER, energy=maybe(record_of(**RANGE, unit=TEXT)), power_mw=maybe(record_of(**RANGE))
)
"""A sample with ticks of one length."""
TIME = record_of(**COST["properties"], tick=INTEGER, fits=TRUTH)
USE = record_of(quantity=TEXT, used=NUMBER, limit=maybe(NUMBER), fields=array_of(TEXT))
LINK = array_of(INTEGER)
CORE = record_of(
    "chip",
    "core",
    "x",
    "y",
    "vertices",
    "uses",
    **dict.fromkeys(("chip", "core", "x", "y", "slot"), INTEGER),
    vertices=array_of(TEXT),
    uses=array_of(USE),
)
FORMAT = record_of(format=TEXT, layout=TEXT, vertices=INTEGER, bytes=INTEGER)
KEPT_LAYERS = record_of(
    file=TEXT,
    kept=INTEGER,
    moved=INTEGER,
    layers=array_of(record_of(node=TEXT, kept=INTEGER, moved=INTEGER, reason=maybe(TEXT))),
    removed=array_of(TEXT),
)
MAPPING = record_of(
    file=TEXT,
    **dict.fromkeys(("vertices", "edges", "routes", "cores"), INTEGER),
    usable_cores=COUNT,
    fullest=maybe(record_of(name=TEXT, quantity=TEXT, used=NUMBER, limit=NUMBER)),
    cost=record_of(objective=TEXT, value=NUMBER, bound=NUMBER, network_bound=NUMBER, weights=map_of(NUMBER)),
    placement=record_of(objective=TEXT, unit=TEXT, value=NUMBER, bound=maybe(NUMBER), reason=maybe(TEXT)),
    kept=maybe(KEPT_LAYERS),
    occupancy=array_of(CORE),
    links=record_of(
        loads=array_of(record_of(link=LINK, load=NUMBER)),
        total=NUMBER,
        busiest=maybe(record_of(link=LINK, name=TEXT, load=NUMBER, sources=array_of(TEXT))),
    ),
    stores=array_of(record_of(chip=COUNT, used=INTEGER, limit=COUNT, fields=array_of(TEXT))),
    projections=array_of(
        record_of(
            projection=TEXT,
            target=TEXT,
            synapses=INTEGER,
            weight_bits=COUNT,
            bytes=INTEGER,
            formats=array_of(FORMAT),
        )
    ),
)
EVENTS = record_of(
    name=TEXT,
    about=TEXT,
    count=NUMBER,
    unit=TEXT,
    coefficient=maybe(NUMBER),
    energy=maybe(record_of(**RANGE)),
    reason=maybe(TEXT),
)
HOST_LAYER = record_of(node=TEXT, op=TEXT, shape=array_of(INTEGER))
FILES = array_of(record_of(name=TEXT, sha256=TEXT))
PROBES = array_of(record_of(array=TEXT, node=TEXT, kind=TEXT, places=array_of(TEXT)))


def report_schema(schemas: RecordSchemas) -> Schema:
    """Returns the schema of a report."""
    parts = parts_of(schemas)
    return record_of(
        schema=TEXT,
        nopt=TEXT,
        network=record_of(
            name=TEXT, tick_ns=INTEGER, frame_ticks=INTEGER, populations=COUNT, neurons=COUNT, weights=COUNT
        ),
        target=TEXT,
        device=record_of(name=TEXT, sha256=TEXT, overridden=map_of(ANY)),
        approximations=array_of(
            record_of(
                step=TEXT,
                what=TEXT,
                touched=array_of(TEXT),
                largest=maybe(NUMBER),
                mean=maybe(NUMBER),
                unit=TEXT,
            )
        ),
        approximations_permitted=array_of(TEXT),
        command=TEXT,
        fit=record_of(fits=maybe(TEXT), approximations=array_of(TEXT)),
        confusion=maybe(parts["confusion"]),
        inputs=array_of(record_of(role=TEXT, name=TEXT, sha256=TEXT)),
        calibration=maybe(record_of(samples=INTEGER, ticks=INTEGER)),
        recipe=maybe(parts["recipe"]),
        chips=maybe(parts["chips"]),
        unmeasured=maybe(record_of(target=TEXT)),
        pipeline=TEXT,
        levels=maybe(array_of(parts["level"])),
        loss=maybe(parts["loss"]),
        rate_changes=maybe(array_of(record_of(population=TEXT, before=NUMBER, after=NUMBER, change=maybe(NUMBER)))),
        saturation=maybe(array_of(parts["saturation"])),
        mapping=maybe(MAPPING),
        units=maybe(array_of(record_of(unit=TEXT, layers=array_of(TEXT), uses=array_of(USE)))),
        arithmetic=maybe(TEXT),
        storage=maybe(map_of(TEXT)),
        memory=maybe(map_of(COUNT)),
        integers=maybe(
            record_of(
                sums=array_of(record_of(node=maybe(TEXT), low=INTEGER, high=INTEGER, bits=INTEGER, proof=TEXT)),
                states=array_of(record_of(node=TEXT, state=TEXT, bits=INTEGER, overflow=maybe(TEXT))),
                steps=map_of(ANY),
            )
        ),
        notes=array_of(TEXT),
        cost=maybe(
            record_of(
                per=TEXT,
                assumed=array_of(TEXT),
                events=array_of(EVENTS),
                energy=maybe(COST),
                latency=maybe(TIME),
                reasons=record_of(energy=maybe(TEXT), time=maybe(TEXT)),
                sample=maybe(
                    record_of(
                        ticks=INTEGER,
                        real_time=PACE,
                        fastest=maybe(PACE),
                        per_correct=maybe(record_of(**RANGE, unit=TEXT)),
                    )
                ),
                others=array_of(record_of(name=TEXT, about=TEXT, **RANGE, unit=TEXT)),
                inferences=array_of(
                    record_of(name=TEXT, network=TEXT, energy_pj=maybe(NUMBER), time_ns=maybe(NUMBER), source=TEXT)
                ),
            )
        ),
        fidelity=record_of(tier=TEXT, source=TEXT, agreement=maybe(parts["agreement"])),
        added_populations=maybe(map_of(INTEGER)),
        host=maybe(record_of(inputs=array_of(TEXT), outputs=array_of(TEXT), layers=array_of(HOST_LAYER))),
        latency_ticks=map_of(INTEGER),
        files=FILES,
    )


REPORT = report_schema(RecordSchemas(is_described=False))
"""The schema that `report` and `diff` check; `nopt report` adds pages, and a compilation with `--probe` probes."""
REPORT["properties"] |= {"pages": FILES, "probes": PROBES}
