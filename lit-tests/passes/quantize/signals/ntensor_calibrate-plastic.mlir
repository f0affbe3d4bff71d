// Learning is not simulated: weights that learn are observed as they are, which a remark reports.
// RUN: python %S/../inputs/arrays.py %t.dir
// RUN: nopt %s -p 'ntensor-calibrate{data="%t.dir/three.npy"}' 2>&1 | filecheck %s

// CHECK:      ntensor.linear "fc" {{.*}}ntensor.observed = {y = {{.*}}plasticity = #nir.stdp
// CHECK:      remark[QUA005]: weights that learn are observed as they are
// CHECK-NEXT:   at: ntensor.linear "fc"
// CHECK-NEXT:   expected: weights that stay as they are
// CHECK-NEXT:   found: nir.stdp
// CHECK-NEXT:   help: {{.*}}ntensor-freeze-plasticity{{.*}}
ntensor.network @plastic("in" %x: tensor<1xf64>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[1.0]] : tensor<1x1xf64>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.02, 0.0, 1.0>} : tensor<1xf64> -> tensor<1xf64>
  ntensor.output %y : tensor<1xf64>
}
