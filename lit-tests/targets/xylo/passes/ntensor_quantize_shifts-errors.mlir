// Weights have 2 to 8 bits.
// RUN: exits 2 nopt %S/../inputs/net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=snntorch reset=subtract},ntensor-quantize-shifts{bits=9}' 2>&1 | filecheck %s
// CHECK:      error[XYL017]: an option of weights is out of range
// CHECK-NEXT:   at: bits=9
// CHECK-NEXT:   expected: 2 to 8
// CHECK-NEXT:   found: 9
// CHECK-NEXT:   help: nopt {{.*}}net.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=snntorch reset=subtract},ntensor-quantize-shifts'
