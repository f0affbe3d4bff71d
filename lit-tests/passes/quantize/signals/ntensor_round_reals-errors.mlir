// Weights of three layers are beyond 65504, and one initial state. All are listed. bf16 has the range of f32. The help lines work.
// RUN: not nopt %s -p 'ntensor-round-reals' 2>&1 | filecheck %s --check-prefix=LARGE
// LARGE: error[QUA033]: a number exceeds f16
// LARGE-NEXT: at: ntensor.linear "fc"
// LARGE-NEXT: expected: at most 65504, the largest number of f16
// LARGE-NEXT: found: weight[0, 1] = -65520
// LARGE-NEXT: help: nopt {{.*}}ntensor_round_reals-errors.mlir -p 'ntensor-round-reals{nodes=tie}'
// LARGE: error[QUA033]: a number exceeds f16
// LARGE-NEXT: at: ntensor.linear "wide"
// LARGE: found: bias[0] = 1e+20
// LARGE: found: scale = 1e+39
// RUN: nopt %s -p 'ntensor-round-reals{nodes=tie}' -o /dev/null
// RUN: not nopt %s -p 'ntensor-round-reals{nodes=fc,wide}' 2>&1 | filecheck %s --check-prefix=RANGE
// RANGE: help: nopt {{.*}}ntensor_round_reals-errors.mlir -p 'ntensor-round-reals{to=bf16 nodes=fc,wide}'
// RUN: nopt %s -p 'ntensor-round-reals{to=bf16 nodes=fc,wide}' | filecheck %s --check-prefix=FITS
// FITS: "fc"{{.*}}tensor<1x2xbf16>
// FITS: "wide"{{.*}}tensor<1xbf16>
// RUN: not nopt %s -p 'ntensor-round-reals{of=states}' 2>&1 | filecheck %s --check-prefix=START
// START: error[QUA033]: a number exceeds f16
// START-NEXT: at: ntensor.neuron "lif"
// START-NEXT: expected: at most 65504, the largest number of f16
// START-NEXT: found: v = 100000
// START-NEXT: help: nopt {{.*}}ntensor_round_reals-errors.mlir -p 'ntensor-round-reals{to=bf16 of=states}'
// RUN: nopt %s -p 'ntensor-round-reals{to=bf16 of=states}' -o /dev/null

// 65519.996 is below the tie with the next number of f16, 65536, and becomes 65504.
// RUN: nopt %s -p 'ntensor-round-reals{nodes=tie}' | filecheck %s --check-prefix=TIE
// TIE: "tie"{{.*}}[{{\[}}6.55e+04]] : tensor<1x1xf16>

// Numbers of f64 can be beyond bf16.
// RUN: not nopt %s -p 'ntensor-round-reals{to=bf16}' 2>&1 | filecheck %s --check-prefix=HUGE
// HUGE: error[QUA033]: a number exceeds bf16
// HUGE-NEXT: at: ntensor.scale "huge"
// HUGE-NEXT: expected: at most 3.3895314e+38, the largest number of bf16
// HUGE-NEXT: found: scale = 1e+39
// HUGE-NEXT: help: nopt {{.*}}ntensor_round_reals-errors.mlir -p 'ntensor-round-reals{to=bf16 nodes=fc,wide,tie}'
// RUN: not nopt %s -p 'ntensor-round-reals{to=bf16 nodes=huge}' 2>&1 | filecheck %s --check-prefix=ALONE
// ALONE: help: leave out this node: its numbers need f32 or f64

// The calibration observed 7e4, which becomes infinite in f16. The error is then not known.
// RUN: nopt %s -p 'ntensor-round-reals{of=states nodes=seen}' 2>&1 | filecheck %s --check-prefix=SEEN
// SEEN: warning[QUA035]: v exceeds f16, and becomes infinite there
// SEEN-NEXT: at: ntensor.neuron "seen"
// SEEN-NEXT: expected: at most 65504 in magnitude
// SEEN-NEXT: found: -70000 to 10
// SEEN-NEXT: help: nopt {{.*}}ntensor_round_reals-errors.mlir -p 'ntensor-round-reals{to=bf16 of=states nodes=seen}'
// RUN: nopt %s -p 'ntensor-round-reals{of=states nodes=seen}' | filecheck %s --check-prefix=UNKNOWN
// UNKNOWN: ["seen"], none, none, "1 per tick"
// RUN: nopt %s --strict -p 'ntensor-round-reals{to=bf16 of=states nodes=seen}' | filecheck %s --check-prefix=QUIET
// 7e4 is below 2^17; the steps of bf16 below it are 2^9, and the largest error is half of one.
// QUIET: ["seen"], 2.560000e+02 : f64, none, "1 per tick"

// RUN: not nopt %s -p 'ntensor-round-reals{nodes=fcc}' 2>&1 | filecheck %s --check-prefix=NODE
// NODE: error[ANA031]: ntensor-round-reals has no node "fcc" to work on
// NODE: help: nopt {{.*}}ntensor_round_reals-errors.mlir -p 'ntensor-round-reals{nodes=fc}'
// RUN: not nopt %s -p 'ntensor-round-reals{nodes=lif}' 2>&1 | filecheck %s --check-prefix=KIND
// KIND: error[ANA031]: ntensor-round-reals has no node "lif" to work on
// RUN: not nopt %s -p 'ntensor-round-reals{to=f8}' 2>&1 | filecheck %s --check-prefix=FORMAT
// FORMAT: error[COR013]: invalid options for ntensor-round-reals

// RUN: not nopt %S/../neurons/ntensor_quantize_state-errors.mlir -p 'ntensor-round-reals' 2>&1 | filecheck %s --check-prefix=TIME
// TIME: error[NTE009]: no network in ticks

// Integers have their width. A named node is refused; unnamed ones are left out unless no reals remain.
// RUN: not nopt %s -p 'ntensor-round-reals{nodes=whole}' 2>&1 | filecheck %s --check-prefix=WHOLE
// WHOLE: error[QUA034]: the weights are not reals
// WHOLE-NEXT: at: ntensor.linear "whole"
// WHOLE-NEXT: expected: weights of f32 or f64
// WHOLE-NEXT: found: weight: i8
// WHOLE-NEXT: help: nopt {{.*}}ntensor_round_reals-errors.mlir
// RUN: not nopt %S/../signals/ntensor_round_reals.mlir -p 'ntensor-round-reals{nodes=grid,fc}' 2>&1 | filecheck %s --check-prefix=GRID
// GRID: error[QUA034]: the weights are not reals
// GRID-NEXT: at: ntensor.linear "grid"
// GRID-NEXT: expected: weights of f32 or f64
// GRID-NEXT: found: weight: i8
// GRID-NEXT: help: nopt {{.*}}ntensor_round_reals.mlir -p 'ntensor-round-reals{nodes=fc}'
// RUN: not nopt %s -p 'ntensor-round-reals{of=states nodes=integrator,seen}' 2>&1 | filecheck %s --check-prefix=STATE
// STATE: error[QUA034]: the states are not reals
// STATE-NEXT: at: ntensor.neuron "integrator"
// STATE-NEXT: expected: states of f32 or f64
// STATE-NEXT: found: v: !fixed.int<-128, 127>
// STATE-NEXT: help: nopt {{.*}}ntensor_round_reals-errors.mlir -p 'ntensor-round-reals{of=states nodes=seen}'
ntensor.update @leak <value> inputs ["x"] states ["v"] initial {
  %0 = arith.constant 0.0 : f64
  ntensor.initial %0 : f64
} step {
^bb0(%x: f64, %v: f64):
  %0 = arith.addf %v, %x : f64
  %1 = ntensor.let "v" %0 : f64
  ntensor.emit %1, %1 : f64, f64
}
ntensor.update @integrate <value> inputs ["x"] states ["v"] initial {
  %0 = fixed.constant 0 : !fixed.int<0, 0>
  %1 = fixed.widen %0 : !fixed.int<0, 0> -> !fixed.int<-128, 127>
  ntensor.initial %1 : !fixed.int<-128, 127>
} step {
^bb0(%x: !fixed.int<-9223372036854775808, 9223372036854775807>, %v: !fixed.int<-128, 127>):
  %0 = fixed.saturate %x : !fixed.int<-9223372036854775808, 9223372036854775807> -> !fixed.int<-128, 127>
  ntensor.emit %0, %0 : !fixed.int<-128, 127>, !fixed.int<-128, 127>
}
ntensor.network @net("input" %x: tensor<2xi1>) -> ("a": tensor<1xf64>, "b": tensor<1xf64>, "c": tensor<1xi8>, "d": tensor<1xf64>) attributes {tick_ns = 1000} {
  %s = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, -65520.0]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf64>
  %a = ntensor.neuron "lif" @leak(%s) {params = {}, initial = {v = #nopt.array<100000.0 : tensor<f64>>}} : (tensor<1xf64>) -> tensor<1xf64>
  %t = ntensor.linear "wide" %x {weight = #nopt.array<[[1.0, 1.0]] : tensor<1x2xf32>>, bias = #nopt.array<[1.0e+20] : tensor<1xf32>>} : tensor<2xi1> -> tensor<1xf64>
  %b = ntensor.neuron "seen" @leak(%t) {params = {}, initial = {v = #nopt.array<0.0 : tensor<f64>>}, ntensor.observed = {v = #nopt.array<[-70000.0, 10.0] : tensor<2xf64>>}} : (tensor<1xf64>) -> tensor<1xf64>
  %w = ntensor.linear "whole" %x {weight = #nopt.array<[[1, 2]] : tensor<1x2xi8>>} : tensor<2xi1> -> tensor<1xi8>
  %c = ntensor.neuron "integrator" @integrate(%w) {params = {}, initial = {v = #nopt.array<0 : tensor<i8>>}} : (tensor<1xi8>) -> tensor<1xi8>
  %u = ntensor.linear "tie" %b {weight = #nopt.array<[[65519.996]] : tensor<1x1xf64>>} : tensor<1xf64> -> tensor<1xf64>
  %d = ntensor.scale "huge" %u {scale = #nopt.array<1.0e+39 : tensor<f64>>} : tensor<1xf64> -> tensor<1xf64>
  ntensor.output %a, %b, %c, %d : tensor<1xf64>, tensor<1xf64>, tensor<1xi8>, tensor<1xf64>
}
