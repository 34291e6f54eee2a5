from timemil_core.data.class_names import label_indices, sorted_class_names


def test_numbers_are_sorted_by_value():
    assert sorted_class_names(["10", "9", "-1", "9"]) == ("-1", "9", "10")
    assert sorted_class_names(["10.0", "2.0"]) == ("2.0", "10.0")


def test_words_are_sorted_without_regard_to_case():
    assert sorted_class_names(["walk", "Run", "10"]) == ("10", "Run", "walk")
    assert sorted_class_names(["nan", "2", "10"]) == ("10", "2", "nan")


def test_none_is_the_unknown_label():
    assert label_indices(["b", None, "a"], ("a", "b")).tolist() == [1, -1, 0]
