// Reals are finite, and currents are those of the bias generator: 1 mA is not, and a decay of 1 needs a current of 0.
// RUN: mutate 's/i_dc = #nopt.array<[^:]* /i_dc = #nopt.array<"0x000000000000f87f" /' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=NAN
// RUN: mutate 's/i_w = #nopt.array<[^:]* /i_w = #nopt.array<0.001 /' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=CURRENT
// RUN: mutate 's/decay_syn = #nopt.array<0.5 /decay_syn = #nopt.array<1.0 /' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=DECAY
// NAN:            error[CHI007]: i_dc is out of range
// NAN:              expected: finite numbers
// NAN-NEXT:         found: nan
// CURRENT:        error[CHI007]: i_w is out of range
// CURRENT:          expected: numbers above 0 up to 2.394e-06
// CURRENT-NEXT:     found: 0.001
// DECAY:          error[CHI007]: decay_syn is out of range
// DECAY:            expected: numbers above 0 below 1

// The model computes what follows from the currents, and starts without charge.
// RUN: mutate 's/gain_mem = #nopt.array<4.0 /gain_mem = #nopt.array<5.0 /' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=GAIN
// RUN: mutate 's/imem = #nopt.array<5.0e-13 /imem = #nopt.array<1.0e-12 /' %S/inputs/dynapse.mlir | not nopt - 2>&1 | filecheck %s --check-prefix=CHARGE
// GAIN:           error[DSN007]: gain_mem does not follow from the circuit
// GAIN-NEXT:        at: dynapse.neurons "one/0"
// GAIN-NEXT:        expected: 4
// GAIN-NEXT:        found: 5
// CHARGE:         error[DSN007]: imem does not follow from the circuit
// CHARGE:           expected: 5e-13
// CHARGE-NEXT:      found: 1e-12
