// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-legalize{device=asic/mesh},convert-ntensor-to-machine' | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-legalize{device=asic/mesh},convert-ntensor-to-machine,convert-machine-to-ntensor' | filecheck %s --check-prefix=AGAIN
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-move-readout-to-host{device=memxbar/array128}' | filecheck %s --check-prefix=HELD
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-move-readout-to-host{device=asic/mesh set="features.host_readout=false"}' | filecheck %s --check-prefix=HELD
// RUN: not nopt compile %s --target asic/mesh --set features.host_readout=false --dt 1ms --like norse --reset value -o %t.build 2>&1 | filecheck %s --check-prefix=REFUSED

// The device has no neuron with values: the graph ends with the spikes, and the readout is next to it, in reals.
// CHECK:       machine.graph @readout
// CHECK:         machine.output "lif1.spikes" of "lif1" : tensor<2xi1>
// CHECK:       ntensor.readout @readout.readout("lif1.spikes" %{{\S+}}: tensor<2xi1>) -> ("output": tensor<1xf64>)
// CHECK-NEXT:    ntensor.linear "fc2" %{{\S+}} {machine.host, weight = #nopt.array<{{.*}}xf32>>}
// CHECK-NEXT:    ntensor.neuron "li" @norse_li(
// AGAIN-LABEL: ntensor.network @readout("input" %{{\S+}}: tensor<2xi1>) -> ("output": tensor<1xf64>)
// AGAIN:         ntensor.neuron "li" @norse_li({{.*}}) {machine.host,

// Neurons with values stay on a crossbar, and on a device that computes everything.
// HELD-NOT:    machine.host

// REFUSED:     error[LEG016]: update: asic/mesh has no neuron for this population [feature-unsupported-by-device]
// REFUSED-NEXT:  at: ntensor.neuron "li"
nir.graph @readout("input" %x: tensor<2xf32>) -> ("output": tensor<1xf32>) {
  %a = nir.linear "fc1" %x {weight = #nopt.array<[[12.0, 3.0], [4.0, 15.0]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  %z = nir.lif "lif1" %a {tau = #nopt.array<0.01 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %b = nir.linear "fc2" %z {weight = #nopt.array<[[1.0, -0.3]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %v = nir.li "li" %b {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>} : tensor<1xf32> -> tensor<1xf32>
  nir.output %v : tensor<1xf32>
}
