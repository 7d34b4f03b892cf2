"""The words of LaTeX formulas and the characters that Office Math has for them."""

# ruff: noqa: RUF001 - signs of formulas

from __future__ import annotations

from functools import cache

NARY = {
    "\\sum": "∑", "\\prod": "∏", "\\coprod": "∐", "\\int": "∫", "\\iint": "∬", "\\iiint": "∭", "\\oint": "∮",
    "\\oiint": "∯", "\\bigcup": "⋃", "\\bigcap": "⋂", "\\bigvee": "⋁", "\\bigwedge": "⋀", "\\bigoplus": "⨁",
    "\\bigotimes": "⨂", "\\bigodot": "⨀", "\\biguplus": "⨄", "\\bigsqcup": "⨆",
}  # fmt: skip
INTEGRALS = "∫∬∭∮∯"
_BASIC_SYMBOLS = [
    *("sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh"),
    *("tanh", "coth", "log", "ln", "lg", "exp", "deg", "dim", "hom", "ker", "arg"),
]
FUNCTIONS = {f"\\{name}" for name in _BASIC_SYMBOLS}
LIMITS = {f"\\{name}": name for name in ("lim", "max", "min", "sup", "inf", "det", "gcd", "Pr")} | {
    "\\limsup": "lim sup",
    "\\liminf": "lim inf",
}
ACCENTS = {
    "hat": "\u0302", "widehat": "\u0302", "tilde": "\u0303", "widetilde": "\u0303", "bar": "\u0305", "dot": "\u0307",
    "ddot": "\u0308", "dddot": "\u20db", "vec": "\u20d7", "overrightarrow": "\u20d7", "overleftarrow": "\u20d6",
    "check": "\u030c", "breve": "\u0306", "acute": "\u0301", "grave": "\u0300", "mathring": "\u030a",
}  # fmt: skip
GROUPS = {"overbrace": "⏞", "underbrace": "⏟"}
FONTS = {
    "mathrm": (None, "p"), "mathbf": (None, "b"), "boldsymbol": (None, "bi"), "bm": (None, "bi"),
    "mathit": (None, "i"), "mathbb": ("double-struck", None), "mathcal": ("script", None),
    "mathscr": ("script", None), "mathfrak": ("fraktur", None), "mathsf": ("sans-serif", None),
    "mathtt": ("monospace", None),
}  # fmt: skip
SPACES = {
    "\\,": "\u2009", "\\:": "\u2005", "\\>": "\u2005", "\\;": "\u2004", "\\quad": "\u2003", "\\qquad": "\u2003\u2003",
    "\\ ": " ", "\\!": "", "~": "\u00a0", "\\thinspace": "\u2009",
}  # fmt: skip
IGNORED = {"displaystyle", "textstyle", "scriptstyle", "nonumber", "notag"}
FENCES = {f"{size}{side}" for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "r", "m")}
DELIMITERS = {
    ".": "", "(": "(", ")": ")", "[": "[", "]": "]", "|": "|", "/": "/", "\\{": "{", "\\}": "}", "\\|": "‖",
    "\\lbrace": "{", "\\rbrace": "}", "\\langle": "⟨", "\\rangle": "⟩", "<": "⟨", ">": "⟩", "\\lfloor": "⌊",
    "\\rfloor": "⌋", "\\lceil": "⌈", "\\rceil": "⌉", "\\vert": "|", "\\lvert": "|", "\\rvert": "|", "\\Vert": "‖",
    "\\lVert": "‖", "\\rVert": "‖",
}  # fmt: skip
CHARACTERS = {
    "\\{": "{", "\\}": "}", "\\%": "%", "\\$": "$", "\\&": "＆", "\\#": "#", "\\_": "_", "\\|": "‖",
    "\\langle": "⟨", "\\rangle": "⟩", "\\lbrace": "{", "\\rbrace": "}", "\\lvert": "|", "\\rvert": "|",
    "\\lVert": "‖", "\\rVert": "‖", "\\vert": "|", "\\Vert": "‖", "\\backslash": "\\", "\\dots": "…", "\\ldots": "…",
    "\\dotsc": "…", "\\cdots": "⋯", "\\dotsb": "⋯", "\\vdots": "⋮", "\\ddots": "⋱", "\\to": "→", "\\gets": "←",
    "\\le": "≤", "\\leq": "≤", "\\ge": "≥", "\\geq": "≥", "\\ne": "≠", "\\neq": "≠", "\\cdot": "⋅", "\\times": "×",
    "\\pm": "±", "\\mp": "∓", "\\infty": "∞", "\\partial": "∂", "\\nabla": "∇", "\\hbar": "ℏ", "\\ell": "ℓ",
    "\\Re": "ℜ", "\\Im": "ℑ", "\\aleph": "ℵ", "\\emptyset": "∅", "\\varnothing": "∅", "\\in": "∈", "\\notin": "∉",
    "\\ni": "∋", "\\subset": "⊂", "\\supset": "⊃", "\\subseteq": "⊆", "\\supseteq": "⊇", "\\cup": "∪", "\\cap": "∩",
    "\\setminus": "∖", "\\forall": "∀", "\\exists": "∃", "\\neg": "¬", "\\lnot": "¬", "\\land": "∧", "\\wedge": "∧",
    "\\lor": "∨", "\\vee": "∨", "\\Rightarrow": "⇒", "\\implies": "⇒", "\\Leftarrow": "⇐", "\\Leftrightarrow": "⇔",
    "\\iff": "⇔", "\\rightarrow": "→", "\\leftarrow": "←", "\\leftrightarrow": "↔", "\\mapsto": "↦", "\\approx": "≈",
    "\\equiv": "≡", "\\sim": "∼", "\\simeq": "≃", "\\cong": "≅", "\\propto": "∝", "\\ll": "≪", "\\gg": "≫",
    "\\mid": "∣", "\\parallel": "∥", "\\perp": "⊥", "\\angle": "∠", "\\triangle": "△", "\\circ": "∘", "\\bullet": "∙",
    "\\star": "⋆", "\\ast": "∗", "\\oplus": "⊕", "\\otimes": "⊗", "\\odot": "⊙", "\\div": "÷", "\\prime": "′",
    "\\dagger": "†", "\\degree": "°", "\\therefore": "∴", "\\because": "∵", "\\lt": "<", "\\gt": ">", "\\colon": ":",
    "\\epsilon": "ϵ", "\\varepsilon": "ε", "\\phi": "ϕ", "\\varphi": "φ", "\\theta": "θ", "\\vartheta": "ϑ",
    "\\rho": "ρ", "\\varrho": "ϱ", "\\sigma": "σ", "\\varsigma": "ς", "\\pi": "π", "\\varpi": "ϖ", "\\kappa": "κ",
    "\\lfloor": "⌊", "\\rfloor": "⌋", "\\lceil": "⌈", "\\rceil": "⌉",
}  # fmt: skip
_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "zeta": "ζ", "eta": "η", "iota": "ι", "lambda": "λ",
    "mu": "μ", "nu": "ν", "xi": "ξ", "tau": "τ", "upsilon": "υ", "chi": "χ", "psi": "ψ", "omega": "ω",
    "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π", "Sigma": "Σ",
    "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
}  # fmt: skip
CHARACTERS |= {f"\\{name}": character for name, character in _GREEK.items()}
_PREFERRED = ("\\leq", "\\geq", "\\neq", "\\to", "\\dots", "\\emptyset", "\\wedge", "\\vee", "\\Rightarrow", "\\iff")


@cache
def find_symbol(token: str) -> str | None:
    """The character of any other symbol command; None for a command that is none."""
    if not token.startswith("\\"):
        return None
    if token in CHARACTERS:
        return CHARACTERS[token]
    from latex2mathml.symbols_parser import convert_symbol

    code = convert_symbol(token)
    return chr(int(code, 16)) if code else None


@cache
def map_commands() -> dict[str, str]:
    """Character -> the command that stands for it."""
    skipped = {"\\" + text for text in "{}%$&#_|"}
    commands_by_character: dict[str, str] = {}
    for token, character in CHARACTERS.items():
        if token not in skipped and ord(character) > 127:
            commands_by_character.setdefault(character, token)
    commands_by_character |= {CHARACTERS[token]: token for token in _PREFERRED}
    escapes = {text: f"\\{text}" for text in "{}%$#_"}
    spaces = {character: token for token, character in reversed(SPACES.items()) if len(character) == 1}
    return (
        commands_by_character | spaces | escapes | {"\\": "\\backslash", "＆": "\\&", "−": "-", "‖": "\\|", "&": "\\&"}
    )
