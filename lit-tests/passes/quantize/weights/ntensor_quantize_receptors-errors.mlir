// RUN: exits 2 nopt %s -p 'ntensor-quantize-receptors{shift=13}' 2>&1 | filecheck %s --check-prefix=SHIFT
// SHIFT:      error[QUA032]: an option of ring buffers is out of range
// SHIFT-NEXT:   at: shift=13
// SHIFT-NEXT:   expected: 0 to 12
// SHIFT-NEXT:   found: 13
// SHIFT-NEXT:   help: nopt {{.*}}ntensor_quantize_receptors-errors.mlir -p ntensor-quantize-receptors
// RUN: exits 2 nopt %s -p 'ntensor-quantize-receptors{spare-bits=9}' 2>&1 | filecheck %s --check-prefix=SPARE
// SPARE:      error[QUA032]: an option of ring buffers is out of range
// SPARE-NEXT:   at: spare-bits=9
// SPARE-NEXT:   expected: 0 to 8
// SPARE-NEXT:   found: 9
ntensor.network @none("in" %x: tensor<3xi1>) -> ("out": tensor<3xi1>) attributes {tick_ns = 1000} {
  ntensor.output %x : tensor<3xi1>
}
