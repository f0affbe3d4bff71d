// Weights have 2 to 16 bits, biases and thresholds 2 to 32.
// RUN: exits 2 nopt %S/../weights/ntensor_quantize_layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-layers{bits=1}' -o /dev/null 2>&1 | filecheck %s --check-prefix=ONE
// RUN: exits 2 nopt %S/../weights/ntensor_quantize_layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-layers{bits=17}' -o /dev/null 2>&1 | filecheck %s --check-prefix=MANY
// RUN: exits 2 nopt %S/../weights/ntensor_quantize_layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-layers{bias-bits=33}' -o /dev/null 2>&1 | filecheck %s --check-prefix=BIAS
// RUN: exits 2 nopt %S/../weights/ntensor_quantize_layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-layers{threshold-bits=1}' -o /dev/null 2>&1 | filecheck %s --check-prefix=THRESHOLD
// ONE:      error[QUA027]: 1 bits are out of range
// ONE-NEXT:   at: ntensor-quantize-layers
// ONE-NEXT:   expected: 2 to 16
// ONE-NEXT:   found: 1
// ONE-NEXT:   help: nopt {{.*}}ntensor_quantize_layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-layers{bits=2}' -o {{.*}}null
// MANY:      error[QUA027]: 17 bits are out of range
// MANY-NEXT:   at: ntensor-quantize-layers
// MANY-NEXT:   expected: 2 to 16
// MANY-NEXT:   found: 17
// MANY-NEXT:   help: nopt {{.*}}ntensor_quantize_layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-layers{bits=16}' -o {{.*}}null
// BIAS:      error[QUA027]: 33 bits are out of range
// BIAS-NEXT:   at: ntensor-quantize-layers, bias-bits
// BIAS-NEXT:   expected: 2 to 32
// BIAS-NEXT:   found: 33
// BIAS-NEXT:   help: nopt {{.*}}ntensor_quantize_layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-layers{bias-bits=32}' -o {{.*}}null
// THRESHOLD:      error[QUA027]: 1 bits are out of range
// THRESHOLD-NEXT:   at: ntensor-quantize-layers, threshold-bits
// THRESHOLD-NEXT:   expected: 2 to 32
// THRESHOLD-NEXT:   found: 1
// THRESHOLD-NEXT:   help: nopt {{.*}}ntensor_quantize_layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-layers{threshold-bits=2}' -o {{.*}}null
// The ends are accepted, and so are the passes of the help lines.
// RUN: nopt %S/../weights/ntensor_quantize_layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-layers{bits=2 bias-bits=32 threshold-bits=2}' -o /dev/null
// RUN: nopt %S/../weights/ntensor_quantize_layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-layers{bits=16 bias-bits=2 threshold-bits=32}' -o /dev/null

// A name is one of an op with weights.
// RUN: exits 2 nopt %S/../weights/ntensor_quantize_layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-layers{nodes=weight}' -o /dev/null 2>&1 | filecheck %s --check-prefix=NAME
// NAME:      error[ANA031]: ntensor-quantize-layers has no node "weight" to work on
// NAME-NEXT:   at: nodes
// NAME-NEXT:   expected: one of weights, negative, bias, threshold, zeros
// NAME-NEXT:   found: weight
// NAME-NEXT:   help: nopt {{.*}}ntensor_quantize_layers.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs},ntensor-quantize-layers{nodes=weights}' -o {{.*}}null
