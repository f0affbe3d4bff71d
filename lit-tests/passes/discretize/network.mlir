// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=sinabs}' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}' | filecheck %s --check-prefix=NORSE

// Wiring ops keep the kind of their operand, spikes, counts or values, with the shape of the node. Three LIF share one update.
// CHECK:       ntensor.update @sinabs_lif.subtract.euler.multi.none <count>
// CHECK-NOT:   ntensor.update
// CHECK-LABEL: ntensor.network @kinds("in" %in: tensor<1x2xf64>, "spikes" %spikes: tensor<1x2xi1>)
// CHECK-SAME:    -> ("a": tensor<2x!ntensor.count<31>>, "b": tensor<2xi1>, "c": tensor<1x2xf64>, "d": tensor<1x2xi1>, "e": tensor<1x2xf64>)
// CHECK-DAG:     [[Z:%\S+]] = ntensor.neuron "lif" @sinabs_lif.subtract.euler.multi.none(%in)
// CHECK-DAG:     [[I:%\S+]] = ntensor.reshape "identity" [[Z]] : tensor<1x2x!ntensor.count<31>> -> tensor<1x2x!ntensor.count<31>>
// CHECK-DAG:     [[A:%\S+]] = ntensor.reshape "flat" [[I]] : tensor<1x2x!ntensor.count<31>> -> tensor<2x!ntensor.count<31>>
// CHECK-DAG:     [[B:%\S+]] = ntensor.reshape "flat spikes" %spikes : tensor<1x2xi1> -> tensor<2xi1>
// CHECK-DAG:     [[C:%\S+]] = ntensor.sum {{.*}} : ({{.*}}) -> tensor<1x2xf64>
// CHECK-DAG:     [[E:%\S+]] = ntensor.delay "circle" {{.*}} {ticks = #nopt.array<2 : tensor<i64>>} : tensor<1x2xf64>
// CHECK-DAG:     ntensor.reshape "around" [[E]] : tensor<1x2xf64> -> tensor<1x2xf64>
// CHECK:         ntensor.output [[A]], [[B]], [[C]], %spikes, [[E]]
// NORSE:       ntensor.update @norse_lif.value <spike>
// NORSE-LABEL: ntensor.network @kinds(
// NORSE-SAME:    "a": tensor<2xi1>
nir.graph @kinds("in" %x: tensor<1x2xf32>, "spikes" %y: tensor<1x2xi1>) -> ("a": tensor<2xi1>, "b": tensor<2xi1>, "c": tensor<1x2xf32>, "d": tensor<1x2xi1>, "e": tensor<1x2xf32>) {
  %z = nir.lif "lif" %x {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1x2xf32> -> tensor<1x2xi1>
  %z2 = nir.lif "lif 2" %y {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1x2xi1> -> tensor<1x2xi1>
  %i = nir.identity "identity" %z : tensor<1x2xi1> -> tensor<1x2xi1>
  %a = nir.flatten "flat" %i {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<1 : tensor<i64>>} : tensor<1x2xi1> -> tensor<2xi1>
  %b = nir.flatten "flat spikes" %y {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<1 : tensor<i64>>} : tensor<1x2xi1> -> tensor<2xi1>
  %c = nir.sum %z, %y, %z2 : (tensor<1x2xi1>, tensor<1x2xi1>, tensor<1x2xi1>) -> tensor<1x2xf32>
  %e = nir.delay "circle" %f {delay = #nopt.array<0.002 : tensor<f32>>} : tensor<1x2xf32> -> tensor<1x2xf32>
  %f = nir.identity "around" %e : tensor<1x2xf32> -> tensor<1x2xf32>
  nir.output %a, %b, %c, %y, %e : tensor<2xi1>, tensor<2xi1>, tensor<1x2xf32>, tensor<1x2xi1>, tensor<1x2xf32>
}

// Names that are already used get a prime: the delay of `lif` clashes with a node and an output of its name.
// CHECK-LABEL: ntensor.network @taken
// CHECK-DAG:     ntensor.delay "lif rec.delay''" %
// CHECK-DAG:     ntensor.scale "lif rec.delay" %
nir.graph @taken("in" %x: tensor<1xf32>) -> ("lif rec.delay'": tensor<1xi1>) {
  %s = nir.sum %x, %r, %q : (tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %z = nir.lif "lif" %s {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %r = nir.linear "lif rec" %z {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %q = nir.scale "lif rec.delay" %x {scale = #nopt.array<0.5 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %z : tensor<1xi1>
}

// A second network of the module uses the same update. So does one whose update already exists and is equal; an existing update of the same
// name that differs keeps its name, and the new one gets a prime.
// CHECK:       ntensor.update @sinabs_if.subtract.multi.threshold <value>
// CHECK:       ntensor.update @"sinabs_if.subtract.multi.threshold'" <count>
// CHECK-LABEL: ntensor.network @second
// CHECK:         ntensor.neuron "lif" @sinabs_lif.subtract.euler.multi.none(
// CHECK:         ntensor.neuron "if" @"sinabs_if.subtract.multi.threshold'"(
ntensor.update @sinabs_if.subtract.multi.threshold <value> inputs ["x"] step {
^bb0(%x: f64):
  ntensor.emit %x : f64
}
nir.graph @second("in" %x: tensor<1xf32>) -> ("z": tensor<1xi1>, "y": tensor<1xi1>) {
  %z = nir.lif "lif" %x {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %y = nir.if "if" %x {r = #nopt.array<2.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z, %y : tensor<1xi1>, tensor<1xi1>
}
