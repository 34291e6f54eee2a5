"""What only makes the network quicker or smaller: each part is a plain one of PyTorch's, to rounding.

================================================  ====================================================================
``convolutions.parallel_convolutions(x, [c …])``  ``cat([c(pad(x, "replicate")) for c in …])``
``convolutions.KeptSpectrum``                      nothing: what the first needs of weights that stay as they are
``convolutions.depthwise_convolution(x, w)``      ``conv1d(x, w[:, None], padding="same", groups=n_features)``
``widest.widest_of_three(x)``                     ``max_pool1d(x, 3, stride=1, padding=1)``
``checkpointing.stage(f, *x)``                    ``f(*x)``, forgotten and computed again where memory is short
``checkpointing.computed_again(f, *x)``           ``f(*x)``, always computed again on the way back
``precision.in_float32(f)``                       ``f``, in full precision where the rest is trained in sixteen bits
================================================  ====================================================================

What each brings to the whole network is in docs/evidence/speed.md; what brings less than a tenth does not stay.
"""
