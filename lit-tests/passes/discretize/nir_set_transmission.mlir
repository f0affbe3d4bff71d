// RUN: nopt %s -p 'nir-set-transmission{nodes=fc1,inner.fc2 to=rate}' | filecheck %s
// RUN: nopt %s -p 'nir-set-transmission{nodes=fc1,inner.fc2 to=rate},nir-set-transmission{nodes=fc1 to=spike}' | filecheck %s --check-prefix=SPIKE
// RUN: nopt %s -p 'nir-set-transmission{nodes=fc0 to=analog}' | filecheck %s --check-prefix=ANALOG
// RUN: nopt check %s --dt 1ms --like norse --rate-window 8 -p 'nir-set-transmission{nodes=fc1 to=rate}' | filecheck %s --check-prefix=EARLY

// Synapses of nested graphs have full names. The others keep what they have.
// CHECK:      nir.linear "fc0" %x {weight = {{[^}]*}}} : tensor<1xf32>
// CHECK:      nir.linear "fc1" {{.*}}, transmission = #nir.transmission<rate>} : tensor<1xi1>
// CHECK:      nir.linear "fc2" {{.*}}, transmission = #nir.transmission<rate>} : tensor<1xi1>
// Spikes are the default, which has no attribute.
// SPIKE:      nir.linear "fc1" %{{.*}} {weight = {{[^}]*}}} : tensor<1xi1>
// SPIKE:      nir.linear "fc2" {{.*}}, transmission = #nir.transmission<rate>} : tensor<1xi1>
// ANALOG:     nir.linear "fc0" {{.*}}, transmission = #nir.transmission<analog>} : tensor<1xf32>
// A pass on a network in continuous time runs before the conversion in `check`, too.
// EARLY:      no problems found
nir.graph @net("in" %x: tensor<1xf32>) -> ("a": tensor<1xf32>, "b": tensor<1xf32>) {
  %i = nir.linear "fc0" %x {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %z = nir.if "cell" %i {r = #nopt.array<1.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xi1>
  %a = nir.linear "fc1" %z {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
  %b = nir.subgraph "inner" (%z) ("in" %y: tensor<1xi1>) -> ("out": tensor<1xf32>) {
    %f = nir.linear "fc2" %y {weight = #nopt.array<[[0.5]] : tensor<1x1xf32>>} : tensor<1xi1> -> tensor<1xf32>
    nir.output %f : tensor<1xf32>
  }
  nir.output %a, %b : tensor<1xf32>, tensor<1xf32>
}
