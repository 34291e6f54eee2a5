"""Files that are one set only together: labels by id or by row, a file a channel; and what is no data beside data."""

import pytest

from tests.data.formats.reading import inspect, read, refused, told, value_of, values

LONG = "series_id,time_s,x,z\n" + "".join(f"{one},{t / 10},{one}.5,{t}\n" for one in range(4) for t in range(3))
LABELS = "series_id,subject,surface\n0,ann,walk\n1,bob,run\n2,ann,walk\n3,bob,run\n"


def texts(*arguments, **choices):
    return " ".join(str(line) for line in told(*arguments, **choices))


def classes(made):
    return [made.label_name(index) for index in range(len(made))]


@pytest.mark.pitfall(2)
def test_labels_in_a_table_of_their_own_by_the_series_ids():
    files = {"data.csv": LONG, "train_labels.csv": LABELS}
    made = read(files)
    assert (classes(made), made.groups) == (["walk", "run", "walk", "run"], ("ann", "bob", "ann", "bob"))
    assert values(made)[1] == [[1.5] * 3, [0, 1, 2]]
    assert "'train_labels.csv' tells the class of each series, by 'series_id'." in texts(files)
    assert classes(read(files, labels_by_id="subject")) == ["ann", "bob", "ann", "bob"]
    assert value_of(inspect(files), "labels_by_id") == "surface"


@pytest.mark.pitfall(2, 15)
def test_training_and_test_files_of_which_one_has_labels():
    files = {"X_train.csv": LONG, "X_test.csv": LONG, "y_train.csv": LABELS, "sample_submission.csv": LABELS}
    made = read(files)
    assert made.split.tolist() == ["train"] * 4 + ["test"] * 4
    assert classes(made) == ["walk", "run", "walk", "run", None, None, None, None]
    assert "says nothing of 4 of 8 series" in texts(files)
    assert "'sample_submission.csv'" in texts(files)


ROWS = "0.1 0.2 0.3 0.4 0.5\n1 2 3 4 5\n6 7 8 9 10\n"


@pytest.mark.pitfall(1)
def test_values_and_labels_by_the_order_of_rows():
    made = read({"X.txt": ROWS, "y.txt": "1\n2\n1\n"})
    assert classes(made) == ["1", "2", "1"]
    assert values(made)[1] == [[1, 2, 3, 4, 5]]
    error = refused({"X.txt": ROWS, "y.txt": "1\n2\n"})
    assert (error.where, error.problem) == ("y.txt", "There are 2 labels for 3 series.")


@pytest.mark.pitfall(1)
def test_a_file_a_channel_in_folders_for_training_and_testing():
    files = {"set/activity_labels.txt": "1 WALKING\n2 SITTING\n", "set/README.txt": "Human activity, by row."}
    for part in ("train", "test"):
        files |= {
            f"set/{part}/Inertial Signals/acc_x_{part}.txt": ROWS,
            f"set/{part}/Inertial Signals/acc_y_{part}.txt": ROWS.replace("1 2 3", "3 2 1"),
            f"set/{part}/X_{part}.txt": "1 2 3 4 5 6 7\n" * 3,
            f"set/{part}/y_{part}.txt": "1\n2\n1\n",
            f"set/{part}/subject_{part}.txt": "7\n7\n9\n",
        }
    made = read(files)
    assert (made.channel_names, len(made), set(made.lengths.tolist())) == (("acc_x", "acc_y"), 6, {5})
    assert made.split.tolist() == ["train"] * 3 + ["test"] * 3
    assert classes(made) == ["WALKING", "SITTING", "WALKING"] * 2
    assert made.groups == ("7", "7", "9") * 2
    assert values(made)[1] == [[1, 2, 3, 4, 5], [3, 2, 1, 4, 5]]
    assert "Left out, for their rows are of another length: 'set/train/X_train.txt'" in texts(files)


def test_files_of_other_columns_are_named_with_their_columns():
    error = refused({"a_1.csv": "time_s,x\n0,1\n1,2\n", "b_2.csv": "name,what\np,q\nr,s\n"})
    assert "'a_1.csv' has the columns 'time_s', 'x', 'b_2.csv' has 'name', 'what'" in error.problem
    assert "Is one of them a table of labels?" in error.remedy


@pytest.mark.parametrize(
    "beside",
    [
        "README.md",
        "README",
        "LICENSE",
        "LICENSE.txt",
        "run.py",
        "analysis.m",
        "fig.png",
        "notes.txt",
        "paper.pdf",
        "a.sh",
    ],
)
def test_what_stands_beside_data_is_left_out_and_told(beside):
    prose = "This set was recorded in May, on a treadmill.\nWrite to us, if you use it, and cite the paper below.\n"
    table = "id,time_s,x,label\na,0,1,w\na,1,2,w\nb,0,3,r\nb,1,4,r\n"
    files = {beside: prose, "mine.csv": table}
    assert values(read(files)) == [[[1, 2]], [[3, 4]]]
    assert f"Left out, for descriptions, scripts and pictures hold no series: '{beside}'." in texts(files)


def test_a_file_alone_is_never_left_out():
    assert values(read("a,b\n1,2\n3,4\n", name="README.txt")) == [[[1, 3], [2, 4]]]
