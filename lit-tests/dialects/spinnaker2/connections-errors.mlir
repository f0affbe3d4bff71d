// RUN: nopt %s --split-input-file --verify-diagnostics -o /dev/null
// RUN: exits 1 nopt %s --split-input-file -o /dev/null 2>&1 | filecheck %s

// Connections are sorted by pre, then by post.
// CHECK:      error[CHI001]: connections are not sorted
// CHECK-NEXT:   at: spinnaker2.connections "fc1"
// CHECK-NEXT:   expected: by pre, then by post
// CHECK-NEXT:   found: another order
spinnaker2.chip @net {
  spinnaker2.core 0 {
    spinnaker2.neurons "one/0" of "one" @lif_no_delay.value : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      spinnaker2.connections "fc1" of "x" {pre = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, post = #nopt.array<[0, 1, 0, 1, 1] : tensor<5xi32>>, weight = #nopt.array<[32, 48, -16, 16, 127] : tensor<5xi8>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// Each has a pre, a post and a weight, and a delay of its own or that of all: `post = [0, 1, 0, 1]`.
spinnaker2.chip @net {
  spinnaker2.core 0 {
    spinnaker2.neurons "one/0" of "one" @lif_no_delay.value : tensor<2xi1> {
      // expected-error @below {{[CHI001]: post has another shape}}
      spinnaker2.connections "fc1" of "x" {pre = #nopt.array<[0, 0, 1, 1, 2] : tensor<5xi32>>, post = #nopt.array<[0, 1, 0, 1] : tensor<4xi32>>, weight = #nopt.array<[32, 48, -16, 16, 127] : tensor<5xi8>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// Each has a pre, a post and a weight, and a delay of its own or that of all: `delay = [0, 1]`.
// CHECK:      error[CHI001]: delay has another shape
// CHECK:        expected: [] or [5]
// CHECK-NEXT:   found: [2]
spinnaker2.chip @net {
  spinnaker2.core 0 {
    spinnaker2.neurons "one/0" of "one" @lif_no_delay.value : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      spinnaker2.connections "fc1" of "x" {pre = #nopt.array<[0, 0, 1, 1, 2] : tensor<5xi32>>, post = #nopt.array<[0, 1, 0, 1, 1] : tensor<5xi32>>, weight = #nopt.array<[32, 48, -16, 16, 127] : tensor<5xi8>>, delay = #nopt.array<[0, 1] : tensor<2xi32>>}
    }
  }
}

// -----

// Each has a pre, a post and a weight, and a delay of its own or that of all: `delay = -1`.
spinnaker2.chip @net {
  spinnaker2.core 0 {
    spinnaker2.neurons "one/0" of "one" @lif_no_delay.value : tensor<2xi1> {
      // expected-error @below {{[CHI001]: delay has other numbers}}
      spinnaker2.connections "fc1" of "x" {pre = #nopt.array<[0, 0, 1, 1, 2] : tensor<5xi32>>, post = #nopt.array<[0, 1, 0, 1, 1] : tensor<5xi32>>, weight = #nopt.array<[32, 48, -16, 16, 127] : tensor<5xi8>>, delay = #nopt.array<-1 : tensor<i32>>}
    }
  }
}

// -----

// Weights are integers.
// CHECK:      error[CHI001]: weight has other numbers
// CHECK:        expected: integers
// CHECK-NEXT:   found: float32
spinnaker2.chip @net {
  spinnaker2.core 0 {
    spinnaker2.neurons "one/0" of "one" @lif_no_delay.value : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      spinnaker2.connections "fc1" of "x" {pre = #nopt.array<[0, 0, 1, 1, 2] : tensor<5xi32>>, post = #nopt.array<[0, 1, 0, 1, 1] : tensor<5xi32>>, weight = #nopt.array<[32.0, 48.0, -16.0, 16.0, 127.0] : tensor<5xf32>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}

// -----

// A post is a place in the group.
// CHECK:      error[CHI001]: post is not in the group
// CHECK:        expected: a neuron below 2
// CHECK-NEXT:   found: 2
spinnaker2.chip @net {
  spinnaker2.core 0 {
    spinnaker2.neurons "one/0" of "one" @lif_no_delay.value attributes {model = "lif_no_delay", reset = "reset_to_v_reset", index = #nopt.array<[0, 1] : tensor<2xi32>>, params = {}, initial = {}} : tensor<2xi1> {
      // expected-error @below {{[CHI001]}}
      spinnaker2.connections "fc1" of "x" {pre = #nopt.array<[0, 0, 1, 1, 2] : tensor<5xi32>>, post = #nopt.array<[0, 1, 0, 1, 2] : tensor<5xi32>>, weight = #nopt.array<[32, 48, -16, 16, 127] : tensor<5xi8>>, delay = #nopt.array<0 : tensor<i32>>}
    }
  }
}
