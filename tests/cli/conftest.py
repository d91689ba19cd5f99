"""What tests of several commands need."""

import warnings

import pytest

from chronoscore.cli import main
from chronoscore.errors import ChronoscoreWarning


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Call the command in this process; warnings are said, as at a terminal."""
    monkeypatch.chdir(tmp_path)

    def call(*words, code=0):
        with warnings.catch_warnings():
            warnings.simplefilter("always", ChronoscoreWarning)
            with pytest.raises(SystemExit) as stopped:
                main(words)
        said = capsys.readouterr()
        assert stopped.value.code == code, said.err
        return said

    return call
