// RUN: not nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" nodes=lef}' 2>&1 | filecheck %s --check-prefix=NODE
// RUN: not nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" neuron=reading_li}' 2>&1 | filecheck %s --check-prefix=KIND
// RUN: not nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron"},ntensor-set-neuron-model{to=norse}' 2>&1 | filecheck %s --check-prefix=BACK
// RUN: not nopt %S/../inputs/shared.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=tensor},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" nodes=b,a}' -o /dev/null 2>&1 | filecheck %s --check-prefix=TOGETHER
// RUN: not nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=9 per=neuron},ntensor-quantize-bias,ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron"}' -o /dev/null 2>&1 | filecheck %s --check-prefix=CLIPPED
// RUN: nopt %S/ntensor_set_neuron_model.mlir --strict -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=9 per=neuron},ntensor-quantize-bias,ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" approximate=threshold}' 2>&1 | filecheck %s --check-prefix=ALLOWED
// RUN: nopt %S/ntensor_set_neuron_model.mlir --strict -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=8 per=neuron},ntensor-quantize-bias,ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron"}' 2>&1 | filecheck %s --check-prefix=FITS
// RUN: not nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" accumulator=65}' 2>&1 | filecheck %s --check-prefix=WIDTH

// A sum must not exceed 64 bits.
// WIDTH: error[LEG049]: the bits of an accumulator are out of range
// WIDTH-NEXT:   at: accumulator=65
// WIDTH-NEXT:   expected: 1 to 64
// WIDTH-NEXT:   found: 65
// WIDTH-NEXT:   help: nopt {{.*}}ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-set-neuron-model{to="{{.*}}fixed.neuron" accumulator=64}'

// An unknown population.
// NODE: error[LEG046]: unknown population "lef"
// NODE-NEXT:   at: nodes
// NODE-NEXT:   expected: lif, last
// NODE-NEXT:   found: lef
// NODE-NEXT:   help: nopt {{.*}}ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-set-neuron-model{to="{{.*}}fixed.neuron" nodes=lif}'

// Spikes are not converted to numbers.
// KIND: error[LEG047]: @reading_li sends another kind of signal
// KIND-NEXT:   at: ntensor.neuron "lif"
// KIND-NEXT:   expected: spike
// KIND-NEXT:   found: graded

// Integers are not converted back to reals.
// BACK: error[LEG047]: input x of @norse_lif.value is real, and its operand is integers
// BACK-NEXT:   at: ntensor.neuron "lif"
// BACK-NEXT:   expected: reals
// BACK-NEXT:   found: i8

// The threshold 1000 does not fit into 8 bits, with weights of any width.
// TOGETHER: error[LEG048]: parameter th of @fixed_lif is clipped: threshold
// TOGETHER-NEXT:   at: ntensor.neuron "b"
// TOGETHER-NEXT:   expected: 0..255
// TOGETHER-NEXT:   found: 1000, in all neurons alike
// TOGETHER-NEXT:   help: nopt {{.*}}shared.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=tensor},ntensor-set-neuron-model{to="{{.*}}fixed.neuron" nodes=b,a approximate=threshold}' -o {{.*}}null

// With nine bits 1 is worth 1 / 128, and the threshold 2.25 is 288 of them; with eight bits, 144. Both parts of the help work.
// CLIPPED: error[LEG048]: parameter th of @fixed_lif is clipped: threshold
// CLIPPED-NEXT:   at: ntensor.neuron "lif"
// CLIPPED-NEXT:   expected: 0..255
// CLIPPED-NEXT:   found: 288, in 1 of 2 neurons
// CLIPPED-NEXT:   help: nopt {{.*}}ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=8 per=neuron},ntensor-quantize-bias,ntensor-set-neuron-model{to="{{.*}}fixed.neuron"}' -o {{.*}}null
// CLIPPED-NEXT:     nopt {{.*}}ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=9 per=neuron},ntensor-quantize-bias,ntensor-set-neuron-model{to="{{.*}}fixed.neuron" approximate=threshold}' -o {{.*}}null
// ALLOWED: threshold differs (th is clipped to 0..255, 288 wanted)
// FITS-NOT: LEG048
// FITS: ntensor.neuron "lif" @fixed_lif
