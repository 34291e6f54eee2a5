import numpy as np

from timemil_core.explain.methods.random_masking import difference_of_means, random_masks


def test_difference_of_means_by_hand():
    removed = np.array([[True, False], [True, True], [False, False], [False, True]])
    # First point kept: (5 + 7) / 2, removed: (1 + 3) / 2. Second kept: (1 + 5) / 2, removed: (3 + 7) / 2.
    np.testing.assert_allclose(difference_of_means(np.array([1.0, 3.0, 5.0, 7.0]), removed), [4, -2])


def test_masks_come_in_pairs_of_blocks():
    removed = random_masks(50, 7, 40, np.random.default_rng(0))
    assert removed.shape == (80, 50)
    np.testing.assert_array_equal(removed[:40], ~removed[40:])
    starts = np.count_nonzero(np.diff(removed.astype(int), axis=1), axis=1)
    assert starts.max() <= 8  # at most one change at each border of the 8 or 9 blocks
    offsets = {
        int(np.flatnonzero(np.diff(row.astype(int)))[0]) % 7 for row in removed if np.diff(row.astype(int)).any()
    }
    assert len(offsets) > 3
