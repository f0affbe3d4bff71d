// RUN: not nopt %s -p 'ntensor-expand-synapses{nodes=con}' 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not nopt %s -p ntensor-expand-synapses 2>&1 | filecheck %s --check-prefix=SIZE

// NAME:      error[ANA031]: ntensor-expand-synapses has no node "con" to work on
// NAME:        help: nopt {{.*}} -p 'ntensor-expand-synapses{nodes=conv}'

// A matrix of 8192 outputs and 8193 inputs has more than 2^24 weights.
// SIZE:      error[NRM018]: the matrix of a synapse op has too many weights
// SIZE-NEXT:   at: ntensor.conv1d "conv"
// SIZE-NEXT:   expected: at most 16777216 weights
// SIZE-NEXT:   found: 67117056
// SIZE-NEXT:   help: nopt check {{.*}} --target auto
ntensor.network @window("in" %x: tensor<1x8193xi1>) -> ("out": tensor<1x8192xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.conv1d "conv" %x {weight = #nopt.array<[[[1.0, 2.0]]] : tensor<1x1x2xf64>>, stride = #nopt.array<[1] : tensor<1xi64>>, padding = #nopt.array<[[0, 0]] : tensor<1x2xi64>>, dilation = #nopt.array<[1] : tensor<1xi64>>, groups = 1} : tensor<1x8193xi1> -> tensor<1x8192xf64>
  ntensor.output %y : tensor<1x8192xf64>
}
