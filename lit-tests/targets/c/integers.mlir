// A device of integers: inputs, weights, biases, neurons and sums become integers, and the C program has no floating-point type.
// RUN: mkdir -p %t.in && python -c "import numpy as np; np.save('%t.in/x.npy', np.random.default_rng(0).random((1, 30, 3)) < 0.4)"
// RUN: nopt compile %s --target c/int8 --dt 1ms --like norse --calib %t.in/x.npy -o %t 2>/dev/null -v | filecheck %s --check-prefix=SUMMARY
// RUN: not grep 'float\|double' %t/artefact/net.c
// RUN: nopt check %s --target c/int8 --dt 1ms --like norse --calib %t.in/x.npy 2>&1 | filecheck %s --check-prefix=FITS
// RUN: nopt compile %s --target c/int8 --dt 1ms --like norse --calib %t.in/x.npy --weight-bits 4 --format json -o %t 2>/dev/null | filecheck %s --check-prefix=REPORT
// RUN: grep -A1 'const uint8_t net_c_one_weight' %t/artefact/net.c | filecheck %s --check-prefix=FOUR

// SUMMARY:      fits c/int8
// SUMMARY:      size: 2 populations, 5 neurons, 15 weights
// SUMMARY:      output out: multiply by {{[0-9.e-]+}} for the units of the network
// SUMMARY:      arithmetic  integers
// SUMMARY:      integers: 2 sums, proven never to overflow; states of 16 bits (saturate on overflow)
// SUMMARY:      becomes @int16_lif.value.above.leak: decay exact; {{.*}}the rule is the same
// SUMMARY:      becomes @int16_li.leak: decay, leak exact
// FITS: fits c/int8

// REPORT:      "pipeline": "{{.*}}ntensor-legalize{device=\"c/int8\" set=\"quantization.weight_bits=4\"},ntensor-widen-sums,convert-ntensor-to-c
// REPORT:      "integers": {
// REPORT:        "node": "one",
// REPORT-NEXT:   "low": {{-[0-9]+}},
// REPORT-NEXT:   "high": {{[0-9]+}},
// REPORT-NEXT:   "bits": 8,
// REPORT-NEXT:   "proof": "interval arithmetic"
// REPORT:        "node": "lif",
// REPORT-NEXT:   "state": "v",
// REPORT-NEXT:   "bits": 16,
// REPORT-NEXT:   "overflow": "saturates"

// The weights 4, 3, 1, 2, -4, 1, -1, 2, 4 share bytes: the first is 4 + 16 * 3 = 52, the third 16 - 4 + 16 * 1 = 28.
// FOUR: 52, 33, 28, 47, 4

nir.graph @net("in" %x: tensor<3xf32>) -> ("out": tensor<2xf32>) {
  %a = nir.affine "one" %x {weight = #nopt.array<[[1.0, 0.5, -0.25], [0.75, -1.0, 0.5], [0.25, 0.25, 1.0]] : tensor<3x3xf32>>, bias = #nopt.array<[0.0, 0.25, 0.125] : tensor<3xf32>>} : tensor<3xf32> -> tensor<3xf32>
  %z = nir.lif "lif" %a {tau = #nopt.array<[0.008, 0.008, 0.008] : tensor<3xf64>>, r = #nopt.array<[4.0, 4.0, 4.0] : tensor<3xf64>>, v_leak = #nopt.array<[0.1, 0.1, 0.1] : tensor<3xf64>>, v_threshold = #nopt.array<[0.5, 0.5, 0.5] : tensor<3xf64>>, v_reset = #nopt.array<[0.0, 0.0, 0.0] : tensor<3xf64>>} : tensor<3xf32> -> tensor<3xi1>
  %b = nir.linear "two" %z {weight = #nopt.array<[[1.0, 0.5, -0.25], [0.75, -1.0, 0.5]] : tensor<2x3xf32>>} : tensor<3xi1> -> tensor<2xf32>
  %y = nir.li "li" %b {tau = #nopt.array<[0.008, 0.008] : tensor<2xf64>>, r = #nopt.array<[1.0, 1.0] : tensor<2xf64>>, v_leak = #nopt.array<[0.0, 0.0] : tensor<2xf64>>} : tensor<2xf32> -> tensor<2xf32>
  nir.output %y : tensor<2xf32>
}
