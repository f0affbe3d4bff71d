// RUN: not nopt %s -p 'ntensor-quantize-threshold{bits=0}' 2>&1 | filecheck %s --check-prefix=BITS
// BITS: error[QUA027]: 0 bits are out of range
// BITS: expected: 2 to 53

// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse precision=f32},ntensor-quantize-threshold{bits=32}' 2>&1 | filecheck %s --check-prefix=WIDE
// WIDE: error[QUA027]: 32 bits are out of range
// WIDE-NEXT: at: ntensor-quantize-threshold, ntensor.neuron "lif"
// WIDE-NEXT: expected: 2 to 24, which its reals hold

// Neither quantized weights nor a calibration. The help lines work.
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-threshold' 2>&1 | filecheck %s --check-prefix=RANGE
// RANGE: error[QUA028]: the range of v is not known
// RANGE-NEXT: at: ntensor.neuron "lif"
// RANGE-NEXT: expected: the lowest and the highest v of a run with sample input
// RANGE-NEXT: found: no calibration
// RANGE-NEXT: help: nopt {{.*}}ntensor_quantize_threshold-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-calibrate{data="x.npy"},ntensor-quantize-threshold'
// RANGE-NEXT:   nopt {{.*}}ntensor_quantize_threshold-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-threshold{range=given low=-1 high=1}'
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-threshold{range=given low=-1 high=1}'

// RUN: not nopt %s -p 'ntensor-quantize-threshold{range=given}' 2>&1 | filecheck %s --check-prefix=ENDS
// ENDS: error[QUA029]: the options of a range do not fit
// ENDS: expected: low and high, the lower one first

// A threshold that only the canonical parameters contain.
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like="%S/../inputs/two_rates.neuron"},ntensor-quantize-threshold{range=given low=-1 high=1}' 2>&1 | filecheck %s --check-prefix=CARRIED
// CARRIED: error[QUA039]: the threshold is not a parameter of the step
// CARRIED-NEXT: at: ntensor.neuron "lif"
// CARRIED-NEXT: expected: a parameter of @two_rates that equals the threshold
// CARRIED: help: nopt {{.*}}ntensor_quantize_threshold-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000000 like="{{.*}}two_rates.neuron"},ntensor-set-neuron-model{to="FILE.neuron" nodes=lif},ntensor-quantize-threshold{range=given low=-1 high=1}'

// 4 bits in steps of 1: 0.25 becomes 0, and 20 becomes 7. The help lines work.
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-threshold{bits=4 range=given low=-7 high=7}' -o /dev/null 2>&1 | filecheck %s --check-prefix=LOST
// LOST: warning[QUA040]: v_threshold becomes 0 in 1 of 2 neurons
// LOST-NEXT: at: ntensor.neuron "lif"
// LOST-NEXT: expected: half a step or more: 0.5
// LOST-NEXT: found: 0.25 at index 0
// LOST-NEXT: help: nopt {{.*}}ntensor_quantize_threshold-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-threshold{bits=6 range=given low=-7 high=7}' -o {{.*}}null
// LOST: warning[QUA041]: 1 of 2 thresholds saturate at 4 bits
// LOST-NEXT: at: ntensor.neuron "lif"
// LOST-NEXT: expected: -8..7 steps of 1
// LOST-NEXT: found: 20 at index 1: 20 steps
// LOST-NEXT: help: nopt {{.*}}ntensor_quantize_threshold-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-threshold{bits=4 range=given low=-7 high=20}' -o {{.*}}null
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-threshold{bits=6 range=given low=-7 high=7}' -o /dev/null 2>&1 | filecheck %s --check-prefix=MORE
// MORE-NOT: QUA040
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000000 like=norse},ntensor-quantize-threshold{bits=4 range=given low=-7 high=20}' -o /dev/null 2>&1 | filecheck %s --check-prefix=RANGED
// RANGED-NOT: QUA041
nir.graph @net("in" %in: tensor<2xf32>) -> ("out": tensor<2xi1>) {
  %lif = nir.lif "lif" %in {tau = #nopt.array<[4.0, 4.0] : tensor<2xf32>>, r = #nopt.array<[1.0, 2.0] : tensor<2xf32>>, v_leak = #nopt.array<[0.0, 0.0] : tensor<2xf32>>, v_threshold = #nopt.array<[0.25, 20.0] : tensor<2xf32>>, v_reset = #nopt.array<[0.0, 0.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %lif : tensor<2xi1>
}
