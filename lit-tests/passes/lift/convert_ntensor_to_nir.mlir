// RUN: nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=2},convert-ntensor-to-nir' | filecheck %s
// RUN: nopt %s --split-input-file -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse},ntensor-quantize-weights{bits=2},convert-ntensor-to-nir' 2>&1 | filecheck %s --check-prefix=SAID

// Weights have their present values: multiples of the largest, 1, in the type of the network's reals. Parameters have their original values; the delay of the loop is removed.
// CHECK:      nir.graph @loop("input" %input: tensor<2xf32>) -> ("output": tensor<2xi1>) {
// CHECK-NEXT{LITERAL}:   %fc = nir.linear "fc" %input {weight = #nopt.array<[[1.0, 0.0], [0.0, 1.0]] : tensor<2x2xf64>>} : tensor<2xf32> -> tensor<2xf32>
// CHECK-NEXT:   [[S:%.*]] = nir.sum %w_rec, %fc : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:   %lif = nir.lif "lif" [[S]] {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.25 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
// CHECK-NEXT{LITERAL}:   %w_rec = nir.affine "w_rec" %lif {weight = #nopt.array<[[0.0, -1.0], [-1.0, 0.0]] : tensor<2x2xf64>>, bias = #nopt.array<[0.5, 0.0] : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xf32>
// CHECK-NEXT:   nir.output %lif : tensor<2xi1>
// CHECK-NEXT: }

// Dropped features are reported once for each network, with the command that restores the network.
// SAID:      remark[NRM010]: data that NIR cannot store were left out
// SAID-NEXT:   at: ntensor.network @loop
// SAID-NEXT:   expected: this network again
// SAID-NEXT:   found: its numbers, without what they were made with
// SAID-NEXT:   help: nopt FILE.nir -p 'convert-nir-to-ntensor{dt-ns=1000000 like=norse}'
// SAID-NEXT:   note: the command of the help makes this network again
// SAID-NEXT:   note: 3 records of what was approximated
// SAID-NEXT:   note: that weights are integers times a scale: "fc", "w_rec"
nir.graph @loop("input" %x: tensor<2xf32>) -> ("output": tensor<2xi1>) {
  %s = nir.sum %r, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %z = nir.lif "lif" %s {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.0 : tensor<f32>>, v_threshold = #nopt.array<1.0 : tensor<f32>>, v_reset = #nopt.array<0.25 : tensor<f32>>} : tensor<2xf32> -> tensor<2xi1>
  %r = nir.affine "w_rec" %z {weight = #nopt.array<[[0.0, -1.0], [-0.75, 0.0]] : tensor<2x2xf32>>, bias = #nopt.array<[0.5, 0.0] : tensor<2xf32>>} : tensor<2xi1> -> tensor<2xf32>
  %y = nir.linear "fc" %x {weight = #nopt.array<[[1.0, 0.3], [0.25, 1.0]] : tensor<2x2xf32>>} : tensor<2xf32> -> tensor<2xf32>
  nir.output %z : tensor<2xi1>
}

// -----

// Every other node: convolutions (`same` pads a kernel of 2 only at the end), pools, scales, Flatten, Identity, and user's delays, in seconds.
// CHECK:      nir.graph @nodes
// CHECK-NEXT:   %conv = nir.conv2d "conv" %input {weight = {{.*}} stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = "same", dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = #nopt.array<1 : tensor<i64>>
// CHECK-NEXT:   %pad = nir.conv2d "pad" %conv {{.*}} padding = #nopt.array<[1, 0] : tensor<2xi64>>
// CHECK-NEXT:   %pool = nir.avg_pool2d "pool" %pad {kernel_size = #nopt.array<[2, 1] : tensor<2xi64>>, stride = #nopt.array<[2, 1] : tensor<2xi64>>, padding = #nopt.array<[0, 0] : tensor<2xi64>>}
// CHECK-NEXT:   %late = nir.delay "late" %pool {delay = #nopt.array<0.003 : tensor<f32>>} : tensor<1x2x2xf32>
// CHECK-NEXT:   %flat = nir.flatten "flat" %late {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<1 : tensor<i64>>} : tensor<1x2x2xf32> -> tensor<2x2xf32>
// CHECK-NEXT:   %same = nir.identity "same" %flat : tensor<2x2xf32> -> tensor<2x2xf32>
// CHECK-NEXT:   %scale = nir.scale "scale" %same {scale = #nopt.array<2.0 : tensor<f64>>} : tensor<2x2xf32> -> tensor<2x2xf32>
// CHECK-NEXT:   %li = nir.li "li" %scale {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.5 : tensor<f32>>} : tensor<2x2xf32> -> tensor<2x2xf32>
nir.graph @nodes("input" %x: tensor<1x2x2xf32>) -> ("output": tensor<2x2xf32>) {
  %a = nir.conv2d "conv" %x {weight = #nopt.array<[[[[1.0, -1.0], [0.0, 1.0]]]] : tensor<1x1x2x2xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = "same", dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<[0.5] : tensor<1xf32>>} : tensor<1x2x2xf32> -> tensor<1x2x2xf32>
  %b = nir.conv2d "pad" %a {weight = #nopt.array<[[[[1.0]]]] : tensor<1x1x1x1xf32>>, stride = #nopt.array<1 : tensor<i64>>, padding = #nopt.array<[1, 0] : tensor<2xi64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1x2x2xf32> -> tensor<1x4x2xf32>
  %c = nir.avg_pool2d "pool" %b {kernel_size = #nopt.array<[2, 1] : tensor<2xi64>>, stride = #nopt.array<[2, 1] : tensor<2xi64>>, padding = #nopt.array<0 : tensor<i64>>} : tensor<1x4x2xf32> -> tensor<1x2x2xf32>
  %d = nir.delay "late" %c {delay = #nopt.array<0.003 : tensor<f32>>} : tensor<1x2x2xf32> -> tensor<1x2x2xf32>
  %e = nir.flatten "flat" %d {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<1 : tensor<i64>>} : tensor<1x2x2xf32> -> tensor<2x2xf32>
  %f = nir.identity "same" %e : tensor<2x2xf32> -> tensor<2x2xf32>
  %g = nir.scale "scale" %f {scale = #nopt.array<2.0 : tensor<f32>>} : tensor<2x2xf32> -> tensor<2x2xf32>
  %h = nir.li "li" %g {tau = #nopt.array<0.02 : tensor<f32>>, r = #nopt.array<1.0 : tensor<f32>>, v_leak = #nopt.array<0.5 : tensor<f32>>} : tensor<2x2xf32> -> tensor<2x2xf32>
  nir.output %h : tensor<2x2xf32>
}

// -----

// A reshape that splits an axis; one that joins axes is a Flatten.
// CHECK:      nir.graph @reshape
// CHECK-NEXT:   %split = nir.reshape "split" %input {shape = #nopt.array<[2, 2] : tensor<2xi64>>} : tensor<4xf32> -> tensor<2x2xf32>
// CHECK-NEXT:   %joined = nir.flatten "joined" %split {start_dim = #nopt.array<0 : tensor<i64>>, end_dim = #nopt.array<1 : tensor<i64>>} : tensor<2x2xf32> -> tensor<4xf32>
nir.graph @reshape("input" %x: tensor<4xf32>) -> ("output": tensor<4xf32>) {
  %a = nir.reshape "split" %x {shape = #nopt.array<[2, 2] : tensor<2xi64>>} : tensor<4xf32> -> tensor<2x2xf32>
  %b = nir.reshape "joined" %a {shape = #nopt.array<[4] : tensor<1xi64>>} : tensor<2x2xf32> -> tensor<4xf32>
  nir.output %b : tensor<4xf32>
}

// -----

// Windows of nopt's own: the padding after that is one less becomes an output padding.
// CHECK:      nir.graph @windows
// CHECK-NEXT:   %max = nir.max_pool2d "max" %input {kernel_size = #nopt.array<[2, 2] : tensor<2xi64>>, stride = #nopt.array<[2, 2] : tensor<2xi64>>, padding = #nopt.array<[0, 1] : tensor<2xi64>>}
// CHECK-NEXT:   %back = nir.conv_transpose2d "back" %max {weight = #nopt.array<{{.*}} : tensor<1x1x2x1xf64>>, {{.*}} padding = #nopt.array<[0, 0] : tensor<2xi64>>, {{.*}} output_padding = #nopt.array<[1, 0] : tensor<2xi64>>
// CHECK-NEXT:   %near = nir.upsample2d "near" %back {factor = #nopt.array<[2, 2] : tensor<2xi64>>, mode = "nearest"} : tensor<1x3x2xf32> -> tensor<1x6x4xf32>
nir.graph @windows("input" %x: tensor<1x2x2xf32>) -> ("output": tensor<1x6x4xf32>) {
  %a = nir.max_pool2d "max" %x {kernel_size = #nopt.array<2 : tensor<i64>>, stride = #nopt.array<2 : tensor<i64>>, padding = #nopt.array<[0, 1] : tensor<2xi64>>} : tensor<1x2x2xf32> -> tensor<1x1x2xf32>
  %b = nir.conv_transpose2d "back" %a {weight = #nopt.array<[[[[1.0], [2.0]]]] : tensor<1x1x2x1xf32>>, stride = #nopt.array<[2, 1] : tensor<2xi64>>, padding = #nopt.array<0 : tensor<i64>>, output_padding = #nopt.array<[1, 0] : tensor<2xi64>>, dilation = #nopt.array<1 : tensor<i64>>, groups = #nopt.array<1 : tensor<i64>>, bias = #nopt.array<[0.0] : tensor<1xf32>>} : tensor<1x1x2xf32> -> tensor<1x3x2xf32>
  %c = nir.upsample2d "near" %b {factor = #nopt.array<2 : tensor<i64>>, mode = "nearest"} : tensor<1x3x2xf32> -> tensor<1x6x4xf32>
  nir.output %c : tensor<1x6x4xf32>
}

// -----

// Without populations only the time step is needed; a module that is not a network in ticks is unchanged.
// CHECK:      nir.graph @plain
// CHECK-NEXT{LITERAL}:   %a = nir.linear "a" %x {weight = #nopt.array<[[2.0]] : tensor<1x1xf64>>} : tensor<1xf32> -> tensor<1xf32>
// CHECK:      nir.graph @other
ntensor.network @plain("x" %x: tensor<1xf64>) -> ("y": tensor<1xf64>) attributes {tick_ns = 1000 : i64} {
  %a = ntensor.linear "a" %x {weight = #nopt.array<[[2.0]] : tensor<1x1xf32>>} : tensor<1xf64> -> tensor<1xf64>
  ntensor.output %a : tensor<1xf64>
}
nir.graph @other("x" %x: tensor<1xf32>) -> ("y": tensor<1xf32>) {
  nir.output %x : tensor<1xf32>
}
