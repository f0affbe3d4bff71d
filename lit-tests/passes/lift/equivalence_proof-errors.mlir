// RUN: exits 1 nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-state{bits=16 range=given low=-1 high=1},convert-ntensor-to-nir' 2>&1 | filecheck %s
// RUN: exits 1 nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-state{bits=16 range=given low=-1 high=1}' -t json 2>&1 | filecheck %s
// RUN: exits 1 nopt %root/examples/rhythm/rhythm.nir -p 'convert-nir-to-ntensor{dt-ns=100000 like=sinabs},ntensor-quantize-weights{bits=4 per=row},convert-ntensor-to-nir' 2>&1 | filecheck %s --check-prefix=SUM

// In a loop with a delayed current, no node can keep the order of a sum: another edge would be delayed.
// SUM:      error[NRM009]: the network of NIR would be another one
// SUM-NEXT:   at: ntensor.neuron "legs"
// SUM-NEXT:   expected: the sum in this order: {{"[a-z.]+" \+ "[a-z.]+" \+ "[a-z.]+"}}
// SUM-NEXT:   found: {{"[a-z.]+" \+ "[a-z.]+" \+ "[a-z.]+"}} when it is converted again
// SUM-NEXT:   help: nopt {{.*}} -t mlir

// An update that a pass has rewritten is not of a preset.
// CHECK:      error[NRM009]: the network of NIR would be another one
// CHECK-NEXT:   at: ntensor.neuron "lif"
// CHECK-NEXT:   expected: the update @norse_lif.value.v16q14
// CHECK-NEXT:   found: @norse_lif.value when it is converted again
// CHECK-NEXT:   help: {{.*}}-t mlir
nir.graph @net("input" %x: tensor<2xf32>) -> ("output": tensor<2xi1>) {
  %z = nir.lif "lif" %x {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<3.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.0 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  nir.output %z : tensor<2xi1>
}
