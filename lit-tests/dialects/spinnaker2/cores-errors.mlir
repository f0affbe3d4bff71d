// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// A core counts its rows.
// CHECK:      error[CHI002]: axons are not the rows of the core
// CHECK-NEXT:   at: spinnaker2.core
// CHECK-NEXT:   expected: 3
// CHECK-NEXT:   found: 5
spinnaker2.chip @net {
  // expected-error @below {{[CHI002]}}
  spinnaker2.core 0 attributes {axons = 5 : i64} {
    spinnaker2.neurons "one/0" of "one" @lif_no_delay.value attributes {model = "lif_no_delay", reset = "reset_to_v_reset", index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {alpha_decay = #nopt.array<0.5 : tensor<f32>>, i_offset = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<32.0 : tensor<f32>>}, initial = {}} : tensor<2xi1> {
      spinnaker2.connections "fc1" of "x" {pre = #nopt.array<[0, 0, 1, 1, 2] : tensor<5xi32>>, post = #nopt.array<[0, 1, 0, 1, 1] : tensor<5xi32>>, weight = #nopt.array<[32, 48, -16, 16, 127] : tensor<5xi8>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// A core has one slice of a population.
// CHECK:      error[CHI012]: a core does not have one slice of a population
// CHECK-NEXT:   at: spinnaker2.core
// CHECK-NEXT:   expected: 1 slice
// CHECK-NEXT:   found: 0
spinnaker2.chip @net {
  // expected-error @below {{[CHI012]}}
  spinnaker2.core 1 attributes {axons = 2 : i64} {
^bb1:
  }
}

// -----

// py-spinnaker2 has the model and its reset, and the equations have its parameters: `model = "izhikevich"`.
// CHECK:      error[CHI013]: the neurons are not those of the chip
// CHECK-NEXT:   at: spinnaker2.neurons "one/0"
// CHECK-NEXT:   expected: one of lif_no_delay, lif_curr_exp_no_delay, lif, lif_curr_exp
// CHECK-NEXT:   found: izhikevich
// CHECK-NEXT:   help: compile the network again
spinnaker2.chip @net {
  spinnaker2.core 0 {
    // expected-error @below {{[CHI013]}}
    spinnaker2.neurons "one/0" of "one" @lif_no_delay.value attributes {model = "izhikevich", reset = "reset_to_v_reset", index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      spinnaker2.connections "fc1" of "x" {pre = #nopt.array<[0, 0, 1, 1, 2] : tensor<5xi32>>, post = #nopt.array<[0, 1, 0, 1, 1] : tensor<5xi32>>, weight = #nopt.array<[32, 48, -16, 16, 127] : tensor<5xi8>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// py-spinnaker2 has the model and its reset, and the equations have its parameters: `reset = "reset_by_magic"`.
// CHECK: error[CHI013]
// CHECK:   expected: reset_to_v_reset or reset_by_subtraction
spinnaker2.chip @net {
  spinnaker2.core 0 {
    // expected-error @below {{[CHI013]}}
    spinnaker2.neurons "one/0" of "one" @lif_no_delay.value attributes {model = "lif_no_delay", reset = "reset_by_magic", index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      spinnaker2.connections "fc1" of "x" {pre = #nopt.array<[0, 0, 1, 1, 2] : tensor<5xi32>>, post = #nopt.array<[0, 1, 0, 1, 1] : tensor<5xi32>>, weight = #nopt.array<[32, 48, -16, 16, 127] : tensor<5xi8>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// py-spinnaker2 has the model and its reset, and the equations have its parameters: `model = "lif_curr_exp_no_delay"`.
// CHECK:      error[CHI013]
// CHECK:        expected: alpha_decay, i_offset, v_threshold, syn_decay
// CHECK-NEXT:   found: alpha_decay, i_offset, v_threshold
spinnaker2.chip @net {
  spinnaker2.core 0 {
    // expected-error @below {{[CHI013]}}
    spinnaker2.neurons "one/0" of "one" @lif_no_delay.value attributes {model = "lif_curr_exp_no_delay", reset = "reset_to_v_reset", index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {alpha_decay = #nopt.array<0.5 : tensor<f32>>, i_offset = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<32.0 : tensor<f32>>}, initial = {}} : tensor<2xi1> {
      spinnaker2.connections "fc1" of "x" {pre = #nopt.array<[0, 0, 1, 1, 2] : tensor<5xi32>>, post = #nopt.array<[0, 1, 0, 1, 1] : tensor<5xi32>>, weight = #nopt.array<[32, 48, -16, 16, 127] : tensor<5xi8>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// States start at 0.
// CHECK:      error[CHI013]
// CHECK:        expected: v = 0 at the start
// CHECK-NEXT:   found: another state
spinnaker2.chip @net {
  spinnaker2.core 0 {
    // expected-error @below {{[CHI013]}}
    spinnaker2.neurons "one/0" of "one" @lif_no_delay.value attributes {model = "lif_no_delay", reset = "reset_to_v_reset", index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {alpha_decay = #nopt.array<0.5 : tensor<f32>>, i_offset = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<32.0 : tensor<f32>>}, initial = {v = #nopt.array<1.0 : tensor<f32>>}} : tensor<2xi1> {
      spinnaker2.connections "fc1" of "x" {pre = #nopt.array<[0, 0, 1, 1, 2] : tensor<5xi32>>, post = #nopt.array<[0, 1, 0, 1, 1] : tensor<5xi32>>, weight = #nopt.array<[32, 48, -16, 16, 127] : tensor<5xi8>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// Models without delays have the delay 0, which takes one tick.
// CHECK:      error[CHI013]
// CHECK:        expected: the delay 0, as lif_no_delay has no delays
// CHECK-NEXT:   found: 1
spinnaker2.chip @net {
  spinnaker2.core 0 {
    // expected-error @below {{[CHI013]}}
    spinnaker2.neurons "one/0" of "one" @lif_no_delay.value attributes {model = "lif_no_delay", reset = "reset_to_v_reset", index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {alpha_decay = #nopt.array<0.5 : tensor<f32>>, i_offset = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<32.0 : tensor<f32>>}, initial = {}} : tensor<2xi1> {
      spinnaker2.connections "fc1" of "x" {pre = #nopt.array<[0, 0, 1, 1, 2] : tensor<5xi32>>, post = #nopt.array<[0, 1, 0, 1, 1] : tensor<5xi32>>, weight = #nopt.array<[32, 48, -16, 16, 127] : tensor<5xi8>>, delay = #nopt.array<1 : tensor<i32>>}
    }
  }
}
