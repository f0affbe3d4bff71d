// RUN: not nopt %s --split-input-file -p 'ntensor-lower-max-pools' 2>&1 | filecheck %s
// RUN: not nopt %s --split-input-file -p 'ntensor-lower-max-pools{by=sum}' 2>&1 | filecheck %s --check-prefix=SUM
// RUN: not nopt %S/../inputs/max_pool.mlir -p 'ntensor-lower-max-pools' 2>&1 | filecheck %s --check-prefix=COUNTS
// RUN: not nopt %S/../inputs/max_pool.mlir -p 'ntensor-lower-max-pools{nodes=pol}' 2>&1 | filecheck %s --check-prefix=NODES

// Values have no disjunction.
// CHECK:      error[LEG102]: a max pool reads values [max-pool-not-spikes]
// CHECK-NEXT:   at: ntensor.max_pool2d "pool"
// CHECK-NEXT:   expected: spikes (i1)
// CHECK-NEXT:   found: f64
// CHECK-NEXT:   help: {{.*}}ntensor-move-max-pools,ntensor-lower-max-pools
ntensor.network @values("in" %x: tensor<1x2x2xf64>) -> ("out": tensor<1x1x1xf64>) attributes {tick_ns = 1000000} {
  %m = ntensor.max_pool2d "pool" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x2xf64> -> tensor<1x1x1xf64>
  ntensor.output %m : tensor<1x1x1xf64>
}

// -----

// COUNTS:      error[LEG102]: a max pool reads numbers of several bits
// COUNTS-NEXT:   at: ntensor.max_pool2d "pool"
// COUNTS-NEXT:   expected: spikes (i1)
// COUNTS-NEXT:   found: !ntensor.count<4>
// NODES:       error[ANA031]

// An output reads spikes, and a sum has none.
// SUM:      error[LEG102]: spikes of a max pool have a reader that needs spikes
// SUM-NEXT:   at: ntensor.max_pool2d "pool"
// SUM-NEXT:   expected: readers that add reals
// SUM-NEXT:   found: ntensor.output
// SUM-NEXT:   help: {{.*}}ntensor-lower-max-pools{{$}}
ntensor.network @read("in" %x: tensor<1x2x2xi1>) -> ("out": tensor<1x1x1xi1>) attributes {tick_ns = 1000000} {
  %m = ntensor.max_pool2d "pool" %x {kernel = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>} : tensor<1x2x2xi1> -> tensor<1x1x1xi1>
  ntensor.output %m : tensor<1x1x1xi1>
}
