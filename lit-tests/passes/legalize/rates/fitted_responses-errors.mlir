// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-encode-rates{window=4 fit=data}' 2>&1 | filecheck %s
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-encode-rates{window=4 fit=data weight-bits=0 data=x.npy}' 2>&1 | filecheck %s --check-prefix=BITS
// RUN: not nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-encode-rates{window=4 fit=data data="%t.missing.npy"}' 2>&1 | filecheck %s --check-prefix=FILE

// CHECK:      error[LEG140]: responses are fitted to no data
// CHECK-NEXT:   at: ntensor-encode-rates{window=4 fit=data}
// CHECK-NEXT:   expected: data=FILE, or the samples of a calibration
// CHECK-NEXT:   found: no data
// CHECK-NEXT:   help: nopt {{.*}} -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-encode-rates{window=4 fit=data data="x.npy"}'
// BITS:      error[LEG083]: the ticks or bits of rates are out of range
// BITS-NEXT:   at: weight_bits=0
// FILE:      error[COR008]
nir.graph @fit("in" %in: tensor<1xf32>) -> ("out": tensor<1xi1>) {
  %a = nir.linear "fc" %in {weight = #nopt.array<[[7.0]] : tensor<1x1xf32>>} : tensor<1xf32> -> tensor<1xf32>
  %z = nir.if "if" %a {r = #nopt.array<[1.0] : tensor<1xf32>>, v_threshold = #nopt.array<[7.0] : tensor<1xf32>>, v_reset = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %z : tensor<1xi1>
}
