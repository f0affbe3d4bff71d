// Half of the range saturates: 93 is above 46.5 in column 0 of the layer "fc", while 15 fits in column 1.
// RUN: python %S/../../reference/inputs/save.py %t.npy '[[[[[0, 0, 0, 1], [1, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 0]]]]]'
// RUN: nopt %S/../inputs/net.mlir -p 'convert-ntensor-to-memxbar,memxbar-allocate-tiles,memxbar-calibrate-converters{data="%t.npy" share=0.5}' -o /dev/null 2>&1 | filecheck %s
// CHECK:      warning[MXB007]: a converter saturates in the calibration
// CHECK-NEXT:   at: memxbar.convolution "conv"
// CHECK-NEXT:   expected: sums up to 1.5 in column 0
// CHECK-NEXT:   found: 3; 1 of 1 columns of array 0 saturate
// CHECK-NEXT:   help: compile the network with --set preferences.adc_share=1
// CHECK:      warning[MXB007]
// CHECK-NEXT:   at: memxbar.dense "fc"
// CHECK-NEXT:   expected: sums up to 46.5 in column 0
// CHECK-NEXT:   found: 93; 1 of 2 columns of array 1 saturate

// A share of 0.
// RUN: not nopt %S/../inputs/net.mlir -p 'convert-ntensor-to-memxbar,memxbar-allocate-tiles,memxbar-calibrate-converters{share=0.0}' 2>&1 | filecheck %s --check-prefix=SHARE
// SHARE:      error[MXB008]: the share of a range is not positive
// SHARE:        expected: more than 0
// SHARE:        help: nopt {{.*}}net.mlir -p 'convert-ntensor-to-memxbar,memxbar-allocate-tiles,memxbar-calibrate-converters{share=1.0}'

// Without data, values of 16 bits are coarse: 2 * 32768 / 126 = 520. Values of 6 bits are not.
// RUN: nopt %S/../inputs/net.mlir -p 'convert-ntensor-to-memxbar,memxbar-allocate-tiles,memxbar-calibrate-converters' -o /dev/null 2>&1 | filecheck %s --check-prefix=COARSE
// RUN: mutate 's/xi16>/xi6>/g' %S/../inputs/net.mlir | nopt - -p 'convert-ntensor-to-memxbar,memxbar-allocate-tiles,memxbar-calibrate-converters' -o /dev/null 2>&1 | filecheck %s --check-prefix=FINE --allow-empty
// COARSE:      remark[MXB009]: inputs of a layer are coarser than their integers
// COARSE-NEXT:   at: memxbar.dense "fc"
// COARSE-NEXT:   expected: inputs up to 63, which 7 bits represent
// COARSE-NEXT:   found: a type up to 32768, in steps of 520
// COARSE-NEXT:   help: compile the network with --set preferences.calibration=x.npy
// FINE-NOT: MXB009

// 6 bits have 31 steps up to the sum 4 * 31 = 124, so that a sum of 1 is below half a step, 2, and read as 0.
// RUN: python -c "import numpy as np; np.save('%t.ones.npy', np.ones((1, 1, 4)))"
// RUN: nopt %S/../inputs/uneven.mlir -p 'convert-ntensor-to-memxbar,memxbar-allocate-tiles,memxbar-calibrate-converters{data="%t.ones.npy"}' -o /dev/null 2>&1 | filecheck %s --check-prefix=ZERO
// ZERO:      warning[MXB010]: a converter reads 0 in the calibration
// ZERO-NEXT:   at: memxbar.dense "fc"
// ZERO-NEXT:   expected: sums above half a step, 2, in column 1
// ZERO-NEXT:   found: at most 1; 1 of 2 columns of array 0 are read as 0
// ZERO-NEXT:   help: compile the network with --set features.adc_bits=7
