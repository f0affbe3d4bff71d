// A zero point is subtracted, exactly: 3 - -3 is 6, of 4 bits where 3 were stored. The scale stays, and sums count the differences: 4 times 6 is 24.
// RUN: mutate 's/#ntensor.quantized<3, #nopt.array<0.5 : tensor<f64>>>/#ntensor.quantized<3, #nopt.array<0.5 : tensor<f64>>, #nopt.array<-3 : tensor<i8>>>/' %S/numbers/integer_synapses.mlir > %t.mlir
// RUN: nopt %t.mlir --split-input-file -p 'ntensor-set-neuron-model{to="%S/inputs/fixed.neuron" approximate=dynamics}' | filecheck %s
// CHECK: ntensor.conv2d "conv" %{{\S+}} {weight = #nopt.array<
// CHECK-SAME{LITERAL}: [[[[6]]]] : tensor<1x1x1x1xi8>>
// CHECK-SAME: quantized = #ntensor.quantized<4, #nopt.array<0.5 : tensor<f64>>>} : tensor<1x1x1xi8> -> tensor<1x1x1xi8>

// A chip adds the differences, so its limit counts their bits: 0 to 15 are 5 bits where 4 are stored, and the weights are quantised again. Those of
// 3 bits fit.
// RUN: mutate 's/\[6.0\]/[7.4]/' %root/lit-tests/tools/inputs/weights.mlir > %t.mlir
// RUN: nopt compile %t.mlir --target asic/edge --dt 1ms --like norse -p 'ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=4 grid=asymmetric}' -o %t.dir -v 2>&1 | filecheck %s --check-prefix=CHIP
// RUN: nopt compile %t.mlir --target asic/edge --dt 1ms --like norse -p 'ntensor-quantize-inputs{kind=spike},ntensor-quantize-weights{bits=3 grid=asymmetric}' -o %t.dir -v 2>&1 | filecheck %s --check-prefix=FITS
// CHIP:      remark[LEG015]: weight bits changed to fit on asic/edge
// CHIP-NEXT:   at: ntensor.linear "fc"
// CHIP-NEXT:   expected: at most 4 bits
// CHIP-NEXT:   found: 5 bits
// CHIP-NEXT:   note: by ntensor-quantize-weights{bits=4 per=population fit=error},ntensor-quantize-bias
// FITS-NOT:  weight bits
// FITS:      ntensor-quantize-weights{bits=3 grid=asymmetric}
