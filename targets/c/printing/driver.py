"""`main.c`, the program that runs a network on `.npy` files, and the `Makefile`."""

from __future__ import annotations

import json
from collections.abc import Sequence

from xdsl.dialects.builtin import Float32Type, Float64Type, IntegerType, Signedness
from xdsl.ir import Attribute

from ....dialects import c
from ....dialects.c import Kind
from .text import c_type


def quoted(text: str) -> str:
    """Returns a C string; other characters than plain ASCII become escaped bytes."""
    plain = "".join(chr(b) if 32 <= b < 127 and b not in b'"\\?' else f"\\{b:03o}" for b in text.encode())
    return f'"{plain}"'


def remark(text: str) -> str:
    """Escapes a text for a C comment."""
    return json.dumps(text)[1:-1].replace("*/", "* /").replace("/*", "/ *")


def kind_of(element: Attribute, is_result: bool) -> str:
    """Returns the name of an element type in `main.c`: signedness and bits; `b1` for spikes."""
    match element:
        case Float32Type():
            return "f4"
        case Float64Type():
            return "f8"
        case IntegerType():
            size = element.width.data // 8
            is_unsigned = element.signedness.data is Signedness.UNSIGNED
            return "b1" if is_result and is_unsigned and size == 1 else f"{'u' if is_unsigned else 'i'}{size}"
        case _:
            raise TypeError(f"no file holds {element}")


def row(buffer: c.BufferOp) -> str:
    """Returns the entry of an argument in the table of `main.c`."""
    shape = c.memory_shape(buffer.memory) or (1,)
    name = buffer.node.data if buffer.node is not None else buffer.label.data
    element = c.element_of_memory(buffer.memory)
    is_spike = buffer.kind.data is not Kind.INPUT or buffer.is_spikes is not None
    kind = kind_of(element, is_spike).upper()
    length = max(1, c.length_of(buffer.memory))
    return f"    {{{quoted(name)}, {quoted(', '.join(map(str, shape)))}, {len(shape)}, {length}, sizeof({c_type(element)}), {kind}}},"


def driver(program: c.ProgramOp) -> str:
    """Returns the text of `main.c`."""
    p = program.prefix.data
    inputs, outputs = program.of_kind(Kind.INPUT), program.of_kind(Kind.OUTPUT, Kind.PROBE)
    nothing = '    {"", "", 0, 1, 1, B1},'
    arguments = ["&state"]
    arguments += [
        f"(const {c_type(c.element_of_memory(b.memory))} *)in[{k}] + t * {max(1, c.length_of(b.memory))}"
        for k, b in enumerate(inputs)
    ]
    arguments += [
        f"({c_type(c.element_of_memory(b.memory))} *)out[{k}] + t * {max(1, c.length_of(b.memory))}"
        for k, b in enumerate(outputs)
    ]
    table = {
        "@": p,
        "INPUT_ROWS": "\n".join(map(row, inputs)) or nothing,
        "OUTPUT_ROWS": "\n".join(map(row, outputs)) or nothing,
        "INPUT_COUNT": str(len(inputs)),
        "OUTPUT_COUNT": str(len(outputs)),
        "STEP_ARGUMENTS": ", ".join(arguments),
    }
    text = TEMPLATE
    for name, value in table.items():
        text = text.replace(name, value)
    return text


def makefile(program: c.ProgramOp, flags: Sequence[str]) -> str:
    p = program.prefix.data
    return f"""CC = cc
CFLAGS = -O2
# the language, and no product that is added without being rounded first: with these the numbers are those of the model
CFLAGS += {" ".join(flags)}

{p}: main.c {p}.c {p}.h
	$(CC) $(CFLAGS) -o $@ main.c {p}.c -lm

clean:
	rm -f {p}

.PHONY: clean
"""


TEMPLATE = r"""/* Runs the network on files: @ [-r REPEATS] [-t] [-n TICKS] IN OUT
 *
 * IN: one sample, [ticks, *shape], as .npy (bool, integers up to 32 bits, float32, float64; C order); OUT: likewise, what the network
 * gives. With several inputs or outputs these are directories of NAME.npy. -t prints the time of a tick, the best of REPEATS runs;
 * -n runs so many ticks: zeros follow an input that is shorter. Made by nopt; do not edit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "@.h"

enum kind { B1, U1, I1, U2, I2, U4, I4, I8, F4, F8 };

struct row {
    const char *name, *shape;
    size_t rank, length, size;
    enum kind kind;
};

static const struct row inputs[] = {
INPUT_ROWS
};
static const struct row outputs[] = {
OUTPUT_ROWS
};
enum { INPUTS = INPUT_COUNT, OUTPUTS = OUTPUT_COUNT };

static const char *const types[] = {"|b1", "|u1", "|i1", "<u2", "<i2", "<u4", "<i4", "<i8", "<f4", "<f8"};
static const size_t sizes[] = {1, 1, 1, 2, 2, 4, 4, 8, 4, 8};

static @_state state;

static void fail(const char *path, const char *what) {
    fprintf(stderr, "error: %s: %s\n", path, what);
    exit(1);
}

static void *room(size_t count, size_t size) {
    void *found = count > (size_t)-1 / 2 / size ? NULL : calloc(count + 1, size);
    if (found == NULL) {
        fail("memory", "not enough for this many ticks");
    }
    return found;
}

static uint64_t bits_of(const unsigned char *bytes, size_t size) {
    uint64_t bits = 0;
    for (size_t k = 0; k < size; ++k) {
        bits |= (uint64_t)bytes[k] << (8 * k);
    }
    return bits;
}

static double number(const unsigned char *bytes, enum kind kind) {
    const uint64_t bits = bits_of(bytes, sizes[kind]);
    const uint32_t low = (uint32_t)bits;
    float single;
    double wide;
    memcpy(&single, &low, sizeof single);
    memcpy(&wide, &bits, sizeof wide);
    switch (kind) {
    case I1:
        return bits < 128 ? (double)bits : (double)bits - 256.0;
    case I2:
        return bits < 32768 ? (double)bits : (double)bits - 65536.0;
    case I4:
        return bits < 2147483648u ? (double)bits : (double)bits - 4294967296.0;
    case I8:
        return (double)(int64_t)bits;
    case F4:
        return (double)single;
    case F8:
        return wide;
    default:
        return (double)bits;
    }
}

static int put(void *at, enum kind kind, double x) { /* 0 where the type does not hold the number */
    static const double low[] = {0, 0, -128, 0, -32768, 0, -2147483648.0, -9223372036854775808.0};
    static const double high[] = {1, 255, 127, 65535, 32767, 4294967295.0, 2147483647.0, 9223372036854774784.0};
    if (kind == F4) {
        *(float *)at = (float)x;
        return 1;
    }
    if (kind == F8) {
        *(double *)at = x;
        return 1;
    }
    if (!(x >= low[kind] && x <= high[kind]) || (double)(int64_t)x != x) {
        return 0;
    }
    switch (kind) {
    case I1:
        *(int8_t *)at = (int8_t)x;
        break;
    case U2:
        *(uint16_t *)at = (uint16_t)x;
        break;
    case I2:
        *(int16_t *)at = (int16_t)x;
        break;
    case U4:
        *(uint32_t *)at = (uint32_t)x;
        break;
    case I4:
        *(int32_t *)at = (int32_t)x;
        break;
    case I8:
        *(int64_t *)at = (int64_t)x;
        break;
    default:
        *(uint8_t *)at = (uint8_t)x;
        break;
    }
    return 1;
}

static const char *after(const char *text, const char *key) {
    const char *found = strstr(text, key);
    if (found == NULL) {
        return NULL;
    }
    found += strlen(key);
    return found + strspn(found, " :");
}

/* Reads an array, and says in `ticks` how many rows it has. */
static unsigned char *read_rows(const char *path, const struct row *row, size_t *ticks, enum kind *kind) {
    FILE *file = fopen(path, "rb");
    unsigned char head[12];
    char *text, *end;
    const char *at;
    size_t length, rank = 0, total = 1;
    if (file == NULL) {
        fail(path, "cannot be opened");
    }
    if (fread(head, 1, 10, file) != 10 || memcmp(head, "\x93NUMPY", 6) != 0) {
        fail(path, "is no .npy file");
    }
    length = head[8] + 256u * head[9];
    if (head[6] > 1) {
        if (fread(head + 10, 1, 2, file) != 2) {
            fail(path, "is no .npy file");
        }
        length += 65536u * head[10] + 16777216u * head[11];
    }
    text = room(length, 1);
    if (fread(text, 1, length, file) != length) {
        fail(path, "ends early");
    }
    *kind = B1;
    at = after(text, "'descr'");
    while (at != NULL && *kind <= F8 && (at[0] != '\'' || strncmp(at + 1, types[*kind], 3) != 0)) {
        ++*kind;
    }
    if (at == NULL || *kind > F8) {
        fail(path, "is not of bool, integers up to 32 bits, float32 or float64");
    }
    at = after(text, "'fortran_order'");
    if (at == NULL || strncmp(at, "False", 5) != 0) {
        fail(path, "is not in C order");
    }
    at = after(text, "'shape'");
    if (at == NULL || *at != '(') {
        fail(path, "has no shape");
    }
    *ticks = 0;
    for (++at; *at != ')' && *at != '\0'; ++rank) {
        const size_t axis = (size_t)strtoull(at, &end, 10);
        if (end == at) {
            fail(path, "has no shape");
        }
        if (rank == 0) {
            *ticks = axis;
            end += strspn(end, ", ");
            if (strncmp(end, row->shape, strlen(row->shape)) != 0 && !(*end == ')' && row->rank == 1 && row->length == 1)) {
                fail(path, "has another shape than [ticks, shape of the input]");
            }
        } else {
            total *= axis;
        }
        at = end + strspn(end, ", ");
    }
    if (rank != row->rank + 1 && !(rank == 1 && row->rank == 1 && row->length == 1)) {
        fail(path, "has another number of axes than [ticks, shape of the input]");
    }
    if (total != row->length) {
        fail(path, "has another shape than [ticks, shape of the input]");
    }
    free(text);
    length = sizes[*kind] * row->length;
    text = room(*ticks, length);
    if (fread(text, length, *ticks, file) != *ticks) {
        fail(path, "ends early");
    }
    fclose(file);
    return (unsigned char *)text;
}

static void write_rows(const char *path, const struct row *row, size_t ticks, const unsigned char *rows) {
    char head[256], *part = room(strlen(path) + 6, 1);
    FILE *file;
    int used, bad;
    sprintf(part, "%s.part", path);
    used = sprintf(head, "{'descr': '%s', 'fortran_order': False, 'shape': (%lu, %.150s), }", types[row->kind], (unsigned long)ticks, row->shape);
    while ((used + 11) % 64 != 0) {
        head[used++] = ' ';
    }
    head[used++] = '\n';
    file = fopen(part, "wb");
    if (file == NULL) {
        fail(path, "cannot be written");
    }
    bad = fwrite("\x93NUMPY\x01", 1, 7, file) != 7 || fputc(0, file) == EOF || fputc(used % 256, file) == EOF || fputc(used / 256, file) == EOF;
    bad |= fwrite(head, 1, (size_t)used, file) != (size_t)used;
    for (size_t k = 0; k < ticks * row->length && !bad; ++k) {
        unsigned char bytes[8];
        uint64_t bits = 0;
        const unsigned char *at = rows + k * row->size;
        if (row->size == 1) {
            bits = *at;
        } else if (row->size == 2) {
            uint16_t held;
            memcpy(&held, at, 2);
            bits = held;
        } else if (row->size == 4) {
            uint32_t held;
            memcpy(&held, at, 4);
            bits = held;
        } else {
            memcpy(&bits, at, 8);
        }
        for (size_t b = 0; b < row->size; ++b) {
            bytes[b] = (unsigned char)(bits >> (8 * b));
        }
        bad = fwrite(bytes, 1, row->size, file) != row->size;
    }
    bad |= fclose(file) != 0;
    if (bad) {
        remove(part);
        fail(path, "cannot be written");
    }
#ifdef _WIN32
    remove(path);
#endif
    if (rename(part, path) != 0) {
        remove(part);
        fail(path, "cannot be written");
    }
    free(part);
}

static char *path_of(const char *given, const struct row *row, int is_folder) {
    char *path = room(strlen(given) + strlen(row->name) + 6, 1);
    sprintf(path, is_folder ? "%s/%s.npy" : "%s", given, row->name);
    return path;
}

static long count_of(const char *text) {
    char *end;
    const long found = strtol(text, &end, 10);
    if (*end != '\0' || found < 1) {
        fail(text, "is no number from 1");
    }
    return found;
}

int main(int argc, char **argv) {
    void *in[INPUTS + 1], *out[OUTPUTS + 1];
    size_t ticks = 0, longest = 0;
    long repeats = 1, asked = 0;
    int first = 1, is_timed = 0;
    double best = 0;
    while (first < argc && argv[first][0] == '-' && argv[first][1] != '\0') {
        const char *option = argv[first++];
        if (strcmp(option, "-t") == 0) {
            is_timed = 1;
        } else if (strcmp(option, "-r") == 0 && first < argc) {
            repeats = count_of(argv[first++]);
        } else if (strcmp(option, "-n") == 0 && first < argc) {
            asked = count_of(argv[first++]);
        } else {
            first = argc;
        }
    }
    if (argc - first != 1 + (INPUTS > 0)) {
        fprintf(stderr, "usage: %s [-r REPEATS] [-t] [-n TICKS] %sOUT\n", argv[0], INPUTS > 0 ? "IN " : "");
        return 2;
    }
    for (size_t pass = 0; pass < 2; ++pass) { /* first how many ticks there are, then the values */
        for (size_t k = 0; k < INPUTS; ++k) {
            enum kind kind;
            size_t rows;
            char *path = path_of(argv[first], &inputs[k], INPUTS > 1);
            unsigned char *values = read_rows(path, &inputs[k], &rows, &kind);
            if (pass == 0) {
                if (k > 0 && rows != longest) {
                    fail(path, "has another number of ticks than the input before");
                }
                longest = rows;
            } else {
                const size_t count = (rows < ticks ? rows : ticks) * inputs[k].length;
                in[k] = room(ticks * inputs[k].length, inputs[k].size);
                for (size_t e = 0; e < count; ++e) {
                    if (!put((unsigned char *)in[k] + e * inputs[k].size, inputs[k].kind, number(values + e * sizes[kind], kind))) {
                        fail(path, "has a value that the input does not take");
                    }
                }
            }
            free(values);
            free(path);
        }
        ticks = asked > 0 ? (size_t)asked : longest;
    }
    for (size_t k = 0; k < OUTPUTS; ++k) {
        out[k] = room(ticks * outputs[k].length, outputs[k].size);
    }
    for (long r = 0; r < repeats; ++r) {
        clock_t start;
        double spent;
        @_init(&state);
        start = clock();
        for (size_t t = 0; t < ticks; ++t) {
            @_step(STEP_ARGUMENTS);
        }
        spent = (double)(clock() - start) / CLOCKS_PER_SEC;
        best = r == 0 || spent < best ? spent : best;
    }
    for (size_t k = 0; k < OUTPUTS; ++k) {
        char *path = path_of(argv[argc - 1], &outputs[k], OUTPUTS > 1);
        write_rows(path, &outputs[k], ticks, out[k]);
        free(path);
        free(out[k]);
    }
    for (size_t k = 0; k < INPUTS; ++k) {
        free(in[k]);
    }
    if (is_timed) {
        printf("%.1f ns/tick\n", ticks > 0 ? best * 1e9 / (double)ticks : 0.0);
    }
    return 0;
}
"""
