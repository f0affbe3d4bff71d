// RUN: python %S/inputs/save.py %t.npy '[[2], [4]]'
// RUN: not nopt run %s --input %t.npy 2>&1 | filecheck %s --check-prefix=VALUE
// RUN: not nopt run %s --input %t.npy --record lif.w,life,unlike 2>&1 | filecheck %s --check-prefix=RECORD
// RUN: python %S/inputs/misuse.py %s '{"inputs": (1, 3, 1)}' | filecheck %s --check-prefix=NAME
// RUN: python %S/inputs/misuse.py %s '{"input": (1, 3, 2)}' | filecheck %s --check-prefix=SHAPE
// RUN: python %S/inputs/misuse.py %S/inputs/silent.mlir '{}' | filecheck %s --check-prefix=TICKS

// An input must have values of its type: a count of two bits ends at 3.
// VALUE: error[SIM021]: a value is outside of the input's type !ntensor.count<2>
// VALUE-NEXT: at: input "input"
// VALUE-NEXT: expected: whole numbers in 0..3
// VALUE-NEXT: found: 4 at tick 1, index (0,)

// All unknown records are reported, with the known ones.
// RECORD: error[SIM017]: "lif" has no state w
// RECORD-NEXT: at: record lif.w
// RECORD-NEXT: expected: lif.v, lif.peak
// RECORD-NEXT: found: lif.w
// RECORD-NEXT: help: nopt run {{.*}}model-errors.mlir --input {{.*}}model-errors.mlir.tmp.npy --record lif.v
// RECORD: error[SIM017]: no node is called "life"
// RECORD-NEXT: at: record life
// RECORD-NEXT: expected: input, fc, lif, lif.v, lif.peak
// RECORD-NEXT: found: life
// RECORD-NEXT: help: nopt run {{.*}}model-errors.mlir --input {{.*}}model-errors.mlir.tmp.npy --record lif
// RECORD-NEXT: note: near matches: lif
// RECORD: error[SIM017]: no node is called "unlike"
// RECORD: help: nopt run {{.*}}model-errors.mlir --input {{.*}}model-errors.mlir.tmp.npy --record NAME, where NAME is one of input, fc, lif, lif.v or lif.peak

// Signals from Python must have the names and shapes of the inputs.
// NAME: error[SIM018]: the inputs of the run are not those of the network
// NAME-NEXT: expected: "input"
// NAME-NEXT: found: "inputs"
// SHAPE: error[SIM019]: a signal has another shape than its input
// SHAPE-NEXT: at: input "input"
// SHAPE-NEXT: expected: (1,)
// SHAPE-NEXT: found: (2,)

// A network without inputs requires a number of ticks.
// TICKS: error[SIM023]: the number of ticks is not specified
// TICKS: help: --ticks N

ntensor.update @leaky <spike> inputs ["x"] states ["v"] params ["k", "threshold"] raw ["k", "threshold"] records ["peak"] derive {
^bb0(%dt: f64, %k: f64, %threshold: f64):
  ntensor.derived %k, %threshold : f64, f64
} initial {
^bb0(%k_1: f64, %threshold_1: f64):
  %0 = arith.constant 0.000000e+00 : f64
  ntensor.initial %0 : f64
} step {
^bb0(%x: f64, %v: f64, %k_2: f64, %threshold_2: f64):
  %1 = arith.subf %x, %v : f64
  %2 = arith.mulf %k_2, %1 : f64
  %3 = arith.addf %v, %2 : f64
  %v_1 = ntensor.let "v" %3 : f64
  %4 = arith.cmpf ogt, %v_1, %threshold_2 : f64
  %z = ntensor.let "z" %4 : i1
  %5 = arith.constant 0.000000e+00 : f64
  %6 = arith.select %z, %5, %v_1 : f64
  %v_2 = ntensor.let "v" %6 : f64
  ntensor.emit %z, %v_2, %v_1 : i1, f64, f64
}

ntensor.network @one("input" %x: tensor<1x!ntensor.count<2>>) -> ("output": tensor<1xi1>) attributes {tick_ns = 1000000} {
  %i = ntensor.linear "fc" %x {weight = #nopt.array<[[0.75]] : tensor<1x1xf64>>} : tensor<1x!ntensor.count<2>> -> tensor<1xf64>
  %z = ntensor.neuron "lif" @leaky (%i) {params = {k = #nopt.array<0.5 : tensor<f64>>, threshold = #nopt.array<1.0 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1xi1>
  ntensor.output %z : tensor<1xi1>
}
