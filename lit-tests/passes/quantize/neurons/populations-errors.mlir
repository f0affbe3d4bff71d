// A calibration of another state, or without finite numbers, does not determine the range of v.
// RUN: not nopt %s -p 'ntensor-quantize-state{nodes=other}' 2>&1 | filecheck %s --check-prefix=OTHER
// OTHER: error[QUA028]: the range of v is not known
// OTHER-NEXT: at: ntensor.neuron "other"
// OTHER-NEXT: expected: the lowest and the highest v of a run with sample input
// OTHER-NEXT: found: {i = #nopt.array<[0.0, 1.0] : tensor<2xf64>>}
// OTHER-NEXT: help: nopt {{.*}}populations-errors.mlir -p 'ntensor-calibrate{data="x.npy"},ntensor-quantize-state{nodes=other}'
// OTHER-NEXT:   nopt {{.*}}populations-errors.mlir -p 'ntensor-quantize-state{fraction=8 nodes=other}'
// RUN: not nopt %s -p 'ntensor-quantize-state{nodes=infinite}' 2>&1 | filecheck %s --check-prefix=INFINITE
// INFINITE: error[QUA028]: the range of v is not known
// RUN: nopt %s -p 'ntensor-quantize-state{fraction=8 nodes=other}'

// RUN: not nopt %s -p 'ntensor-quantize-state{range=given low=1e40 high=1e41}' 2>&1 | filecheck %s --check-prefix=FAR
// FAR: error[QUA029]: the options of a range do not fit
// FAR-NEXT: at: ntensor-quantize-state
// FAR-NEXT: expected: low and high, the lower one first
// FAR-NEXT: found: low=1e+40, high=1e+41
// FAR-NEXT: help: nopt {{.*}}populations-errors.mlir -p 'ntensor-quantize-state{range=given low=-1 high=1}'
ntensor.update @leak <value> inputs ["x"] states ["v"] initial {
  %0 = arith.constant 0.0 : f64
  ntensor.initial %0 : f64
} step {
^bb0(%x: f64, %v: f64):
  %2 = arith.addf %v, %x : f64
  %3 = ntensor.let "v" %2 : f64
  ntensor.emit %3, %3 : f64, f64
}
ntensor.network @net("x" %x: tensor<1xf64>) -> ("a": tensor<1xf64>, "b": tensor<1xf64>) attributes {tick_ns = 1000} {
  %a = ntensor.neuron "other" @leak(%x) {params = {}, initial = {v = #nopt.array<0.0 : tensor<f64>>}, ntensor.observed = {i = #nopt.array<[0.0, 1.0] : tensor<2xf64>>}} : (tensor<1xf64>) -> tensor<1xf64>
  %b = ntensor.neuron "infinite" @leak(%x) {params = {}, initial = {v = #nopt.array<0.0 : tensor<f64>>}, ntensor.observed = {v = #nopt.array<"0x0000000000000000000000000000f07f" : tensor<2xf64>>}} : (tensor<1xf64>) -> tensor<1xf64>
  ntensor.output %a, %b : tensor<1xf64>, tensor<1xf64>
}
