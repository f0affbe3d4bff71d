// RUN: not nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-set-neuron-model{to=nowhere}' 2>&1 | filecheck %s --check-prefix=FILE
// RUN: not nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" neuron=none}' 2>&1 | filecheck %s --check-prefix=NAME
// RUN: not nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=3 per=neuron},ntensor-set-neuron-model{to="%S/../inputs/fixed.neuron" neuron=only_cuba}' 2>&1 | filecheck %s --check-prefix=FAMILY
// RUN: not nopt %S/ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-set-neuron-model{to="%S/../inputs/wrong.neuron"}' 2>&1 | filecheck %s --check-prefix=TYPE

// A missing file.
// FILE: error[LEG023]: nowhere cannot be read
// FILE-NEXT:   at: to=nowhere
// FILE-NEXT:   expected: a file in the neuron language, or one of euler, {{.*}}
// FILE-NEXT:   found: {{.*}}
// FILE-NEXT:   help: nopt {{.*}}ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-set-neuron-model{to=norse}'

// A neuron that the file does not define.
// NAME: error[LEG024]: {{.*}}fixed.neuron has no neuron none
// NAME-NEXT:   at: neuron=none
// NAME-NEXT:   expected: fixed_lif, {{.*}}
// NAME-NEXT:   found: none
// NAME-NEXT:   help: nopt {{.*}}ntensor_set_neuron_model.mlir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-set-neuron-model{to="{{.*}}fixed.neuron" neuron=fixed_lif}'

// A neuron of another family.
// FAMILY: error[LEG025]: neuron only_cuba does not serve family lif
// FAMILY-NEXT:   at: ntensor.neuron "lif"
// FAMILY-NEXT:   expected: only_cuba for nir.cuba_lif
// FAMILY-NEXT:   found: family lif
// FAMILY-NEXT:   help: {{.*}}

// A type error is reported by the neuron language, at its place.
// TYPE: {{.*}}inputs/wrong.neuron:5:1: error[NEU012]: the value does not fit the declared width
// TYPE: note: ntensor-set-neuron-model wants it for "lif", "last"
