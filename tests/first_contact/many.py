"""Run many commands in copies of one process: `python many.py < cases.json`.

A case is a list of words; an answer is [exit code, output, errors]. Modules are loaded once, so
that hundreds of cases take seconds.
"""

import json
import os
import signal
import sys
import tempfile
import traceback


def run(words: list[str]) -> tuple[int, str, str]:
    """How a command ends in a process of its own."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if not child:
            end(words, out.fileno(), err.fileno())
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        answers = []
        for file in (out, err):
            file.seek(0)
            answers.append(file.read().decode("utf-8", "replace"))
        return code, *answers


def end(words: list[str], out: int, err: int) -> None:
    """Run a command as the program does, and leave."""
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(out, 1)
    os.dup2(err, 2)
    signal.alarm(20)
    sys.argv = ["chronoscore", *words]
    code = 70
    try:
        from chronoscore.__main__ import main

        main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else 0
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    cases = json.load(sys.stdin)
    import chronoscore

    for name in chronoscore.__all__:
        getattr(chronoscore, name)
    json.dump([run(words) for words in cases], sys.stdout)
