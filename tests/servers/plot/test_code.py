from typing import Any

import numpy as np
import pytest
from PIL import Image
from support.answers import Call
from support.scale import select_drills

from yardkit.world import World

SOLUTION = """
Here is the code:
```python
import csv
import matplotlib.pyplot as plt

def solution():
    rows = list(csv.DictReader(open("d.csv")))
    fig, ax = plt.subplots(figsize=(4, 3))
    ax.bar([row["city"] for row in rows], [float(row["n"]) for row in rows], label="cities")
    ax.set_title("Visitors")
    ax.legend()
    return fig
```
"""


def read_pixels(world: Any, name: Any) -> Any:
    with Image.open(world.files / name) as image:
        return np.asarray(image.convert("L")).astype(int)


def test_code_with_a_solution_reads_the_workspace_and_gives_its_figure(call: Call, world: World) -> None:
    (world.files / "d.csv").write_text("city,n\nOslo,1\nLima,3\n", "utf-8")
    result = call("run_plot_code", code=SOLUTION, target="out/a.png")
    assert [block.type for block in result.content] == ["text", "image"]
    panel = result.structured_content["panels"][0]
    assert (panel["title"], panel["legend"], panel["artists"]["patches"]) == ("Visitors", ["cities"], 2)
    assert read_pixels(world, "out/a.png").min() < 150


@pytest.mark.parametrize(
    "code",
    [
        "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()",
        *select_drills(
            "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.savefig('x.png')\nplt.close()",
            "from matplotlib.figure import Figure\nfig = Figure()\nfig.add_subplot().plot([1, 2])",
        ),
        "import matplotlib.pyplot as plt\ndef solution():\n    return plt.subplots()[1].plot([1, 2])[0].axes",
    ],
)
def test_every_usual_way_to_draw_gives_the_figure_and_nothing_else(call: Call, world: World, code: str) -> None:
    result = call("run_plot_code", code=code, target="a.png")
    assert not result.is_error, result.content[0].text
    assert result.structured_content["panels"][0]["artists"]["lines"] == 1
    assert [path.name for path in world.files.rglob("*")] == ["a.png"]


@pytest.mark.parametrize(
    "setting", ["plt.rcParams['font.sans-serif'] = ['SimHei']", *select_drills("", "plt.style.use('seaborn-v0_8')")]
)
def test_chinese_letters_are_no_boxes_whatever_font_the_code_asks_for(call: Call, world: World, setting: str) -> None:
    shapes = []
    for words in ("销售", "中文"):
        code = f"import matplotlib.pyplot as plt\n{setting}\nplt.figure()\nplt.title('{words}')\nplt.plot([1])"
        result = call("run_plot_code", code=code, target="a.png")
        assert "Glyph" not in str(result.content[0].text)
        shapes.append(read_pixels(world, "a.png")[:40])
    assert shapes[0].min() < 128
    assert shapes[0].shape != shapes[1].shape or (shapes[0] != shapes[1]).any()


def test_printed_words_come_back(call: Call) -> None:
    code = "import matplotlib.pyplot as plt\nplt.plot([1])\nprint('peak at 7')"
    assert "peak at 7" in call("run_plot_code", code=code, target="a.svg").content[0].text


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("import matplotlib.pyplot as plt\nplt.plot([1, 2], [1])", "line 2"),
        ("print(1)", "the code drew nothing"),
        ("import matplotlib.pyplot as plt\nplt.figure(figsize=(900, 900))", "pixels fit"),
        ("import socket\nsocket.create_connection(('10.0.0.1', 80), 2)", "OSError"),
        ("import os\nos.kill(os.getpid(), 9)", "exit code 137"),
        *select_drills(
            ("1 / 0", "ZeroDivisionError"),
            ("def x(:", "SyntaxError"),
            ("def solution():\n    return 5", "returned int, no Figure"),
            ("import sys\nsys.exit(3)", "exit code 3"),
        ),
    ],
)
def test_failing_code_is_told_with_its_last_lines_and_writes_nothing(refusal: Call, code: str, says: str) -> None:
    assert says in refusal("run_plot_code", code=code, target="a.png")


def test_the_traceback_names_only_the_lines_of_the_code(refusal: Call) -> None:
    words = refusal("run_plot_code", code="import numpy as np\nnp.zeros(3) @ np.zeros(4)", target="a.png")
    assert "np.zeros(3) @ np.zeros(4)" in words
    assert "site-packages" not in words


def test_code_cannot_change_the_workspace(call: Call, world: World) -> None:
    (world.files / "d.csv").write_text("keep", "utf-8")
    code = "import matplotlib.pyplot as plt\nplt.plot([1])\n"
    code += "open('d.csv', 'w').write('gone')\nopen('new.txt', 'w').write('x')"
    assert not call("run_plot_code", code=code, target="a.png").is_error
    assert (world.files / "d.csv").read_text("utf-8") == "keep"
    assert not (world.files / "new.txt").exists()


@pytest.mark.parametrize("name", ["a.png", *select_drills("a.pdf", "a.svg")])
def test_bytes_that_are_no_figure_are_not_left_in_the_workspace(refusal: Call, world: World, name: str) -> None:
    code = (
        "import matplotlib.figure, matplotlib.pyplot as plt\n"
        "def savefig(self, target, *args, **named): open(target, 'wb').write(b'PK\\x03\\x04 bytes of a document')\n"
        "matplotlib.figure.Figure.savefig = savefig\nplt.plot([1])"
    )
    assert "nothing was saved" in refusal("run_plot_code", code=code, target=name)
    assert not (world.files / name).exists()
