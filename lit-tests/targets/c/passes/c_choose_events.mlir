// RUN: nopt %s -p 'convert-ntensor-to-c,c-choose-events' | filecheck %s
// RUN: nopt %s -p 'convert-ntensor-to-c,c-choose-events{activity=events}' | filecheck %s --check-prefix=EVENTS
// RUN: nopt %s -p 'convert-ntensor-to-c,c-choose-events{activity=dense}' | filecheck %s --check-prefix=DENSE
// RUN: nopt %s -p 'convert-ntensor-to-c,c-choose-events{events=real,busy dense=a}' | filecheck %s --check-prefix=NAMED

// Spikes use events, and two layers after the same neurons share their list. An input of real numbers uses events, because it may
// carry spikes. Other real numbers do not. If more than half of the neurons
// were observed to be active, all neurons are visited.
// CHECK:       c.events [[X:%[0-9]+]] -> [[LIST:%[0-9]+]], [[COUNT:%[0-9]+]] : memref<3xui8>
// CHECK-NEXT:  c.rows "a" [[X]], {{.*}} events [[LIST]], [[COUNT]] {spikes, finite}
// CHECK-NOT:   c.events
// CHECK:       c.rows "b" [[X]], {{.*}} events [[LIST]], [[COUNT]] {spikes, finite}
// CHECK:       c.events
// CHECK-NEXT:  c.rows "sent"
// CHECK-NOT:   c.events
// CHECK:       c.rows "real" {{[^ ]+}}, {{[^ ]+}} into {{[^ ]+}} {finite}
// CHECK-NOT:   c.events
// CHECK:       c.rows "busy" {{[^ ]+}}, {{[^ ]+}} into {{[^ ]+}} {spikes, finite}
// EVENTS-COUNT-4: c.events
// DENSE-NOT:   c.events

// Options override the choice for named nodes.
// NAMED-NOT:   c.events
// NAMED:       c.rows "a" {{[^ ]+}}, {{[^ ]+}} into {{[^ ]+}} {spikes, finite}
// NAMED:       c.rows "real" {{.*}} events
// NAMED:       c.rows "busy" {{.*}} events
ntensor.network @net("x" %x: tensor<3xi1>, "y" %y: tensor<3xf32>, "z" %z: tensor<3xi1>) -> ("o": tensor<2xf32>, "p": tensor<2xf32>, "q": tensor<2xf32>, "r": tensor<2xf32>) attributes {tick_ns = 1000 : i64, ntensor.observed = {inputs = {z = {density = 0.75 : f64}}}} {
  %a = ntensor.linear "a" %x {weight = #nopt.array<constant(value = 0.5) : tensor<2x3xf32>>} : tensor<3xi1> -> tensor<2xf32>
  %b = ntensor.linear "b" %x {weight = #nopt.array<constant(value = 1.5) : tensor<2x3xf32>>} : tensor<3xi1> -> tensor<2xf32>
  %s = ntensor.linear "sent" %y {weight = #nopt.array<constant(value = 0.5) : tensor<2x3xf32>>} : tensor<3xf32> -> tensor<2xf32>
  %c = ntensor.linear "real" %s {weight = #nopt.array<constant(value = 0.5) : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %d = ntensor.linear "busy" %z {weight = #nopt.array<constant(value = 0.5) : tensor<2x3xf32>>} : tensor<3xi1> -> tensor<2xf32>
  ntensor.output %a, %b, %c, %d : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
