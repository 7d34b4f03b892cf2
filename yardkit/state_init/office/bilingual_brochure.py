"""A brochure in English and Chinese with gaps, a glossary with several terms for one word, and two mails."""

import datetime
import random
from collections.abc import Sequence
from typing import Any

from yardkit.state_init.documents import FieldCode, Paper, Piece, Text
from yardkit.state_init.names import make_companies, make_people
from yardkit.state_init.workbooks import save_workbook
from yardkit.world import World, save_text

BROCHURE = "brochure/brochure_2026.docx"
CJK = "Noto Sans CJK SC"
SIZE_PT = 10
DOMAINS = ("pumps", "valves", "filters")
SLOGAN_HOLE, TEXT_HOLE = "[中文标语]", "[中文说明]"
FEATURES = (
    ("Quiet operation", "低噪音运行", "静音工作"),
    ("Long service life", "使用寿命长", "长寿命"),
    ("Low energy consumption", "能耗低", "节能"),
    ("Easy maintenance", "易于维护", "维护简单"),
    ("Corrosion-resistant housing", "耐腐蚀外壳", "防锈壳体"),
    ("Compact design", "结构紧凑", "紧凑设计"),
    ("Remote monitoring", "远程监控", "遥控监测"),
    ("Leak detection", "泄漏检测", "漏水检测"),
    ("Overheating protection", "过热保护", "超温保护"),
    ("Self-cleaning", "自动清洗", "自清洁"),
    ("Modular structure", "模块化结构", "组合结构"),
    ("Two-year warranty", "两年质保", "保修两年"),
    ("Food-grade materials", "食品级材料", "食品用材料"),
    ("Fast delivery", "交货迅速", "快速发货"),
)
DATA = (
    ("Flow rate", "流量", "流速", "2 to 40 m³/h"),
    ("Delivery head", "扬程", "输送高度", "up to 90 m"),
    ("Rated power", "额定功率", "标称功率", "5.5 kW"),
    ("Supply voltage", "供电电压", "电源电压", "400 V, 50 Hz"),
    ("Operating temperature", "工作温度", "运行温度", "-10 to 80 °C"),
    ("Operating pressure", "工作压力", "运行压力", "16 bar"),
    ("Protection class", "防护等级", "保护级别", "IP 55"),
    ("Insulation class", "绝缘等级", "绝缘级别", "F"),
    ("Noise level", "噪声级", "噪音", "62 dB(A)"),
    ("Net weight", "净重", "重量", "86 kg"),
    ("Nominal diameter", "公称直径", "标称口径", "DN 65"),
    ("Shaft seal", "轴封", "轴密封", "mechanical seal"),
    ("Bearing type", "轴承类型", "轴承种类", "deep-groove ball bearing"),
    ("Impeller material", "叶轮材料", "叶轮材质", "stainless steel 1.4408"),
)
SLOGANS = ("流动不息，信赖常在。", "每一滴水，都值得信赖。", "让水流动，让世界前行。", "稳定输送，始终如一。")  # noqa: RUF001
TEXTS = (
    "我们的产品自一九八五年起在全球使用，广泛应用于供水、食品和化工行业，以可靠和节能著称。",  # noqa: RUF001
    "四十年来，我们为供水、食品和化工企业提供可靠而节能的产品，并在全球设有服务网点。",  # noqa: RUF001
    "从设计到售后，我们为客户提供完整的解决方案，产品可靠、节能，在全球三十个国家使用。",  # noqa: RUF001
)
ABOUT = (
    "For forty years our products have been in use all over the world, in water supply, in the food industry and in "
    "chemical plants. They are known to be reliable and to save energy."
)


def seed(world: World, rng: random.Random) -> dict[str, Any]:
    """Build the brochure, older ones, the glossaries and the mails."""
    firm, staff, domain = make_companies(rng, 1)[0], make_people(rng, 4), rng.choice(DOMAINS)
    features, data = rng.sample(FEATURES, 14), rng.sample(DATA, 12)
    given = set(rng.sample([feature[0] for feature in (*features, *data)], 6))
    slogans, texts = rng.sample(SLOGANS, 2), rng.sample(TEXTS, 2)
    columns = [
        [[name, right if name in given else "", ""] for name, right, _ in features],
        [[name, right if name in given else "", value] for name, right, _, value in data],
    ]
    _write_brochure(world, firm.full, staff[0].name, columns).save(world.files / BROCHURE)
    _write_glossary(world, rng, domain)
    _write_side_files(world, rng, staff, firm.full, slogans, texts)
    filled = [[name, right] for name, right, *_ in (*features, *data) if name not in given]
    return {
        "prompt": {"domain": domain},
        "features": [[name, right] for name, right, _ in features],
        "data": [[name, right, value] for name, right, _, value in data],
        "filled": len(filled),
        "new": [right for _, right in filled],
        "slogan": slogans[1],
        "text": texts[1],
    }


def _write_brochure(world: World, firm: str, author: str, tables: Sequence[Sequence[Sequence[str]]]) -> Paper:
    paper = Paper("Brochure 2026", author=author, now=world.now, font="Carlito", accent="14566B")
    _east_asian(paper)
    for side in ("left", "right"):
        setattr(paper.docx.sections[0], f"{side}_margin", 720_000)
    paper.footer(f"{firm}\t\tShanghai 2026 / 上海  ", FieldCode("PAGE"))
    paper.add_heading("Pumping made simple", 0)
    paper.add_paragraph(Text("Water that flows, partners that stay.", bold=True, size_pt=13))
    paper.add_paragraph(Text(SLOGAN_HOLE, bold=True, size_pt=13))
    paper.add_heading("About us  关于我们")
    paper.add_paragraph(ABOUT)
    paper.add_paragraph(TEXT_HOLE)
    paper.add_heading("Features  产品特点")
    rows = [["English", "中文"], *([row[0], row[1]] for row in tables[0])]
    _add_table(paper, rows, (150.0, 16.0))
    last = paper.docx.paragraphs[-1]
    last.paragraph_format.space_after = 0
    heading = paper.add_heading("Technical data  技术参数")
    heading.paragraph_format.page_break_before = True
    _add_table(paper, [["Property", "中文", "Value"], *tables[1]], (60.0, 14.0, 92.0))
    paper.add_heading("Contact  联系方式")
    paper.add_paragraph(f"{firm}, hall 4, stand C 12. Please come and see us.")
    paper.add_paragraph("欢迎莅临四号馆 C12 展位参观洽谈。")
    return paper


def _east_asian(paper: Paper) -> None:
    """Chinese in its font, in all styles."""
    for name in ("Normal", "Title", "Heading 1"):
        fonts = paper.docx.styles[name].element.rPr.rFonts
        fonts.set(_qualify_name("eastAsia"), CJK)


def _add_table(paper: Paper, rows: Sequence[Sequence[str]], widths_mm: Sequence[float]) -> None:
    """A table whose Chinese column is as narrow as it was left, with rows of a fixed height here and there."""
    from docx.enum.table import WD_ROW_HEIGHT_RULE
    from docx.shared import Mm

    sized: list[list[Sequence[Piece]]] = [
        [[Text(text, size_pt=SIZE_PT)] if text else [] for text in row] for row in rows
    ]
    new_table = paper.table(sized, widths_mm=widths_mm)
    new_table.autofit = False
    for width, column in zip(widths_mm, new_table._tbl.tblGrid.gridCol_lst, strict=True):
        column.w = Mm(width)
    for row in new_table.rows[3::3]:
        row.height, row.height_rule = Mm(5.2), WD_ROW_HEIGHT_RULE.EXACTLY
    for row in new_table.rows:
        for cell in row.cells:
            cell.paragraphs[0].paragraph_format.space_before = cell.paragraphs[0].paragraph_format.space_after = 63_500


def _qualify_name(name: str) -> str:
    return f"{{http://schemas.openxmlformats.org/wordprocessingml/2006/main}}{name}"


def _write_glossary(world: World, rng: random.Random, domain: str) -> None:
    """For each term the right one among drafts, withdrawn ones, those of other domains and near names."""
    others = [text for text in DOMAINS if text != domain]
    rows: list[list[Any]] = []
    for name, right, wrong in [feature[:3] for feature in (*FEATURES, *DATA)]:
        rows.append([name, right, domain, "approved"])
        rows.append([name, wrong, domain, rng.choice(("draft", "withdrawn"))])
        rows.append([name, wrong, others[0], "approved"])
        rows.append([f"{name} ({others[1]})", f"{wrong}型", domain, "approved"])
    rows += [[f"Part {1000 + n}", f"零件{1000 + n}", rng.choice(DOMAINS), "approved"] for n in range(140)]
    rng.shuffle(rows)
    head = ["English", "中文", "Domain", "Status"]
    about: list[list[Any]] = [
        ["Status", "Meaning"],
        ["approved", "use it"],
        ["draft", "not yet"],
        ["withdrawn", "no more"],
    ]
    save_workbook(world.files / "glossary/glossary.xlsx", {"Terms": [head, *rows], "Legend": about}, world.now)
    old = [[name, wrong, domain, "approved"] for name, _, wrong in (feature[:3] for feature in (*FEATURES, *DATA))]
    save_workbook(world.files / "glossary/old/glossary_2023.xlsx", {"Terms": [head, *old]}, world.now)


def _write_side_files(
    world: World, rng: random.Random, staff: Sequence[Any], firm: str, slogans: Sequence[str], texts: Sequence[str]
) -> None:
    sent = world.now - datetime.timedelta(days=5)
    for number, name in enumerate(("agency_1", "agency_2")):
        on = sent + datetime.timedelta(days=2 * number)
        head = f"From: {staff[1].name} <{staff[1].email}>\nSent: {on:%Y-%m-%d %H:%M}\nSubject: Chinese texts"
        agency_text = f"标语:\n{slogans[number]}\n\n说明:\n{texts[number]}"
        body = f"{head}\n\nDear {staff[0].first},\n\n{agency_text}\n\nBest regards\n{staff[1].name}\n"
        save_text(world.files / f"mails/{name}.txt", body)
    for name, year in (("brochure_2024", 2024), ("brochure_2026_draft", 2026)):
        paper = Paper(name, author=staff[0].name, now=world.now - datetime.timedelta(days=100), font="Carlito")
        paper.add_heading("Pumping made simple", 0)
        paper.add_paragraph(f"{firm}, brochure of {year}.")
        paper.save(world.files / f"brochure/old/{name}.docx")
    lines = "\n".join(f"- {person.name}: {rng.choice(('fair', 'print', 'text'))}" for person in staff)
    save_text(world.files / "brochure/team.md", f"# Who does what\n\n{lines}\n")
