// The dense table of inputs/loihi2.mlir with a learning rule in place of RULE.
// RUN: mutate 's/delay = #nopt.array<0 : tensor<i32>>}/delay = #nopt.array<0 : tensor<i32>>, learning_rule = #loihi2.learning_rule<RULE>}/' %S/inputs/loihi2.mlir > %t

// The rule of pair STDP. Entries are printed in the order of Lava's arguments, numbers of 0 are omitted, and the epoch is 1 unless it is given.
// RUN: mutate 's/RULE/y1_tau = 20, y1_impulse = 16.0, x2_tau = 0.0, x1_tau = 20.5, x1_impulse = 16, dw = "2^-7 * x1 * y0 - 2^-7 * y1 * x0"/' %t | nopt - | filecheck %s --check-prefix=PAIR
// PAIR: learning_rule = #loihi2.learning_rule<dw = "2^-7 * x1 * y0 - 2^-7 * y1 * x0", x1_impulse = 16.0, x1_tau = 20.5, y1_impulse = 16.0, y1_tau = 20.0, t_epoch = 1>}

// All equations, each dependency, and every variable as a factor.
// RUN: mutate 's/RULE/dw = "x0 * x1 * x2 * y1 * y2 * y3 - y0 * w * d * t", dd = "u9 * sgn(w) * sgn(d) * sgn(t)", dt = "u9 * x0 * y0", t_epoch = 63/' %t | nopt - | filecheck %s --check-prefix=ALL
// ALL: learning_rule = #loihi2.learning_rule<dw = "x0 * x1 * x2 * y1 * y2 * y3 - y0 * w * d * t", dd = "u9 * sgn(w) * sgn(d) * sgn(t)", dt = "u9 * x0 * y0", t_epoch = 63>}

// Scaling constants at both ends: mantissas -8 and 7, exponents -7 and 8. Even mantissas are halved: 64 * 2^4 = 4 * 2^8, -16 * 2^-8 = -4 * 2^-6. Numbers multiply.
// RUN: mutate 's/RULE/dw = "7 * 2^8 * x0 - 7 * 2^-7 * x0"/' %t | nopt - -o /dev/null
// RUN: mutate 's/RULE/dw = "- 8 * 2^8 * x0"/' %t | nopt - -o /dev/null
// RUN: mutate 's/RULE/dw = "64 * 2^4 * x0 - 16 * 2^-8 * x0"/' %t | nopt - -o /dev/null
// RUN: mutate 's/RULE/dw = "3 * x0 * (-2) * 2^-7"/' %t | nopt - -o /dev/null
// RUN: mutate 's/RULE/dw = "0 * x0"/' %t | nopt - -o /dev/null

// Constants of factors have 8 bits; those of w and t are even, since their half is stored.
// RUN: mutate 's/RULE/dw = "x0 * (x1 + 127) * (y1 - 128)"/' %t | nopt - -o /dev/null
// RUN: mutate 's/RULE/dw = "x0 * (w + 254) * (t - 256) * (d + 127)"/' %t | nopt - -o /dev/null
// RUN: mutate 's/RULE/dw = "x0 * (1 - x1) * (-3 * 2^2 + y2) * sgn(w - 2) * (y0 + 1)"/' %t | nopt - -o /dev/null

// Traces, at both ends: impulses are multiples of 2^-8.
// RUN: mutate 's/RULE/dw = "x1 * y0", x1_impulse = 127, x1_tau = 65535/' %t | nopt - -o /dev/null
// RUN: mutate 's/RULE/dw = "x1 * y0", x1_impulse = 0.00390625, x1_tau = 0/' %t | nopt - -o /dev/null

// A weight of 0 that learns is a synapse: 4 in place of 3, which the contract counts.
// RUN: mutate 's@machine.device@machine.set = ["core.fan_in=1"], machine.device@' 's/RULE/dw = "x1 * y0"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=ZERO
// RUN: mutate 's/, learning_rule = #loihi2.learning_rule<RULE>//' 's/\[\[6, -14\], \[0, 10\]\]/[[6, 0], [0, 10]]/' 's@machine.device@machine.set = ["core.fan_in=1"], machine.device@' %t | nopt - -o /dev/null
// RUN: mutate 's/RULE/dw = "x1 * y0"/' 's/\[\[6, -14\], \[0, 10\]\]/[[6, 0], [0, 10]]/' 's@machine.device@machine.set = ["core.fan_in=1"], machine.device@' %t | not nopt - 2>&1 | filecheck %s --check-prefix=ZERO
// ZERO:      error[DEV016]: fan-in 2 exceeds the limit {{\d+}}
// ZERO:        found: 2 synapses

// A source of synapses that learn takes two input axons: 2 + 2.
// RUN: mutate 's@machine.device@machine.set = ["core.input_axons=4"], machine.device@' 's/RULE/dw = "x1 * y0"/' %t | nopt - -o /dev/null
// RUN: mutate 's@machine.device@machine.set = ["core.input_axons=3"], machine.device@' 's/RULE/dw = "x1 * y0"/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=AXONS
// AXONS:      error[DEV016]: input axons 4 exceed the limit 3
// AXONS-NEXT:   at: loihi2.compartments "lif1/0"
// AXONS-NEXT:   expected: at most 3 axons (loihi2/oheo_gulch, core.input_axons: {{.*}})
// AXONS-NEXT:   found: 4 axons

// Two traces of sources with different numbers are two configurations of the core; y1 is none, nor is a trace that no product reads.
// RUN: mutate 's@machine.device@machine.set = ["core.pre_traces=2"], machine.device@' 's/RULE/dw = "x1 * x2 * y0 + y1 * x0", x1_tau = 3, x2_tau = 4, y1_tau = 5/' %t | nopt - -o /dev/null
// RUN: mutate 's@machine.device@machine.set = ["core.pre_traces=1"], machine.device@' 's/RULE/dw = "x1 * x2 * y0 + y1 * x0", x1_tau = 3, x2_tau = 3, y1_tau = 5/' %t | nopt - -o /dev/null
// RUN: mutate 's@machine.device@machine.set = ["core.pre_traces=1"], machine.device@' 's/RULE/dw = "x1 * y0", x1_tau = 3, x2_tau = 4/' %t | nopt - -o /dev/null
// RUN: mutate 's@machine.device@machine.set = ["core.pre_traces=1"], machine.device@' 's/RULE/dw = "x1 * x2 * y0", x1_tau = 3, x2_tau = 4/' %t | not nopt - 2>&1 | filecheck %s --check-prefix=TRACES
// TRACES:      error[DEV016]: classes of pre traces 2 exceed the limit 1
// TRACES:        expected: at most 1 class (loihi2/oheo_gulch, core.pre_traces: {{.*}})
// TRACES-NEXT:   found: 2 classes
