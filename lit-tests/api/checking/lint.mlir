// Suspicious parts of a network are warnings, so the exit code is 0; they are grouped by node.
// RUN: nopt check %s --dt 1ms --like norse -v | filecheck %s

// A network without suspicious parts causes no finding.
// CHECK-NOT:  "well

nir.graph @well("well_in" %x: tensor<2xf32>) -> ("well_out": tensor<2xi1>) {
  %a = nir.linear "well_fc" %x {weight = #nopt.array<[[0.5, -1.0], [2.0, 0.25]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %z = nir.lif "well_lif" %a {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}

// A node without a path to an output, a node without a path from an input (except its own loop), and an unused input.
// CHECK:      lint.mlir: 15 warnings, 3 remarks
// CHECK:      {{^}}"idle"
// CHECK-NEXT:   warning[CHK001]: the input leads to no output
// CHECK:      "nowhere"
// CHECK-NEXT:   warning[CHK001]: the node leads to no output
// CHECK-NEXT:     place: {{.*}}lint.mlir:{{[0-9]+}}:3
// CHECK-NEXT:     at: nir.lif "nowhere"
// CHECK-NEXT:     expected: a path of edges to an output
// CHECK-NEXT:     found: none
// CHECK-NEXT:     help: connect the node, or leave it out
// CHECK:      "unheard"
// CHECK-NEXT:   warning[CHK002]: the node has no path from an input

nir.graph @edges("used" %x: tensor<2xf32>, "idle" %y: tensor<2xf32>) -> ("edges_out": tensor<2xi1>) {
  %n = nir.lif "nowhere" %x {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %u = nir.lif "unheard" %u {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xi1> -> tensor<2xi1>
  %s = nir.sum %x, %u : (tensor<2xf32>, tensor<2xi1>) -> tensor<2xf32>
  %z = nir.lif "edges_lif" %s {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}

// Weights that are all zero; one weight of nine that is 100 times the next largest; and one 8 times the next, which is accepted. They follow each other without neurons.
// CHECK:      "zeros"
// CHECK-NEXT:   warning[API008]: a layer is probably missing after a linear layer
// CHECK-NEXT:     place: {{.*}}lint.mlir:{{[0-9]+}}:3
// CHECK-NEXT:     at: nir.linear "zeros"
// CHECK-NEXT:     expected: neurons after a linear layer
// CHECK-NEXT:     found: nir.linear "outlier"
// CHECK:        warning[CHK003]: weight is zero everywhere
// CHECK:        found: only zeros
// CHECK:      "outlier"
// CHECK-NEXT:   warning[API008]
// CHECK:        warning[CHK004]: a weight is far larger than all others
// CHECK:        expected: at most 8 times the largest of the rest, 0.5
// CHECK-NEXT:   found: weight[1, 2] = -50, 100 times as large
// CHECK-NOT:  "near"
// CHECK:      "weights_lif"
// CHECK-NEXT:   warning[CHK008]: the population can never fire
// CHECK:        found: at most 0, with r = 1 at most

nir.graph @weights("weights_in" %x: tensor<3xf32>) -> ("weights_out": tensor<3xi1>) {
  %a = nir.linear "zeros" %x {weight = #nopt.array<[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]] : tensor<3x3xf32>>} : tensor<3xf32> -> tensor<3xf32>
  %b = nir.linear "outlier" %a {weight = #nopt.array<[[0.5, 0.25, 0.125], [0.5, -0.25, -50.0], [0.25, 0.5, -0.5]] : tensor<3x3xf32>>} : tensor<3xf32> -> tensor<3xf32>
  %c = nir.linear "near" %b {weight = #nopt.array<[[0.5, 0.25, 0.125], [0.5, -0.25, 4.0], [0.25, 0.5, -0.5]] : tensor<3x3xf32>>} : tensor<3xf32> -> tensor<3xf32>
  %z = nir.lif "weights_lif" %c {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<3xf32> -> tensor<3xi1>
  nir.output %z : tensor<3xi1>
}

// A rule is not expanded to check its weights.
// CHECK:      "rule"
// CHECK-NEXT:   remark[CHK005]: weight has too many elements to check
// CHECK:        expected: at most 16777216 elements
// CHECK-NEXT:   found: 100000000 elements

nir.graph @rules("rule_in" %x: tensor<10000xf32>) -> ("rule_out": tensor<10000xi1>) {
  %a = nir.linear "rule" %x {weight = #nopt.array<constant(value = 0.5) : tensor<10000x10000xf32>>} : tensor<10000xf32> -> tensor<10000xf32>
  %z = nir.lif "rule_lif" %a {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<10000xf32> -> tensor<10000xi1>
  nir.output %z : tensor<10000xi1>
}

// A threshold below rest, one below the reset, in one of two neurons; a threshold node that fires without input.
// CHECK:      "low"
// CHECK-NEXT:   warning[CHK006]: the threshold is not above the potential at rest
// CHECK:        expected: v_threshold above v_leak
// CHECK-NEXT:   found: v_threshold = -0.5, v_leak = 0 at index [1], 1 of 2 neurons
// CHECK:        warning[CHK007]: the reset is not below the threshold
// CHECK:        found: v_reset = 0, v_threshold = -0.5 at index [1], 1 of 2 neurons
// CHECK:      "step"
// CHECK-NEXT:   warning[CHK006]: the threshold is below 0, so that no input exceeds it
// CHECK:        found: threshold = -1

nir.graph @thresholds("thresholds_in" %x: tensor<2xf32>) -> ("thresholds_out": tensor<2xi1>) {
  %a = nir.lif "low" %x {tau = #nopt.array<[0.02, 0.02] : tensor<2xf32>>, r = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_leak = #nopt.array<[0.0, 0.0] : tensor<2xf32>>, v_threshold = #nopt.array<[1.0, -0.5] : tensor<2xf32>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  %z = nir.threshold "step" %a {threshold = #nopt.array<-1.0 : tensor<f32>>} : tensor<2xi1> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}

// Two neurons that both fire produce at most 0.25 + 0.5 = 0.75, and r = 1: the threshold 1 is never reached. With r = 2 it is.
// A loop through spikes adds its own weight.
// CHECK:      "deaf"
// CHECK-NEXT:   warning[CHK008]: the population can never fire
// CHECK:        expected: more than its threshold, 1, in some neuron when all neurons before it fire
// CHECK-NEXT:   found: at most 0.75, with r = 1 at most
// CHECK-NOT:  "keen"

nir.graph @drive("drive_in" %x: tensor<2xf32>) -> ("drive_out": tensor<2xi1>) {
  %p = nir.lif "first" %x {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %q = nir.linear "fc" %p {weight = #nopt.array<[[0.25, 0.5], [0.5, -2.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %d = nir.lif "deaf" %q {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %k = nir.lif "keen" %q {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %s = nir.sum %d, %k : (tensor<2xi1>, tensor<2xi1>) -> tensor<2xf32>
  %z = nir.lif "drive_lif" %s {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}

// The unit of NIR is seconds.
// CHECK:      "late"
// CHECK-NEXT:   warning[CHK009]: a delay looks like milliseconds
// CHECK:        found: 3 s
// CHECK:      "slow"
// CHECK-NEXT:   warning[API007]: the numbers are probably those of sinabs
// CHECK:        help: nopt check {{.*}}lint.mlir --dt 1ms --like norse --exported-by sinabs
// CHECK:        warning[ANA035]: a time constant looks like milliseconds

nir.graph @units("units_in" %x: tensor<2xf32>) -> ("units_out": tensor<2xi1>) {
  %a = nir.delay "late" %x {delay = #nopt.array<3.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  %z = nir.lif "slow" %a {tau = #nopt.array<20.0 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
