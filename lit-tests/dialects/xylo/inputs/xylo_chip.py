"""Prints a xylo.chip with the given sizes: python xylo_chip.py DEVICE [NAME=VALUE …]

inputs, hidden, outputs: numbers of channels and neurons. reach: the hidden neuron that channel 0 reaches. sender: the hidden neuron that
reaches output neuron 0. fan_out: the hidden neurons that hidden neuron 0 reaches. synapses: further recurrent synapses, row by row. current, bias,
threshold, alias, shift, weight: of hidden neuron 0. count: bits of the input, 0 for single spikes.
"""

import sys

DEFAULTS = {
    "inputs": 1,
    "hidden": 2,
    "outputs": 1,
    "reach": 0,
    "sender": 1,
    "fan_out": 1,
    "synapses": 0,
    "current": 0,
    "bias": 0,
    "threshold": 16384,
    "alias": -1,
    "shift": 7,
    "weight": 100,
    "count": 0,
}


def array(values, kind="i32"):
    values = list(values)
    text = str(values) if values else '"0x"'
    return f"#nopt.array<{text} : tensor<{len(values)}x{kind}>>"


def number(value):
    return f"#nopt.array<{value} : tensor<i32>>"


def weights(layer, shift, synapses):
    """Returns the weights of a layer, for tuples of source, target, current and weight."""
    source, target, current, weight = zip(*sorted(synapses), strict=True)
    places = f"source = {array(source)}, target = {array(target)}, current = {array(current)}"
    return f'    xylo.weights "{layer}" {{shift = {shift} : i64, {places}, weight = {array(weight, "i8")}}}'


def main(device, *settings):
    given = {**DEFAULTS, **{name: int(value) for name, _, value in (one.partition("=") for one in settings)}}
    inputs, hidden, outputs = given["inputs"], given["hidden"], given["outputs"]
    element = f"!ntensor.count<{given['count']}>" if given["count"] else "i1"
    registers = f"dash_mem = {number(3)}, dash_syn = {number(2)}, dash_syn_2 = {number(2)}, "
    biases = array([given["bias"], *[0] * (hidden - 1)])
    thresholds = array([given["threshold"], *[16384] * (hidden - 1)])
    aliases = array([given["alias"], *[-1] * (hidden - 1)])
    recurrent = {(0, n, given["current"], 1) for n in range(given["fan_out"])}
    recurrent |= {(1 + k // hidden, k % hidden, 0, 1) for k in range(given["synapses"])}
    named = f', machine.device = "{device}"' if device != "none" else ""
    print(f"xylo.chip @net attributes {{tick_ns = 1000000 : i64{named}}} {{")
    print(
        f'  xylo.input "x/0" of "x" at 0 attributes {{index = {array(range(inputs))}, channels = {array(range(inputs))}}}'
        f" : tensor<{inputs}x{element}> {{\n  ^bb0:\n  }}"
    )
    print(f"  xylo.core 0 attributes {{axons = {inputs} : i64}} {{")
    print(
        f'    xylo.hidden "h/0" of "h" attributes {{index = {array(range(hidden))}, ids = {array(range(hidden))}, registers = {{{registers}'
        f"threshold = {thresholds}, bias = {biases}}}, aliases = {aliases}}} : tensor<{hidden}xi1> {{\n    ^bb0:\n    }}"
    )
    print(
        f'    xylo.readout "o/0" of "o" attributes {{index = {array(range(outputs))}, ids = {array(range(outputs))}, registers = {{'
        f"dash_mem = {number(3)}, dash_syn = {number(2)}, threshold = {number(900)}, bias = {number(0)}}}}}"
        f" : tensor<{outputs}xi1> {{\n    ^bb0:\n    }}"
    )
    print(weights("input", given["shift"], [(0, given["reach"], given["current"], given["weight"])]))
    print(weights("recurrent", 0, recurrent))
    print(weights("output", 2, [(given["sender"], 0, 0, 100)]))
    print("  }")
    print(f'  xylo.output "y" of "o" {{delay = #nopt.array<0 : tensor<i64>>}} : tensor<{outputs}xi1>\n}}')


main(*sys.argv[1:])
