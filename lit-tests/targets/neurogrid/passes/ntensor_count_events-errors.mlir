// A weight is 1 to 127 events.
// RUN: exits 2 nopt %S/../inputs/weights.mlir -p 'ntensor-count-events{max-events=0}' 2>&1 | filecheck %s --check-prefix=OPTION
// RUN: nopt %S/../inputs/weights.mlir -p 'ntensor-count-events{max-events=127}' -o /dev/null
// RUN: exits 2 nopt %S/../inputs/weights.mlir -p 'ntensor-count-events{max-events=128}' 2>&1 | filecheck %s --check-prefix=MORE
// OPTION:      error[NGR011]: the number of events is out of range
// OPTION-NEXT:   at: max-events=0
// OPTION-NEXT:   expected: 1 to 127
// OPTION-NEXT:   found: 0
// OPTION-NEXT:   help: nopt {{.*}}weights.mlir -p 'ntensor-count-events{max-events=1}'
// MORE:        error[NGR011]
// MORE:          found: 128
// MORE-NEXT:     help: nopt {{.*}}weights.mlir -p 'ntensor-count-events{max-events=127}'

// 0.5, 1.0 and 1.5 are 1 to 3 events, which is the most that fits.
// RUN: nopt %S/../inputs/weights.mlir -p 'ntensor-count-events{max-events=3}' -o /dev/null
// RUN: exits 1 nopt %S/../inputs/weights.mlir -p 'ntensor-count-events{max-events=2}' 2>&1 | filecheck %s --check-prefix=OWN
// OWN:         error[NGR012]: excitatory weights of "fc" do not count events
// OWN-NEXT:      at: ntensor.linear "fc"
// OWN-NEXT:      expected: weights that are up to 2 times one weight: all synapses of a population share its conductance
// OWN-NEXT:      found: 3 different weights from 0.5 to 1.5
// OWN-NEXT:      help: nopt {{.*}}weights.mlir -p 'ntensor-replace-biases,ntensor-repeat-events{max-events=2},ntensor-count-events{max-events=2}'
// OWN-NEXT:        nopt {{.*}}weights.mlir -p 'ntensor-replace-biases,ntensor-repeat-events{max-events=1},ntensor-count-events{max-events=2}'

// The help is followed.
// RUN: nopt %S/../inputs/weights.mlir -p 'ntensor-replace-biases,ntensor-repeat-events{max-events=2},ntensor-count-events{max-events=2}' -o /dev/null
// RUN: nopt %S/../inputs/weights.mlir -p 'ntensor-replace-biases,ntensor-repeat-events{max-events=1},ntensor-count-events{max-events=1}' -o /dev/null

// Weights are numbers.
// RUN: mutate 's/\[\[0.5, -0.25, 1.0\], \[0.0, -0.75, 1.5\]\]/"0x000000000000f07f000000000000f03f000000000000f03f000000000000f03f000000000000f03f000000000000f03f"/' %S/../inputs/weights.mlir | exits 1 nopt - -p ntensor-count-events 2>&1 | filecheck %s --check-prefix=FINITE
// FINITE:      error[NGR013]: a weight is not finite
// FINITE-NEXT:   at: ntensor.linear "fc"
// FINITE-NEXT:   expected: finite numbers
// FINITE-NEXT:   found: NaN or infinity
// FINITE-NEXT:   help: correct the weight in the file that it came from
