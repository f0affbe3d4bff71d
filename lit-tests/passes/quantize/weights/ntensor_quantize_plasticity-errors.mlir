// RUN: not nopt %s -p 'ntensor-quantize-plasticity{device=asic/mesh}' 2>&1 | filecheck %s --check-prefix=MESH
// RUN: not nopt %s -p ntensor-quantize-plasticity 2>&1 | filecheck %s --check-prefix=NONE
// RUN: not nopt %s -p 'ntensor-quantize-plasticity{device=loihi2/oheo_gulch nodes=fc2}' 2>&1 | filecheck %s --check-prefix=NODE
// RUN: nopt %s -p 'ntensor-quantize-plasticity{device=loihi2/oheo_gulch}' -o /dev/null

// A device without quantized constants, no device, a node that does not exist.
// MESH:      error[QUA023]: asic/mesh declares no constants of learning rules
// MESH-NEXT:   at: ntensor.linear "fc"
// MESH-NEXT:   expected: plasticity.NAME with the rule stdp, mantissa_bits, exponent, impulse and register_bits (asic/mesh, plasticity)
// MESH-NEXT:   found: pairs (stdp)
// MESH-NEXT:   help: nopt {{.*}}ntensor_quantize_plasticity-errors.mlir -p 'ntensor-freeze-plasticity{nodes=fc},ntensor-quantize-plasticity{device=asic/mesh}'
// NONE:      error[DEV023]
// NODE:      error[ANA031]: ntensor-quantize-plasticity has no node "fc2" to work on

// Bounds that a register does not have: the lower one is half of the upper one. Weights of one sign learn from 0.
// RUN: mutate 's/-1.0, 1.0>/-0.5, 1.0>/' %s | not nopt - -p 'ntensor-quantize-plasticity{device=loihi2/oheo_gulch}' 2>&1 | filecheck %s --check-prefix=SKEWED
// RUN: mutate 's/-1.0, 1.0>/0.1, 1.0>/' 's/-0.25/0.25/' %s | not nopt - -p 'ntensor-quantize-plasticity{device=loihi2/oheo_gulch}' 2>&1 | filecheck %s --check-prefix=ABOVE
// RUN: mutate 's/-1.0, 1.0>/1.0, 1.0>/' 's/-0.25/0.25/' %s | not nopt - -p 'ntensor-quantize-plasticity{device=loihi2/oheo_gulch}' 2>&1 | filecheck %s --check-prefix=EMPTY
// RUN: mutate 's/-1.0, 1.0>/0.0039, 1.0>/' 's/-0.25/0.25/' %s | nopt - -p 'ntensor-quantize-plasticity{device=loihi2/oheo_gulch}' -o /dev/null
// SKEWED:      error[QUA024]: the bounds of a learning rule are not the ends of a register
// SKEWED-NEXT:   at: ntensor.linear "fc"
// SKEWED-NEXT:   expected: w_min and w_max at -128 and 127 steps of the weights, which are mixed
// SKEWED-NEXT:   found: -0.5 and 1, with a step of 0.00588235
// SKEWED-NEXT:   help: nopt - -p 'ntensor-freeze-plasticity{nodes=fc},ntensor-quantize-plasticity{device=loihi2/oheo_gulch}'
// SKEWED-NEXT:   note: with this distance the bounds are -0.752941 and 0.747059
// ABOVE:       error[QUA024]
// ABOVE:         expected: w_min and w_max at 0 and 127.5 steps of the weights, which are excitatory
// ABOVE-NEXT:    found: 0.1 and 1, with a step of 0.00705882
// EMPTY:       error[QUA024]
// EMPTY:         found: 1 and 1

// Constants: half of the least coefficient, 2^-8 * 16 / 255 = 0.000245, vanishes; 7.5 * 2^4 * 16 / 255 = 7.53 saturates. Just inside both are rounded.
// RUN: mutate 's/<0.01, 0.012/<0.000245, 0.012/' %s | not nopt - -p 'ntensor-quantize-plasticity{device=loihi2/oheo_gulch}' 2>&1 | filecheck %s --check-prefix=TINY
// RUN: mutate 's/<0.01, 0.012/<0.01, 7.54/' %s | not nopt - -p 'ntensor-quantize-plasticity{device=loihi2/oheo_gulch}' 2>&1 | filecheck %s --check-prefix=LARGE
// RUN: mutate 's/<0.01, 0.012/<0.000246, -7.52/' %s | nopt - -p 'ntensor-quantize-plasticity{device=loihi2/oheo_gulch}' -o /dev/null
// TINY:       error[QUA025]: a_plus of its plasticity is out of range
// TINY-NEXT:    at: ntensor.linear "fc"
// TINY-NEXT:    expected: 0, or 0.00049 to 7.03 in size
// TINY-NEXT:    found: 0.000245
// TINY-NEXT:    help: nopt - -p 'ntensor-freeze-plasticity{nodes=fc},ntensor-quantize-plasticity{device=loihi2/oheo_gulch}'
// LARGE:      error[QUA025]: a_minus of its plasticity is out of range
// LARGE:        found: 7.54

// Other weights in the same sum that need more than 127 steps.
// RUN: mutate 's/\[\[0.75\]\]/[[1.01]]/' %s | not nopt - -p 'ntensor-quantize-plasticity{device=loihi2/oheo_gulch}' 2>&1 | filecheck %s --check-prefix=WIDE
// WIDE:       error[QUA026]: weights exceed the range of a learning rule of their population
// WIDE-NEXT:    at: ntensor.linear "static"
// WIDE-NEXT:    expected: at most 0.996078, the range of the weights of "fc" in the same sum
// WIDE-NEXT:    found: 1.01
// WIDE-NEXT:    help: nopt - -p 'ntensor-freeze-plasticity{nodes=fc},ntensor-quantize-plasticity{device=loihi2/oheo_gulch}'

// Weights that are not finite.
// RUN: mutate 's/\[\[0.5, -0.25\]\]/"0x000000000000e03f000000000000f07f"/' %s | not nopt - -p 'ntensor-quantize-plasticity{device=loihi2/oheo_gulch}' 2>&1 | filecheck %s --check-prefix=NAN
// NAN:        error[QUA030]: a weight is not finite

// Weights of integers have the step 1, which they keep.
// RUN: mutate 's/\[\[0.5, -0.25\]\] : tensor<1x2xf64>/[[5, -2]] : tensor<1x2xi8>/' 's/\[\[0.75\]\] : tensor<1x1xf64>/[[3]] : tensor<1x1xi8>/' 's/xf64>/xi16>/g' %s | not nopt - -p 'ntensor-quantize-plasticity{device=loihi2/oheo_gulch}' 2>&1 | filecheck %s --check-prefix=INTEGERS
// INTEGERS:   error[QUA024]
// INTEGERS:     found: -1 and 1, with a step of 1
ntensor.network @net("in" %x: tensor<2xi1>, "two" %u: tensor<1xi1>) -> ("out": tensor<1xf64>) attributes {tick_ns = 1000} {
  %y = ntensor.linear "fc" %x {weight = #nopt.array<[[0.5, -0.25]] : tensor<1x2xf64>>, plasticity = #nir.stdp<0.01, 0.012, 0.02, 0.03, -1.0, 1.0>} : tensor<2xi1> -> tensor<1xf64>
  %w = ntensor.linear "static" %u {weight = #nopt.array<[[0.75]] : tensor<1x1xf64>>} : tensor<1xi1> -> tensor<1xf64>
  %s = ntensor.sum %y, %w : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
  ntensor.output %s : tensor<1xf64>
}
