// RUN: not nopt %S/../inputs/rates.mlir -p ntensor-send-spikes 2>&1 | filecheck %s --check-prefix=CONTINUOUS
// CONTINUOUS:      error[NTE009]: no network in ticks
// CONTINUOUS-NEXT:   at: nir.graph @rates

// A value is neither a rate nor a spike: a neuron that emits values is refused.
// RUN: mutate 's/nir.lif "one"/nir.li "one"/' '/nir.li "one"/s/, v_threshold = .*}/}/' '/nir.li "one"/s/tensor<2xi1>/tensor<2xf32>/' '/fc2/s/, transmission = #nir.transmission<rate>/, transmission = #nir.transmission<analog>/' '/fc2/s/tensor<2xi1> ->/tensor<2xf32> ->/' %S/../inputs/rates.mlir > %t.mlir
// RUN: exits 1 nopt compile %t.mlir --target neurogrid --dt 1ms --like euler --reset value --passes ntensor-send-spikes -o %t.d 2>&1 | filecheck %s --check-prefix=ANALOG
// ANALOG:          error[LEG016]: update: neurogrid/board has no neuron for this population
// ANALOG-NEXT:       at: ntensor.neuron "one"
// ANALOG-NEXT:       expected: one of cuba_lif, if, lif (neurogrid/board, neuron.updates)
// ANALOG-NEXT:       found: li
