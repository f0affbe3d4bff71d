// Three positions of a line fit into the columns of one array: the kernel of 2 x 2 is repeated three times, and 2 x 4 inputs are its rows.
// RUN: nopt %S/../inputs/net.mlir -p convert-ntensor-to-memxbar,memxbar-choose-positions | filecheck %s --check-prefix=SLIDING
// SLIDING: memxbar.convolution {{.*}}positions = 3 : i64

// im2col alone.
// RUN: nopt %S/../inputs/net.mlir -p 'convert-ntensor-to-memxbar,memxbar-choose-positions{growth=0}' | filecheck %s --check-prefix=COLUMNS
// COLUMNS: memxbar.convolution {{.*}}positions = 1 : i64

// An array with 4 columns holds two positions, which take the same two reads of a line as three positions on two arrays would with growth = 2.
// RUN: mutate 's|"memxbar/array128"|"memxbar/array128", machine.set = ["core.neurons=4"]|' %S/../inputs/net.mlir | nopt - -p convert-ntensor-to-memxbar,memxbar-choose-positions | filecheck %s --check-prefix=TWO
// RUN: mutate 's|"memxbar/array128"|"memxbar/array128", machine.set = ["core.neurons=4"]|' %S/../inputs/net.mlir | nopt - -p 'convert-ntensor-to-memxbar,memxbar-choose-positions{growth=2}' | filecheck %s --check-prefix=SLIDING
// TWO: memxbar.convolution {{.*}}positions = 2 : i64
