// The numbers of each exporter, and their repair with ticks of 1 ms; sinabs is in nir_repair_export.mlir.
// RUN: nopt %S/../passes/repair/inputs/norse_lif.mlir -p 'nir-repair-export{by=norse dt-ns=1000000}' 2>/dev/null | filecheck %s --check-prefix=NORSE
// RUN: nopt %S/../passes/repair/inputs/norse_cuba.mlir -p 'nir-repair-export{by=norse dt-ns=1000000}' 2>/dev/null | filecheck %s --check-prefix=NORSE-CUBA
// RUN: nopt %S/../passes/repair/inputs/rockpool_lif.mlir -p 'nir-repair-export{by=rockpool dt-ns=1000000}' 2>/dev/null | filecheck %s --check-prefix=ROCK
// RUN: nopt %S/../passes/repair/inputs/rockpool_cuba.mlir -p 'nir-repair-export{by=rockpool dt-ns=1000000}' 2>/dev/null | filecheck %s --check-prefix=ROCK-CUBA
// RUN: nopt %S/../passes/repair/inputs/spyx_lif.mlir -p 'nir-repair-export{by=spyx dt-ns=1000000}' 2>/dev/null | filecheck %s --check-prefix=SPYX
// RUN: nopt %S/../passes/repair/inputs/spyx_cuba.mlir -p 'nir-repair-export{by=spyx dt-ns=1000000}' 2>/dev/null | filecheck %s --check-prefix=SPYX-CUBA
// RUN: nopt %S/../passes/repair/inputs/snntorch_lif.mlir -p 'nir-repair-export{by=snntorch dt-ns=1000000}' 2>/dev/null | filecheck %s --check-prefix=SNN
// RUN: nopt %S/../passes/repair/inputs/snntorch_cuba.mlir -p 'nir-repair-export{by=snntorch dt-ns=1000000}' 2>/dev/null | filecheck %s --check-prefix=SNN-CUBA

// Norse wrote 0.02 s times its time step of 1 ms.
// NORSE: tau = #nopt.array<0.0199999{{[0-9]*}} : tensor<f64>>, r = #nopt.array<1.0 : tensor<f32>>
// The input is added to the current without a factor: w_in = tau_syn / dt = 5.
// NORSE-CUBA: tau_syn = #nopt.array<{{0.00499999[0-9]*|0.00500000[0-9]*}} : tensor<f64>>, tau_mem = #nopt.array<0.0199999{{[0-9]*}} : tensor<f64>>
// NORSE-CUBA-SAME: w_in = #nopt.array<{{4.99999[0-9]*|5.00000[0-9]*}} : tensor<f64>>

// 0.02 exp(-0.05) / 0.001 = 19.024588 means the gain 1, which is r = tau / dt = 20.
// ROCK: r = #nopt.array<{{19.99999[0-9]*|20.0[0-9]*}} : tensor<f64>>
// The input decays in its own tick: w_in = 10 exp(-0.1) = 9.04837.
// ROCK-CUBA: r = #nopt.array<{{19.99999[0-9]*|20.0[0-9]*}} : tensor<f64>>
// ROCK-CUBA-SAME: w_in = #nopt.array<9.0483{{[0-9]*}} : tensor<f64>>

// beta = 0.9 with ticks for time steps: tau = 1 ms / (1 - 0.9) = 10 ms, and r = 10 makes the gain 1.
// SPYX: tau = #nopt.array<{{0.0099999[0-9]*|0.0100000[0-9]*}} : tensor<f64>>, r = #nopt.array<{{9.99999[0-9]*|10.0000[0-9]*}} : tensor<f64>>
// alpha = 0.8: tau_syn = 5 ms and w_in = 5.
// SPYX-CUBA: tau_syn = #nopt.array<{{0.0049999[0-9]*|0.0050000[0-9]*}} : tensor<f64>>, tau_mem = #nopt.array<{{0.0099999[0-9]*|0.0100000[0-9]*}} : tensor<f64>>
// SPYX-CUBA-SAME: w_in = #nopt.array<{{4.99999[0-9]*|5.00000[0-9]*}} : tensor<f64>>

// beta = 0.9 with ticks of 0.1 ms; with ticks of 1 ms tau is ten times as long, and r stays.
// SNN: tau = #nopt.array<{{0.0099999[0-9]*|0.0100000[0-9]*}} : tensor<f64>>, r = #nopt.array<10.0 : tensor<f32>>
// SNN-CUBA: tau_syn = #nopt.array<{{0.0049999[0-9]*|0.0050000[0-9]*}} : tensor<f64>>, tau_mem = #nopt.array<{{0.0099999[0-9]*|0.0100000[0-9]*}} : tensor<f64>>
