// RUN: nopt %s --split-input-file | nopt - --split-input-file | filecheck %s
// RUN: nopt %s --split-input-file -p ntensor-remove-dead | filecheck %s

// A network of a chip, and the readout that the host computes from the spikes of its outputs. An output of the chip passes through it.
// CHECK-LABEL: ntensor.network @n
// CHECK-SAME:    -> ("spikes": tensor<2xi1>) attributes {tick_ns = 1000 : i64}
// CHECK:       ntensor.readout @n.readout("spikes" %{{\S+}}: tensor<2xi1>) -> ("spikes": tensor<2xi1>, "out": tensor<1xf64>) attributes {tick_ns = 1000 : i64} {
// CHECK-NEXT:    ntensor.linear "fc" %{{\S+}} {machine.host, weight =
// CHECK-NEXT:    ntensor.output %{{\S+}}, %{{\S+}} : tensor<2xi1>, tensor<1xf64>
ntensor.network @n("in" %x: tensor<2xi1>) -> ("spikes": tensor<2xi1>) attributes {tick_ns = 1000} {
  ntensor.output %x : tensor<2xi1>
}
ntensor.readout @n.readout("spikes" %x: tensor<2xi1>) -> ("spikes": tensor<2xi1>, "out": tensor<1xf64>) attributes {tick_ns = 1000 : i64} {
  %y = ntensor.linear "fc" %x {machine.host, weight = #nopt.array<[[0.5, 0.25]] : tensor<1x2xf64>>} : tensor<2xi1> -> tensor<1xf64>
  ntensor.output %x, %y : tensor<2xi1>, tensor<1xf64>
}
