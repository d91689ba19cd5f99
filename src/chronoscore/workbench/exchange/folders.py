"""Uploads for readers that want files: a private folder, under names of ours."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from chronoscore.errors import DataError
from chronoscore.workbench.exchange.imports import File, label


@contextmanager
def in_folder(files: Sequence[File], name: str) -> Iterator[Path]:
    """A folder that only we know; errors speak of the upload's name, not of where it was.

    Of a single file an error says the name that it came with; of several, their own.
    """
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            (Path(folder) / file.name).write_bytes(file.raw)
        try:
            yield Path(folder)
        except DataError as error:
            words = str(error)
            if len(files) == 1:
                words = words.replace(f"{folder}/{files[0].name}", label(name))
            words = words.replace(f"{folder}/", "").replace(folder, label(name))
            raise DataError(words) from None
