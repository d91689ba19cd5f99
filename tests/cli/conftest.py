"""What tests of several commands need."""

import pytest

from machine_files import Corpus


@pytest.fixture(scope="session")
def corpus():
    """Topics that people and a machine judged."""
    return Corpus()


@pytest.fixture
def corpus_files(corpus, tmp_path):
    """The folder of a test, with the files of the corpus."""
    corpus.write(tmp_path)
    return tmp_path
