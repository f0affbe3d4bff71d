// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// The chip has 16 channels.
// RUN: python %S/inputs/xylo_chip.py xylo/audio2 inputs=17 | not nopt - 2>&1 | filecheck %s --check-prefix=INPUTS
// INPUTS:       error[XYL002]: the network has more inputs than the chip
// INPUTS-NEXT:    at: xylo.core
// INPUTS-NEXT:    expected: at most 16 inputs (xylo/audio2, features.inputs: {{.*}})
// INPUTS-NEXT:    found: 17 inputs
// INPUTS-NEXT:    help: nopt check FILE --target auto

// Audio 3 has 992 hidden neurons, Audio 2 has 1000. The help is followed.
// RUN: python %S/inputs/xylo_chip.py xylo/audio3 hidden=993 sender=992 | not nopt - 2>&1 | filecheck %s --check-prefix=HIDDEN
// RUN: python %S/inputs/xylo_chip.py xylo/audio2 hidden=993 sender=992 | nopt - -o /dev/null
// RUN: python %S/inputs/xylo_chip.py xylo/audio2 hidden=1001 | not nopt - 2>&1 | filecheck %s --check-prefix=MOST
// HIDDEN:       error[XYL003]: the network has more hidden neurons than the chip
// HIDDEN-NEXT:    at: xylo.core
// HIDDEN-NEXT:    expected: at most 992 hidden neurons (xylo/audio3, features.hidden_neurons: {{.*}})
// HIDDEN-NEXT:    found: 993 hidden neurons
// HIDDEN-NEXT:    help: compile the network with --target xylo/audio2
// MOST:         error[XYL003]
// MOST:           help: nopt check FILE --target auto

// Output neurons.
// RUN: python %S/inputs/xylo_chip.py xylo/audio2 outputs=9 | not nopt - 2>&1 | filecheck %s --check-prefix=OUTPUTS
// RUN: python %S/inputs/xylo_chip.py xylo/audio3 outputs=9 | nopt - -o /dev/null
// RUN: python %S/inputs/xylo_chip.py xylo/audio3 outputs=17 | not nopt - 2>&1 | filecheck %s --check-prefix=SAFE
// OUTPUTS:      error[XYL004]: the network has more output neurons than the chip
// OUTPUTS-NEXT:   at: xylo.core
// OUTPUTS-NEXT:   expected: at most 8 output neurons (xylo/audio2, features.output_neurons: {{.*}})
// OUTPUTS-NEXT:   found: 9 output neurons
// OUTPUTS-NEXT:   help: compile the network with --target xylo/audio3
// SAFE:         error[XYL004]
// SAFE:           expected: at most 16 output neurons

// The expansions of Audio 3: the first 128 and the last 128 hidden neurons.
// RUN: python %S/inputs/xylo_chip.py xylo/audio3 hidden=300 sender=299 reach=128 | not nopt - 2>&1 | filecheck %s --check-prefix=FIRST
// RUN: python %S/inputs/xylo_chip.py xylo/audio3 hidden=300 sender=171 | not nopt - 2>&1 | filecheck %s --check-prefix=LAST
// RUN: python %S/inputs/xylo_chip.py xylo/audio2 hidden=300 sender=171 reach=128 | nopt - -o /dev/null
// FIRST:        error[XYL005]: inputs reach hidden neurons beyond the input expansion
// FIRST-NEXT:     at: xylo.weights
// FIRST-NEXT:     expected: at most 128 neurons (xylo/audio3, features.input_expansion: {{.*}})
// FIRST-NEXT:     found: 129: inputs reach hidden neuron 128
// FIRST-NEXT:     help: compile the network with --target xylo/audio2
// LAST:         error[XYL006]: hidden neurons before the output expansion reach output neurons
// LAST:           found: 129: hidden neuron 171 of 300 reaches output neurons
// LAST-NEXT:      help: compile the network with --target xylo/audio2

// Fan-out, and the memory of recurrent synapses.
// RUN: python %S/inputs/xylo_chip.py xylo/audio2 hidden=100 fan_out=65 | not nopt - 2>&1 | filecheck %s --check-prefix=FAN
// RUN: python %S/inputs/xylo_chip.py xylo/audio3 hidden=100 fan_out=65 | nopt - -o /dev/null
// RUN: python %S/inputs/xylo_chip.py xylo/imu hidden=400 sender=399 synapses=31744 | not nopt - 2>&1 | filecheck %s --check-prefix=MEMORY
// FAN:          error[XYL007]: a hidden neuron reaches too many others
// FAN-NEXT:       at: xylo.weights
// FAN-NEXT:       expected: at most 64 hidden neurons (xylo/audio2, features.hidden_fan_out: {{.*}})
// FAN-NEXT:       found: 65 of hidden neuron 0
// FAN-NEXT:       help: compile the network with --target xylo/audio3
// MEMORY:       error[XYL008]: the network has more recurrent synapses than the chip
// MEMORY:         found: 31745 synapses
// MEMORY-NEXT:    help: compile the network with --target xylo/audio3

// A network beyond the fan-out of Audio 2 and the input expansion of Audio 3 fits on neither; no refusal names the other.
// RUN: python %S/inputs/xylo_chip.py xylo/audio2 hidden=300 sender=299 reach=128 fan_out=65 | not nopt - 2>&1 | filecheck %s --check-prefix=BOTH
// RUN: python %S/inputs/xylo_chip.py xylo/audio3 hidden=300 sender=299 reach=128 fan_out=65 | not nopt - 2>&1 | filecheck %s --check-prefix=SECOND
// BOTH:         error[XYL007]
// BOTH:           help: nopt check FILE --target auto
// SECOND:       error[XYL005]
// SECOND:         help: nopt check FILE --target auto

// The IMU has one synaptic current.
// RUN: python %S/inputs/xylo_chip.py xylo/imu current=1 | not nopt - 2>&1 | filecheck %s --check-prefix=CURRENT
// CURRENT:      error[XYL009]: a hidden neuron has more synaptic currents than the chip
// CURRENT:        help: compile the network with --target xylo/audio3

// Aliases.
// RUN: python %S/inputs/xylo_chip.py xylo/audio2 alias=0 | not nopt - 2>&1 | filecheck %s --check-prefix=SELF
// RUN: python %S/inputs/xylo_chip.py xylo/audio2 alias=2 | not nopt - 2>&1 | filecheck %s --check-prefix=SELF
// RUN: python %S/inputs/xylo_chip.py xylo/audio2 alias=1 | not nopt - 2>&1 | filecheck %s --check-prefix=ALIAS
// SELF:         error[XYL010]: an alias is not one of the chip
// SELF-NEXT:      at: xylo.hidden "h/0"
// SELF-NEXT:      expected: another hidden neuron below 2, or -1
// An alias adds its spikes to those of its target, which can then be two.
// ALIAS:        error[XYL012]
// ALIAS:          found: an alias of another neuron

// A channel takes 15 spikes in a tick.
// RUN: python %S/inputs/xylo_chip.py xylo/audio2 count=5 | not nopt - 2>&1 | filecheck %s --check-prefix=SPIKES
// SPIKES:       error[XYL011]: an input sends more spikes in a tick than the chip takes
// SPIKES-NEXT:    at: xylo.input "x/0"
// SPIKES-NEXT:    expected: at most 15 spikes (xylo/audio2, features.input_spikes: {{.*}})
// SPIKES-NEXT:    found: up to 31 of !ntensor.count<5>

// A potential of at most 32767 holds two thresholds of 16383.
// RUN: python %S/inputs/xylo_chip.py xylo/audio2 threshold=16383 | not nopt - 2>&1 | filecheck %s --check-prefix=TWICE
// TWICE:        error[XYL012]: a neuron of single spikes can spike several times in a tick
// TWICE-NEXT:     at: xylo.hidden "h/0"
// TWICE-NEXT:     expected: a threshold of at least 16384, and no alias
// TWICE-NEXT:     found: 16383 of hidden neuron 0

// Biases have 8 bits, unless the device declares more.
// RUN: python %S/inputs/xylo_chip.py xylo/audio2 bias=128 | not nopt - 2>&1 | filecheck %s --check-prefix=BIAS
// BIAS:         error[XYL013]: a bias has more bits than its register
// BIAS:           found: 9 bits, for 0 to 128
// BIAS-NEXT:      help: compile the network with --set features.bias_bits=9

// The exponent of weights is a limit of the device.
// RUN: python %S/inputs/xylo_chip.py xylo/audio2 shift=9 weight=64 | not nopt - 2>&1 | filecheck %s --check-prefix=SHIFT
// SHIFT:        error[DEV016]
// SHIFT:          expected: {{.*}}8

// -----

// Numbers of neurons, and the one core: `ids = [0, 2]`.
// CHECK: error[XYL001]: the numbers of hidden neurons are invalid
// CHECK:   expected: each number below 2 once
xylo.chip @net attributes {tick_ns = 1000000 : i64} {
  // expected-error @below {{[XYL001]}}
  xylo.core 0 attributes {axons = 1 : i64} {
    xylo.hidden "h/0" of "h" attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, ids = #nopt.array<[0, 2] : tensor<2xi32>>, registers = {dash_mem = #nopt.array<3 : tensor<i32>>, dash_syn = #nopt.array<2 : tensor<i32>>, dash_syn_2 = #nopt.array<2 : tensor<i32>>, threshold = #nopt.array<[16384, 16384] : tensor<2xi32>>, bias = #nopt.array<[0, 0] : tensor<2xi32>>}, aliases = #nopt.array<[-1, -1] : tensor<2xi32>>} : tensor<2xi1> {
    ^bb0:
    }
  }
}

// -----

// Numbers of neurons, and the one core.
xylo.chip @net attributes {tick_ns = 1000000 : i64, machine.device = "xylo/audio2"} {
  xylo.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0] : tensor<1xi32>>, channels = #nopt.array<[0] : tensor<1xi32>>} : tensor<1xi1> {
  ^bb0:
  }
  // expected-error @below {{[CHI003]: the device has no such core}}
  xylo.core 1 attributes {axons = 1 : i64} {
    xylo.hidden "h/0" of "h" attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, ids = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {dash_mem = #nopt.array<3 : tensor<i32>>, dash_syn = #nopt.array<2 : tensor<i32>>, dash_syn_2 = #nopt.array<2 : tensor<i32>>, threshold = #nopt.array<[16384, 16384] : tensor<2xi32>>, bias = #nopt.array<[0, 0] : tensor<2xi32>>}, aliases = #nopt.array<[-1, -1] : tensor<2xi32>>} : tensor<2xi1> {
    ^bb0:
    }
  }
}
