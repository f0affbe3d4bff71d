// A triplet rule becomes four products of traces. The constants are 5 * 2^-5 * 16 / 255 = 0.0098039 instead of 0.01, and 5 * 2^-9 * 16 * 16 / 255, which is the same number:
// the window is 1 - 0.98039 = 0.0196 too small. The time constants are those of the rule, which has no user any more.
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-fit-plasticity{device=loihi2/loihi1}' | filecheck %s
// CHECK:      ntensor.rule @trace_products <axonal> weight "w" pre ["x1", "x2"] post ["y1", "y2"]
// CHECK-NOT:  @triplet
// CHECK:      #ntensor.approximation<"ntensor-fit-plasticity{{.*}}", "learning windows fitted to sums of products of traces: relative deviation 0.0196 of pairs and 0.0196 of triplets", ["fc"], 0.000369{{.*}} : f64, {{.*}} : f64, "1">
// CHECK:      plasticity = #ntensor.learning<@trace_products, {post_x1 = 0.0098039215686274508 : f64, post_x1_y2 = 0.0098039215686274508 : f64, pre_x2_y1 = -0.0098039215686274508 : f64, pre_y1 = -0.0098039215686274508 : f64, tau_x1 = 2.000000e-02 : f64, tau_x2 = 1.000000e-01 : f64, tau_y1 = 2.000000e-02 : f64, tau_y2 = 1.000000e-01 : f64, w_min = 0.000000e+00 : f64, w_max = 1.000000e+00 : f64}>

// A fitted rule stays, and `#nir.stdp` does.
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-fit-plasticity{device=loihi2/loihi1},ntensor-fit-plasticity{device=loihi2/loihi1}' | filecheck %s --check-prefix=TWICE
// TWICE:     approximation<"ntensor-fit-plasticity
// TWICE-NOT: approximation<"ntensor-fit-plasticity
// RUN: mutate 's/#nir.rule<.*}>}/#nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>}/' %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-fit-plasticity{device=loihi2/loihi1}' | filecheck %s --check-prefix=PAIRS
// PAIRS-NOT: ntensor-fit-plasticity
// PAIRS:     #nir.stdp

// The constants are on the grid of the device, so that the next pass changes the weights alone. 0.5 is 63.75 steps of 2 / 255.
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-fit-plasticity{device=loihi2/loihi1},ntensor-quantize-plasticity{device=loihi2/loihi1}' | filecheck %s --check-prefix=GRID
// GRID:       weight = #nopt.array<{{\[\[}}64, 32{{\]\]}} : tensor<1x2xi8>>, plasticity = #ntensor.learning<@trace_products, {post_x1 = 0.0098039215686274508 : f64

// Weights that both signs can have: the numbers of the window are those of the larger register.
// RUN: mutate 's/w_min = 0.0/w_min = -1.0/' %s | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-fit-plasticity{device=loihi2/loihi1}' | filecheck %s --check-prefix=MIXED
// MIXED:      post_x1 = 0.00980{{[0-9]*}} : f64{{.*}}w_min = -1.000000e+00 : f64
nir.graph @net("input" %x: tensor<2xi1>) -> ("output": tensor<1xi1>) {
  %a = nir.linear "fc" %x {weight = #nopt.array<[[0.5, 0.25]] : tensor<1x2xf32>>, plasticity = #nir.rule<"triplet", {a2_plus = 0.01, a2_minus = 0.01, a3_plus = 0.01, a3_minus = 0.01, tau_plus = 0.02, tau_minus = 0.02, tau_x = 0.1, tau_y = 0.1, w_min = 0.0, w_max = 1.0}>} : tensor<2xi1> -> tensor<1xf32>
  %z = nir.if "out" %a {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
