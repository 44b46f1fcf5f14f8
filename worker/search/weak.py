"""Which hits are weak: too little in them speaks for an answer.

Measured on questions put to memories that hold their answer, and to memories that do not, in
docs/SEARCH.md. It marks hits and hides none, and a hit is weak or not whatever other memories
there are beside it.
"""

import numpy as np
from numpy.typing import NDArray

from worker.search.fusion import Floats

# Either of these makes a hit strong.
SCORE = 0.20
COSINE = 0.35
COSINE_SENTENCE = 0.28  # of a sentence in a script without blanks, perhaps in another language

Mask = NDArray[np.bool_]


def weak(scores: Floats, cosines: Floats, whole: Mask, *, sentence: bool) -> Mask:
    """Return which hits are weak.

    scores: fused. cosines: NaN where there is no vector. whole: those that hold all words.
    """
    near = cosines >= (COSINE_SENTENCE if sentence else COSINE)
    return ~(whole | near | (scores >= SCORE))
