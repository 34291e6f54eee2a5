"""Labels: spellings, gaps, numbers, and targets that are no classes."""

import pytest

from tests.data.formats.reading import read, refused, told


@pytest.mark.pitfall(15)
def test_labels_of_one_class_in_several_spellings():
    text = "id,time,x,label\na,0,1, walk\nb,0,1,walk \nc,0,1,run\nd,0,1,\ne,0,1,?\n"
    made = read(text)
    assert made.class_names == ("run", "walk")
    assert made.labels.tolist() == [1, 1, 0, -1, -1]


@pytest.mark.pitfall(15)
def test_numeric_labels_are_one_class_by_value_and_sorted_by_it():
    text = "id,time,x,label\na,0,1,10\nb,0,1,1.0\nc,0,1,1\nd,0,1,-1\n"
    made = read(text)
    assert made.class_names == ("-1", "1", "10")
    assert made.labels.tolist() == [2, 1, 1, 0]


@pytest.mark.pitfall(15)
def test_consistent_numeric_labels_keep_their_spelling():
    assert read("id,time,x,label\na,0,1,1.0\nb,0,1,2.0\n").class_names == ("1.0", "2.0")


@pytest.mark.pitfall(15)
def test_whole_numbers_in_another_notation_are_told_apart_from_spellings_that_were_joined():
    lines = [line.text for line in told("id,time,x,label\na,0,1,1.00e+00\nb,0,1,2.00e+00\n")]
    assert "Labels are whole numbers, and written so: '1.00e+00' as '1'; '2.00e+00' as '2'." in lines
    assert not any("several spellings" in line for line in lines)


@pytest.mark.pitfall(15)
def test_truth_values_are_one_class_in_any_case():
    made = read("id,time,x,label\na,0,1,True\nb,0,1,false\nc,0,1,FALSE\n")
    assert (made.class_names, made.labels.tolist()) == (("false", "true"), [1, 0, 0])


@pytest.mark.pitfall(15)
def test_classes_that_differ_in_case_are_kept_apart_and_told():
    text = "id,time,x,label\na,0,1,Walk\nb,0,1,walk\n"
    assert read(text).n_classes == 2
    line = next(line for line in told(text) if "differ in case only are kept apart" in line.text)
    assert line.kind == "warning"


@pytest.mark.pitfall(15)
def test_a_class_may_be_called_none():
    assert read("id,time,x,label\na,0,1,none\nb,0,1,spike\n").class_names == ("none", "spike")


@pytest.mark.pitfall(15)
def test_a_target_that_varies_continuously_is_refused():
    rows = "".join(f"{index},1,2,3,4,{index * 0.37:.3f}\n" for index in range(40))
    error = refused("id,x_1,x_2,x_3,x_4,target\n" + rows)
    assert "different numbers such as 0.000 stand where classes were expected" in error.problem


@pytest.mark.pitfall(25)
def test_hostile_labels_and_ids_stay_text():
    made = read('id,time,x,label\n<img src=x onerror=alert(1)>,0,1,"<script>1</script>"\nb,0,1,ok\n')
    assert made.series_ids[0] == "<img src=x onerror=alert(1)>"
    assert made.class_names == ("<script>1</script>", "ok")


def labels_of(*texts, **choices):
    return read("id,time,x,label\n" + "".join(f"s{place},0,1,{text}\n" for place, text in enumerate(texts)), **choices)


@pytest.mark.pitfall(15)
@pytest.mark.parametrize(
    "alike",
    [
        ("01", "1"),
        ("007", "07"),
        ("1.10", "1.1"),
        ("0.50", "0.5"),
        ("00", "0"),
        ("9007199254740993", "9007199254740992"),
        ("1e-3", "0.001"),
    ],
)
def test_names_that_are_equal_as_numbers_only_are_kept_apart_and_told(alike):
    made = labels_of(*alike, "other")
    assert set(made.class_names) == {*alike, "other"}
    if float(alike[0]) == float(alike[1]):
        assert any("are equal as numbers are kept apart" in line for line in made.provenance)


@pytest.mark.pitfall(15)
@pytest.mark.parametrize(
    "layout", ["id,time,x,label\na,0,1,{}\nb,0,1,{}\n", "label,t0,t1,t2,t3\n{},1,2,3,4\n{},1,2,3,5\n"]
)
@pytest.mark.parametrize(("longer", "shorter"), [("1.0", "1"), ("TRUE", "true"), ("+2", "2")])
def test_every_join_of_labels_is_told(layout, longer, shorter):
    lines = told(layout.format(longer, shorter))
    line = next(line for line in lines if "were joined" in line.text)
    assert f"{longer!r} with {shorter!r}" in line.text


@pytest.mark.pitfall(15)
@pytest.mark.parametrize("word", ["NA", "Na", "na", "None"])
def test_a_class_called_as_others_call_nothing_is_kept_and_told_with_the_choice(word):
    rows = [word, "K", "Cl", word]
    made = labels_of(*rows)
    assert set(made.class_names) == {word, "K", "Cl"}
    text = "id,time,x,label\n" + "".join(f"s{place},0,1,{name}\n" for place, name in enumerate(rows))
    line = next(line for line in told(text) if line.choice == "doubtful_labels")
    assert (line.kind, line.text) == (
        "warning",
        f"{word!r} stands in the label column in 2 rows: it was kept as a class.",
    )
    assert labels_of(*rows, doubtful_labels="missing").labels.tolist() == [-1, 1, 0, -1]
    line = next(line for line in told(text, doubtful_labels="missing") if line.choice == "doubtful_labels")
    assert "it was taken for a missing label" in line.text


@pytest.mark.pitfall(15)
def test_a_text_that_stands_for_no_label_is_told_with_its_count():
    lines = told("id,time,x,label\na,0,1,?\nb,0,1,?\nc,0,1,null\nd,0,1,w\n")
    assert "'?' was taken for a missing label, in 2 rows." in {line.text for line in lines}
    assert "'null' was taken for a missing label, in 1 row." in {line.text for line in lines}


@pytest.mark.parametrize("kind", ["long", "wide"])
def test_a_long_label_is_shortened_in_sentences_only(kind):
    name = "walk" * 5_000
    made = labels_of(f"{name}1", f"{name}2")
    assert {len(one) for one in made.class_names} == {20_001}
    assert max(map(len, made.provenance)) < 1_000
