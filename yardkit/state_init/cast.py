"""The cast: one company with all whom it deals with, from which every app's seeds draw their people and things.

    cast = cast_of(world)
    fill_shop(world, cast, stream(world, "shop"))

An app has a stream of chance of its own, so what one of them draws changes no other. What happened in the company, for
every app that knows of it, is told by `yardkit.state_init.company.stories`.
"""

from yardkit.state_init.company.cast import Cast, cast_of, get_stream, make_cast
from yardkit.state_init.company.goods import Product, Variant
from yardkit.state_init.company.persons import Colleague, Contact, Office, Somebody, address_of, fresh_names
from yardkit.state_init.company.schooling import Course, School, Teacher
from yardkit.state_init.company.trade import Customer, Project, Supplier

__all__ = [
    "Cast",
    "Colleague",
    "Contact",
    "Course",
    "Customer",
    "Office",
    "Product",
    "Project",
    "School",
    "Somebody",
    "Supplier",
    "Teacher",
    "Variant",
    "address_of",
    "cast_of",
    "fresh_names",
    "get_stream",
    "make_cast",
]
