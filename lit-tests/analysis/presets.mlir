// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like="%S/../passes/discretize/inputs/mine.neuron"}' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like="%S/../passes/discretize/inputs/mine.neuron" reset=zero options="least=none" neuron-delay=0}' | filecheck %s --check-prefix=OVERRIDDEN
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 reset=value}' 2>&1 | filecheck %s --check-prefix=NONE

// A user's file defines some families with its own switches, and forward Euler the rest. One neuron for two families is one
// update.
// CHECK:        ntensor.update @mine.value.low <spike>
// CHECK-NOT:    ntensor.update @mine
// CHECK:        ntensor.update @euler_i <value>
// CHECK:        ntensor.update @euler_threshold <spike>
// CHECK:        ntensor.update @euler_cuba_li <value>
// CHECK-LABEL:  ntensor.network @net
// CHECK-NEXT:     [[X:%\S+]] = ntensor.delay "lif.input" %in {ticks = #nopt.array<2 : tensor<i64>>} : tensor<1xf64>
// CHECK-NEXT:     %lif = ntensor.neuron "lif" @mine.value.low([[X]])
// CHECK-NEXT:     [[A:%\S+]] = ntensor.delay "lif.delay" %lif {ticks = #nopt.array<1 : tensor<i64>>, part_of = "lif"} : tensor<1xi1>
// CHECK-NEXT:     %if = ntensor.neuron "if" @mine.value.low(%in)
// CHECK-NEXT:     [[B:%\S+]] = ntensor.delay "if.delay" %if {{.*}}part_of = "if"
// CHECK-NEXT:     %i = ntensor.neuron "i" @euler_i(%in)
// CHECK-NEXT:     %t = ntensor.neuron "t" @euler_threshold(%in)
// CHECK-NEXT:     [[T:%\S+]] = ntensor.delay "t.delay" %t {{.*}}part_of = "t"
// CHECK-NEXT:     [[C:%\S+]] = ntensor.neuron "cuba 1" @euler_cuba_li(%in)
// CHECK-NEXT:     [[D:%\S+]] = ntensor.neuron "cuba 2" @euler_cuba_li(%in)
// CHECK-NEXT:     ntensor.output [[A]], [[B]], %i, [[T]], [[C]], [[D]]

// Options and switches on the command line override those of the file.
// OVERRIDDEN:       ntensor.update @mine.zero.none <spike>
// OVERRIDDEN-LABEL: ntensor.network @net
// OVERRIDDEN-NOT:   part_of
// OVERRIDDEN:       ntensor.output %lif, %if

// Without a preset forward Euler was requested explicitly, which causes no remark.
// NONE-NOT:   remark
// NONE:       ntensor.update @euler_lif.value
nir.graph @net("in" %x: tensor<1xf32>) -> ("lif out": tensor<1xi1>, "if out": tensor<1xi1>, "i out": tensor<1xf32>, "t out": tensor<1xi1>, "cuba out": tensor<1xf32>, "cuba out 2": tensor<1xf32>) {
  %a = nir.lif "lif" %x {tau = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %b = nir.if "if" %x {r = #nopt.array<2.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %c = nir.i "i" %x {r = #nopt.array<2.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  %d = nir.threshold "t" %x {threshold = #nopt.array<1.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %e = nir.cuba_li "cuba 1" %x {tau_syn = #nopt.array<0.0078125 : tensor<f32>>, tau_mem = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, w_in = #nopt.array<1.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  %f = nir.cuba_li "cuba 2" %x {tau_syn = #nopt.array<0.0078125 : tensor<f32>>, tau_mem = #nopt.array<0.03125 : tensor<f32>>, r = #nopt.array<2.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, w_in = #nopt.array<1.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %a, %b, %c, %d, %e, %f : tensor<1xi1>, tensor<1xi1>, tensor<1xf32>, tensor<1xi1>, tensor<1xf32>, tensor<1xf32>
}
