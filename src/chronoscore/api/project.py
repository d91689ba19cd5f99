"""A folder that says how it is scored."""

from chronoscore.data.arguments import OnePath
from chronoscore.data.values import as_path
from chronoscore.errors import DataError
from chronoscore.projects.project import Project, read_project
from chronoscore.projects.proposal import propose as propose
from chronoscore.projects.schema import NAME


def project(folder: OnePath = ".") -> Project:
    """What a folder's `chronoscore.toml` says, for `score`, `compare`, `report` and `explain`.

    Give it in place of the systems: `score(project("answers"))`. References, measures and options
    of the call come before those of the file. The folder may also be the file itself. Nothing is
    imported or fetched because the file says so, and all it names lies in its folder.
    """
    path = as_path(folder)
    file = path / NAME if path.is_dir() else path
    if not file.exists():
        raise DataError("there is no such file; write it with chronoscore init", place=file)
    return read_project(file)
