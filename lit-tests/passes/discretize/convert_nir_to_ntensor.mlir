// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}' | nopt - -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 reset=subtract loop-delay=spikes}' | filecheck %s --check-prefix=NOBODY
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=500000 like=norse reset=zero loop-delay=spikes}' | filecheck %s --check-prefix=OVERRIDDEN
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse loop-delay-at="fc -> lif"}' | filecheck %s --check-prefix=AT
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse synapse-delay=2 neuron-delay=3 output-delay=4}' | filecheck %s --check-prefix=LATE
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=lava synapse-delay=0}' | filecheck %s --check-prefix=NOW
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse precision=f32}' | filecheck %s --check-prefix=F32
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=nengo options="bound=zero, reset=zero"}' | filecheck %s --check-prefix=OPTIONS
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse options-at="lif.reset=subtract"}' | filecheck %s --check-prefix=OWN

// One population has another reset than the preset's.
// OWN: ntensor.neuron "lif" @norse_lif.subtract(

// A layer and a recurrent population become an update, and a network that applies it: k = 1e-3 / 0.03125 = 0.032, decay = 1 - k = 0.968.
// Norse delays the current of the loop. The record contains every choice. A discretised network is unchanged.
// CHECK-NOT:   nir.graph
// CHECK-LABEL: ntensor.update @norse_lif.value <spike>
// CHECK-LABEL: ntensor.network @net("in" %in: tensor<2xf64>) -> ("out": tensor<2xi1>) attributes {tick_ns = 1000000 : i64, approximations = [
// CHECK-SAME:    #ntensor.approximation<"convert-nir-to-ntensor{dt-ns=1000000 like=norse}", "discretised to ticks of 1 ms by @norse_lif.value", ["lif"], none, none, "none">
// CHECK-SAME:    #ntensor.approximation<"convert-nir-to-ntensor{dt-ns=1000000 like=norse}", "one tick on each of rec->lif", ["rec"], none, none, "none">
// CHECK-SAME:    ]} {
// CHECK-NEXT{LITERAL}: %fc = ntensor.linear "fc" %in {weight = #nopt.array<[[1.0, 0.5], [0.25, 2.0]] : tensor<2x2xf32>>, bias = #nopt.array<[0.0, 1.0] : tensor<2xf32>>} : tensor<2xf64> -> tensor<2xf64>
// CHECK-NEXT:    [[HELD:%\S+]] = ntensor.delay "rec.delay" %rec {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xf64>
// CHECK-NEXT:    [[SUM:%\S+]] = ntensor.sum
// CHECK-SAME:      : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
// CHECK-NEXT:    %lif = ntensor.neuron "lif" @norse_lif.value([[SUM]]) {family = "lif", canonical = {decay = #nopt.array<0.968 : tensor<f64>>, gain = #nopt.array<[0.064, 0.032] : tensor<2xf64>>, leak = #nopt.array<0.0 : tensor<f64>>, threshold = #nopt.array<1.0 : tensor<f64>>}, params = {r = #nopt.array<[2.0, 1.0] : tensor<2xf64>>, v_leak = #nopt.array<0.0 : tensor<f64>>, v_threshold = #nopt.array<1.0 : tensor<f64>>, v_reset = #nopt.array<-0.5 : tensor<f64>>, k = #nopt.array<0.032 : tensor<f64>>}, initial = {v = #nopt.array<0.0 : tensor<f64>>}} : (tensor<2xf64>) -> tensor<2xi1>
// CHECK-NEXT:    %rec = ntensor.linear "rec" %lif
// CHECK-NEXT:    ntensor.output %lif : tensor<2xi1>

// Without a preset: forward Euler by name, without a remark.
// NOBODY-LABEL: ntensor.update @euler_lif.subtract <spike>
// NOBODY-LABEL: ntensor.network @net
// NOBODY-SAME:  "convert-nir-to-ntensor{dt-ns=1000000 reset=subtract loop-delay=spikes}"
// NOBODY:       ntensor.delay "lif.delay" %lif {{.*}} : tensor<2xi1>

// The user's reset and loop delay override those of the preset: k = 5e-4 / 0.03125 = 0.016.
// OVERRIDDEN-LABEL: ntensor.update @norse_lif.zero <spike>
// OVERRIDDEN-LABEL: ntensor.network @net
// OVERRIDDEN-SAME:  tick_ns = 500000 : i64
// OVERRIDDEN:       ntensor.delay "lif.delay" %lif {{.*}} : tensor<2xi1>
// OVERRIDDEN:       k = #nopt.array<0.016 : tensor<f64>>

// An edge in the option is delayed in any case, also if it closes no loop; the loop keeps its own delay.
// AT-LABEL: ntensor.network @net
// AT-SAME:  "one tick on each of fc->lif, rec->lif"
// AT:       ntensor.delay "fc.delay" %fc
// AT:       ntensor.delay "rec.delay" %rec

// Two ticks after every synapse, three after every spiking neuron, four before the output; the loop needs no other delay.
// LATE-LABEL: ntensor.network @net
// LATE-SAME:  approximations = [#ntensor.approximation<{{[^>]*}}discretised {{[^>]*}}>]
// LATE-DAG:   [[FC:%\S+]] = ntensor.delay "fc.delay" %fc {ticks = #nopt.array<2 : tensor<i64>>, part_of = "fc"} : tensor<2xf64>
// LATE-DAG:   [[LIF:%\S+]] = ntensor.delay "lif.delay" %lif {ticks = #nopt.array<3 : tensor<i64>>, part_of = "lif"} : tensor<2xi1>
// LATE-DAG:   [[REC:%\S+]] = ntensor.delay "rec.delay" %rec {ticks = #nopt.array<2 : tensor<i64>>, part_of = "rec"} : tensor<2xf64>
// LATE:       [[OUT:%\S+]] = ntensor.delay "out.delay" [[LIF]] {ticks = #nopt.array<4 : tensor<i64>>} : tensor<2xi1>
// LATE-NEXT:  ntensor.output [[OUT]]

// 0 removes the preset's delay, so that the loop gets the one of `loop_delay = current`.
// NOW-LABEL: ntensor.network @net
// NOW-NOT:   part_of
// NOW:       ntensor.delay "rec.delay" %rec {ticks = #nopt.array<1 : tensor<i64>>} : tensor<2xf64>

// Values in f32: f32(0.032) = 0.0320000015, off by 1.53e-9; r and the rest are exact.
// F32-LABEL: ntensor.update @norse_lif.value.f32 <spike>
// F32-LABEL: ntensor.network @net("in" %in: tensor<2xf32>)
// F32-SAME:    #ntensor.approximation<"convert-nir-to-ntensor{dt-ns=1000000 like=norse precision=f32}", "parameters rounded to f32", ["lif"], 1.5{{[0-9]*}}e-09 : f64, 1.5{{[0-9]*}}e-09 : f64, "1">
// F32:         ntensor.neuron "lif" {{.*}} k = #nopt.array<0.032 : tensor<f32>>

// Other options of a preset's neurons, by name.
// OPTIONS-LABEL: ntensor.update @nengo_lif.zero.zero <spike>
nir.graph @net("in" %x: tensor<2xf32>) -> ("out": tensor<2xi1>) {
  %a = nir.affine "fc" %x {weight = #nopt.array<[[1.0, 0.5], [0.25, 2.0]] : tensor<2x2xf32>>, bias = #nopt.array<[0.0, 1.0] : tensor<2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %s = nir.sum %a, %r : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %z = nir.lif "lif" %s {tau = #nopt.array<[0.03125, 0.03125] : tensor<2xf32>>, r = #nopt.array<[2.0, 1.0] : tensor<2xf32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<[1.0, 1.0] : tensor<2xf32>>, v_reset = #nopt.array<-0.5 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %r = nir.linear "rec" %z {weight = #nopt.array<[[0.0, 1.0], [1.0, 0.0]] : tensor<2x2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  nir.output %z : tensor<2xi1>
}
