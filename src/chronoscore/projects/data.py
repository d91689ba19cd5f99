"""What a project names, read as `score` reads it."""

from chronoscore.data.choice import Choice
from chronoscore.data.inputs import Inputs
from chronoscore.data.stages import Data
from chronoscore.options.scoring import JudgedOptions, RecordOptions, SourceOptions
from chronoscore.projects.project import Project


def read_data(project: Project) -> Data:
    """What a project names, as `score` reads it."""
    systems, references, measures, options = project.complete(None, None, {})
    judged = JudgedOptions(
        **{key: options[key] for key in ("judgements", "units") if key in options}
    )
    sources = SourceOptions(reading=options.get("reading"))
    inputs = Inputs.of(systems, references, sources, judged, RecordOptions())
    with inputs.keep_files():
        choice: Choice = inputs.choose(measures)
        return inputs.read(choice).load()
