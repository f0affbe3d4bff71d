// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse loop-delay=spikes}' | filecheck %s --check-prefixes=CHECK,SPIKES
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse loop-delay=current}' | filecheck %s --check-prefixes=CHECK,CURRENT
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse loop-delay=spikes}' 2>&1 | filecheck %s --check-prefix=SAID
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse loop-delay-at="E->E to I, ab->b"}' | filecheck %s --check-prefix=CHOSEN

// A network without loops gets no delays; the remarks at the end are about the two loops without a recurrent edge.
// CHECK-LABEL: ntensor.network @straight
// CHECK-NOT:   ntensor.delay
nir.graph @straight("in" %x: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "w" %x {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %z = nir.lif "lif" %a {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}

// A population that is its own input: its spikes are delayed before the recurrent synapse, or the current after it.
// CHECK-LABEL:  ntensor.network @self
// SPIKES-SAME:  "one tick on each of lif->rec", ["lif"]
// CURRENT-SAME: "one tick on each of rec->lif", ["rec"]
// SPIKES:       [[D:%\S+]] = ntensor.delay "lif.delay" %lif {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1xi1>
// SPIKES-NEXT:  %rec = ntensor.linear "rec" [[D]]
// CURRENT:      [[D:%\S+]] = ntensor.delay "rec.delay" %rec {ticks = #nopt.array<1 : tensor<i64>>} : tensor<1xf64>
// CURRENT-NEXT: %{{\S+}} = ntensor.sum {{.*}}[[D]]
// CHECK-NOT:    ntensor.delay
nir.graph @self("in" %x: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %s = nir.sum %x, %r : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %z = nir.lif "lif" %s {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %r = nir.linear "rec" %z {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  nir.output %z : tensor<1xi1>
}

// Two loops that share a, a -> b -> a and a -> b -> c -> a, and the skip edge a -> c inside the second: only the edges that lead back to a
// are delayed, because a is the only entry.
// CHECK-LABEL:  ntensor.network @skip
// SPIKES-SAME:  "one tick on each of b->ba, c->ca", ["b", "c"]
// CURRENT-SAME: "one tick on each of ba->a, ca->a", ["ba", "ca"]
// SPIKES-DAG:   [[B:%\S+]] = ntensor.delay "b.delay" %b {ticks = #nopt.array<1 : tensor<i64>>}
// SPIKES-DAG:   ntensor.linear "ba" [[B]]
// SPIKES-DAG:   [[C:%\S+]] = ntensor.delay "c.delay" %c {ticks = #nopt.array<1 : tensor<i64>>}
// SPIKES-DAG:   ntensor.linear "ca" [[C]]
// CHECK-DAG:    ntensor.linear "ac" %a
// CHECK-DAG:    ntensor.linear "bc" %b
nir.graph @skip("in" %x: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %sa = nir.sum %x, %ba, %ca : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %a = nir.lif "a" %sa {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %ab = nir.linear "ab" %a {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %b = nir.lif "b" %ab {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %bc = nir.linear "bc" %b {weight = #nopt.array<[[0.25]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %ac = nir.linear "ac" %a {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %sc = nir.sum %bc, %ac : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %c = nir.lif "c" %sc {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %ba = nir.linear "ba" %b {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %ca = nir.linear "ca" %c {weight = #nopt.array<[[0.75]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  nir.output %c : tensor<1xi1>
}

// The recurrent current passes through a sum and a value: the spikes at its source are delayed.
// CHECK-LABEL:  ntensor.network @deep
// SPIKES-SAME:  "one tick on each of lif->u, lif->v", ["lif"]
// CURRENT-SAME: "one tick on each of w->lif", ["w"]
nir.graph @deep("in" %x: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %s = nir.sum %x, %w : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %z = nir.lif "lif" %s {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %u = nir.linear "u" %z {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %v = nir.linear "v" %z {weight = #nopt.array<[[0.25]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %uv = nir.sum %u, %v : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %w = nir.linear "w" %uv {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %z : tensor<1xi1>
}

// A loop without spikes: the value is delayed before its synapse, or the current after it.
// CHECK-LABEL:  ntensor.network @values
// SPIKES-SAME:  "one tick on each of li->rec", ["li"]
// CURRENT-SAME: "one tick on each of rec->li", ["rec"]
nir.graph @values("in" %x: tensor<1xf32>) -> ("out": tensor<1xf32>) {
  %s = nir.sum %x, %r : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %z = nir.li "li" %s {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  %r = nir.linear "rec" %z {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %z : tensor<1xf32>
}

// A loop with a delay of its own needs no other; a delay of zero ticks does not count.
// CHECK-LABEL:  ntensor.network @delayed
// CHECK-SAME:   ["one", "other"], none, none, "none">, #ntensor.approximation<{{[^>]*}}"one tick on each of
// SPIKES-SAME:  other->o rec"
// CURRENT-SAME: zero->other"
nir.graph @delayed("in" %x: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %s = nir.sum %x, %d : (tensor<1xf32>, tensor<1xi1>) -> tensor<1xf32>
  %z = nir.lif "one" %s {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %d = nir.delay "d" %z {delay = #nopt.array<0.002 : tensor<f32>>} : tensor<1xi1> -> tensor<1xi1>
  %t = nir.sum %z, %e : (tensor<1xi1>, tensor<1xf32>) -> tensor<1xf32>
  %y = nir.lif "other" %t {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %r = nir.linear "o rec" %y {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %e = nir.delay "zero" %r {delay = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %y : tensor<1xi1>
}

// An excitatory and an inhibitory population, both with input and with a recurrent synapse: no edge between them leads back to
// the only entry, so the spikes of both are delayed between them.
// CHECK-LABEL:  ntensor.network @balance
// SPIKES-SAME:  "one tick on each of E->E to E, E->E to I, I->I to E, I->I to I", ["E", "I"]
// CURRENT-SAME: "one tick on each of E to E->E, I to I->I, E->E to I, I->I to E"
// SAID:         remark[ANA013]: a loop with several entries takes a tick on every spike edge
// SAID-NEXT:      at: loop through "E", "I"
// SAID-NEXT:      expected: one edge that leads back to where everything enters
// SAID-NEXT:      found: one tick on each of E->E to I, I->I to E
// SAID-NEXT:      help: nopt {{.*}}loop_delays.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse loop-delay=spikes loop-delay-at="E->E to I"}'

nir.graph @balance("in" %x: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %xe = nir.linear "x to E" %x {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %xi = nir.linear "x to I" %x {weight = #nopt.array<[[0.75]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %se = nir.sum %xe, %ee, %ie : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %e = nir.lif "E" %se {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %si = nir.sum %xi, %ei, %ii : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %i = nir.lif "I" %si {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %ee = nir.linear "E to E" %e {weight = #nopt.array<[[0.25]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %ei = nir.linear "E to I" %e {weight = #nopt.array<[[0.125]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %ie = nir.linear "I to E" %i {weight = #nopt.array<[[-1.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %ii = nir.linear "I to I" %i {weight = #nopt.array<[[-2.0]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  nir.output %e : tensor<1xi1>
}

// The chosen edges are delayed in the network that has them. The other loops follow the rules, here `current`: with a tick on
// ab->b the loop through ba is cut, and of the others only a -> c -> a is open.
// CHOSEN-LABEL: ntensor.network @self
// CHOSEN-SAME:  "one tick on each of rec->lif"
// CHOSEN-LABEL: ntensor.network @skip
// CHOSEN-SAME:  "one tick on each of ca->a, ab->b"
// CHOSEN-LABEL: ntensor.network @balance
// CHOSEN-SAME:  "one tick on each of E to E->E, I to I->I, E->E to I"

// A loop without an entry, driven by its bias.
// CHECK-LABEL:  ntensor.network @alone
// CHECK-SAME:   "one tick on each of lif->rec", ["lif"]
// SAID:         remark[ANA013]: a loop with no entry takes a tick on every spike edge
// SAID-NEXT:      at: loop through "lif"
// SAID-NEXT:      expected: one edge that leads back to where everything enters
// SAID-NEXT:      found: one tick on each of lif->rec
// SAID-NEXT:      help: nopt {{.*}}loop_delays.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse loop-delay=spikes loop-delay-at="lif->rec"}'
nir.graph @alone("in" %x: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %r = nir.affine "rec" %z {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>, bias = #nopt.array<[1.0] : tensor<1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %z = nir.lif "lif" %r {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
