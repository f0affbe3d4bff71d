// RUN: python %S/../../targets/reference/inputs/save.py %t.npy '[[1, 0], [1, 1]]'
// RUN: rm -rf %t && nopt compile %S/../../targets/asic/inputs/net.mlir --target loihi2/oheo_gulch --dt 1ms --like norse -o %t

// A property must have the kind of value that the op defines.
// RUN: rm -rf %t.copy && cp -r %t %t.copy && mutate -i 's/"num_weight_bits": 4/"num_weight_bits": 4.5/' %t.copy/artefact/network.json
// RUN: exits 1 nopt run %t.copy --input %t.npy 2>&1 | filecheck %s --check-prefix=KIND
// RUN: rm -rf %t.copy && cp -r %t %t.copy && mutate -i 's/"tick_ns": 1000000/"tick_ns": 1000000000000000000000/' %t.copy/artefact/network.json
// RUN: exits 1 nopt run %t.copy --input %t.npy 2>&1 | filecheck %s --check-prefix=RANGE
// KIND:       error[CHI023]: chip.body[1].body[0].body[0].num_weight_bits of network.json is invalid
// KIND-NEXT:    at: $.chip.body[1].body[0].body[0].num_weight_bits (network.json)
// KIND-NEXT:    expected: an integer
// KIND-NEXT:    found: 4.5
// KIND-NEXT:    help: nopt compile FILE --target TARGET/DEVICE -o DIR
// RANGE:      error[CHI023]: chip.tick_ns of network.json is invalid
// RANGE:        expected: an integer from -9223372036854775808 to 9223372036854775807

// Ops and the cases of an enumeration must exist.
// RUN: rm -rf %t.copy && cp -r %t %t.copy && mutate -i 's/"sign_mode": "mixed"/"sign_mode": "both"/' %t.copy/artefact/network.json
// RUN: exits 1 nopt run %t.copy --input %t.npy 2>&1 | filecheck %s --check-prefix=SIGN
// RUN: rm -rf %t.copy && cp -r %t %t.copy && mutate -i 's/"op": "loihi2.dense"/"op": "loihi2.ragged"/' %t.copy/artefact/network.json
// RUN: exits 1 nopt run %t.copy --input %t.npy 2>&1 | filecheck %s --check-prefix=OP
// RUN: rm -rf %t.copy && cp -r %t %t.copy && mutate -i 's/"op": "loihi2.chip"/"op": "builtin.module"/' '/"sym_name"/d' '/"tick_ns"/d' %t.copy/artefact/network.json
// RUN: exits 1 nopt run %t.copy --input %t.npy 2>&1 | filecheck %s --check-prefix=CHIP
// SIGN:       error[CHI023]: chip.body[1].body[0].body[0].sign_mode of network.json is invalid
// SIGN:         expected: one of mixed, excitatory, inhibitory
// OP:         error[CHI023]: chip.body[1].body[0].body[0].op of network.json is invalid
// OP:           expected: an op of loihi2
// OP-NEXT:      found: "loihi2.ragged"
// CHIP:       error[CHI023]: chip.op of network.json is invalid
// CHIP:         expected: an op of loihi2

// An op has its members, and no others.
// RUN: rm -rf %t.copy && cp -r %t %t.copy && mutate -i '/"update": "loihi"/d' %t.copy/artefact/network.json
// RUN: exits 1 nopt run %t.copy --input %t.npy 2>&1 | filecheck %s --check-prefix=ABSENT
// RUN: rm -rf %t.copy && cp -r %t %t.copy && mutate -i 's/"update": "loihi"/"update": "loihi", "speed": 2/' %t.copy/artefact/network.json
// RUN: exits 1 nopt run %t.copy --input %t.npy 2>&1 | filecheck %s --check-prefix=UNKNOWN
// ABSENT:     error[CHI023]: chip.body[1].body[0] of network.json is invalid
// ABSENT:       expected: an object with "update"
// UNKNOWN:    error[CHI023]: chip.body[1].body[0] of network.json is invalid
// UNKNOWN:      expected: the members op, node, source, index, type, update, initial, profile, threshold, registers, body, attributes
// UNKNOWN-NEXT: found: speed

// Another version of the format is not read.
// RUN: rm -rf %t.copy && cp -r %t %t.copy && mutate -i 's@nopt.loihi2/2@nopt.loihi2/1@' %t.copy/artefact/network.json
// RUN: exits 1 nopt run %t.copy --input %t.npy 2>&1 | filecheck %s --check-prefix=VERSION
// VERSION:    error[CHI023]: schema of network.json is invalid
// VERSION:      expected: "nopt.loihi2/2"
// VERSION-NEXT: found: "nopt.loihi2/1"

// A type is written as MLIR prints it.
// RUN: rm -rf %t.copy && cp -r %t %t.copy && mutate -i 's/"type": "tensor<2xi1>"/"type": "tensor<2xi1> x"/' %t.copy/artefact/network.json
// RUN: exits 1 nopt run %t.copy --input %t.npy 2>&1 | filecheck %s --check-prefix=TYPE
// TYPE:       error[CHI023]: chip.body[0].type of network.json is invalid
// TYPE:         expected: tensor<2xi1>

// An array has as many numbers as its shape, and numbers of its type.
// RUN: rm -rf %t.copy && cp -r %t %t.copy && mutate -i 's/"shape": \[2, 3\]/"shape": [2, 4]/' %t.copy/artefact/network.json
// RUN: exits 1 nopt run %t.copy --input %t.npy 2>&1 | filecheck %s --check-prefix=SHAPE
// RUN: rm -rf %t.copy && cp -r %t %t.copy && mutate -i 's/"values": \[128, 0/"values": [32768, 0/' %t.copy/artefact/network.json
// RUN: exits 1 nopt run %t.copy --input %t.npy 2>&1 | filecheck %s --check-prefix=NUMBER
// SHAPE:      error[CHI023]: chip.body[1].body[0].body[0].weight.values of network.json is invalid
// SHAPE:        expected: 8 numbers, as the shape [2, 4] requires
// SHAPE-NEXT:   found: 6 numbers
// NUMBER:     error[CHI023]: chip.body[1].body[0].body[0].weight.values[0] of network.json is invalid
// NUMBER:       expected: an integer from -32768 to 32767

// An array must be in the file that the network names, with its type and shape. No other path is read.
// RUN: rm -rf %t.big && nopt compile %root/examples/digits/fc.nir --target loihi2/oheo_gulch --dt 1ms --like norse -o %t.big
// RUN: python -c "import numpy; numpy.save('%t.digit.npy', numpy.zeros((2, 64)))"
// RUN: rm -rf %t.copy && cp -r %t.big %t.copy && rm %t.copy/artefact/arrays/0003.npy
// RUN: exits 1 nopt run %t.copy --input %t.digit.npy 2>&1 | filecheck %s --check-prefix=MISSING
// RUN: rm -rf %t.copy && cp -r %t.big %t.copy && mutate -i 's@arrays/0003.npy@../0003.npy@' %t.copy/artefact/network.json
// RUN: exits 1 nopt run %t.copy --input %t.digit.npy 2>&1 | filecheck %s --check-prefix=PATH
// RUN: rm -rf %t.copy && cp -r %t.big %t.copy && python -c "import numpy; numpy.save('%t.copy/artefact/arrays/0003.npy', numpy.zeros(2))"
// RUN: exits 1 nopt run %t.copy --input %t.digit.npy 2>&1 | filecheck %s --check-prefix=OTHER
// RUN: rm -rf %t.copy && cp -r %t.big %t.copy && echo > %t.copy/artefact/arrays/0003.npy
// RUN: exits 1 nopt run %t.copy --input %t.digit.npy 2>&1 | filecheck %s --check-prefix=BROKEN
// MISSING:    error[CHI023]: arrays/0003.npy cannot be read
// MISSING-NEXT: at: arrays/0003.npy
// PATH:       error[CHI023]: {{.*}}.file of network.json is invalid
// PATH:         expected: arrays/NNNN.npy with decimal digits
// OTHER:      error[CHI023]: arrays/0003.npy holds another array
// BROKEN:     error[CHI023]: arrays/0003.npy cannot be read

// A damaged file of nested lists is refused.
// RUN: rm -rf %t.copy && cp -r %t %t.copy && python -c "open('%t.copy/artefact/network.json', 'w').write('{\"schema\": \"nopt.loihi2/2\", \"chip\": ' + '{\"op\": \"loihi2.neuro_core\", \"body\": [' * 300 + ']}' * 300 + '}')"
// RUN: exits 1 nopt run %t.copy --input %t.npy 2>&1 | filecheck %s --check-prefix=DEEP
// DEEP:       error[CHI023]: {{.*}} of network.json is invalid
