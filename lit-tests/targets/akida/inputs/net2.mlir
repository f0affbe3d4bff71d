builtin.module {
  ntensor.update @akida2.eight <count> inputs ["a"] params ["output_shift", "output_scale", "bias_shift", "bias"] raw ["unit", "threshold", "level"] canonical ["threshold", "level"] derive {
  ^bb0(%dt: f64, %unit: f64, %threshold: f64, %level: f64):
    %0 = arith.constant 2.550000e+02 : f64
    %1 = arith.mulf %0, %level : f64
    %2 = arith.divf %1, %unit : f64
    %3 = math.log %2 : f64
    %4 = arith.constant 2.000000e+00 : f64
    %5 = math.log %4 : f64
    %6 = arith.divf %3, %5 : f64
    %7 = fixed.from_real floor %6 : f64 -> !fixed.int<0, 31>
    %output_shift = ntensor.let "output_shift" %7 : !fixed.int<0, 31>
    %8 = fixed.constant 1 : !fixed.int<1, 1>
    %9 = fixed.shl %8, %output_shift : !fixed.int<1, 1>, !fixed.int<0, 31> -> !fixed.int<1, 2147483648>
    %10 = fixed.to_real %9 : !fixed.int<1, 2147483648> -> f64
    %11 = arith.mulf %10, %unit : f64
    %12 = arith.divf %11, %level : f64
    %13 = fixed.from_real round %12 : f64 -> !fixed.int<1, 255>
    %output_scale = ntensor.let "output_scale" %13 : !fixed.int<1, 255>
    %14 = fixed.constant 1 : !fixed.int<1, 1>
    %15 = fixed.shl %14, %output_shift : !fixed.int<1, 1>, !fixed.int<0, 31> -> !fixed.int<1, 2147483648>
    %16 = fixed.to_real %15 : !fixed.int<1, 2147483648> -> f64
    %17 = fixed.to_real %output_scale : !fixed.int<1, 255> -> f64
    %18 = arith.divf %16, %17 : f64
    %19 = arith.constant 2.000000e+00 : f64
    %20 = arith.divf %18, %19 : f64
    %21 = arith.divf %threshold, %unit : f64
    %22 = fixed.from_real floor %21 : f64 -> !fixed.int<-134217728, 134217727>
    %23 = fixed.to_real %22 : !fixed.int<-134217728, 134217727> -> f64
    %24 = arith.subf %20, %23 : f64
    %25 = arith.constant 5.001000e-01 : f64
    %26 = arith.subf %24, %25 : f64
    %offset = ntensor.let "offset" %26 : f64
    %27 = math.absf %offset : f64
    %28 = arith.constant 1.270000e+02 : f64
    %29 = arith.maximumf %27, %28 : f64
    %30 = arith.constant 1.270000e+02 : f64
    %31 = arith.divf %29, %30 : f64
    %32 = math.log %31 : f64
    %33 = arith.constant 2.000000e+00 : f64
    %34 = math.log %33 : f64
    %35 = arith.divf %32, %34 : f64
    %36 = fixed.from_real ceil %35 : f64 -> !fixed.int<0, 20>
    %bias_shift = ntensor.let "bias_shift" %36 : !fixed.int<0, 20>
    %37 = fixed.constant 1 : !fixed.int<1, 1>
    %38 = fixed.shl %37, %bias_shift : !fixed.int<1, 1>, !fixed.int<0, 20> -> !fixed.int<1, 1048576>
    %39 = fixed.to_real %38 : !fixed.int<1, 1048576> -> f64
    %40 = arith.divf %offset, %39 : f64
    %41 = fixed.from_real round %40 : f64 -> !fixed.int<-128, 127>
    %bias = ntensor.let "bias" %41 : !fixed.int<-128, 127>
    %42 = fixed.constant 1 : !fixed.int<1, 1>
    %43 = fixed.shl %42, %output_shift : !fixed.int<1, 1>, !fixed.int<0, 31> -> !fixed.int<1, 2147483648>
    %44 = fixed.to_real %43 : !fixed.int<1, 2147483648> -> f64
    %45 = fixed.to_real %output_scale : !fixed.int<1, 255> -> f64
    %46 = arith.divf %44, %45 : f64
    %47 = arith.constant 2.000000e+00 : f64
    %48 = arith.divf %46, %47 : f64
    %49 = fixed.shl %bias, %bias_shift : !fixed.int<-128, 127>, !fixed.int<0, 20> -> !fixed.int<-134217728, 133169152>
    %50 = fixed.to_real %49 : !fixed.int<-134217728, 133169152> -> f64
    %51 = arith.subf %48, %50 : f64
    %52 = arith.constant 5.000000e-01 : f64
    %53 = arith.subf %51, %52 : f64
    %54 = arith.mulf %53, %unit : f64
    %55 = fixed.constant 1 : !fixed.int<1, 1>
    %56 = fixed.shl %55, %output_shift : !fixed.int<1, 1>, !fixed.int<0, 31> -> !fixed.int<1, 2147483648>
    %57 = fixed.to_real %56 : !fixed.int<1, 2147483648> -> f64
    %58 = fixed.to_real %output_scale : !fixed.int<1, 255> -> f64
    %59 = arith.divf %57, %58 : f64
    %60 = arith.mulf %59, %unit : f64
    %61 = fixed.to_real %output_shift : !fixed.int<0, 31> -> f64
    %62 = fixed.to_real %output_scale : !fixed.int<1, 255> -> f64
    %63 = fixed.to_real %bias_shift : !fixed.int<0, 20> -> f64
    %64 = fixed.to_real %bias : !fixed.int<-128, 127> -> f64
    ntensor.derived %61, %62, %63, %64, %54, %60 : f64, f64, f64, f64, f64, f64
  } initial {
  ^bb0(%output_shift_1: !fixed.int<0, 31>, %output_scale_1: !fixed.int<1, 255>, %bias_shift_1: !fixed.int<0, 20>, %bias_1: !fixed.int<-128, 127>):
    ntensor.initial
  } step {
  ^bb0(%a: !fixed.int<-2147483648, 2147483647>, %output_shift_2: !fixed.int<0, 31>, %output_scale_2: !fixed.int<1, 255>, %bias_shift_2: !fixed.int<0, 20>, %bias_2: !fixed.int<-128, 127>):
    %65 = fixed.shl %bias_2, %bias_shift_2 : !fixed.int<-128, 127>, !fixed.int<0, 20> -> !fixed.int<-134217728, 133169152>
    %66 = fixed.add %a, %65 : !fixed.int<-2147483648, 2147483647>, !fixed.int<-134217728, 133169152> -> !fixed.int<-2281701376, 2280652799>
    %67 = fixed.constant 0 : !fixed.int<0, 0>
    %68 = fixed.max %66, %67 : !fixed.int<-2281701376, 2280652799>, !fixed.int<0, 0> -> !fixed.int<0, 2280652799>
    %69 = fixed.mul %68, %output_scale_2 : !fixed.int<0, 2280652799>, !fixed.int<1, 255> -> !fixed.int<0, 581566463745>
    %70 = fixed.saturate %69 : !fixed.int<0, 581566463745> -> !fixed.int<0, 2147483647>
    %product = ntensor.let "product" %70 : !fixed.int<0, 2147483647>
    %71 = fixed.constant 1 : !fixed.int<1, 1>
    %72 = fixed.shl %71, %output_shift_2 : !fixed.int<1, 1>, !fixed.int<0, 31> -> !fixed.int<1, 2147483648>
    %73 = fixed.constant 1 : !fixed.int<1, 1>
    %74 = fixed.shr %72, %73 : !fixed.int<1, 2147483648>, !fixed.int<1, 1> -> !fixed.int<0, 1073741824>
    %half = ntensor.let "half" %74 : !fixed.int<0, 1073741824>
    %75 = fixed.constant 1 : !fixed.int<1, 1>
    %76 = fixed.sub %half, %75 : !fixed.int<0, 1073741824>, !fixed.int<1, 1> -> !fixed.int<-1, 1073741823>
    %77 = fixed.constant 0 : !fixed.int<0, 0>
    %78 = fixed.max %76, %77 : !fixed.int<-1, 1073741823>, !fixed.int<0, 0> -> !fixed.int<0, 1073741823>
    %79 = fixed.sub %product, %78 : !fixed.int<0, 2147483647>, !fixed.int<0, 1073741823> -> !fixed.int<-1073741823, 2147483647>
    %80 = fixed.constant 1 : !fixed.int<1, 1>
    %81 = fixed.shl %80, %output_shift_2 : !fixed.int<1, 1>, !fixed.int<0, 31> -> !fixed.int<1, 2147483648>
    %82 = fixed.div ceil %79, %81 : !fixed.int<-1073741823, 2147483647>, !fixed.int<1, 2147483648> -> !fixed.int<-1073741823, 2147483647>
    %83 = fixed.saturate %82 : !fixed.int<-1073741823, 2147483647> -> !fixed.int<0, 127>
    %y = ntensor.let "y" %83 : !fixed.int<0, 127>
    ntensor.emit %y : !fixed.int<0, 127>
  }
  ntensor.update @akida2.four <count> inputs ["a"] params ["output_shift", "output_scale", "bias_shift", "bias"] raw ["unit", "threshold", "level"] canonical ["threshold", "level"] derive {
  ^bb0(%dt: f64, %unit: f64, %threshold: f64, %level: f64):
    %0 = arith.constant 2.550000e+02 : f64
    %1 = arith.mulf %0, %level : f64
    %2 = arith.divf %1, %unit : f64
    %3 = math.log %2 : f64
    %4 = arith.constant 2.000000e+00 : f64
    %5 = math.log %4 : f64
    %6 = arith.divf %3, %5 : f64
    %7 = fixed.from_real floor %6 : f64 -> !fixed.int<0, 31>
    %output_shift = ntensor.let "output_shift" %7 : !fixed.int<0, 31>
    %8 = fixed.constant 1 : !fixed.int<1, 1>
    %9 = fixed.shl %8, %output_shift : !fixed.int<1, 1>, !fixed.int<0, 31> -> !fixed.int<1, 2147483648>
    %10 = fixed.to_real %9 : !fixed.int<1, 2147483648> -> f64
    %11 = arith.mulf %10, %unit : f64
    %12 = arith.divf %11, %level : f64
    %13 = fixed.from_real round %12 : f64 -> !fixed.int<1, 255>
    %output_scale = ntensor.let "output_scale" %13 : !fixed.int<1, 255>
    %14 = fixed.constant 1 : !fixed.int<1, 1>
    %15 = fixed.shl %14, %output_shift : !fixed.int<1, 1>, !fixed.int<0, 31> -> !fixed.int<1, 2147483648>
    %16 = fixed.to_real %15 : !fixed.int<1, 2147483648> -> f64
    %17 = fixed.to_real %output_scale : !fixed.int<1, 255> -> f64
    %18 = arith.divf %16, %17 : f64
    %19 = arith.constant 2.000000e+00 : f64
    %20 = arith.divf %18, %19 : f64
    %21 = arith.divf %threshold, %unit : f64
    %22 = fixed.from_real floor %21 : f64 -> !fixed.int<-134217728, 134217727>
    %23 = fixed.to_real %22 : !fixed.int<-134217728, 134217727> -> f64
    %24 = arith.subf %20, %23 : f64
    %25 = arith.constant 5.001000e-01 : f64
    %26 = arith.subf %24, %25 : f64
    %offset = ntensor.let "offset" %26 : f64
    %27 = math.absf %offset : f64
    %28 = arith.constant 1.270000e+02 : f64
    %29 = arith.maximumf %27, %28 : f64
    %30 = arith.constant 1.270000e+02 : f64
    %31 = arith.divf %29, %30 : f64
    %32 = math.log %31 : f64
    %33 = arith.constant 2.000000e+00 : f64
    %34 = math.log %33 : f64
    %35 = arith.divf %32, %34 : f64
    %36 = fixed.from_real ceil %35 : f64 -> !fixed.int<0, 20>
    %bias_shift = ntensor.let "bias_shift" %36 : !fixed.int<0, 20>
    %37 = fixed.constant 1 : !fixed.int<1, 1>
    %38 = fixed.shl %37, %bias_shift : !fixed.int<1, 1>, !fixed.int<0, 20> -> !fixed.int<1, 1048576>
    %39 = fixed.to_real %38 : !fixed.int<1, 1048576> -> f64
    %40 = arith.divf %offset, %39 : f64
    %41 = fixed.from_real round %40 : f64 -> !fixed.int<-128, 127>
    %bias = ntensor.let "bias" %41 : !fixed.int<-128, 127>
    %42 = fixed.constant 1 : !fixed.int<1, 1>
    %43 = fixed.shl %42, %output_shift : !fixed.int<1, 1>, !fixed.int<0, 31> -> !fixed.int<1, 2147483648>
    %44 = fixed.to_real %43 : !fixed.int<1, 2147483648> -> f64
    %45 = fixed.to_real %output_scale : !fixed.int<1, 255> -> f64
    %46 = arith.divf %44, %45 : f64
    %47 = arith.constant 2.000000e+00 : f64
    %48 = arith.divf %46, %47 : f64
    %49 = fixed.shl %bias, %bias_shift : !fixed.int<-128, 127>, !fixed.int<0, 20> -> !fixed.int<-134217728, 133169152>
    %50 = fixed.to_real %49 : !fixed.int<-134217728, 133169152> -> f64
    %51 = arith.subf %48, %50 : f64
    %52 = arith.constant 5.000000e-01 : f64
    %53 = arith.subf %51, %52 : f64
    %54 = arith.mulf %53, %unit : f64
    %55 = fixed.constant 1 : !fixed.int<1, 1>
    %56 = fixed.shl %55, %output_shift : !fixed.int<1, 1>, !fixed.int<0, 31> -> !fixed.int<1, 2147483648>
    %57 = fixed.to_real %56 : !fixed.int<1, 2147483648> -> f64
    %58 = fixed.to_real %output_scale : !fixed.int<1, 255> -> f64
    %59 = arith.divf %57, %58 : f64
    %60 = arith.mulf %59, %unit : f64
    %61 = fixed.to_real %output_shift : !fixed.int<0, 31> -> f64
    %62 = fixed.to_real %output_scale : !fixed.int<1, 255> -> f64
    %63 = fixed.to_real %bias_shift : !fixed.int<0, 20> -> f64
    %64 = fixed.to_real %bias : !fixed.int<-128, 127> -> f64
    ntensor.derived %61, %62, %63, %64, %54, %60 : f64, f64, f64, f64, f64, f64
  } initial {
  ^bb0(%output_shift_1: !fixed.int<0, 31>, %output_scale_1: !fixed.int<1, 255>, %bias_shift_1: !fixed.int<0, 20>, %bias_1: !fixed.int<-128, 127>):
    ntensor.initial
  } step {
  ^bb0(%a: !fixed.int<-2147483648, 2147483647>, %output_shift_2: !fixed.int<0, 31>, %output_scale_2: !fixed.int<1, 255>, %bias_shift_2: !fixed.int<0, 20>, %bias_2: !fixed.int<-128, 127>):
    %65 = fixed.shl %bias_2, %bias_shift_2 : !fixed.int<-128, 127>, !fixed.int<0, 20> -> !fixed.int<-134217728, 133169152>
    %66 = fixed.add %a, %65 : !fixed.int<-2147483648, 2147483647>, !fixed.int<-134217728, 133169152> -> !fixed.int<-2281701376, 2280652799>
    %67 = fixed.constant 0 : !fixed.int<0, 0>
    %68 = fixed.max %66, %67 : !fixed.int<-2281701376, 2280652799>, !fixed.int<0, 0> -> !fixed.int<0, 2280652799>
    %69 = fixed.mul %68, %output_scale_2 : !fixed.int<0, 2280652799>, !fixed.int<1, 255> -> !fixed.int<0, 581566463745>
    %70 = fixed.saturate %69 : !fixed.int<0, 581566463745> -> !fixed.int<0, 2147483647>
    %product = ntensor.let "product" %70 : !fixed.int<0, 2147483647>
    %71 = fixed.constant 1 : !fixed.int<1, 1>
    %72 = fixed.shl %71, %output_shift_2 : !fixed.int<1, 1>, !fixed.int<0, 31> -> !fixed.int<1, 2147483648>
    %73 = fixed.constant 1 : !fixed.int<1, 1>
    %74 = fixed.shr %72, %73 : !fixed.int<1, 2147483648>, !fixed.int<1, 1> -> !fixed.int<0, 1073741824>
    %half = ntensor.let "half" %74 : !fixed.int<0, 1073741824>
    %75 = fixed.constant 1 : !fixed.int<1, 1>
    %76 = fixed.sub %half, %75 : !fixed.int<0, 1073741824>, !fixed.int<1, 1> -> !fixed.int<-1, 1073741823>
    %77 = fixed.constant 0 : !fixed.int<0, 0>
    %78 = fixed.max %76, %77 : !fixed.int<-1, 1073741823>, !fixed.int<0, 0> -> !fixed.int<0, 1073741823>
    %79 = fixed.sub %product, %78 : !fixed.int<0, 2147483647>, !fixed.int<0, 1073741823> -> !fixed.int<-1073741823, 2147483647>
    %80 = fixed.constant 1 : !fixed.int<1, 1>
    %81 = fixed.shl %80, %output_shift_2 : !fixed.int<1, 1>, !fixed.int<0, 31> -> !fixed.int<1, 2147483648>
    %82 = fixed.div ceil %79, %81 : !fixed.int<-1073741823, 2147483647>, !fixed.int<1, 2147483648> -> !fixed.int<-1073741823, 2147483647>
    %83 = fixed.saturate %82 : !fixed.int<-1073741823, 2147483647> -> !fixed.int<0, 15>
    %y = ntensor.let "y" %83 : !fixed.int<0, 15>
    ntensor.emit %y : !fixed.int<0, 15>
  }
  ntensor.network @net2("x" %x: tensor<2x4x4x!ntensor.count<4>>) -> ("out": tensor<2xi32>) attributes {tick_ns = 1000000 : i64} {
    %c1 = ntensor.conv2d "c1" %x {weight = #nopt.array<[[[[7]], [[-7]]], [[[6]], [[5]]]] : tensor<2x2x1x1xi8>>, bias = #nopt.array<[3, -2] : tensor<2xi32>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[0, 0], [0, 0]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 1 : i64} : tensor<2x4x4x!ntensor.count<4>> -> tensor<2x4x4xi32>
    %n1 = ntensor.neuron "n1" @akida2.eight(%c1) {family = "activation", params = {output_shift = #nopt.array<8 : tensor<i32>>, output_scale = #nopt.array<255 : tensor<i32>>, bias_shift = #nopt.array<2 : tensor<i32>>, bias = #nopt.array<-3 : tensor<i32>>}, initial = {}} : (tensor<2x4x4xi32>) -> tensor<2x4x4x!ntensor.count<7>>
    %d2 = ntensor.conv2d "d2" %n1 {weight = #nopt.array<[[[[1, 2, 3], [4, 5, 6], [7, 8, 100]]], [[[0, 0, 0], [0, -1, 0], [0, 0, 0]]]] : tensor<2x1x3x3xi8>>, stride = #nopt.array<[1, 1] : tensor<2xi64>>, padding = #nopt.array<[[1, 1], [1, 1]] : tensor<2x2xi64>>, dilation = #nopt.array<[1, 1] : tensor<2xi64>>, groups = 2 : i64} : tensor<2x4x4x!ntensor.count<7>> -> tensor<2x4x4xi32>
    %n2 = ntensor.neuron "n2" @akida2.four(%d2) {family = "activation", params = {output_shift = #nopt.array<16 : tensor<i32>>, output_scale = #nopt.array<200 : tensor<i32>>, bias_shift = #nopt.array<0 : tensor<i32>>, bias = #nopt.array<0 : tensor<i32>>}, initial = {}} : (tensor<2x4x4xi32>) -> tensor<2x4x4x!ntensor.count<4>>
    %flat = ntensor.reshape "flat" %n2 : tensor<2x4x4x!ntensor.count<4>> -> tensor<32x!ntensor.count<4>>
    %fc = ntensor.linear "fc" %flat {weight = #nopt.array<constant(value = -8) : tensor<2x32xi8>>} : tensor<32x!ntensor.count<4>> -> tensor<2xi32>
    ntensor.output %fc : tensor<2xi32>
  }
}
