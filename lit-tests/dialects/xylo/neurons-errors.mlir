// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// A register is missing.
// CHECK:      error[XYL001]: the registers are not those of a neuron
// CHECK-NEXT:   at: xylo.hidden "h/0"
// CHECK-NEXT:   expected: dash_mem, dash_syn, dash_syn_2, threshold, bias
xylo.chip @net {
  xylo.core 0 {
    // expected-error @below {{[XYL001]}}
    xylo.hidden "h/0" of "h" attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, ids = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {dash_mem = #nopt.array<3 : tensor<i32>>, dash_syn = #nopt.array<2 : tensor<i32>>, dash_syn_3 = #nopt.array<2 : tensor<i32>>, threshold = #nopt.array<[16384, 16384] : tensor<2xi32>>, bias = #nopt.array<[0, 0] : tensor<2xi32>>}, aliases = #nopt.array<[-1, -1] : tensor<2xi32>>} : tensor<2xi1> {
    ^bb0:
    }
  }
}

// -----

// A decay has 4 bits, and a threshold is positive.
// CHECK:      error[XYL001]: dash_mem is out of range
// CHECK:        expected: 0 to 15
// CHECK-NEXT:   found: 16
xylo.chip @net {
  xylo.core 0 {
    // expected-error @below {{[XYL001]}}
    xylo.hidden "h/0" of "h" attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, ids = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {dash_mem = #nopt.array<16 : tensor<i32>>, dash_syn = #nopt.array<2 : tensor<i32>>, dash_syn_2 = #nopt.array<2 : tensor<i32>>, threshold = #nopt.array<[16384, 16384] : tensor<2xi32>>, bias = #nopt.array<[0, 0] : tensor<2xi32>>}, aliases = #nopt.array<[-1, -1] : tensor<2xi32>>} : tensor<2xi1> {
    ^bb0:
    }
    // expected-error @below {{[XYL001]}}
    xylo.readout "o/0" of "o" attributes {index = #nopt.array<[0] : tensor<1xi32>>, ids = #nopt.array<[0] : tensor<1xi32>>, registers = {dash_mem = #nopt.array<16 : tensor<i32>>, dash_syn = #nopt.array<2 : tensor<i32>>, threshold = #nopt.array<900 : tensor<i32>>, bias = #nopt.array<0 : tensor<i32>>}} : tensor<1xi1> {
    ^bb0:
    }
  }
}

// -----

// A decay has 4 bits, and a threshold is positive: `threshold = 0`.
xylo.chip @net {
  xylo.core 0 {
    // expected-error @below {{[XYL001]: threshold is out of range}}
    xylo.readout "o/0" of "o" attributes {index = #nopt.array<[0] : tensor<1xi32>>, ids = #nopt.array<[0] : tensor<1xi32>>, registers = {dash_mem = #nopt.array<3 : tensor<i32>>, dash_syn = #nopt.array<2 : tensor<i32>>, threshold = #nopt.array<0 : tensor<i32>>, bias = #nopt.array<0 : tensor<i32>>}} : tensor<1xi1> {
    ^bb0:
    }
  }
}

// -----

// A decay has 4 bits, and a threshold is positive: `threshold = [16384]`.
xylo.chip @net {
  xylo.core 0 {
    // expected-error @below {{[XYL001]: threshold has another shape}}
    xylo.hidden "h/0" of "h" attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, ids = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {dash_mem = #nopt.array<3 : tensor<i32>>, dash_syn = #nopt.array<2 : tensor<i32>>, dash_syn_2 = #nopt.array<2 : tensor<i32>>, threshold = #nopt.array<[16384] : tensor<1xi32>>, bias = #nopt.array<[0, 0] : tensor<2xi32>>}, aliases = #nopt.array<[-1, -1] : tensor<2xi32>>} : tensor<2xi1> {
    ^bb0:
    }
  }
}

// -----

// An output neuron sends single spikes, a hidden neuron up to 31.
xylo.chip @net {
  xylo.core 0 {
    // expected-error @below {{[XYL001]: an output neuron sends single spikes}}
    xylo.readout "o/0" of "o" attributes {index = #nopt.array<[0] : tensor<1xi32>>, ids = #nopt.array<[0] : tensor<1xi32>>, registers = {dash_mem = #nopt.array<3 : tensor<i32>>, dash_syn = #nopt.array<2 : tensor<i32>>, threshold = #nopt.array<900 : tensor<i32>>, bias = #nopt.array<0 : tensor<i32>>}} : tensor<1x!ntensor.count<5>> {
    ^bb0:
    }
  }
}

// -----

// An output neuron sends single spikes, a hidden neuron up to 31.
// CHECK: error[XYL001]: a hidden neuron sends spikes
// CHECK:   expected: i1, or counts up to 31
xylo.chip @net {
  xylo.core 0 {
    // expected-error @below {{[XYL001]}}
    xylo.hidden "h/0" of "h" attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, ids = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {dash_mem = #nopt.array<3 : tensor<i32>>, dash_syn = #nopt.array<2 : tensor<i32>>, dash_syn_2 = #nopt.array<2 : tensor<i32>>, threshold = #nopt.array<[16384, 16384] : tensor<2xi32>>, bias = #nopt.array<[0, 0] : tensor<2xi32>>}, aliases = #nopt.array<[-1, -1] : tensor<2xi32>>} : tensor<2x!ntensor.count<4>> {
    ^bb0:
    }
  }
}

// -----

// An output neuron sends single spikes, a hidden neuron up to 31.
// This is accepted.
xylo.chip @net attributes {tick_ns = 1000000 : i64} {
  xylo.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0] : tensor<1xi32>>, channels = #nopt.array<[0] : tensor<1xi32>>} : tensor<1xi1> {
  ^bb0:
  }
  xylo.core 0 attributes {axons = 1 : i64} {
    xylo.hidden "h/0" of "h" attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, ids = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {dash_mem = #nopt.array<3 : tensor<i32>>, dash_syn = #nopt.array<2 : tensor<i32>>, dash_syn_2 = #nopt.array<2 : tensor<i32>>, threshold = #nopt.array<[16384, 16384] : tensor<2xi32>>, bias = #nopt.array<[0, 0] : tensor<2xi32>>}, aliases = #nopt.array<[-1, -1] : tensor<2xi32>>} : tensor<2x!ntensor.count<5>> {
    ^bb0:
    }
    xylo.readout "o/0" of "o" attributes {index = #nopt.array<[0] : tensor<1xi32>>, ids = #nopt.array<[0] : tensor<1xi32>>, registers = {dash_mem = #nopt.array<3 : tensor<i32>>, dash_syn = #nopt.array<2 : tensor<i32>>, threshold = #nopt.array<900 : tensor<i32>>, bias = #nopt.array<0 : tensor<i32>>}} : tensor<1xi1> {
    ^bb0:
    }
  }
}

// -----

// Aliases are one number for each neuron.
xylo.chip @net {
  xylo.core 0 {
    // expected-error @below {{[XYL001]: aliases are invalid}}
    xylo.hidden "h/0" of "h" attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, ids = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {dash_mem = #nopt.array<3 : tensor<i32>>, dash_syn = #nopt.array<2 : tensor<i32>>, dash_syn_2 = #nopt.array<2 : tensor<i32>>, threshold = #nopt.array<[16384, 16384] : tensor<2xi32>>, bias = #nopt.array<[0, 0] : tensor<2xi32>>}, aliases = #nopt.array<[-1] : tensor<1xi32>>} : tensor<2xi1> {
    ^bb0:
    }
  }
}
