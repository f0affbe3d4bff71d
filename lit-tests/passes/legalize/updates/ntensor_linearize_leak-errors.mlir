// RUN: not nopt %s --split-input-file -p ntensor-linearize-leak 2>&1 | filecheck %s
// RUN: not nopt %root/lit-tests/passes/legalize/inputs/wide.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-linearize-leak{nodes=z}' 2>&1 | filecheck %s --check-prefix=NODE
// RUN: nopt %root/lit-tests/passes/legalize/inputs/wide.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-linearize-leak{nodes=a}' -o /dev/null

// NODE: error[ANA031]: ntensor-linearize-leak has no node "z" to work on

// A population without canonical values.
// CHECK:      error[LEG053]: the leak of a population is not known
// CHECK-NEXT:   at: ntensor.neuron "lif"
// CHECK-NEXT:   expected: decay, gain, leak and threshold
// CHECK-NEXT:   found: no decay
// CHECK-NEXT:   help: add to its neuron, for example: canonical decay = 1 - k, gain = k * r, leak = v_leak, threshold = v_threshold
ntensor.update @u <spike> inputs ["a"] step {
^bb0(%a: f64):
  %0 = arith.constant 5.0 : f64
  %1 = arith.cmpf ogt, %a, %0 : f64
  ntensor.emit %1 : i1
}
ntensor.network @unknown("in" %x: tensor<1xf64>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %z = ntensor.neuron "lif" @u(%x) {family = "lif", params = {}, initial = {}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// Integers have no leak of reals.
// CHECK:      error[LEG054]: the leak of integers cannot be replaced
// CHECK-NEXT:   at: ntensor.neuron "lif"
// CHECK-NEXT:   expected: one input of reals
// CHECK-NEXT:   found: i16
// CHECK-NEXT:   help: nopt {{.*}}ntensor_linearize_leak-errors.mlir --split-input-file
ntensor.update @u <spike> inputs ["a"] step {
^bb0(%a: !fixed.int<-32768, 32767>):
  %0 = fixed.constant 5 : !fixed.int<5, 5>
  %1 = fixed.cmp gt %a, %0 : !fixed.int<-32768, 32767>, !fixed.int<5, 5>
  ntensor.emit %1 : i1
}
ntensor.network @integers("in" %x: tensor<1xi16>) -> ("out": tensor<1xi1>) attributes {tick_ns = 1000} {
  %z = ntensor.neuron "lif" @u(%x) {family = "lif", params = {}, initial = {}} : (tensor<1xi16>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}

// -----

// A network in continuous time is refused.
// CHECK: error[NTE009]: no network in ticks
// CHECK: help: nopt {{.*}}ntensor_linearize_leak-errors.mlir --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-linearize-leak'
nir.graph @net("input" %x: tensor<1xf32>) -> ("output": tensor<1xf32>) {
  nir.output %x : tensor<1xf32>
}
