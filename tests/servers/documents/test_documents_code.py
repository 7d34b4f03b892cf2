"""The language of code in a document: a style keeps it, from Markdown and HTML and back."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx

Done = Callable[..., Any]
TEXT = """Before.

```python
def f(x):
    return x

f(1)
```

```c++
int x;
```

Then

```
plain
```

- one

  ```sh
  ls -l
  ```
- two
"""


def markdown_of(done: Done, files: Path, name: str) -> str:
    done("convert_document", path=name, target="back.md")
    return (files / "back.md").read_text("utf-8")


def test_the_language_of_code_comes_back_from_word_and_from_html(files: Path, done: Done) -> None:
    (files / "a.md").write_text(TEXT, "utf-8")
    done("convert_document", path="a.md", target="a.docx")
    lines = [p for p in docx.Document(str(files / "a.docx")).paragraphs if p.style.name.startswith("Code")]
    assert [p.style.name for p in lines] == [*["Code (python)"] * 4, "Code (c++)", "Code", "Code (sh)"]
    assert all(p.style.name == "Code" or p.style.base_style.name == "Code" for p in lines)
    first = markdown_of(done, files, "a.docx")
    assert [line for line in first.split("\n") if "```" in line] == [line for line in TEXT.split("\n") if "```" in line]
    done("convert_document", path="a.docx", target="a.html")
    assert '<code class="language-python">def f(x):' in (files / "a.html").read_text("utf-8")
    done("convert_document", path="a.html", target="b.docx")
    assert markdown_of(done, files, "b.docx") == first


def test_libreoffice_keeps_the_language_of_code(files: Path, done: Done) -> None:
    (files / "a.md").write_text(TEXT, "utf-8")
    done("convert_document", path="a.md", target="a.docx")
    first = markdown_of(done, files, "a.docx")
    command = ["soffice", "--headless", f"-env:UserInstallation=file://{files.parent}/profile", "--convert-to", "docx"]
    saved = files.parent / "saved"
    subprocess.run(
        [*command, "--outdir", str(saved), str(files / "a.docx")], check=True, capture_output=True, timeout=120
    )
    shutil.copyfile(saved / "a.docx", files / "b.docx")
    assert markdown_of(done, files, "b.docx") == first


def test_code_is_read_with_its_language(files: Path, done: Done) -> None:
    (files / "a.md").write_text(TEXT, "utf-8")
    done("convert_document", path="a.md", target="a.docx")
    markdown = done("read_document", path="a.docx", format="markdown")["markdown"]
    assert "```python\ndef f(x):\n    return x\n\nf(1)\n```\n\n```c++\nint x;\n```" in markdown
    assert "```\nplain\n```" in markdown


def test_what_is_no_name_of_a_language_is_left_out(files: Path, done: Done) -> None:
    (files / "a.html").write_text('<pre><code class="hl language-a,b;c">x</code></pre><p>y', "utf-8")
    done("convert_document", path="a.html", target="a.docx")
    assert markdown_of(done, files, "a.docx") == "```\nx\n```\n\ny\n"
