// RUN: nopt %s --split-input-file -p 'nir-repair-export{by=sinabs dt-ns=1000000}' 2>/dev/null | filecheck %s --check-prefix=SINABS
// RUN: nopt %s --split-input-file -p 'nir-repair-export{by=sinabs dt-ns=1000000}' -o /dev/null 2>&1 | filecheck %s --check-prefix=SAID
// RUN: nopt %s --split-input-file -p 'nir-repair-export{by="sinabs@3.1.3" dt-ns=1000000},convert-nir-to-ntensor{dt-ns=1000000 like=sinabs}' 2>/dev/null | filecheck %s --check-prefix=TICKS
// RUN: nopt %s --split-input-file -p 'nir-repair-export{by="sinabs@9" dt-ns=1000000}' -o /dev/null 2>&1 | filecheck %s --check-prefix=VERSION

// Ticks become seconds. The gain of LIF is 1 - exp(-1 / 20) = 0.0487706, so r = 20 * 0.0487706 = 0.975412; that of LI is 1, so r = 20.
// Another family is unchanged. A nested graph is repaired, too.
// SINABS: nir.graph @nested
// SINABS-SAME: repairs = [#nir.repair<"nir-repair-export{by=sinabs dt-ns=1000000}", "tau = tau * dt", ["inner.lif"]>, #nir.repair<"nir-repair-export{by=sinabs dt-ns=1000000}", "r = tau * (1 - exp(-1 / tau))", ["inner.lif"]>, #nir.repair<"nir-repair-export{by=sinabs dt-ns=1000000}", "tau = tau * dt", ["li"]>, #nir.repair<"nir-repair-export{by=sinabs dt-ns=1000000}", "r = tau", ["li"]>]
// SINABS: nir.lif "lif"
// SINABS-SAME: tau = #nopt.array<0.02 : tensor<f64>>, r = #nopt.array<0.9754115099857197 : tensor<f64>>, v_leak = #nopt.array<0.0 : tensor<f32>>
// SINABS: nir.li "li"
// SINABS-SAME: tau = #nopt.array<[0.02, 0.04] : tensor<2xf64>>, r = #nopt.array<[20.0, 40.0] : tensor<2xf64>>

// SAID: remark[NRM014]: the numbers of sinabs are repaired
// SAID-NEXT:   at: nir.lif "inner.lif"
// SAID-NEXT:   expected: tau = tau * dt, r = tau * (1 - exp(-1 / tau))
// SAID-NEXT:   found: tau counts ticks, and r stands for the gain 1 - exp(-1 / tau) of norm_input=True
// SAID-NEXT:   help: choose what the notes list as the network had it
// SAID-NEXT:   note: not in the file: norm_input
// SAID: remark[NRM014]: the file of sinabs lacks choices
// SAID-NEXT:   at: nir.if "if"

// The record is kept with the network.
// TICKS: ntensor.network @nested
// TICKS-SAME: approximations = [#ntensor.approximation<"nir-repair-export{by=\22sinabs@3.1.3\22 dt-ns=1000000}", "tau = tau * dt", ["inner.lif"], none, none, "none">

// VERSION: warning[NRM016]: sinabs 9 was not compared
// VERSION-NEXT:   at: exported by sinabs@9
// VERSION-NEXT:   expected: sinabs@3.1.3
// VERSION-NEXT:   found: 9
// VERSION-NEXT:   help: nopt {{.*}}nir_repair_export.mlir --split-input-file -p 'nir-repair-export{by="sinabs@3.1.3" dt-ns=1000000}' -o {{.*}}null
nir.graph @nested("input" %x: tensor<2xf32>) -> ("output": tensor<2xf32>) {
  %s = nir.subgraph "inner" (%x) ("in" %i: tensor<2xf32>) -> ("out": tensor<2xi1>) {
    %z = nir.lif "lif" %i {
      tau = #nopt.array<20.0 : tensor<f32>>,
      r = #nopt.array<1.0 : tensor<f32>>,
      v_leak = #nopt.array<0.0 : tensor<f32>>,
      v_threshold = #nopt.array<1.0 : tensor<f32>>,
      v_reset = #nopt.array<0.0 : tensor<f32>>
    } : tensor<2xf32> -> tensor<2xi1>
    nir.output %z : tensor<2xi1>
  }
  %c = nir.if "if" %s {
    r = #nopt.array<1.0 : tensor<f32>>,
    v_threshold = #nopt.array<1.0 : tensor<f32>>,
    v_reset = #nopt.array<0.0 : tensor<f32>>
  } : tensor<2xi1> -> tensor<2xi1>
  %v = nir.li "li" %c {
    tau = #nopt.array<[20.0, 40.0] : tensor<2xf32>>,
    r = #nopt.array<1.0 : tensor<f32>>,
    v_leak = #nopt.array<0.0 : tensor<f32>>
  } : tensor<2xi1> -> tensor<2xf32>
  nir.output %v : tensor<2xf32>
}

// -----

// A module without a network has nothing to repair.
builtin.module {
}
