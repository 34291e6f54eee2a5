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
