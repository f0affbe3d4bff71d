"""An imitation of pyopencl: a driver with one GPU whose compiler fails."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

VERSION_TEXT = "0.1"
device_fp_config = SimpleNamespace(ROUND_TO_NEAREST=1, DENORM=2, CORRECTLY_ROUNDED_DIVIDE_SQRT=4)
device_type = SimpleNamespace(CPU=2, GPU=4)
mem_flags = SimpleNamespace(READ_ONLY=1, COPY_HOST_PTR=2, READ_WRITE=4)


class Error(Exception):
    """An error of the driver."""


GPU = SimpleNamespace(
    name="Paper GPU",
    type=4,
    single_fp_config=7,
    extensions="cl_khr_fp64",
    max_work_group_size=64,
    local_mem_size=16384,
    global_mem_size=2**30,
    host_unified_memory=0,
    driver_version="0.2",
    max_mem_alloc_size=2**28,
)
Context = CommandQueue = Kernel = Buffer = lambda *given, **options: None


class Program:
    def __init__(self, context: Any, text: str):
        self.text = text

    def build(self, options: list[str]) -> Any:
        raise Error("the paper is blank")


def get_platforms() -> list[Any]:
    return [SimpleNamespace(name="Paper", get_devices=lambda: [GPU])]
