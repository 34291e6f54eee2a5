"""Several files as one set: a file a series, a training and a test part, labels beside, in folders or in names."""

import pytest

from tests.data.formats.reading import inspect, read, reading, refused, told, value_of, values
from timemil_core.data.files.source import from_paths
from timemil_core.data.formats import inspect_files, read_files
from timemil_core.data.formats import many as many_module
from timemil_core.errors import DataError


def table(*rows):
    return "time_s,x,z\n" + "".join(f"{place / 4},{x},{z}\n" for place, (x, z) in enumerate(rows))


A, B, C, D = table((1, 2), (3, 4)), table((5, 6)), table((7, 8), (9, 10), (11, 12)), table((0, 0))


def texts(*arguments, **choices):
    return " ".join(str(line) for line in told(*arguments, **choices))


@pytest.mark.pitfall(1, 2)
def test_the_class_is_the_folders_name():
    files = {"mine/walk/1.csv": A, "mine/walk/2.csv": B, "mine/run/1.csv": C, "mine/run/2.csv": D}
    made = read(files)
    assert (made.name, made.class_names) == ("mine", ("run", "walk"))
    assert made.series_ids == ("mine/walk/1.csv", "mine/walk/2.csv", "mine/run/1.csv", "mine/run/2.csv")
    assert [made.label_name(index) for index in range(4)] == ["walk", "walk", "run", "run"]
    assert values(made)[0] == [[1, 3], [2, 4]]
    assert made.sampling_rate == 4.0
    assert "The class is taken from the folder: 'walk', 'run'" in texts(files)


@pytest.mark.pitfall(2)
def test_the_class_is_a_part_of_the_name_and_the_subject_another():
    files = {"s01_walk_1.csv": A, "s01_run_2.csv": B, "s02_walk_3.csv": C, "s02_run_4.csv": D}
    made = read(files)
    assert [made.label_name(index) for index in range(4)] == ["walk", "run", "walk", "run"]
    assert made.groups == ("s01", "s01", "s02", "s02")
    assert made.series_ids == ("s01_walk_1", "s01_run_2", "s02_walk_3", "s02_run_4")
    other = read(files, label_from="name:1", group_from=None)
    assert (other.class_names, other.groups) == (("s01", "s02"), None)


@pytest.mark.pitfall(2)
@pytest.mark.parametrize(
    "labels",
    [
        "file,label,subject\none.csv,walk,ann\ntwo.csv,run,bob\nthree.csv,walk,bob\n",
        "file,label,subject\nONE,walk,ann\nTwo,run,bob\nthree,walk,bob\n",
        "label;subject;where\nwalk;ann;data\\one.csv\nrun;bob;data\\two.csv\nwalk;bob;data\\three.csv\n",
    ],
)
def test_the_class_is_in_a_table_beside(labels):
    files = {"one.csv": A, "two.csv": B, "three.csv": C, "labels.csv": labels}
    made = read(files)
    assert made.series_ids == ("one", "two", "three")
    assert [made.label_name(index) for index in range(3)] == ["walk", "run", "walk"]
    assert made.groups == ("ann", "bob", "bob")
    assert "'labels.csv' tells of each file" in texts(files)


@pytest.mark.pitfall(2)
def test_a_table_without_header_as_challenges_have_it():
    files = {"A00001.csv": A, "A00002.csv": B, "A00003.csv": C, "REFERENCE.csv": "A00001,N\nA00002,A\nA00003,N\n"}
    made = read(files)
    assert [made.label_name(index) for index in range(3)] == ["N", "A", "N"]


@pytest.mark.pitfall(2)
def test_the_column_of_the_class_in_a_table_beside_is_told():
    files = {"in/A1.csv": A, "in/A2.csv": B, "in/A3.csv": C, "in/REFERENCE.csv": "A1,N\nA2,A\nA3,N\n"}
    assert "which its column 'column 1' names; the class is in 'column 2'." in texts(files)
    assert (
        "REFERENCE.csv: column 2"
        in next(one for one in inspect(files).choices if one.name == "label_from").options.values()
    )


@pytest.mark.pitfall(2)
def test_rows_taken_for_series_in_files_of_a_class_each_are_doubted_loudly():
    rows = "".join(",".join(f"{(7 * row + 3 * place) % 11}.5" for place in range(30)) + "\n" for row in range(40))
    files = {f"{kind}/{number}.txt": rows.replace("0", str(number)) for kind in ("a", "b") for number in (1, 2)}
    doubt = "each row of a file was taken for a series of its own"
    assert doubt in texts(files)
    assert doubt not in texts(files, layout="wide")


def test_a_number_that_files_count_by_is_no_part_of_the_sets_name():
    assert read({"subject101.csv": A, "subject102.csv": B}).name == "subject"
    assert read({"training/p001.csv": A, "training/p002.csv": B}).name == "training"


@pytest.mark.pitfall(2, 15)
def test_files_that_the_table_does_not_name_have_no_class_and_are_told():
    files = {"one.csv": A, "two.csv": B, "three.csv": C, "labels.csv": "file,label\none,walk\ntwo,run\n"}
    assert read(files).labels.tolist() == [1, 0, -1]
    assert "It says nothing of 1 file: 'three.csv'" in texts(files)


@pytest.mark.pitfall(2)
def test_the_class_is_a_column_of_each_file():
    files = {
        "1.csv": "time,x,label\n0,1,walk\n1,2,walk\n",
        "2.csv": "time,x,label\n0,3,run\n1,4,run\n",
    }
    made = read(files)
    assert [made.label_name(index) for index in range(2)] == ["walk", "run"]
    assert value_of(inspect(files), "label_from") == "inside"


@pytest.mark.pitfall(1)
def test_training_and_test_tables():
    rows = "1\t.5\t{0}\n2\t.25\t{0}\n1\t.5\t6\n2\t7\t8\n"
    files = {"Toy_TEST.tsv": rows.format(0.75), "Toy_TRAIN.tsv": rows.format(0.125)}
    made = read(files)
    assert (made.name, made.class_names) == ("Toy", ("1", "2"))
    assert made.split.tolist() == ["train"] * 4 + ["test"] * 4
    assert values(made)[0] == [[0.5, 0.125]]


def test_training_and_test_folders():
    files = {"set/train/walk_1.csv": A, "set/train/run_1.csv": B, "set/test/walk_2.csv": C, "set/test/run_2.csv": D}
    made = read(files)
    assert made.split.tolist() == ["train", "train", "test", "test"]
    assert made.class_names == ("run", "walk")


@pytest.mark.pitfall(3, 21)
def test_channels_are_matched_by_name_and_others_refused():
    turned = "time_s,z,x\n0,2,1\n"
    assert values(read({"a_1.csv": A, "b_2.csv": turned}))[1] == [[1], [2]]
    error = refused({"a_1.csv": A, "b_2.csv": "time_s,x,y\n0,1,2\n"})
    assert error.where == "b_2.csv"


@pytest.mark.pitfall(9)
def test_files_of_different_rates_keep_their_times():
    slow = "time_s,x,z\n0,1,2\n1,1,2\n2,1,2\n"
    made = read({"a_1.csv": C, "b_2.csv": slow})
    assert made.sampling_rate is None
    assert made.timestamps is not None
    assert [times.tolist() for times in made.timestamps.values] == [[0, 0.25, 0.5], [0, 1, 2]]
    assert made.timestamps.unit == 1.0


def test_a_file_that_cannot_be_read_refuses_all_or_is_left_out():
    files = {"a_1.csv": A, "b_2.csv": A.replace("3", "three"), "c_3.csv": B}
    error = refused(files)
    assert error.where == "b_2.csv, row 3, column 'x'"
    assert "Or choose to leave out files that cannot be read" in error.remedy
    assert read(files, bad_files="leave out").series_ids == ("a_1", "c_3")
    assert "b_2.csv, row 3, column 'x': The file is left out" in texts(files, bad_files="leave out")


def test_files_of_several_series_whose_ids_come_again_are_kept_apart():
    rows = "id,time,x,label\na,0,{},w\nb,0,{},r\n"
    made = read({"mon.csv": rows.format(1, 2), "tue.csv": rows.format(3, 4)})
    assert made.series_ids == ("mon a", "mon b", "tue a", "tue b")
    assert values(made) == [[[1]], [[2]], [[3]], [[4]]]


@pytest.mark.pitfall(7)
def test_each_file_may_be_written_in_its_own_way():
    files = {"a_1.csv": A, "b_2.csv": A.replace(",", ";").replace(".", ",").encode("utf-16")}
    first, second = values(read(files))
    assert first == second


@pytest.mark.pitfall(25)
def test_hostile_file_and_folder_names_stay_text():
    files = {"<b>x</b>/1.csv": A, "<b>x</b>/2.csv": B, "'onload=/3.csv": C, "'onload=/4.csv": D}
    assert read(files, label_from="folder:1").class_names == ("'onload=", "<b>x<")


def test_a_folder_on_disk_is_read_without_following_links(tmp_path):
    outside = tmp_path / "outside.csv"
    outside.write_text(A)
    folder = tmp_path / "mine"
    for name, text in {"walk/1.csv": A, "walk/2.csv": B, "run/1.csv": C, "run/2.csv": D}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "run" / "link.csv").symlink_to(outside)
    (folder / "away").symlink_to(tmp_path)
    made = read_files(inspect_files(from_paths([folder]))).series_set
    assert (made.name, len(made), made.class_names) == ("mine", 4, ("run", "walk"))
    with pytest.raises(DataError, match="no such file"):
        from_paths([tmp_path / "absent.csv"])
    with pytest.raises(DataError, match="There is no file here"):
        (tmp_path / "empty").mkdir()
        from_paths([tmp_path / "empty"])


def many(n, body=None):
    rows = body or (lambda number: [(number + place, place**2 / 10) for place in range(3 + number % 4)])
    return {f"{'walk' if number % 2 else 'run'}/{number}.csv": table(*rows(number)) for number in range(n)}


def same(one, other):
    assert one.series_ids == other.series_ids
    assert one.fingerprint == other.fingerprint
    assert one.sampling_rate == other.sampling_rate
    assert (one.timestamps is None) == (other.timestamps is None)


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("stamps", [False, True])
def test_small_files_that_are_read_at_once_are_the_same_as_read_one_by_one(monkeypatch, ends, stamps):
    files = {}
    for name, content in many(250).items():
        head, *rows = content.splitlines()
        rows = (
            [f"2024-01-31 12:00:0{place}{row[row.index(',') :]}" for place, row in enumerate(rows)] if stamps else rows
        )
        files[name] = ends.join([head, *rows, ""])
    together = reading(files)
    monkeypatch.setattr(many_module, "SMALL", -1)
    alone = reading(files)
    same(together.series_set, alone.series_set)
    assert [str(line) for line in together.lines] == [str(line) for line in alone.lines]
    assert len(together.series_set) == 250


@pytest.mark.parametrize(
    ("line", "told_of"),
    [("0.25,oops,1\n", "row 3"), ("0.25,1\n\n", "mpty row"), ("0.25,1e39,1\n", "too large"), ('0.25,"1",1\n', "")],
)
def test_what_one_small_file_has_to_tell_is_told_of_it(monkeypatch, line, told_of):
    files = many(30)
    files["run/20.csv"] = f"time_s,x,z\n0,1,1\n{line}0.5,2,2\n"
    outcomes = []
    for small in (1 << 18, -1):
        monkeypatch.setattr(many_module, "SMALL", small)
        try:
            made = reading(files)
            outcomes.append((made.series_set.fingerprint, [str(one) for one in made.lines]))
        except DataError as error:
            outcomes.append(str(error))
            assert "run/20.csv" in str(error)
    assert outcomes[0] == outcomes[1]
    assert told_of in str(outcomes[0])


def test_small_differences_that_rounding_takes_from_one_file_alone_are_told(monkeypatch):
    files = many(12, lambda number: [(1e9 * number + place, place) for place in range(8)])
    together = [str(line) for line in reading(files).lines]
    monkeypatch.setattr(many_module, "SMALL", -1)
    assert together == [str(line) for line in reading(files).lines]
    assert any("rounded away" in line for line in together)


@pytest.mark.parametrize(
    ("names", "told_of"),
    [
        (["a/x/1.csv", "b/x/2.csv", "a/y/3.csv", "b/y/4.csv"], "inner folder: 'x', 'y'"),
        (["s1_up.csv", "s2_up.csv", "s1_down.csv", "s2_down.csv"], "second part of the name: 'up', 'down'"),
    ],
)
def test_places_in_names_are_told_in_words(names, told_of):
    assert f"The class is taken from the {told_of}" in texts(dict.fromkeys(names, A))
