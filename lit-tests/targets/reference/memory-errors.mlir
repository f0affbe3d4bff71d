// RUN: python %S/inputs/save.py %t.npy '[[1]]'
// RUN: not nopt run %s --input %t.npy --record fc --ticks 1000000000000000 2>&1 | filecheck %s

// Results that exceed memory are refused before allocation, with the number of ticks that would fit.
// CHECK: error[SIM020]: the results of this run do not fit into memory
// CHECK-NEXT: expected: at most {{.*}}, which is available now
// CHECK-NEXT: found: 14901161 GiB for 1 samples of 1000000000000000 ticks; 7450580 GiB of them for y
// CHECK-NEXT: help: nopt run {{.*}}memory-errors.mlir --input {{.*}}memory-errors.mlir.tmp.npy --record fc --ticks {{[0-9]+}}

ntensor.network @long("x" %x: tensor<1xi1>) -> ("y": tensor<1xf64>) attributes {tick_ns = 1000000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}
