// RUN: nopt %s | filecheck %s
// RUN: nopt %s --print-op-generic | filecheck %s --check-prefix=GENERIC
// RUN: nopt %s --print-op-generic | nopt - | filecheck %s
// RUN: nopt %s > %t.a && nopt %t.a > %t.b && diff %t.a %t.b

// Parameters of a population may be scalars for all neurons.
// CHECK-LABEL: nir.graph @scalars
// CHECK-NEXT:    nir.threshold "threshold" %x {threshold = #nopt.array<0.25 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
// CHECK-NEXT:    nir.i "i" %x {r = #nopt.array<0.25 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    nir.if "if" %x {r = #nopt.array<0.25 : tensor<f32>>, v_threshold = #nopt.array<0.5 : tensor<f32>>, v_reset = #nopt.array<0.75 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
// CHECK-NEXT:    nir.li "li" %x {tau = #nopt.array<0.001 : tensor<f32>>, r = #nopt.array<0.5 : tensor<f32>>, v_leak = #nopt.array<0.75 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    nir.lif "lif" %x {tau = #nopt.array<0.001 : tensor<f32>>, r = #nopt.array<0.5 : tensor<f32>>, v_leak = #nopt.array<0.75 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<1.25 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
// CHECK-NEXT:    nir.cuba_li "cuba_li" %x {tau_syn = #nopt.array<0.001 : tensor<f32>>, tau_mem = #nopt.array<0.002 : tensor<f32>>, r = #nopt.array<0.75 : tensor<f32>>, v_leak = #nopt.array<1.0 : tensor<f32>>, w_in = #nopt.array<1.25 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    nir.cuba_lif "cuba_lif" %x {tau_syn = #nopt.array<0.001 : tensor<f32>>, tau_mem = #nopt.array<0.002 : tensor<f32>>, r = #nopt.array<0.75 : tensor<f32>>, v_leak = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.25 : tensor<f32>>, v_reset = #nopt.array<1.5 : tensor<f32>>, w_in = #nopt.array<1.75 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
// GENERIC:       "nir.threshold"(%x) <{node = "threshold", threshold = #nopt.array<0.25 : tensor<f32>>}> : (tensor<2xf32>) -> tensor<2xi1>
// GENERIC:       "nir.i"(%x) <{node = "i", r = #nopt.array<0.25 : tensor<f32>>}> : (tensor<2xf32>) -> tensor<2xf32>
// GENERIC:       "nir.if"(%x) <{node = "if", r = #nopt.array<0.25 : tensor<f32>>, v_threshold = #nopt.array<0.5 : tensor<f32>>, v_reset = #nopt.array<0.75 : tensor<f32>>}> : (tensor<2xf32>) -> tensor<2xi1>
// GENERIC:       "nir.li"(%x) <{node = "li", tau = #nopt.array<0.001 : tensor<f32>>, r = #nopt.array<0.5 : tensor<f32>>, v_leak = #nopt.array<0.75 : tensor<f32>>}> : (tensor<2xf32>) -> tensor<2xf32>
// GENERIC:       "nir.lif"(%x) <{node = "lif", tau = #nopt.array<0.001 : tensor<f32>>, r = #nopt.array<0.5 : tensor<f32>>, v_leak = #nopt.array<0.75 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<1.25 : tensor<f32>>}> : (tensor<2xf32>) -> tensor<2xi1>
// GENERIC:       "nir.cuba_li"(%x) <{node = "cuba_li", tau_syn = #nopt.array<0.001 : tensor<f32>>, tau_mem = #nopt.array<0.002 : tensor<f32>>, r = #nopt.array<0.75 : tensor<f32>>, v_leak = #nopt.array<1.0 : tensor<f32>>, w_in = #nopt.array<1.25 : tensor<f32>>}> : (tensor<2xf32>) -> tensor<2xf32>
// GENERIC:       "nir.cuba_lif"(%x) <{node = "cuba_lif", tau_syn = #nopt.array<0.001 : tensor<f32>>, tau_mem = #nopt.array<0.002 : tensor<f32>>, r = #nopt.array<0.75 : tensor<f32>>, v_leak = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.25 : tensor<f32>>, v_reset = #nopt.array<1.5 : tensor<f32>>, w_in = #nopt.array<1.75 : tensor<f32>>}> : (tensor<2xf32>) -> tensor<2xi1>
nir.graph @scalars("in" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) {
  %y0 = nir.threshold "threshold" %x {threshold = #nopt.array<0.25 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %y1 = nir.i "i" %x {r = #nopt.array<0.25 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  %y2 = nir.if "if" %x {r = #nopt.array<0.25 : tensor<f32>>, v_threshold = #nopt.array<0.5 : tensor<f32>>, v_reset = #nopt.array<0.75 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %y3 = nir.li "li" %x {tau = #nopt.array<0.001 : tensor<f32>>, r = #nopt.array<0.5 : tensor<f32>>, v_leak = #nopt.array<0.75 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  %y4 = nir.lif "lif" %x {tau = #nopt.array<0.001 : tensor<f32>>, r = #nopt.array<0.5 : tensor<f32>>, v_leak = #nopt.array<0.75 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<1.25 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %y5 = nir.cuba_li "cuba_li" %x {tau_syn = #nopt.array<0.001 : tensor<f32>>, tau_mem = #nopt.array<0.002 : tensor<f32>>, r = #nopt.array<0.75 : tensor<f32>>, v_leak = #nopt.array<1.0 : tensor<f32>>, w_in = #nopt.array<1.25 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  %y6 = nir.cuba_lif "cuba_lif" %x {tau_syn = #nopt.array<0.001 : tensor<f32>>, tau_mem = #nopt.array<0.002 : tensor<f32>>, r = #nopt.array<0.75 : tensor<f32>>, v_leak = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.25 : tensor<f32>>, v_reset = #nopt.array<1.5 : tensor<f32>>, w_in = #nopt.array<1.75 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %x : tensor<2xf32>
}

// Parameters may be arrays with one entry for each neuron.
// CHECK-LABEL: nir.graph @arrays
// CHECK-NEXT:    nir.threshold "threshold" %x {threshold = #nopt.array<[0.25, 0.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
// CHECK-NEXT:    nir.i "i" %x {r = #nopt.array<[0.25, 0.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    nir.if "if" %x {r = #nopt.array<[0.25, 0.5] : tensor<2xf32>>, v_threshold = #nopt.array<[0.5, 1.0] : tensor<2xf32>>, v_reset = #nopt.array<[0.75, 1.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
// CHECK-NEXT:    nir.li "li" %x {tau = #nopt.array<[0.001, 0.002] : tensor<2xf32>>, r = #nopt.array<[0.5, 1.0] : tensor<2xf32>>, v_leak = #nopt.array<[0.75, 1.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    nir.lif "lif" %x {tau = #nopt.array<[0.001, 0.002] : tensor<2xf32>>, r = #nopt.array<[0.5, 1.0] : tensor<2xf32>>, v_leak = #nopt.array<[0.75, 1.5] : tensor<2xf32>>, v_threshold = #nopt.array<[1.0, 2.0] : tensor<2xf32>>, v_reset = #nopt.array<[1.25, 2.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
// CHECK-NEXT:    nir.cuba_li "cuba_li" %x {tau_syn = #nopt.array<[0.001, 0.002] : tensor<2xf32>>, tau_mem = #nopt.array<[0.002, 0.004] : tensor<2xf32>>, r = #nopt.array<[0.75, 1.5] : tensor<2xf32>>, v_leak = #nopt.array<[1.0, 2.0] : tensor<2xf32>>, w_in = #nopt.array<[1.25, 2.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    nir.cuba_lif "cuba_lif" %x {tau_syn = #nopt.array<[0.001, 0.002] : tensor<2xf32>>, tau_mem = #nopt.array<[0.002, 0.004] : tensor<2xf32>>, r = #nopt.array<[0.75, 1.5] : tensor<2xf32>>, v_leak = #nopt.array<[1.0, 2.0] : tensor<2xf32>>, v_threshold = #nopt.array<[1.25, 2.5] : tensor<2xf32>>, v_reset = #nopt.array<[1.5, 3.0] : tensor<2xf32>>, w_in = #nopt.array<[1.75, 3.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
nir.graph @arrays("in" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) {
  %y0 = nir.threshold "threshold" %x {threshold = #nopt.array<[0.25, 0.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  %y1 = nir.i "i" %x {r = #nopt.array<[0.25, 0.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %y2 = nir.if "if" %x {r = #nopt.array<[0.25, 0.5] : tensor<2xf32>>, v_threshold = #nopt.array<[0.5, 1.0] : tensor<2xf32>>, v_reset = #nopt.array<[0.75, 1.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  %y3 = nir.li "li" %x {tau = #nopt.array<[0.001, 0.002] : tensor<2xf32>>, r = #nopt.array<[0.5, 1.0] : tensor<2xf32>>, v_leak = #nopt.array<[0.75, 1.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %y4 = nir.lif "lif" %x {tau = #nopt.array<[0.001, 0.002] : tensor<2xf32>>, r = #nopt.array<[0.5, 1.0] : tensor<2xf32>>, v_leak = #nopt.array<[0.75, 1.5] : tensor<2xf32>>, v_threshold = #nopt.array<[1.0, 2.0] : tensor<2xf32>>, v_reset = #nopt.array<[1.25, 2.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  %y5 = nir.cuba_li "cuba_li" %x {tau_syn = #nopt.array<[0.001, 0.002] : tensor<2xf32>>, tau_mem = #nopt.array<[0.002, 0.004] : tensor<2xf32>>, r = #nopt.array<[0.75, 1.5] : tensor<2xf32>>, v_leak = #nopt.array<[1.0, 2.0] : tensor<2xf32>>, w_in = #nopt.array<[1.25, 2.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %y6 = nir.cuba_lif "cuba_lif" %x {tau_syn = #nopt.array<[0.001, 0.002] : tensor<2xf32>>, tau_mem = #nopt.array<[0.002, 0.004] : tensor<2xf32>>, r = #nopt.array<[0.75, 1.5] : tensor<2xf32>>, v_leak = #nopt.array<[1.0, 2.0] : tensor<2xf32>>, v_threshold = #nopt.array<[1.25, 2.5] : tensor<2xf32>>, v_reset = #nopt.array<[1.5, 3.0] : tensor<2xf32>>, w_in = #nopt.array<[1.75, 3.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %x : tensor<2xf32>
}

// Scalars and arrays may be mixed.
// CHECK-LABEL: nir.graph @mixed
// CHECK-NEXT:    nir.threshold "threshold" %x {threshold = #nopt.array<[0.25, 0.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
// CHECK-NEXT:    nir.i "i" %x {r = #nopt.array<[0.25, 0.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    nir.if "if" %x {r = #nopt.array<[0.25, 0.5] : tensor<2xf32>>, v_threshold = #nopt.array<0.5 : tensor<f32>>, v_reset = #nopt.array<[0.75, 1.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
// CHECK-NEXT:    nir.li "li" %x {tau = #nopt.array<[0.001, 0.002] : tensor<2xf32>>, r = #nopt.array<0.5 : tensor<f32>>, v_leak = #nopt.array<[0.75, 1.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    nir.lif "lif" %x {tau = #nopt.array<[0.001, 0.002] : tensor<2xf32>>, r = #nopt.array<0.5 : tensor<f32>>, v_leak = #nopt.array<[0.75, 1.5] : tensor<2xf32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<[1.25, 2.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
// CHECK-NEXT:    nir.cuba_li "cuba_li" %x {tau_syn = #nopt.array<[0.001, 0.002] : tensor<2xf32>>, tau_mem = #nopt.array<0.002 : tensor<f32>>, r = #nopt.array<[0.75, 1.5] : tensor<2xf32>>, v_leak = #nopt.array<1.0 : tensor<f32>>, w_in = #nopt.array<[1.25, 2.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:    nir.cuba_lif "cuba_lif" %x {tau_syn = #nopt.array<[0.001, 0.002] : tensor<2xf32>>, tau_mem = #nopt.array<0.002 : tensor<f32>>, r = #nopt.array<[0.75, 1.5] : tensor<2xf32>>, v_leak = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<[1.25, 2.5] : tensor<2xf32>>, v_reset = #nopt.array<1.5 : tensor<f32>>, w_in = #nopt.array<[1.75, 3.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
nir.graph @mixed("in" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) {
  %y0 = nir.threshold "threshold" %x {threshold = #nopt.array<[0.25, 0.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  %y1 = nir.i "i" %x {r = #nopt.array<[0.25, 0.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %y2 = nir.if "if" %x {r = #nopt.array<[0.25, 0.5] : tensor<2xf32>>, v_threshold = #nopt.array<0.5 : tensor<f32>>, v_reset = #nopt.array<[0.75, 1.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  %y3 = nir.li "li" %x {tau = #nopt.array<[0.001, 0.002] : tensor<2xf32>>, r = #nopt.array<0.5 : tensor<f32>>, v_leak = #nopt.array<[0.75, 1.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %y4 = nir.lif "lif" %x {tau = #nopt.array<[0.001, 0.002] : tensor<2xf32>>, r = #nopt.array<0.5 : tensor<f32>>, v_leak = #nopt.array<[0.75, 1.5] : tensor<2xf32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<[1.25, 2.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  %y5 = nir.cuba_li "cuba_li" %x {tau_syn = #nopt.array<[0.001, 0.002] : tensor<2xf32>>, tau_mem = #nopt.array<0.002 : tensor<f32>>, r = #nopt.array<[0.75, 1.5] : tensor<2xf32>>, v_leak = #nopt.array<1.0 : tensor<f32>>, w_in = #nopt.array<[1.25, 2.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %y6 = nir.cuba_lif "cuba_lif" %x {tau_syn = #nopt.array<[0.001, 0.002] : tensor<2xf32>>, tau_mem = #nopt.array<0.002 : tensor<f32>>, r = #nopt.array<[0.75, 1.5] : tensor<2xf32>>, v_leak = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<[1.25, 2.5] : tensor<2xf32>>, v_reset = #nopt.array<1.5 : tensor<f32>>, w_in = #nopt.array<[1.75, 3.5] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %x : tensor<2xf32>
}

// The operand may be spikes or values, and a population may have any number of axes, or none.
// CHECK-LABEL: nir.graph @axes
// CHECK-NEXT:    tensor<2x3x4xi1> -> tensor<2x3x4xi1>
// CHECK-NEXT:    tensor<f32> -> tensor<f32>
nir.graph @axes("a" %a: tensor<2x3x4xi1>, "b" %b: tensor<f32>) -> ("c": tensor<2x3x4xi1>, "d": tensor<f32>) {
  %c = nir.threshold "t" %a {threshold = #nopt.array<0.5 : tensor<f32>>} : tensor<2x3x4xi1> -> tensor<2x3x4xi1>
  %d = nir.i "i" %b {r = #nopt.array<0.5 : tensor<f32>>} : tensor<f32> -> tensor<f32>
  nir.output %c, %d : tensor<2x3x4xi1>, tensor<f32>
}

// -----

// A population may have equations of its own, whose parameters have their names. This one adapts its threshold.
// CHECK-LABEL: nir.graph @own
// CHECK-NEXT:    nir.neuron "cell" %x {equations = "neuron cell\0Aparam b, v_threshold\0Astate v = 0, a = 0\0Ainput x\0Av = v + x\0Az = v > v_threshold + a\0Aa = a + (b if z else 0.0)\0Av = 0.0 if z else v\0Aemit spike z\0A", params = {b = #nopt.array<[0.1, 0.2] : tensor<2xf32>>, v_threshold = #nopt.array<0.5 : tensor<f32>>}} : tensor<2xf32> -> tensor<2xi1>
nir.graph @own("in" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) {
  %y = nir.neuron "cell" %x {equations = "neuron cell\0Aparam b, v_threshold\0Astate v = 0, a = 0\0Ainput x\0Av = v + x\0Az = v > v_threshold + a\0Aa = a + (b if z else 0.0)\0Av = 0.0 if z else v\0Aemit spike z\0A", params = {b = #nopt.array<[0.1, 0.2] : tensor<2xf32>>, v_threshold = #nopt.array<0.5 : tensor<f32>>}} : tensor<2xf32> -> tensor<2xi1>
  nir.output %y : tensor<2xi1>
}

// -----

// Equations that emit a value have values as their output.
// CHECK-LABEL: nir.graph @current
// CHECK-NEXT:    nir.neuron "current" {{.*}} : tensor<2xf32> -> tensor<2xf32>
nir.graph @current("in" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) {
  %y = nir.neuron "current" %x {equations = "neuron current\0Aparam keep\0Astate i = 0\0Ainput x\0Ai = keep * i + x\0Aemit value i\0A", params = {keep = #nopt.array<0.5 : tensor<f32>>}} : tensor<2xf32> -> tensor<2xf32>
  nir.output %y : tensor<2xf32>
}
