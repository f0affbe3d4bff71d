from ... import Linear, sqrt


def fuse_linear_bn_eval(layer, normalisation):
    gain = normalisation.weight / sqrt(normalisation.running_var + normalisation.eps)
    return Linear(gain * layer.weight, normalisation.bias - normalisation.running_mean * gain)
