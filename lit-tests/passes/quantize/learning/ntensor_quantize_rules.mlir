// RUN: nopt %s -p "convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=8 per=population},ntensor-quantize-rules{device=c/int8}" | filecheck %s
// RUN: nopt %s -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=8 per=population},ntensor-quantize-rules{device=c/int8 rounding=nearest set="plasticity.rules.trace_bits=8"}' | filecheck %s --check-prefix=NEAREST

// Parameters are constants. A trace of 20 ms has a range of 1 / (1 - exp(-1 / 20)) = 20.5, so that 16 bits have 11 places; its decay is 0.951229 = 31170 / 2^15.
// The weight is an integer of the scale 1 / 64, with bounds 0 and 64. It rounds up with the probability of its fraction, by a random number.
// CHECK:       ntensor.rule @stdp.additive.none.axonal.fc <axonal> weight "w" pre ["x"] post ["y"] randoms ["rounding_0"] derive {
// CHECK:         arith.constant 0.000000e+00 : f64
// CHECK-NEXT:    arith.constant 6.400000e+01 : f64
// CHECK:       initial {
// CHECK-NEXT:    fixed.constant 0
// CHECK:       on ["tick", "post", "pre", "post"] {
// CHECK:         [[C:%\S+]] = fixed.constant 31170
// CHECK-NEXT:    [[M:%\S+]] = fixed.mul %x{{[_0-9]*}}, [[C]]
// CHECK-NEXT:    [[K:%\S+]] = fixed.constant 15
// CHECK-NEXT:    fixed.shr [[M]], [[K]]
// CHECK:         fixed.shr %rounding
// CHECK-NOT:   ntensor.rule
// CHECK:       "learning rule in integers: window within 0.{{[0-9]+}}% of its largest change, x: u16 / 2^11, y: u16 / 2^11, weights round stochastically"
// CHECK:       plasticity = #ntensor.learning<@stdp.additive.none.axonal.fc, {seed = {{.*}} : f64}>

// Without random numbers, weights round to the nearest integer. Traces of 8 bits have 3 places.
// NEAREST:     ntensor.rule @stdp.additive.none.axonal.fc <axonal> weight "w" pre ["x"] post ["y"] derive {
// NEAREST:     x: u8 / 2^3, y: u8 / 2^3, weights round to the nearest
// NEAREST:     plasticity = #ntensor.learning<@stdp.additive.none.axonal.fc>
nir.graph @net("in" %x: tensor<2xi1>) -> ("out": tensor<1xi1>) {
  %0 = nir.linear "fc" %x {weight = #nopt.array<[[0.5, 0.25]] : tensor<1x2xf64>>, plasticity = #nir.rule<"stdp", {a_plus = 0.02, a_minus = 0.025, tau_plus = 0.02, tau_minus = 0.02, w_min = 0.0, w_max = 1.0}>} : tensor<2xi1> -> tensor<1xf32>
  %1 = nir.lif "lif" %0 {tau = #nopt.array<0.02 : tensor<f64>>, r = #nopt.array<20.0 : tensor<f64>>, v_leak = #nopt.array<0.0 : tensor<f64>>, v_threshold = #nopt.array<1.0 : tensor<f64>>, v_reset = #nopt.array<0.0 : tensor<f64>>} : tensor<1xf32> -> tensor<1xi1>
  nir.output %1 : tensor<1xi1>
}
