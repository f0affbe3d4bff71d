// RUN: not nopt %s -p 'ntensor-quantize-state{bits=0}' 2>&1 | filecheck %s --check-prefix=BITS
// BITS: error[QUA027]: 0 bits are out of range
// BITS: expected: 2 to 53
// BITS: help: nopt {{.*}}ntensor_quantize_state-errors.mlir -p 'ntensor-quantize-state{bits=2}'

// f32 holds integers of 24 signed bits times any power of two.
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse precision=f32},ntensor-quantize-state{bits=32 fraction=8}' 2>&1 | filecheck %s --check-prefix=WIDE
// WIDE: error[QUA027]: 32 bits are out of range
// WIDE-NEXT: at: ntensor-quantize-state, ntensor.neuron "lif"
// WIDE-NEXT: expected: 2 to 24, which its reals hold
// WIDE-NEXT: found: 32
// WIDE-NEXT: help: nopt {{.*}}ntensor_quantize_state-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse precision=f32},ntensor-quantize-state{bits=24 fraction=8}'
// RUN: nopt %s --strict -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse precision=f32},ntensor-quantize-state{bits=24 fraction=8}'
// RUN: nopt %s --strict -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse precision=f64},ntensor-quantize-state{bits=32 fraction=8}'

// The observation is missing. Both help lines work.
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-state{bits=8}' 2>&1 | filecheck %s --check-prefix=RANGE
// RANGE: error[QUA028]: the range of v is not known
// RANGE-NEXT: at: ntensor.neuron "lif"
// RANGE-NEXT: expected: the lowest and the highest v of a run with sample input
// RANGE-NEXT: found: no calibration
// RANGE-NEXT: help: nopt {{.*}}ntensor_quantize_state-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-calibrate{data="x.npy"},ntensor-quantize-state{bits=8}'
// RANGE-NEXT:   nopt {{.*}}ntensor_quantize_state-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-state{fraction=8 nodes=lif},ntensor-quantize-state{bits=8}'
// RUN: nopt %s --strict -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-state{fraction=8 nodes=lif}'

// RUN: not nopt %s -p 'ntensor-quantize-state{low=1}' 2>&1 | filecheck %s --check-prefix=LOW
// LOW: error[QUA029]: the options of a range do not fit
// LOW-NEXT: at: ntensor-quantize-state
// LOW-NEXT: expected: no low and high, or range=given
// LOW-NEXT: found: low=1.0, high=None
// LOW-NEXT: help: nopt {{.*}}ntensor_quantize_state-errors.mlir -p 'ntensor-quantize-state{low=-1 range=given high=1}'
// RUN: not nopt %s -p 'ntensor-quantize-state{range=given low=1 high=0}' 2>&1 | filecheck %s --check-prefix=ENDS
// ENDS: error[QUA029]: the options of a range do not fit
// ENDS: expected: low and high, the lower one first
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-state{range=given low=-1 high=1}' -o /dev/null

// RUN: not nopt %s -p 'ntensor-quantize-state{fraction=200}' 2>&1 | filecheck %s --check-prefix=FRACTION
// FRACTION: error[QUA036]: the fraction is out of range
// FRACTION: expected: -100 to 100
// FRACTION: help: nopt {{.*}}ntensor_quantize_state-errors.mlir -p 'ntensor-quantize-state{bits=16 fraction=100}'
// RUN: not nopt %s -p 'ntensor-quantize-state{fraction=2 range=given low=0 high=1}' 2>&1 | filecheck %s --check-prefix=BESIDE
// BESIDE: error[QUA036]: a fraction is given together with a range
// BESIDE: help: nopt {{.*}}ntensor_quantize_state-errors.mlir -p 'ntensor-quantize-state{bits=16 fraction=2}'

// The potential starts at 3, and 8 bits with 6 of fraction end at 1.98. The help line works.
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-state{bits=8 fraction=6}' -o /dev/null 2>&1 | filecheck %s --check-prefix=LEAVES
// LEAVES: warning[QUA037]: v leaves its width, and saturates there
// LEAVES-NEXT: at: ntensor.neuron "lif"
// LEAVES-NEXT: expected: -2 to 1.98438: 8 bits, 6 of fraction
// LEAVES-NEXT: found: 0 to 3
// LEAVES-NEXT: help: nopt {{.*}}ntensor_quantize_state-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-state{bits=9 fraction=6}' -o {{.*}}null
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-state{bits=9 fraction=6}' -o /dev/null 2>&1 | filecheck %s --check-prefix=FITS --allow-empty
// FITS-NOT: QUA037

// The potential is 3 in all ticks, and 0 in steps of 8. Rounded up it is 8. The help line works.
// RUN: python -c "import numpy as np; np.save('%t.npy', np.zeros((1, 5, 1)))"
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-calibrate{data="%t.npy"},ntensor-quantize-state{bits=8 range=given low=-1000 high=1000}' -o /dev/null 2>&1 | filecheck %s --check-prefix=NOTHING
// NOTHING: warning[QUA038]: v becomes 0 in each tick
// NOTHING-NEXT: at: ntensor.neuron "lif"
// NOTHING-NEXT: expected: values of half a step or more: 4
// NOTHING-NEXT: found: 3 to 3
// NOTHING-NEXT: help: nopt {{.*}}ntensor_quantize_state-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-calibrate{data="{{.*}}ntensor_quantize_state-errors.mlir.tmp.npy"},ntensor-quantize-state{bits=8 range=given low=0 high=3}' -o {{.*}}null
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-calibrate{data="%t.npy"},ntensor-quantize-state{bits=8 range=given low=0 high=3}' -o /dev/null 2>&1 | filecheck %s --check-prefix=SOME --allow-empty
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-calibrate{data="%t.npy"},ntensor-quantize-state{bits=8 range=given low=-1000 high=1000 rounding=ceil}' -o /dev/null 2>&1 | filecheck %s --check-prefix=SOME --allow-empty
// SOME-NOT: QUA038

// The error of an initial value is recorded: 3 becomes 1.984375.
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-state{bits=8 fraction=6}' | filecheck %s --check-prefix=LOST
// LOST: beyond 8 bits they saturate", ["lif"], 1.015625{{0*(e\+00)?}} : f64, none, "1 per tick">
nir.graph @net("in" %in: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %lif = nir.lif "lif" %in {tau = #nopt.array<[0.02] : tensor<1xf32>>, r = #nopt.array<[2.0] : tensor<1xf32>>, v_leak = #nopt.array<[3.0] : tensor<1xf32>>, v_threshold = #nopt.array<[4.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %lif : tensor<1xi1>
}
