"""The LaTeX source of an invented paper."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from yardkit.apps.papers import Author, Paper

_HEAD = r"""%% !TEX root = main.tex
\documentclass[11pt]{article}
\usepackage{amsmath,booktabs}
\newcommand{\method}{%(method)s}
\title{%(title)s}
\author{%(authors)s}
\date{%(date)s}
\begin{document}
\maketitle
\begin{abstract}
%(abstract)s
\end{abstract}
"""
_INTRODUCTION = r"""\section{Introduction}\label{sec:intro}
The problem of %(task)s has seen steady progress \cite{%(cited)s}, yet most systems treat all inputs alike.
We propose %(method)s, which rests on %(idea)s. %% TODO: shorten for the camera-ready version
Our contributions are a method, a comparison on %(count)d data sets, and a study of its failures.

\section{Related Work}\label{sec:related}
%(related)s
"""
_METHOD = r"""\section{Method}\label{sec:method}
\subsection{Setting}
Let $x = (x_1, \dots, x_n)$ be an input and $y$ its answer. We learn a score $s_\theta(x, y)$.
\subsection{Objective}
Training minimises
\begin{equation}\label{eq:loss}
\mathcal{L}(\theta) = -\sum_{i=1}^{n} \log \frac{\exp s_\theta(x_i, y_i)}{\sum_{y'} \exp s_\theta(x_i, y')} + \lambda \lVert \theta \rVert_2^2
\end{equation}
with $\lambda = %(weight)s$. The part that is new is %(idea)s; without it the objective is that of earlier work.
\subsection{Inference}
We keep the %(beam)d best candidates and return the first whose score is above $\tau = %(threshold)s$.
"""  # noqa: E501 - a formula
_EXPERIMENTS = r"""\section{Experiments}\label{sec:experiments}
\subsection{Data}
We use %(sets)s. All results are %(measure)s in percent, the mean of %(runs)d runs.
\subsection{Results}
Table~\ref{tab:results} compares %(method)s with earlier methods; their numbers are as their authors report them.
\begin{table}[t]
\centering
\caption{Results (%(measure)s in percent).}\label{tab:results}
\begin{tabular}{l%(columns)s}
\toprule
Method & %(heads)s \\
\midrule
%(rows)s
\bottomrule
\end{tabular}
\end{table}
\subsection{Ablation}
Without %(idea)s the %(measure)s on %(first)s falls by %(drop).1f points.

\section{Conclusion}\label{sec:conclusion}
%(method)s is simple and strong where the data are like those that it was trained on. Longer inputs remain hard.
"""


@dataclass(frozen=True)
class Draft:
    """A paper before it is written. results: data set -> percent; wrong: what the first version said, if corrected."""

    paper: Paper
    method: str
    task: int
    idea: str
    results: dict[str, float]
    wrong: dict[str, float] = field(default_factory=dict)

    def results_at(self, moment: str) -> dict[str, float]:
        """What it says its results are to whoever reads it then."""
        return self.wrong if self.wrong and moment < self.paper.updated else self.results


def latex_of(
    draft: Draft,
    version: int,
    known: Mapping[str, Draft],
    authors: Mapping[int, Author],
    task: tuple[str, str, str, tuple[str, ...]],
) -> str:
    """The source of a version of a paper, with what those that it cites said of themselves at that time."""
    paper = draft.paper
    name, measure, _, sets = task
    moment = paper.published if version == 1 else paper.updated
    results = draft.wrong if draft.wrong and version < paper.version else draft.results
    cited = [known[reference] for reference in paper.references]
    facts = {
        "method": draft.method,
        "title": paper.title,
        "date": moment[:10],
        "task": name,
        "idea": draft.idea,
        "authors": " \\and ".join(authors[author_id].name for author_id in paper.author_ids),
        "abstract": _write_abstract(draft, results),
        "cited": ",".join(cited_draft.paper.id for cited_draft in cited) or "none",
        "count": len(sets),
        "related": _write_related_work(cited),
        "weight": f"0.0{len(paper.title) % 9 + 1}",
        "beam": len(cited) + 2,
        "threshold": f"0.{len(draft.method) % 8 + 1}",
        "sets": ", ".join(sets),
        "measure": measure,
        "runs": 3 + len(cited) % 3,
        "columns": "r" * len(sets),
        "heads": " & ".join(sets),
        "rows": _write_result_rows(draft, results, cited, moment, sets),
        "first": sets[0],
        "drop": round(1 + len(paper.id + draft.idea) % 17 / 10, 1),
    }
    body = [part % facts for part in (_HEAD, _INTRODUCTION, _METHOD, _EXPERIMENTS)]
    return "\n".join([*body, _write_bibliography(cited, authors), "\\end{document}\n"])


def _write_abstract(draft: Draft, results: Mapping[str, float]) -> str:
    """The abstract with the results of a version."""
    text = draft.paper.abstract
    best = max(draft.results, key=lambda set_name: draft.results[set_name])
    return text.replace(f"{draft.results[best]:.1f}%", f"{results[best]:.1f}\\%")


def _write_related_work(cited: list[Draft]) -> str:
    if not cited:
        return "We know of no earlier work on this problem."
    return "\n".join(
        f"\\emph{{{cited_draft.method}}} \\cite{{{cited_draft.paper.id}}} builds on {cited_draft.idea}; we do not."
        for cited_draft in cited[:6]
    )


def _write_result_rows(
    draft: Draft, results: Mapping[str, float], cited: list[Draft], moment: str, sets: tuple[str, ...]
) -> str:
    lines = [
        f"{cited_draft.method}~\\cite{{{cited_draft.paper.id}}} &"
        f" {_format_results(cited_draft.results_at(moment), sets)} \\\\"
        for cited_draft in cited
        if cited_draft.task == draft.task
    ]
    return "\n".join([*lines, f"\\textbf{{{draft.method}}} (ours) & {_format_results(results, sets)} \\\\"])


def _format_results(results: Mapping[str, float], sets: tuple[str, ...]) -> str:
    return " & ".join(f"{results[name]:.1f}" for name in sets)


def _write_bibliography(cited: list[Draft], authors: Mapping[int, Author]) -> str:
    entries = []
    for cited_draft in cited:
        names = ", ".join(authors[number].name for number in cited_draft.paper.author_ids)
        entries.append(
            f"\\bibitem{{{cited_draft.paper.id}}} {names}.\n\\newblock {cited_draft.paper.title}.\n"
            f"\\newblock arXiv:{cited_draft.paper.id}, {cited_draft.paper.published[:4]}."
        )
    return "\n".join([f"\\begin{{thebibliography}}{{{len(cited)}}}", *entries, "\\end{thebibliography}"])
