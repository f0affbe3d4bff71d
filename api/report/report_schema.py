"""The JSON Schema of those parts of `report.json` that reports and comparisons of builds read. A damaged file is refused with the path of the wrong part."""

from __future__ import annotations

from typing import Any

from ..compiling.mapping_schema import INTEGER, NUMBER, TEXT, array_of

Schema = dict[str, Any]
NULL: Schema = {"type": "null"}
ANY: Schema = {}
INFINITIES: Schema = {"type": "string", "enum": ["nan", "inf", "-inf"]}


def maybe(*schemas: Schema) -> Schema:
    """Returns the schema of a value that can be null."""
    return {"anyOf": [*schemas, NULL]}


def record_of(**fields: Schema) -> Schema:
    """Returns the schema of an object with these required fields; other fields are allowed."""
    return {"type": "object", "properties": fields, "required": list(fields)}


def map_of(schema: Schema) -> Schema:
    """Returns the schema of an object with equal values by name."""
    return {"type": "object", "additionalProperties": schema}


FIGURE = maybe(NUMBER, INFINITIES)
FIRST = maybe(record_of(output=TEXT, sample=maybe(INTEGER), tick=INTEGER, index=ANY, a=ANY, b=ANY))
LEVEL = record_of(
    level=TEXT,
    step=maybe(TEXT),
    accuracy=FIGURE,
    rate_cosine=FIGURE,
    first=FIRST,
    populations=map_of(record_of(rate=FIGURE)),
)
SPREAD = record_of(**dict.fromkeys(("mean", "deviation", "least", "greatest"), maybe(NUMBER)))
AGE = record_of(
    age=maybe(TEXT),
    accuracy=maybe(SPREAD),
    rate_cosine=maybe(SPREAD),
    rates=map_of(SPREAD),
    accuracy_of_each=array_of(maybe(NUMBER)),
    rate_cosine_of_each=array_of(maybe(NUMBER)),
)
CHIPS = record_of(
    **dict.fromkeys(("chips", "seed", "samples", "ticks"), INTEGER),
    imperfections=map_of(ANY),
    network=LEVEL,
    ideal=LEVEL,
    ages=array_of(AGE),
    share=NUMBER,
)
TERM = record_of(
    name=TEXT,
    count=maybe(NUMBER),
    coefficient=maybe(NUMBER),
    unit=TEXT,
    value=maybe(NUMBER),
    source=maybe(TEXT),
    confidence=maybe(TEXT),
)
COST = maybe(record_of(value=maybe(NUMBER), unit=TEXT, unknown=array_of(TEXT), terms=array_of(TERM)))
USE = record_of(quantity=TEXT, used=maybe(NUMBER), limit=maybe(NUMBER))
LINK = array_of(INTEGER)
MAPPING = record_of(
    **dict.fromkeys(("vertices", "edges", "routes", "cores"), INTEGER),
    cost=record_of(value=NUMBER),
    occupancy=array_of(record_of(chip=INTEGER, core=INTEGER, uses=array_of(USE))),
    links=record_of(
        loads=array_of(record_of(link=LINK, load=NUMBER)), busiest=maybe(record_of(name=TEXT, load=NUMBER))
    ),
)
FILES = array_of(record_of(name=TEXT, sha256=TEXT))
REPORT = record_of(
    nopt=TEXT,
    target=TEXT,
    network=record_of(
        name=TEXT, tick_ns=INTEGER, **dict.fromkeys(("populations", "neurons", "weights"), maybe(INTEGER))
    ),
    device=record_of(name=TEXT, sha256=TEXT, overridden=map_of(ANY)),
    pipeline=TEXT,
    approximations=array_of(record_of(step=TEXT, what=TEXT, largest=maybe(NUMBER), unit=TEXT)),
    levels=maybe(array_of(LEVEL)),
    chips=maybe(CHIPS),
    added_populations=maybe(map_of(INTEGER)),
    latency_ticks=maybe(map_of(INTEGER)),
    memory=maybe(map_of(maybe(INTEGER))),
    mapping=maybe(MAPPING),
    cost=maybe(record_of(per=TEXT, energy=COST, latency=COST)),
    inputs=array_of(record_of(role=TEXT, name=TEXT, sha256=TEXT)),
    files=FILES,
)
"""The schema of a report; `nopt report` adds pages."""
REPORT["properties"]["pages"] = FILES
