"""Steps of reference solutions with forms on the pages of a world's sites, using only tool calls."""

import re
from collections.abc import Mapping

from yardkit.evaluators.proof import Agent


def fill_form(agent: Agent, url: str, values: Mapping[str, str]) -> str:
    """Fill in the form of a page by the labels of its fields, and tick all its boxes; return the page's tree."""
    tree = str(agent.call("open_page", url=url)["tree"])
    for label, ref in re.findall(r'textbox "(.+)" \[ref=(\w+)\]', tree):
        agent.call("type_text", ref=ref, text=values[label])
    for label, ref in re.findall(r'combobox "(.+)" \[ref=(\w+)\]', tree):
        agent.call("select_option", ref=ref, values=[values[label]])
    for ref in re.findall(r"checkbox .*\[ref=(\w+)\]", tree):
        agent.call("click_element", ref=ref)
    return tree


def press_button(agent: Agent, tree: str, button: str) -> str:
    """Press a button of a page; return the tree of the next page."""
    ref = re.findall(rf'button "{re.escape(button)}" \[ref=(\w+)\]', tree)[0]
    return str(agent.call("click_element", ref=ref)["tree"])
