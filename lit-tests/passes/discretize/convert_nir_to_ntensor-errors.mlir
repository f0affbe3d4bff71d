// RUN: not nopt %s -p convert-nir-to-ntensor 2>&1 | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}' | filecheck %s --check-prefix=HELPED
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=0 like=norse}' 2>&1 | filecheck %s --check-prefix=ZERO
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=-5 reset=zero loop-delay=spikes}' 2>&1 | filecheck %s --check-prefix=BACK
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 reset=zero loop-delay=spikes}' | filecheck %s --check-prefix=HELPED
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000 precision=f32}' 2>&1 | filecheck %s --check-prefix=RESET
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000 like=norse precision=f32}' | filecheck %s --check-prefix=HELPED
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000 like=norse precision=f16}' 2>&1 | filecheck %s --check-prefix=OPTION

// A time constant that is shorter than the usual time steps lets the help choose a shorter one, and its unit is in doubt.
// RUN: mutate 's/0.03125/0.00001/' 's/r = #nopt.array<2.0/r = #nopt.array<1.0/' %s > %t.tiny.mlir
// RUN: not nopt %t.tiny.mlir -p convert-nir-to-ntensor 2>&1 | filecheck %s --check-prefix=TINY
// TINY:      help: nopt {{.*}} -p 'convert-nir-to-ntensor{dt-ns=1000 like=NAME}'
// TINY:      note: the shortest time constant is 1e-05 s
// TINY-NEXT: note: exporters that multiply time constants by their time step write numbers this small: --exported-by NAME

// Neither the time step nor the reset rule is guessed: both are refused, in all networks, and the help line chooses both.
// CHECK:      error[ANA033]: the time step is not given
// CHECK-NEXT:   at: nir.graph @net
// CHECK-NEXT:   expected: dt-ns=N, the length of a tick in nanoseconds, of 1 or more
// CHECK-NEXT:   found: none
// CHECK-NEXT:   help: nopt {{.*}}convert_nir_to_ntensor-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=TIME like=NAME}', where TIME is one of 100000, 1000000 or 10000000 and NAME is one of euler
// CHECK-NEXT:   note: no parameter of the file suggests a time step
// CHECK-NEXT:   note: the shortest time constant is 0.03125 s
// CHECK-NEXT:   note: snnTorch's importer takes 0.1 ms, Norse's 1 ms
// CHECK-NEXT: error[ANA020]: the reset rule is not given
// CHECK-NEXT:   at: nir.graph @net
// CHECK-NEXT:   expected: like=NAME, or reset=value, reset=zero or reset=subtract
// CHECK-NEXT:   found: none, for 1 spiking populations, first "lif"
// CHECK-NEXT:   help: nopt {{.*}}convert_nir_to_ntensor-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=TIME like=NAME}', where TIME is one of 100000, 1000000 or 10000000 and NAME is one of euler
// CHECK-NEXT: error[ANA033]: the time step is not given
// CHECK-NEXT:   at: nir.graph @values
// CHECK-NOT:  error[
// HELPED:     ntensor.network @net
// HELPED:     ntensor.network @values

// A tick must be positive.
// ZERO:       error[ANA033]: the time step is not positive
// ZERO:         found: 0
// ZERO-NEXT:    help: nopt {{.*}} -p 'convert-nir-to-ntensor{dt-ns=TIME like=norse}', where TIME is one of 100000, 1000000 or 10000000
// BACK:       error[ANA033]: the time step is not positive
// BACK:         found: -5
// BACK-NEXT:    help: nopt {{.*}} -p 'convert-nir-to-ntensor{dt-ns=TIME reset=zero loop-delay=spikes}', where TIME is one of 100000, 1000000 or 10000000

// The help line keeps the other choices.
// RESET:      error[ANA020]: the reset rule is not given
// RESET:        help: nopt {{.*}} -p 'convert-nir-to-ntensor{dt-ns=1000 like=NAME precision=f32}'
// RESET-NOT:  error[

// OPTION:     error[COR013]: invalid options for convert-nir-to-ntensor
nir.graph @net("in" %x: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %z = nir.lif "lif" %x {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
nir.graph @values("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %z = nir.i "i" %x {r = #nopt.array<2.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %z : tensor<1xf32>
}
