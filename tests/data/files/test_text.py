"""The encoding of a text, told by its bytes."""

import pytest

from timemil_core.data.files.source import from_bytes
from timemil_core.data.files.text import scan


@pytest.mark.pitfall(7)
@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("gb18030", "编号,时间,加速度x,加速度y,类别\n1,0.0,1,2,走路\n"),
        ("gb18030", "姓名,心率,血压,诊断\n张三,1,2,正常\n李四,3,4,异常\n"),
        ("cp932", "時刻,加速度,ラベル\n1,2,歩く\n2,3,走る\n"),
        ("cp932", "データ,値\n1,2\n"),
        ("cp1251", "время,ускорение,класс\n1,2,ходьба\n1,3,бег\n"),
        ("cp1251", "ВРЕМЯ,ЗНАЧЕНИЕ\n1,2\n"),
        ("euc_kr", "시간,가속도,라벨\n1,2,걷기\n1,3,뛰기\n"),
        ("cp1252", "Größe,Höhe,Tür\n1,2,3\n"),
        ("cp1252", "temps,accélération,étiquette\n1,2,marché\n"),
        ("cp1252", "t (µs),T (°C),class\n1,2,a\n"),
        ("utf-8", "时间,Größe,время\n1,2,3\n"),
    ],
)
def test_texts_of_a_few_words_are_told_apart(encoding, text):
    assert scan(from_bytes("a.csv", text.encode(encoding))).encoding == encoding


def test_a_word_far_down_a_long_file_counts():
    text = "x,y,label\n" + "0.125,0.25,a\n" * 200_000 + "1,2,ходьба\n1,2,бег\n"
    assert scan(from_bytes("a.csv", text.encode("cp1251"))).encoding == "cp1251"
