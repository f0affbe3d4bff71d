// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// With mixed signs and 8 bits a weight is even; with 4 bits and one sign it is a multiple of 16: `weight = [[7, -14], [0, 10]]`.
// CHECK:      error[LOI001]: a weight is not one of its sign mode and bits
// CHECK-NEXT:   at: loihi2.dense "fc1"
// CHECK-NEXT:   expected: multiples of 2 from -256 to 254 (8 bits, mixed)
// CHECK-NEXT:   found: 7
// CHECK-NEXT:   help: compile the network again
loihi2.chip @net {
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {}, thresholds = {}} {
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[LOI001]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[7, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// With mixed signs and 8 bits a weight is even; with 4 bits and one sign it is a multiple of 16: `weight = [72]`.
// CHECK:      error[LOI001]: a weight is not one of its sign mode and bits
// CHECK-NEXT:   at: loihi2.sparse "fc1"
// CHECK-NEXT:   expected: multiples of 16 from 0 to 255 (4 bits, excitatory)
// CHECK-NEXT:   found: 72
loihi2.chip @net {
  loihi2.neuro_core 2 attributes {axons = 1 : i64, profiles = {}, thresholds = {}} {
    loihi2.compartments "lif1/1" of "lif1" @fire attributes {index = #nopt.array<[0] : tensor<1xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<0 : tensor<i32>>, registers = {}, initial = {}} : tensor<1xi1> {
      // expected-error @below {{[LOI001]}}
      loihi2.sparse "fc1" {axons = #nopt.array<[0] : tensor<1xi32>>, format = "sparse4", num_weight_bits = 4 : i64, sign_mode = #loihi2.sign_mode<excitatory>, weight_exp = -4 : i64, weight = #nopt.array<[72] : tensor<1xi16>>, delay = #nopt.array<3 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, compartment = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

// -----

// One beyond each end of a range: `weight = [[256, -14], [0, 10]]`.
// CHECK:        found: 256
loihi2.chip @net {
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {}, thresholds = {}} {
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[LOI001]: a weight is not one of its sign mode and bits}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[256, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// One beyond each end of a range.
// CHECK:        expected: multiples of 1 from -255 to 0 (8 bits, inhibitory)
// CHECK-NEXT:   found: -256
loihi2.chip @net {
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {}, thresholds = {}} {
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[LOI001]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<inhibitory>, weight_exp = -1 : i64, weight = #nopt.array<[[-256, 0], [0, 0]] : tensor<2x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// Arrays that do not match: another number of rows, a delay of another shape, bits beyond the register, reals; here `weight = [[6, -14]]`.
// CHECK:      error[CHI001]: weight has another shape
// CHECK:        expected: [2, 2]
// CHECK-NEXT:   found: [1, 2]
loihi2.chip @net {
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {}, thresholds = {}} {
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14]] : tensor<1x2xi16>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// Arrays that do not match: another number of rows, a delay of another shape, bits beyond the register, reals; here `delay = [0, 1]`.
// CHECK: error[CHI001]: delay has another shape
// CHECK:   expected: [] or [2, 2]
loihi2.chip @net {
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {}, thresholds = {}} {
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6, -14], [0, 10]] : tensor<2x2xi16>>, delay = #nopt.array<[0, 1] : tensor<2xi32>>}
    }
  }
}

// -----

// Arrays that do not match: another number of rows, a delay of another shape, bits beyond the register, reals; here `num_weight_bits = 9`.
// CHECK: error[CHI001]: num_weight_bits is out of range
// CHECK:   expected: 1 to 8
loihi2.chip @net {
  loihi2.neuro_core 2 attributes {axons = 1 : i64, profiles = {}, thresholds = {}} {
    loihi2.compartments "lif1/1" of "lif1" @fire attributes {index = #nopt.array<[0] : tensor<1xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<0 : tensor<i32>>, registers = {}, initial = {}} : tensor<1xi1> {
      // expected-error @below {{[CHI001]}}
      loihi2.sparse "fc1" {axons = #nopt.array<[0] : tensor<1xi32>>, format = "sparse4", num_weight_bits = 9 : i64, sign_mode = #loihi2.sign_mode<excitatory>, weight_exp = -4 : i64, weight = #nopt.array<[64] : tensor<1xi16>>, delay = #nopt.array<3 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, compartment = #nopt.array<[0] : tensor<1xi32>>}
    }
  }
}

// -----

// Arrays that do not match: another number of rows, a delay of another shape, bits beyond the register, reals; here `weight = [[6.0, -14.0], [0.0, 10.0]]`.
// CHECK: error[CHI001]: weight has other numbers
// CHECK:   found: float32
loihi2.chip @net {
  loihi2.neuro_core 0 attributes {axons = 2 : i64, profiles = {}, thresholds = {}} {
    loihi2.compartments "lif1/0" of "lif1" @fire attributes {index = #nopt.array<[0, 1] : tensor<2xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<[0, 1] : tensor<2xi32>>, registers = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      loihi2.dense "fc1" {axons = #nopt.array<[0, 1] : tensor<2xi32>>, format = "dense8", num_weight_bits = 8 : i64, sign_mode = #loihi2.sign_mode<mixed>, weight_exp = -1 : i64, weight = #nopt.array<[[6.0, -14.0], [0.0, 10.0]] : tensor<2x2xf32>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// A place of a sparse table outside of it.
// CHECK: error[CHI001]: neuron is not in the table
// CHECK:   expected: indices below 1
loihi2.chip @net {
  loihi2.neuro_core 2 attributes {axons = 1 : i64, profiles = {}, thresholds = {}} {
    loihi2.compartments "lif1/1" of "lif1" @fire attributes {index = #nopt.array<[0] : tensor<1xi32>>, profile = #nopt.array<0 : tensor<i32>>, threshold = #nopt.array<0 : tensor<i32>>, registers = {}, initial = {}} : tensor<1xi1> {
      // expected-error @below {{[CHI001]}}
      loihi2.sparse "fc1" {axons = #nopt.array<[0] : tensor<1xi32>>, format = "sparse4", num_weight_bits = 4 : i64, sign_mode = #loihi2.sign_mode<excitatory>, weight_exp = -4 : i64, weight = #nopt.array<[64] : tensor<1xi16>>, delay = #nopt.array<3 : tensor<i32>>, axon = #nopt.array<[0] : tensor<1xi32>>, compartment = #nopt.array<[1] : tensor<1xi32>>}
    }
  }
}
