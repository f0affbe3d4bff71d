// RUN: not nopt %s --split-input-file 2>&1 | filecheck %s

// The parameters of a population must have one shape; the first array determines it.
// CHECK:      populations-errors.mlir:10:3: error[NIR001]: v_leak has the wrong shape
// CHECK-NEXT:   at: nir.li "li 1"
// CHECK-NEXT:   expected: () or (2,), one entry for each neuron
// CHECK-NEXT:   found: (3,)
// CHECK-NEXT:   help: change the shape of v_leak to (2,)
nir.graph @shape("in" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) {
  %y = nir.li "li 1" %x {tau = #nopt.array<[0.02, 0.01] : tensor<2xf32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<[0.0, 0.0, 0.0] : tensor<3xf32>>} : tensor<2xf32> -> tensor<2xf32>
  nir.output %y : tensor<2xf32>
}

// -----

// An array with one entry is not a scalar.
// CHECK:      error[NIR003]: the operand does not fit the node
// CHECK-NEXT:   at: nir.threshold "t"
// CHECK-NEXT:   expected: shape (1,)
// CHECK-NEXT:   found: shape (2,)
nir.graph @one("in" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) {
  %y = nir.threshold "t" %x {threshold = #nopt.array<[1.0] : tensor<1xf32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %y : tensor<2xi1>
}

// -----

// A population must have the shape of its operand.
// CHECK:      error[NIR003]: the operand does not fit the node
// CHECK-NEXT:   at: nir.lif "lif"
// CHECK-NEXT:   expected: shape (2,)
// CHECK-NEXT:   found: shape (1, 2)
nir.graph @operand("in" %x: tensor<1x2xf32>) -> ("out": tensor<2xi1>) {
  %y = nir.lif "lif" %x {tau = #nopt.array<[0.02, 0.01] : tensor<2xf32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1x2xf32> -> tensor<2xi1>
  nir.output %y : tensor<2xi1>
}

// -----

// The time constant tau must be positive.
// CHECK:      error[NIR002]: tau must be positive
// CHECK-NEXT:   at: nir.lif "lif"
// CHECK-NEXT:   expected: more than 0 s
// CHECK-NEXT:   found: 0.0 s
// CHECK-NEXT:   help: correct tau where the network was exported
nir.graph @tau("in" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) {
  %y = nir.lif "lif" %x {tau = #nopt.array<[0.02, 0.0] : tensor<2xf32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %y : tensor<2xi1>
}

// -----

// The time constant tau_syn must be positive.
// CHECK:      error[NIR002]: tau_syn must be positive
// CHECK-NEXT:   at: nir.cuba_lif "lif"
// CHECK:        found: -0.005 s
nir.graph @tau_syn("in" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) {
  %y = nir.cuba_lif "lif" %x {tau_syn = #nopt.array<-0.005 : tensor<f32>>, tau_mem = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>, w_in = #nopt.array<1.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %y : tensor<2xi1>
}

// -----

// The time constant tau_mem must be positive.
// CHECK:      error[NIR002]: tau_mem must be positive
// CHECK-NEXT:   at: nir.cuba_li "li"
nir.graph @tau_mem("in" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) {
  %y = nir.cuba_li "li" %x {tau_syn = #nopt.array<0.005 : tensor<f32>>, tau_mem = #nopt.array<0 : tensor<i64>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, w_in = #nopt.array<1.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xf32>
  nir.output %y : tensor<2xf32>
}

// -----

// Thresholds, resets and resistances must be finite.
// CHECK:      error[NIR002]: v_threshold is not finite
// CHECK-NEXT:   at: nir.if "if"
// CHECK:        found: inf at index []
nir.graph @infinite("in" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) {
  %y = nir.if "if" %x {r = #nopt.array<-1.0 : tensor<f32>>, v_threshold = #nopt.array<"0x0000807f" : tensor<f32>>, v_reset = #nopt.array<-2.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %y : tensor<2xi1>
}

// -----

// The parameters of own equations have the names of the equations.
// CHECK:      error[NIR007]: the parameters are not those of the equations
// CHECK-NEXT:   at: nir.neuron "cell"
// CHECK-NEXT:   expected: arrays keep
// CHECK-NEXT:   found: decay
nir.graph @names("in" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) {
  %y = nir.neuron "cell" %x {equations = "neuron cell\0Aparam keep\0Astate i = 0\0Ainput x\0Ai = keep * i + x\0Aemit value i\0A", params = {decay = #nopt.array<0.5 : tensor<f32>>}} : tensor<2xf32> -> tensor<2xf32>
  nir.output %y : tensor<2xf32>
}

// -----

// A text that is not a neuron is refused with the finding of the language.
// CHECK:      error[NIR007]: the equations of a population are invalid
// CHECK:        found: NEU001: 
nir.graph @text("in" %x: tensor<2xf32>) -> ("out": tensor<2xf32>) {
  %y = nir.neuron "cell" %x {equations = "neuron cell\0Av = = 1\0A", params = {}} : tensor<2xf32> -> tensor<2xf32>
  nir.output %y : tensor<2xf32>
}

// -----

// A population has one neuron.
// CHECK:      error[NIR007]: the equations of a population are invalid
// CHECK:        found: NIR007: the equations of a population are not one neuron
nir.graph @two("in" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) {
  %y = nir.neuron "cell" %x {equations = "neuron a\0Ainput x\0Aemit spike x > 0\0A\0Aneuron b\0Ainput x\0Aemit spike x > 1\0A", params = {}} : tensor<2xf32> -> tensor<2xi1>
  nir.output %y : tensor<2xi1>
}
