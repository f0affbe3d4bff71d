// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null

// Channels are numbered from 0, and the core has as many axons: `channels = [1]`.
// expected-error @below {{[XYL001]: the numbers of channels are invalid}}
xylo.chip @net attributes {tick_ns = 1000000 : i64} {
  xylo.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0] : tensor<1xi32>>, channels = #nopt.array<[1] : tensor<1xi32>>} : tensor<1xi1> {
  ^bb0:
  }
  xylo.core 0 attributes {axons = 1 : i64} {
    xylo.readout "o/0" of "o" attributes {index = #nopt.array<[0] : tensor<1xi32>>, ids = #nopt.array<[0] : tensor<1xi32>>, registers = {dash_mem = #nopt.array<3 : tensor<i32>>, dash_syn = #nopt.array<2 : tensor<i32>>, threshold = #nopt.array<900 : tensor<i32>>, bias = #nopt.array<0 : tensor<i32>>}} : tensor<1xi1> {
    ^bb0:
    }
  }
}

// -----

// Channels are numbered from 0, and the core has as many axons: `axons = 2`.
xylo.chip @net attributes {tick_ns = 1000000 : i64} {
  xylo.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0] : tensor<1xi32>>, channels = #nopt.array<[0] : tensor<1xi32>>} : tensor<1xi1> {
  ^bb0:
  }
  // expected-error @below {{[CHI002]: axons are not the channels of the inputs}}
  xylo.core 0 attributes {axons = 2 : i64} {
    xylo.readout "o/0" of "o" attributes {index = #nopt.array<[0] : tensor<1xi32>>, ids = #nopt.array<[0] : tensor<1xi32>>, registers = {dash_mem = #nopt.array<3 : tensor<i32>>, dash_syn = #nopt.array<2 : tensor<i32>>, threshold = #nopt.array<900 : tensor<i32>>, bias = #nopt.array<0 : tensor<i32>>}} : tensor<1xi1> {
    ^bb0:
    }
  }
}

// -----

// Channels are numbered from 0, and the core has as many axons: `channels = [0, 1]`.
xylo.chip @net {
  // expected-error @below {{[CHI001]: channels has another shape}}
  xylo.input "x/0" of "x" at 0 attributes {index = #nopt.array<[0] : tensor<1xi32>>, channels = #nopt.array<[0, 1] : tensor<2xi32>>} : tensor<1xi1> {
  ^bb0:
  }
}
