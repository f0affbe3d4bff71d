// Rows of two sources with two synapses that learn: 3 words of plastic data, with the weights 4096 and 6144 in the third, and two controls.
// RUN: mutate 's/words = #nopt.array<\[\[0, 2, 0, 536870912, 134217729\], \[0, 2, 0, 268435456, 536870913\]\] : tensor<2x5xi32>>/words = #nopt.array<[[3, 0, 0, 402657280, 0, 2, 65536], [3, 0, 0, 134219776, 0, 2, 65536]] : tensor<2x7xi32>>, plasticity = #spinnaker.stdp<"spike_pair", "additive", 2.000000e+01 : f64, 2.000000e+01 : f64, 8.192000e+01 : f64, 9.830400e+01 : f64, 0.000000e+00 : f64, 8.192000e+03 : f64>/' %S/inputs/spinnaker.mlir > %t.mlir && nopt %t.mlir | filecheck %s
// RUN: nopt %t.mlir | nopt - | filecheck %s
// CHECK: spinnaker.rows "fc2" {{.*}}words = #nopt.array<{{\[}}[3, 0, 0, 402657280, 0, 2, 65536], [3, 0, 0, 134219776, 0, 2, 65536]] : tensor<2x7xi32>>, plasticity = #spinnaker.stdp<"spike_pair", "additive", 2.000000e+01 : f64, 2.000000e+01 : f64, 8.192000e+01 : f64, 9.830400e+01 : f64, 0.000000e+00 : f64, 8.192000e+03 : f64>}

// Other rules of sPyNNaker: the nearest pairs, and changes that depend on the weight.
// RUN: mutate 's/spike_pair/spike_nearest_pair/' 's/\[\[3, 0, 0, 402657280, 0, 2, 65536\], \[3, 0, 0, 134219776, 0, 2, 65536\]\] : tensor<2x7xi32>/[[2, 0, 402657280, 0, 2, 65536], [2, 0, 134219776, 0, 2, 65536]] : tensor<2x6xi32>/' %t.mlir | nopt - -o /dev/null
// RUN: mutate 's/additive/multiplicative/' %t.mlir | nopt - -o /dev/null

// Pairs and triplets, whose further terms are an attribute of their own.
// RUN: mutate 's/spike_pair/pfister_triplet/' 's/8.192000e+03 : f64>/&, triplet = #spinnaker.triplet<50.0 : f64, 40.0 : f64, 163.84 : f64, 32.768 : f64>/' %t.mlir > %t.triplet.mlir && nopt %t.triplet.mlir | nopt - | filecheck %s --check-prefix=TRIPLET
// TRIPLET: plasticity = #spinnaker.stdp<"pfister_triplet", {{.*}}triplet = #spinnaker.triplet<5.000000e+01 : f64, 4.000000e+01 : f64, 1.638400e+02 : f64, 3.276800e+01 : f64>
