// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-legalize{device="loihi2/oheo_gulch" approximate=reset}' -o /dev/null 2>&1 | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=value},ntensor-legalize{device="loihi2/oheo_gulch" approximate=reset}' -o /dev/null 2>&1 | filecheck %s --check-prefix=EXACT --allow-empty
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-legalize{device="loihi2/loihi1" approximate=reset}' -o /dev/null 2>&1 | filecheck %s --check-prefix=EXACT --allow-empty
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse reset=subtract},ntensor-legalize{device="loihi2/programmable"}' | filecheck %s --check-prefix=KEPT

// The fixed neurons of Loihi 2 approximate a reset by subtraction, which its programmable ones have.
// CHECK:      remark[LEG196]: loihi2/programmable keeps the rules of the network [other-device-has-the-rules]
// CHECK-NEXT:   at: ntensor.neuron "lif"
// CHECK-NEXT:   expected: the rule of @norse_lif.subtract
// CHECK-NEXT:   found: reset: the membrane after a spike differs
// CHECK-NEXT:   help: {{.*}}loihi2/programmable
// CHECK-NOT:  LEG196

// Nothing is reported if the device has the rule, or if no other device has it: Loihi 1 names no alternative.
// EXACT-NOT: LEG196

// KEPT: ntensor.neuron "lif" @loihi2_lif
nir.graph @one("in" %in: tensor<2xi1>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc" %in {weight = #nopt.array<[[8.0, 10.0]] : tensor<1x2xf32>>} : tensor<2xi1> -> tensor<1xf32>
  %z = nir.lif "lif" %a {tau = #nopt.array<[0.02] : tensor<1xf64>>, r = #nopt.array<[1.0] : tensor<1xf32>>, v_leak = #nopt.array<[0.0] : tensor<1xf32>>, v_threshold = #nopt.array<[1.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
