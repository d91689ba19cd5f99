"""Errors and warnings carry where and why, also to another process."""

import pickle
import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest

import chronoscore
from chronoscore import errors
from chronoscore.errors import ChronoscoreError, ChronoscoreWarning, DataError


def subclasses(kind: type[ChronoscoreError]) -> list[type[ChronoscoreError]]:
    return [kind, *(inner for each in kind.__subclasses__() for inner in subclasses(each))]


@pytest.mark.parametrize("kind", subclasses(ChronoscoreError), ids=lambda kind: kind.__name__)
def test_an_error_survives_a_pool_of_processes(kind: type[ChronoscoreError]) -> None:
    error = kind("is empty; fill it").at("gold/bp.txt:14")
    error.reason = "empty"
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert str(again) == "gold/bp.txt:14: is empty; fill it"
    assert (again.message, again.place, again.reason) == (error.message, error.place, "empty")


def test_a_place_that_is_known_stays() -> None:
    error = DataError("is empty; fill it", place="gold/bp.txt").at("row 3")
    assert str(error) == "gold/bp.txt: is empty; fill it"


def test_a_warning_survives_a_pool_of_processes() -> None:
    warning = ChronoscoreWarning("it is late", kind="late", details=["it is", "late"])
    again = pickle.loads(pickle.dumps(warning))
    assert (str(again), again.kind, again.details) == ("it is late", "late", ("it is", "late"))


def test_a_warning_points_to_the_line_of_the_user() -> None:
    runs, references = {"mine": {"a": "b"}}, {"a": "b", "c": "d"}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        chronoscore.score(runs, references, "rouge1")
        chronoscore.rouge("Привет мир", ["Привет мир"], prepare="perl155")
    assert {one.filename for one in caught} == {__file__}
    assert len({one.lineno for one in caught}) == 2


def test_a_warning_of_a_thread_without_a_line_of_the_user_is_given_all_the_same() -> None:
    with ThreadPoolExecutor(1) as pool, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        pool.submit(errors.warn, "it is late", kind="late").result()
    assert [str(one.message) for one in caught] == ["it is late"]
