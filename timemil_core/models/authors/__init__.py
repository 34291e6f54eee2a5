"""The arithmetic of the authors' public code (``xiwenc1/TimeMIL``), for models that were trained with it.

Kept as it is there, since the weights learned to live with it: Nyström's tokens are padded in front without a mask;
the pseudo-inverse starts from a scale over the whole batch, where asked for; scales of wavelets may be negative; a
short series stands centred in zeros, a shorter one of an unequal set behind them. Nothing of it reaches our own
networks: ``AuthorsTimeMIL`` replaces three parts of ``TimeMIL`` and offers the same face.
"""
