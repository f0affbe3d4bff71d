// RUN: not nopt %s -p ntensor-quantize-inputs 2>&1 | filecheck %s --check-prefix=KIND
// RUN: nopt %s -p 'ntensor-quantize-inputs{kind=spike inputs=a}' -o %t.mlir
// RUN: not nopt %s -p 'ntensor-quantize-inputs{kind=count inputs=a}' 2>&1 | filecheck %s --check-prefix=BITS
// RUN: nopt %s -p 'ntensor-quantize-inputs{kind=count bits=8 inputs=a}' -o /dev/null
// RUN: not nopt %s -p 'ntensor-quantize-inputs{kind=integer bits=1}' 2>&1 | filecheck %s --check-prefix=FEW
// RUN: not nopt %s -p 'ntensor-quantize-inputs{kind=spike bits=2}' 2>&1 | filecheck %s --check-prefix=SPIKE
// RUN: not nopt %s -p 'ntensor-quantize-inputs{kind=spike inputs=b}' 2>&1 | filecheck %s --check-prefix=SEEN
// RUN: nopt %s -p 'ntensor-quantize-inputs{kind=integer inputs=b}' -o /dev/null
// RUN: not nopt %s -p 'ntensor-quantize-inputs{inputs=c}' 2>&1 | filecheck %s --check-prefix=PARTS
// RUN: not nopt %s -p 'ntensor-quantize-inputs{kind=integer bits=32 inputs=a}' 2>&1 | filecheck %s --check-prefix=WIDE
// RUN: nopt %s -p 'ntensor-quantize-inputs{kind=integer bits=25 inputs=a}' -o /dev/null
// RUN: not nopt %s -p 'ntensor-quantize-inputs{inputs=d}' 2>&1 | filecheck %s --check-prefix=NAME
// RUN: python %S/../inputs/halves.py %t.npz
// RUN: not nopt run %t.mlir --input %t.npz 2>&1 | filecheck %s --check-prefix=DATA

// KIND: error[QUA015]: the type of an input is not specified
// KIND-NEXT: at: input "a"
// KIND-NEXT: expected: kind=spike, count, graded or integer, or a calibration
// KIND-NEXT: found: neither
// KIND-NEXT: help: nopt {{.*}}ntensor_quantize_inputs-errors.mlir -p 'ntensor-quantize-inputs{kind=spike}'
// BITS: error[QUA015]: the width of an input is not specified
// BITS: help: nopt {{.*}}ntensor_quantize_inputs-errors.mlir -p 'ntensor-quantize-inputs{kind=count bits=8 inputs=a}'
// FEW: error[QUA016]: the bits of an input are out of range
// FEW: expected: 2 to 63 bits of kind=integer
// FEW: help: nopt {{.*}}ntensor_quantize_inputs-errors.mlir -p 'ntensor-quantize-inputs{kind=integer bits=2}'
// SPIKE: error[QUA016]: the bits of an input are out of range
// SPIKE: help: nopt {{.*}}ntensor_quantize_inputs-errors.mlir -p 'ntensor-quantize-inputs{kind=spike bits=1}'
// SEEN: error[QUA017]: the numbers of an input do not fit
// SEEN-NEXT: at: input "b"
// SEEN-NEXT: expected: whole numbers in {{.*}}, for i1
// SEEN-NEXT: found: -3 to 2
// SEEN-NEXT: help: nopt {{.*}}ntensor_quantize_inputs-errors.mlir -p 'ntensor-quantize-inputs{kind=integer inputs=b}'
// PARTS: error[QUA017]: the numbers of an input do not fit
// PARTS: found: 0 to 0.5, with fractions
// PARTS-NEXT: help: scale and round the data, then calibrate again
// WIDE: error[QUA018]: a reader of an input does not hold its integers
// WIDE-NEXT: at: ntensor.linear "fc"
// WIDE-NEXT: expected: integers that f32 holds
// WIDE-NEXT: found: i32, {{.*}}
// WIDE-NEXT: help: nopt {{.*}}ntensor_quantize_inputs-errors.mlir -p 'ntensor-quantize-inputs{kind=integer bits=25 inputs=a}'
// NAME: error[QUA014]: no input "d" of reals
// NAME: expected: one of a, b, c
// NAME: help: nopt {{.*}}ntensor_quantize_inputs-errors.mlir -p 'ntensor-quantize-inputs{inputs=a}'

// Later data that violate the assumption are refused.
// DATA: error[SIM021]: a value is outside of the input's type i1
ntensor.network @net("a" %x: tensor<1xf32>, "b" %y: tensor<1xf32>, "c" %z: tensor<1xf32>) -> ("output": tensor<1xf32>) attributes {tick_ns = 1000, ntensor.observed = {inputs = {"b" = {range = #nopt.array<[-3.0, 2.0] : tensor<2xf64>>, integral = true}, "c" = {range = #nopt.array<[0.0, 0.5] : tensor<2xf64>>, integral = false}}}} {
  %a = ntensor.linear "fc" %x {weight = #nopt.array<[[0.3]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %s = ntensor.sum %a, %y, %z : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  ntensor.output %s : tensor<1xf32>
}
