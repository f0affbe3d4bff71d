// RUN: not nopt %s -p 'ntensor-quantize-weights{bits=0}' 2>&1 | filecheck %s --check-prefix=NONE
// RUN: nopt %s -p 'ntensor-quantize-weights{bits=1}' -o /dev/null
// RUN: not nopt %s -p 'ntensor-quantize-weights{bits=17 per=row}' 2>&1 | filecheck %s --check-prefix=MANY
// RUN: nopt %s -p 'ntensor-quantize-weights{bits=16 per=row}' -o /dev/null
// RUN: not nopt %s -p 'ntensor-quantize-weights{clip=101}' 2>&1 | filecheck %s --check-prefix=CLIP
// RUN: not nopt %s -p 'ntensor-quantize-weights{clip=0}' 2>&1 | filecheck %s --check-prefix=ALL
// RUN: nopt %s -p 'ntensor-quantize-weights{clip=99}' -o /dev/null
// RUN: not nopt %s -p 'ntensor-quantize-weights{per=layer}' 2>&1 | filecheck %s --check-prefix=PER
// RUN: not nopt %s -p 'ntensor-quantize-weights{bits=16 grid=asymmetric}' 2>&1 | filecheck %s --check-prefix=ASYMMETRIC
// RUN: not nopt %s -p 'ntensor-quantize-weights{bits=1 grid=asymmetric}' 2>&1 | filecheck %s --check-prefix=ONE
// RUN: not nopt %s -p 'ntensor-quantize-weights{fit=error grid=asymmetric}' 2>&1 | filecheck %s --check-prefix=FIT
// RUN: not nopt %s -p 'ntensor-quantize-weights{bits=4 clip=99 grid=asymmetric}' 2>&1 | filecheck %s --check-prefix=CLIPPED
// RUN: not nopt %s -p 'ntensor-quantize-weights{classes=0}' 2>&1 | filecheck %s --check-prefix=NOCLASS
// RUN: not nopt %s -p 'ntensor-quantize-weights{per=row classes=-1}' 2>&1 | filecheck %s --check-prefix=NEGATIVE
// RUN: nopt %s -p 'ntensor-quantize-weights{per=neuron classes=1}' -o /dev/null
// RUN: not nopt %s -p 'ntensor-quantize-weights{bits=4 per=population classes=2}' 2>&1 | filecheck %s --check-prefix=ONESCALE
// RUN: nopt %s -p 'ntensor-quantize-weights{bits=4 per=neuron classes=2}' -o /dev/null
// RUN: not nopt %s -p 'ntensor-quantize-weights{per=row classes=2 grid=asymmetric}' 2>&1 | filecheck %s --check-prefix=ZEROS
// RUN: nopt %s -p 'ntensor-quantize-weights{per=row grid=asymmetric}' -o /dev/null
// RUN: not nopt %s -p 'ntensor-quantize-weights{grid=round}' 2>&1 | filecheck %s --check-prefix=PER

// NONE: error[QUA042]: the bits of weights are out of range
// NONE-NEXT: at: bits=0
// NONE-NEXT: expected: 1 to 16
// NONE-NEXT: found: 0
// NONE-NEXT: help: nopt {{.*}}ntensor_quantize_weights-errors.mlir -p 'ntensor-quantize-weights{bits=1}'
// MANY: error[QUA042]:
// MANY: help: nopt {{.*}}ntensor_quantize_weights-errors.mlir -p 'ntensor-quantize-weights{bits=16 per=row}'
// CLIP: error[QUA043]: clip is not a percentage
// CLIP-NEXT: at: clip=101
// CLIP-NEXT: expected: a number above 0 and up to 100
// CLIP-NEXT: found: 101
// CLIP-NEXT: help: nopt {{.*}}ntensor_quantize_weights-errors.mlir -p 'ntensor-quantize-weights{clip=99}'
// ALL: error[QUA043]:
// ALL: help: nopt {{.*}}ntensor_quantize_weights-errors.mlir -p ntensor-quantize-weights
// ASYMMETRIC: error[QUA042]: the bits of weights are out of range
// ASYMMETRIC-NEXT: at: bits=16
// ASYMMETRIC-NEXT: expected: 2 to 15 for an asymmetric grid
// ASYMMETRIC-NEXT: found: 16
// ASYMMETRIC-NEXT: help: nopt {{.*}}ntensor_quantize_weights-errors.mlir -p 'ntensor-quantize-weights{bits=15 grid=asymmetric}'
// ONE: error[QUA042]:
// ONE: help: nopt {{.*}}ntensor_quantize_weights-errors.mlir -p 'ntensor-quantize-weights{bits=2 grid=asymmetric}'
// FIT: error[QUA044]: an option needs a symmetric grid
// FIT-NEXT: at: fit=error
// FIT-NEXT: expected: a grid that covers all weights
// FIT-NEXT: found: grid=asymmetric
// FIT-NEXT: help: nopt {{.*}}ntensor_quantize_weights-errors.mlir -p 'ntensor-quantize-weights{grid=asymmetric}'
// CLIPPED: error[QUA044]:
// CLIPPED-NEXT: at: clip=99
// CLIPPED: help: nopt {{.*}}ntensor_quantize_weights-errors.mlir -p 'ntensor-quantize-weights{bits=4 grid=asymmetric}'
// NOCLASS: error[QUA045]: the number of classes is out of range
// NOCLASS-NEXT: at: classes=0
// NOCLASS-NEXT: expected: 1 or more, or none
// NOCLASS-NEXT: found: 0
// NOCLASS-NEXT: help: nopt {{.*}}ntensor_quantize_weights-errors.mlir -p 'ntensor-quantize-weights{per=neuron classes=1}'
// NEGATIVE: error[QUA045]:
// NEGATIVE: help: nopt {{.*}}ntensor_quantize_weights-errors.mlir -p 'ntensor-quantize-weights{per=row classes=1}'
// ONESCALE: error[QUA046]: classes need several scales
// ONESCALE-NEXT: at: classes=2
// ONESCALE-NEXT: expected: per=neuron, row or column
// ONESCALE-NEXT: found: per=population, which has one scale
// ONESCALE-NEXT: help: nopt {{.*}}ntensor_quantize_weights-errors.mlir -p 'ntensor-quantize-weights{bits=4 per=neuron classes=2}'
// ZEROS: error[QUA044]: an option needs a symmetric grid
// ZEROS-NEXT: at: classes=2
// ZEROS-NEXT: expected: scales without zero points
// ZEROS-NEXT: found: grid=asymmetric
// ZEROS-NEXT: help: nopt {{.*}}ntensor_quantize_weights-errors.mlir -p 'ntensor-quantize-weights{per=row grid=asymmetric}'
// PER: error[COR013]: invalid options for ntensor-quantize-weights
ntensor.network @net("input" %x: tensor<2xi1>) -> ("output": tensor<1xf32>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0, 0.3]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  ntensor.output %y : tensor<1xf32>
}
