"""Projects of a company that end when a task wants it."""

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from yardkit.state_init.company.cast import Cast


def end_projects(cast: Cast, rng: random.Random, today: date, ends: Sequence[int]) -> Cast:
    """The cast with its projects ending so many days from today, for customers of their own, under leads of their own.

    The first two are for the two customers whose names are nearly the same; leads are neither heads nor twins.
    """
    buyers = [*cast.customers[:2], *rng.sample(cast.customers[2:-1], len(ends) - 2)]
    leads, ended_projects = rng.sample(cast.colleagues[9:-4], len(ends)), []
    for project, buyer, lead, days in zip(cast.projects, buyers, leads, ends, strict=True):
        until = today + timedelta(days=days)
        begins = until - timedelta(days=rng.randint(220, 300))
        code, status = f"P-{begins:%y}-{project.code[-2:]}", "running" if days > 0 else "closed"
        members = tuple(member for member in (project.lead, *project.members) if member != lead.email)
        part = replace(project, code=code, status=status, lead=lead.email, members=members, customer=buyer.number)
        ended_projects.append(replace(part, begins=begins, ends=until))
    return replace(cast, projects=tuple(ended_projects))
