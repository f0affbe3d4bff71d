// RUN: not nopt %s -p convert-ntensor-to-c 2>&1 | filecheck %s
// RUN: not nopt %S/inputs/changing.mlir -p convert-ntensor-to-c 2>&1 | filecheck %s --check-prefix=CHANGING
// RUN: not nopt %S/inputs/foreign.mlir -p convert-ntensor-to-c 2>&1 | filecheck %s --check-prefix=FOREIGN
// RUN: nopt %S/inputs/changing.mlir -p ntensor-freeze-plasticity,convert-ntensor-to-c
// RUN: nopt %s -p 'convert-ntensor-to-c{names=make}' | filecheck %s --check-prefix=MADE
// RUN: not nopt %s -p 'convert-ntensor-to-c{names=make record=cop}' 2>&1 | filecheck %s --check-prefix=RECORD
// RUN: not nopt %s -p 'convert-ntensor-to-c{names=make alignment=24}' 2>&1 | filecheck %s --check-prefix=ALIGNED
// RUN: not nopt %s -p 'convert-ntensor-to-c{names=make instruction-set="a b"}' 2>&1 | filecheck %s --check-prefix=SET

// An output name with a dash, and an input name that is a keyword, are refused.
// CHECK:      error[CSR009]: the name of an input is not a C identifier
// CHECK:        found: double
// CHECK-NEXT:   help: nopt {{.*}}lowering-errors.mlir -p 'convert-ntensor-to-c{names=make}'
// CHECK-NEXT:   note: it is then called double_
// CHECK:      error[CSR009]: the name of an output is not a C identifier
// CHECK:        found: out-put
// CHECK-NEXT:   help: nopt {{.*}}lowering-errors.mlir -p 'convert-ntensor-to-c{names=make}'
// CHECK-NEXT:   note: it is then called out_put
// MADE-DAG:   c.buffer "double_" #c<kind input> {node = "double"}
// MADE-DAG:   c.buffer "out_put" #c<kind output> {node = "out-put"}

// Unknown nodes are refused.
// RECORD:     error[SIM017]: no node is called "cop"

// 64 unsigned bits exceed the largest integer type by one.
// FOREIGN:      error[CSR010]: type ui64 is not supported in C
// FOREIGN-NEXT:   at: an input of the network
// FOREIGN-NEXT:   expected: i1, f32, f64, iN, !ntensor.count or !ntensor.graded of at most 64 signed bits
// FOREIGN-NEXT:   found: ui64

// A rule needs the spikes of a population, and is not ignored silently.
// CHANGING:     error[NTE025]: the sums of a plastic synapse do not reach one population
// CHANGING:       found: ntensor.output
// CHANGING-NEXT:  help: nopt {{.*}}changing.mlir -p ntensor-freeze-plasticity,convert-ntensor-to-c

// 24 is not a power of 2, so no SIMD instructions have this width.
// ALIGNED:      error[CSR011]: invalid value of alignment
// ALIGNED:        help: nopt {{.*}}lowering-errors.mlir -p 'convert-ntensor-to-c{names=make alignment=0}'
// SET:          error[CSR011]: invalid value of instruction-set
// SET:            help: nopt {{.*}}lowering-errors.mlir -p 'convert-ntensor-to-c{names=make instruction-set=portable}'
ntensor.network @net("double" %x: tensor<3xf32>) -> ("out-put": tensor<3xf32>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.scale "twice" %x {scale = #nopt.array<2.0 : tensor<f32>>} : tensor<3xf32> -> tensor<3xf32>
  ntensor.output %y : tensor<3xf32>
}
