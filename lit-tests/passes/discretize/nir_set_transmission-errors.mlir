// RUN: not nopt %s -p 'nir-set-transmission{nodes=cell to=rate}' 2>&1 | filecheck %s --check-prefix=NODE
// RUN: not nopt %s -p 'nir-set-transmission{nodes=fc0 to=rate}' 2>&1 | filecheck %s --check-prefix=RATE
// RUN: not nopt %s -p 'nir-set-transmission{nodes=fc1 to=analog}' 2>&1 | filecheck %s --check-prefix=ANALOG
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},nir-set-transmission{nodes=fc1 to=rate}' 2>&1 | filecheck %s --check-prefix=LATE
// RUN: exits 2 nopt %s -p 'nir-set-transmission{nodes=fc1 to=rates}' 2>&1 | filecheck %s --check-prefix=WORD

// NODE:      error[DIS010]: the network has no synapse op "cell"
// NODE-NEXT:   at: nodes
// NODE-NEXT:   expected: one of fc0, fc1
// NODE-NEXT:   found: cell
// NODE-NEXT:   help: nopt {{.*}}nir_set_transmission-errors.mlir -p 'nir-set-transmission{nodes=fc1 to=rate}'
// RATE:      error[ANA007]: a synapse reads rates of a signal without spikes
// RATE-NEXT:   at: nir.linear "fc0"
// RATE-NEXT:   expected: spikes (i1)
// RATE-NEXT:   found: values (f32)
// RATE-NEXT:   help: nopt {{.*}}nir_set_transmission-errors.mlir -p 'nir-set-transmission{nodes=fc0 to=analog}'
// ANALOG:    error[ANA007]: a synapse reads analog values of a signal of spikes
// ANALOG-NEXT:  at: nir.linear "fc1"
// ANALOG-NEXT:  expected: values (f32)
// ANALOG-NEXT:  found: spikes (i1), which are 0 or 1
// ANALOG-NEXT:  help: nopt {{.*}}nir_set_transmission-errors.mlir -p 'nir-set-transmission{nodes=fc1 to=spike}'
// LATE:      error[DIS010]: the network has no synapse op "fc1"
// LATE-NEXT:   at: nodes
// LATE-NEXT:   expected: a network in continuous time with synapse ops
// LATE-NEXT:   found: fc1
// LATE-NEXT:   help: set the transmission before convert-nir-to-ntensor
// WORD:      error[COR013]: invalid options for nir-set-transmission
nir.graph @net("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %i = nir.linear "fc0" %x {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %z = nir.if "cell" %i {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %a = nir.linear "fc1" %z {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  nir.output %a : tensor<1xf32>
}
