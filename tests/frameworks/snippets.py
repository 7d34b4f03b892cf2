"""The snippets of docs/frameworks.md as programs that run."""

import re
from pathlib import Path

from frameworks.environments import ROOT, Framework

DOCUMENT = ROOT / "docs" / "frameworks.md"
MOST_LINES = 10
_BLOCK = re.compile(r"^```(\w+) ([\w-]+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LANGUAGES = {"python": "python", "typescript": "ts", "bash": "bash"}


def read_blocks() -> dict[tuple[str, str], str]:
    """The blocks of the document that have a name, by language and name."""
    named_blocks = _BLOCK.findall(DOCUMENT.read_text("utf-8"))
    return {(language, name): block for language, name, block in named_blocks}


def read_snippet(framework: Framework) -> str:
    """The snippet of a framework, as it stands in the document."""
    return read_blocks()[_LANGUAGES[framework.language], framework.name]


def build_program(framework: Framework) -> str:
    """What stands before its snippet, the snippet as it stands in the document, and the answer written down."""
    language, known = _LANGUAGES[framework.language], read_blocks()
    own = read_snippet(framework)
    loop = [known[language, "loop"]] if "loop(" in own else []
    return "\n".join([known[language, "preamble"], *loop, own, _WRITE[framework.language]])


_WRITE = {
    "python": 'Path(os.environ["YARDKIT_ANSWER_FILE"]).write_text(str(answer), "utf-8")\n',
    "typescript": '(await import("node:fs")).writeFileSync(process.env.YARDKIT_ANSWER_FILE, answer);\n',
}


def build_command(framework: Framework, environment: Path, folder: Path) -> list[str]:
    """The command line that runs its program, which is written into `folder`."""
    if framework.npm:
        (folder / "node_modules").symlink_to(environment / "node_modules")
        (folder / "agent.mjs").write_text(build_program(framework), "utf-8")
        return ["node", str(folder / "agent.mjs")]
    (folder / "agent.py").write_text(build_program(framework), "utf-8")
    return [str(environment / "bin/python"), str(Path(__file__).with_name("notebook.py")), str(folder / "agent.py")]
