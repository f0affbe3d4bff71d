// RUN: not nopt %s -p 'convert-ntensor-to-c,c-choose-events{activity=events},convert-c-to-kernels' 2>&1 | filecheck %s
// RUN: not nopt %s -p 'ntensor-round-reals{to=bf16 of=states},convert-ntensor-to-c,convert-c-to-kernels' 2>&1 | filecheck %s --check-prefix=STATES
// RUN: not nopt %s -p 'ntensor-round-reals{to=f16 of=values},convert-ntensor-to-c,convert-c-to-kernels' 2>&1 | filecheck %s --check-prefix=VALUES
// RUN: not nopt %s -t opencl 2>&1 | filecheck %s --check-prefix=NONE
// RUN: nopt %s -p 'convert-ntensor-to-c,convert-c-to-kernels' > %t
// RUN: not nopt %t -t glsl 2>&1 | filecheck %s --check-prefix=LACKS
// RUN: not nopt compile %S/../reference/plasticity.mlir --target glsl -o %t.dir 2>&1 | filecheck %s --check-prefix=LEARN

// Lists of events of C cannot be lowered: gathers have bitmaps and lists of their own.
// CHECK:      error[KNL002]: c.events cannot be compiled to kernels
// CHECK:        help: run convert-c-to-kernels directly after convert-ntensor-to-c

// LEARN:      error[KNL002]: plasticity is not supported in kernels
// LEARN-NEXT:   at: c.visit, from "fc"
// LEARN-NEXT:   expected: weights that stay as they are
// LEARN-NEXT:   found: a learning rule
// LEARN-NEXT:   help: nopt compile {{.*}}plasticity.mlir --target glsl -o {{.*}} --approximate plasticity

// STATES:     error[KNL001]: reals of 16 bits that a tick computes cannot be compiled to kernels
// STATES:       found: a value of bf16
// VALUES:     error[KNL001]: reals of 16 bits that a tick computes cannot be compiled to kernels
// VALUES:       found: a value of f16

// A network in ticks is not a kernel program.
// NONE:       error[KNL004]: the module contains no kernel program

// GLSL has no integers of 8 bits in memory; kernels-choose-storage stores them in words.
// LACKS:      error[KNL006]: glsl has no equivalent of the type u8
ntensor.update @if.f32 <spike> inputs ["x"] states ["v"] params ["t"] derive {
^bb0(%dt: f64):
  ntensor.derived %dt : f64
} initial {
^bb0(%t: f32):
  %0 = arith.constant 0.000000e+00 : f32
  ntensor.initial %0 : f32
} step {
^bb0(%x: f32, %v: f32, %t: f32):
  %0 = arith.addf %v, %x : f32
  %z = arith.cmpf ogt, %0, %t : f32
  %1 = arith.constant 0.000000e+00 : f32
  %2 = arith.select %z, %1, %0 : f32
  ntensor.emit %z, %2 : i1, f32
}
ntensor.network @net("input" %x: tensor<3xi1>) -> ("output": tensor<2xi1>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] : tensor<2x3xf32>>, bias = #nopt.array<[0.5, 0.25] : tensor<2xf32>>} : tensor<3xi1> -> tensor<2xf32>
  %z = ntensor.neuron "lif" @if.f32 (%y) {params = {t = #nopt.array<1.0 : tensor<f32>>}, initial = {v = #nopt.array<0.0 : tensor<f32>>}} : (tensor<2xf32>) -> tensor<2xi1>
  ntensor.output %z : tensor<2xi1>
}
