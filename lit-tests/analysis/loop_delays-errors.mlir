// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}' 2>&1 | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse loop-delay-at="E->E to I"}' 2>&1 | filecheck %s --check-prefix=CHOSEN
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse loop-delay-at="E->E too I"}' 2>&1 | filecheck %s --check-prefix=EDGE
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse loop-delay-at="E -> E to I,, I"}' 2>&1 | filecheck %s --check-prefix=SECOND
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 reset=zero}' 2>&1 | filecheck %s --check-prefix=RULE
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=zero}' 2>&1 | filecheck %s --check-prefix=HELPED
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like="%S/../passes/discretize/inputs/plain.neuron"}' 2>&1 | filecheck %s --check-prefix=OWN
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like="%S/../passes/discretize/inputs/plain.neuron" loop-delay=spikes}' 2>&1 | filecheck %s --check-prefix=HELPED
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=snntorch}' 2>&1 | filecheck %s --check-prefix=SHARED
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=snntorch loop-delay=current}' 2>&1 | filecheck %s --check-prefix=CURRENT

// A loop with two entries gets a delay on every spike edge, and the remark lists them.
// CHECK:      remark[ANA013]: a loop with several entries takes a tick on every spike edge
// CHECK-NEXT:   at: loop through "E", "I"
// CHECK-NEXT:   expected: one edge that leads back to where everything enters
// CHECK-NEXT:   found: one tick on each of E->E to I, I->I to E
// CHECK-NEXT:   help: nopt {{.*}}loop_delays-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse loop-delay-at="E->E to I"}'

// With the edge of the help line, the spikes from E to I are delayed, those from I are not, and this loop causes no remark.
// CHOSEN-NOT: ANA013

// An unknown edge, alone and after a known one.
// EDGE:       error[ANA014]: no edge E->E too I
// EDGE-NEXT:    at: loop-delay-at
// EDGE-NEXT:    expected: one of E to I->I, E->E to I, I to E->E, I->I to E, cell->u, cell->v, in->cell, in->x to E, in->x to I, v->cell, x to E->E, x to I->I
// EDGE-NEXT:    found: E->E too I
// EDGE-NEXT:    help: nopt {{.*}}loop_delays-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse loop-delay-at="E->E to I"}'
// SECOND:     error[ANA014]: no edge I
// SECOND:       help: loop-delay-at=EDGE, where EDGE is one of "E to I->I", "E->E to I", "I to E->E", "I->I to E", "cell->u", "cell->v", "in->cell", "in->x to E", "in->x to I", "v->cell", "x to E->E" or "x to I->I"

// A loop needs a delay, and neither a preset nor an option chooses it.
// RULE:       error[ANA016]: a network with a loop needs a rule for its delay
// RULE-NEXT:    at: loop through "E", "I"
// RULE-NEXT:    expected: like=NAME, or loop-delay=spikes or loop-delay=current
// RULE-NEXT:    found: none
// RULE-NEXT:    help: nopt {{.*}}loop_delays-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=NAME reset=zero}'
// HELPED-NOT: error[

// A preset file without this switch.
// OWN:        error[ANA016]: a network with a loop needs a rule for its delay
// OWN:          found: none in {{.*}}plain.neuron
// OWN-NEXT:     help: nopt {{.*}}loop_delays-errors.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like="{{.*}}plain.neuron" loop-delay=spikes}'

// The source of the recurrent edge v->cell is also an output of the network: its spikes cannot be delayed alone, so the current is. With
// `loop-delay=current` the remark disappears.
// SHARED:       remark[ANA015]: the current of a loop waits instead of its spikes
// SHARED-NEXT:    at: edge v->cell
// SHARED-NEXT:    expected: "v" feeding nothing but the loop
// SHARED-NEXT:    found: other nodes or an output read it too
// SHARED-NEXT:    help: set loop-delay=current, or give the recurrent synapse a node of its own
// CURRENT-NOT:  ANA015
nir.graph @net("in" %x: tensor<1xf32>) -> ("out": tensor<1xi1>, "u out": tensor<1xf32>, "v out": tensor<1xf32>) {
  %xe = nir.linear "x to E" %x {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %xi = nir.linear "x to I" %x {weight = #nopt.array<[[0.75]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %se = nir.sum %xe, %ie : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %e = nir.lif "E" %se {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %si = nir.sum %xi, %ei : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %i = nir.lif "I" %si {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %ei = nir.linear "E to I" %e {weight = #nopt.array<[[0.125]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %ie = nir.linear "I to E" %i {weight = #nopt.array<[[-1.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %sc = nir.sum %x, %v : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %c = nir.lif "cell" %sc {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %u = nir.linear "u" %c {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %v = nir.linear "v" %c {weight = #nopt.array<[[0.25]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  nir.output %e, %u, %v : tensor<1xi1>, tensor<1xf32>, tensor<1xf32>
}
