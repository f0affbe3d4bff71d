"""Arrays of an ONNX file: initialisers and attributes, read from the bytes of the file alone."""

from __future__ import annotations

from math import prod
from typing import Any, NoReturn

import numpy as np
from attrs import define

from ...core.arrays.numeric import AnyArray
from ...core.diagnostics import Code, refuse
from ..limits import NIF027, Limits, raised_limit

ONX005 = Code("ONX005", "onnx-external-data", "data of a tensor is stored in another file")
ONX006 = Code("ONX006", "onnx-tensor-invalid", "a tensor cannot be read")

DTYPES: dict[int, tuple[str, str, str]] = {
    1: ("FLOAT", "f4", "float_data"),
    2: ("UINT8", "u1", "int32_data"),
    3: ("INT8", "i1", "int32_data"),
    4: ("UINT16", "u2", "int32_data"),
    5: ("INT16", "i2", "int32_data"),
    6: ("INT32", "i4", "int32_data"),
    7: ("INT64", "i8", "int64_data"),
    9: ("BOOL", "?", "int32_data"),
    11: ("DOUBLE", "f8", "double_data"),
    21: ("UINT4", "u1", "int32_data"),
    22: ("INT4", "i1", "int32_data"),
}
"""Name, format in memory, and field of each type of elements that is read."""
OTHER_NAMES = {8: "STRING", 10: "FLOAT16", 16: "BFLOAT16", 17: "FLOAT8E4M3FN", 19: "FLOAT8E5M2", 23: "FLOAT4E2M1"}
FOUR_BITS = (21, 22)
EXTERNAL = 1


def type_name(number: int) -> str:
    """Returns the name of a type of elements."""
    return DTYPES[number][0] if number in DTYPES else OTHER_NAMES.get(number, f"type {number}")


@define
class Tensors:
    """Reader of the tensors of one file, which counts their bytes."""

    file: str
    limits: Limits
    bytes: int = 0

    def array(self, tensor: Any, node: str) -> AnyArray:
        """Returns the values of a tensor. Errors: ONX005 data in another file; ONX006 another type or size; NIF027 limits."""
        if tensor.data_location == EXTERNAL or tensor.external_data:
            places = {one.key: one.value for one in tensor.external_data}
            refuse(
                ONX005,
                node=node,
                file=self.file,
                expected="all data inside the file",
                found=f"the file {places.get('location', 'of no name')!r}",
                help=f"python -c \"import onnx; onnx.save(onnx.load({self.file!r}), 'whole.onnx')\"",
            )
        number, shape = int(tensor.data_type), tuple(map(int, tensor.dims))
        if number not in DTYPES:
            self.refuse(node, "a supported type of elements", type_name(number), "export the network in FLOAT")
        if min(shape, default=0) < 0:
            self.refuse(node, "sizes from 0", str(list(shape)))
        name, dtype, field = DTYPES[number]
        count = prod(shape)
        given = self.raw(tensor, number, count) if tensor.raw_data else listed(getattr(tensor, field), number, count)
        if given.size != count:
            self.refuse(node, f"{count} elements of {name}", f"{given.size}")
        self.bytes += count * np.dtype(dtype).itemsize
        if self.bytes > self.limits.bytes:
            refuse(
                NIF027,
                "the tensors exceed the limit of bytes",
                node=node,
                file=self.file,
                expected=f"at most {self.limits.bytes} bytes",
                found=f"{self.bytes} bytes",
                help=raised_limit("bytes", self.bytes),
            )
        values = given.astype(dtype).reshape(shape)
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            self.refuse(node, "finite numbers", "NaN or infinity")
        if (values != given.reshape(shape)).any():
            self.refuse(node, f"numbers of {name}", "a number that does not fit")
        return values

    def raw(self, tensor: Any, number: int, count: int) -> AnyArray:
        """Returns the elements of a tensor that is stored as bytes; as many as the bytes hold."""
        data = bytes(tensor.raw_data)
        if number in FOUR_BITS:
            return four_bits(np.frombuffer(data, np.uint8), number, count)
        dtype = np.dtype(DTYPES[number][1]).newbyteorder("<")
        whole = len(data) // dtype.itemsize
        if whole * dtype.itemsize != len(data):
            return np.zeros(whole + 1)  # not as many elements as declared
        return np.frombuffer(data, dtype)

    def refuse(self, node: str, expected: str, found: str, help: str = "export the network again") -> NoReturn:
        refuse(ONX006, node=node, file=self.file, expected=expected, found=found, help=help)


def listed(field: Any, number: int, count: int) -> AnyArray:
    """Returns the elements of a tensor that is stored as a list of numbers."""
    if number in FOUR_BITS:
        return four_bits(np.array(field, np.int64).astype(np.uint8), number, count)
    return np.array(field, np.float64 if number == 11 else np.float32 if number == 1 else np.int64)


def four_bits(data: AnyArray, number: int, count: int) -> AnyArray:
    """Returns the elements of bytes that hold two each, the lower half first. Shapes: data [bytes]."""
    if len(data) != (count + 1) // 2:
        return np.zeros(2 * len(data) + 2, np.int64)  # not as many elements as declared
    pairs = np.stack([data & 15, data >> 4], axis=1).reshape(-1)[:count].astype(np.int64)
    return np.where(pairs > 7, pairs - 16, pairs) if number == 22 else pairs
