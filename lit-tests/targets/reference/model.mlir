// RUN: python %S/inputs/save.py %t.npy '[[2], [2], [0], [3]]'
// RUN: nopt run %s --input %t.npy --record lif,lif.v,lif.peak,fc,input -o %t.npz
// RUN: python %S/inputs/show.py %t.npz | filecheck %s
// RUN: nopt run %s --input %t.npy --ticks 6 -o %t.npz
// RUN: python %S/inputs/show.py %t.npz | filecheck %s --check-prefix=LONGER
// RUN: nopt run %s --input %t.npy --ticks 1 -o %t.npz
// RUN: python %S/inputs/show.py %t.npz | filecheck %s --check-prefix=SHORTER

// The input is 1.5, 1.5, 0, 2.25. v = 0.5 * 1.5, then 0.75 + 0.5 * (1.5 - 0.75) = 1.125 > 1: a spike and a reset to 0;
// then 0.5 * 0, then 0.5 * 2.25 = 1.125 > 1. A state is read after the tick; the record of the update is its peak before the reset.
// CHECK-LABEL: output: bool
// CHECK-NEXT: [False]
// CHECK-NEXT: [True]
// CHECK-NEXT: [False]
// CHECK-NEXT: [True]
// CHECK-LABEL: lif: bool
// CHECK-LABEL: lif.v: float64
// CHECK-NEXT: [0.75]
// CHECK-NEXT: [0.0]
// CHECK-NEXT: [0.0]
// CHECK-NEXT: [0.0]
// CHECK-LABEL: lif.peak: float64
// CHECK-NEXT: [0.75]
// CHECK-NEXT: [1.125]
// CHECK-NEXT: [0.0]
// CHECK-NEXT: [1.125]

// Counts are int32, and a record of an input has its own type.
// CHECK-LABEL: fc: float64
// CHECK-NEXT: [1.5]
// CHECK-LABEL: input: int32
// CHECK-NEXT: [2]

// A longer run continues with zeros, a shorter run stops.
// LONGER: output: bool
// LONGER-COUNT-6: [{{True|False}}]
// SHORTER: output: bool
// SHORTER-NEXT: [False]
// SHORTER-NOT: False

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
