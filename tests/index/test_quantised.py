"""Vectors in two bytes a number answer as those they were made of."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from worker.index.embedder import Matrix
from worker.index.quantised import ONE, Quantised, codes_of

LONGEST = 1.01953125  # a float16
NUMBERS = st.floats(-LONGEST, LONGEST, width=16, allow_subnormal=False)
VECTORS = arrays.arrays(np.float16, st.tuples(st.integers(0, 600), st.just(4)), elements=NUMBERS)


@given(
    VECTORS,
    arrays.arrays(np.float32, 4, elements=st.floats(-1, 1, width=32, allow_subnormal=False)),
)
def test_products_are_those_of_the_numbers_it_was_made_of(vectors: Matrix, query: Matrix) -> None:
    exact = vectors.astype(np.float32)
    kept = Quantised(codes_of(exact))

    assert kept.shape == exact.shape
    np.testing.assert_allclose(kept[:], exact, atol=0.51 / ONE)
    np.testing.assert_allclose(kept @ query, exact @ query, atol=4 * 0.51 / ONE)
    np.testing.assert_allclose(kept[::3] @ query, (kept @ query)[::3], atol=1e-6)


@given(VECTORS)
def test_a_file_written_from_memory_answers_the_same(vectors: Matrix) -> None:
    codes = codes_of(vectors.astype(np.float32))

    written = Quantised(codes)[:].astype(np.float16)

    np.testing.assert_array_equal(codes_of(written.astype(np.float32)), codes)
