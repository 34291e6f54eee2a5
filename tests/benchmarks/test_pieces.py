import pytest

from benchmarks.pieces import OutOfTimeError, Pieces


def test_a_piece_is_computed_once(tmp_path):
    calls = []

    def compute():
        calls.append(1)
        return {"score": 0.5}

    for _ in range(2):  # a rerun opens the folder anew
        assert Pieces(tmp_path, 1).kept("one/two", {"seed": 0}, compute) == {"score": 0.5}
    assert len(calls) == 1
    Pieces(tmp_path, 1).kept("one/two", {"seed": 1}, compute)
    assert len(calls) == 2


def test_nothing_is_begun_when_the_time_is_over_but_what_is_kept_is_given(tmp_path):
    Pieces(tmp_path, 1).kept("one", {}, lambda: 3)
    late = Pieces(tmp_path, -1)
    assert late.is_spent() and late.kept("one", {}, lambda: 4) == 3
    with pytest.raises(OutOfTimeError):
        late.kept("two", {}, lambda: 4)
    assert not list(tmp_path.glob("two*"))
