// Each pass reports its range of bits, and the help line is within it.
// RUN: not nopt %s -p 'ntensor-quantize-bias{bits=33}' 2>&1 | filecheck %s --check-prefix=BIAS
// BIAS: error[QUA027]: 33 bits are out of range
// BIAS-NEXT: at: ntensor-quantize-bias
// BIAS-NEXT: expected: 2 to 32
// BIAS-NEXT: found: 33
// BIAS-NEXT: help: nopt {{.*}}parameter_grid-errors.mlir -p 'ntensor-quantize-bias{bits=32}'
// RUN: not nopt %s -p 'ntensor-quantize-decay{bits=25}' 2>&1 | filecheck %s --check-prefix=DECAY
// DECAY: error[QUA027]: 25 bits are out of range
// DECAY: help: nopt {{.*}}parameter_grid-errors.mlir -p 'ntensor-quantize-decay{bits=24}'
// RUN: not nopt %s -p 'ntensor-quantize-threshold{bits=1}' 2>&1 | filecheck %s --check-prefix=THRESHOLD
// THRESHOLD: error[QUA027]: 1 bits are out of range
// THRESHOLD: help: nopt {{.*}}parameter_grid-errors.mlir -p 'ntensor-quantize-threshold{bits=2}'
// RUN: not nopt %s -p 'ntensor-quantize-state{bits=-1}' 2>&1 | filecheck %s --check-prefix=STATE
// STATE: error[QUA027]: -1 bits are out of range
// STATE: help: nopt {{.*}}parameter_grid-errors.mlir -p 'ntensor-quantize-state{bits=2}'
// RUN: nopt %s -p 'ntensor-quantize-bias{bits=32},ntensor-quantize-decay{bits=24},ntensor-quantize-threshold{bits=2},ntensor-quantize-state{bits=2}'
ntensor.network @net("x" %x: tensor<1xf32>) -> ("y": tensor<1xf32>) attributes {tick_ns = 1000} {
  ntensor.output %x : tensor<1xf32>
}
