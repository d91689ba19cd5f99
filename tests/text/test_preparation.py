"""Preparations come from one table; a name that is not in it is refused."""

from typing import get_args

import pytest

from chronoscore.errors import UsageError
from chronoscore.text.plain import PREPARE
from chronoscore.text.preparation import PREPARATIONS, Preparation, PreparationName


def test_a_misspelled_preparation_is_refused_with_the_nearest_name():
    with pytest.raises(UsageError, match="unknown preparation 'unicod'"):
        Preparation(name="unicod")


def test_every_preparation_of_the_table_can_be_named_and_reads_a_text():
    assert set(PREPARATIONS) == set(PREPARE) == set(get_args(PreparationName))
