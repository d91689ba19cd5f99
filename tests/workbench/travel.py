"""Export, import, export: a project travels from one place to another and comes back."""

from chronoscore.workbench.store import replay
from workbench.office import Office, Visitor


def exported(manager: Visitor, project: int, query: str = "") -> str:
    """The judgements file of a project."""
    return manager.get(f"/p/{project}/export.jsonl{query}")


def travelled(
    office: Office, manager: Visitor, project: int, workflow: str, query: str = ""
) -> int:
    """A fresh project with what was exported from another."""
    raw = exported(manager, project, query).encode()
    fresh = office.project(manager, workflow)
    manager.post(f"/p/{fresh}/import", files={"files": ("j.jsonl", raw, "text/plain")})
    return fresh


def check_equal(office: Office, manager: Visitor, project: int, workflow: str) -> str:
    """Demand that a project is the same after a journey; its file."""
    for query in ("", "?names=yes"):
        first = exported(manager, project, query)
        second = travelled(office, manager, project, workflow, query)
        assert exported(manager, second, query) == first
    assert replay.verify(office.database).equal
    return exported(manager, project)
