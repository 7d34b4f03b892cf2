"""The tools of the `contacts` server."""

from typing import Annotated

from pydantic import Field

from yardkit.apps.store import drop_missing
from yardkit.kit.surface import make_server, tool
from yardkit.servers.contacts import engine
from yardkit.servers.contacts.book import current_book

mcp = make_server("contacts", "The address book of the workspace's owner.")

Line = Annotated[str, Field(max_length=1_000)]
Lines = Annotated[list[Line], Field(max_length=50)]


@tool(mcp, bulk=True)
def find_contacts(
    query: Annotated[
        str,
        Field(
            description="Words that must all occur in the name, addresses, numbers, company or note.", max_length=1_000
        ),
    ] = "",
    offset: Annotated[int, Field(description="Contacts to skip; use next_offset of the previous page.", ge=0)] = 0,
    limit: Annotated[int, Field(description="Contacts per page.", ge=1, le=200)] = 50,
) -> engine.Contacts:
    """Search people and companies, sorted by name."""
    return engine.find_contacts(current_book(), query, offset, limit)


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def save_contact(
    contact_id: Annotated[
        str, Field(description="Id of the contact to change, from find_contacts; empty: create one.", max_length=500)
    ] = "",
    name: Annotated[Line | None, Field(description="Full name of the person, or name of the company.")] = None,
    emails: Annotated[Lines | None, Field(description="All mail addresses, the preferred one first.")] = None,
    phones: Annotated[Lines | None, Field(description="All phone numbers, the preferred one first.")] = None,
    organization: Annotated[Line | None, Field(description="Company.")] = None,
    title: Annotated[Line | None, Field(description="Job title.")] = None,
    postal_address: Annotated[Line | None, Field(description="Street, place and country in one line.")] = None,
    birthday: Annotated[str | None, Field(description="Date of birth, such as 1984-05-01.", max_length=10)] = None,
    groups: Annotated[Lines | None, Field(description="All category labels.")] = None,
    note: Annotated[str | None, Field(description="Notes.", max_length=20_000)] = None,
) -> engine.ContactDone:
    """Create a contact, or change the given fields of an existing one."""
    texts = drop_missing(
        name=name, organization=organization, title=title, address=postal_address, birthday=birthday, note=note
    )
    lists = {key: tuple(value) for key, value in drop_missing(emails=emails, phones=phones, groups=groups).items()}
    return engine.save_contact(current_book(), contact_id, {**texts, **lists})


@tool(mcp, bulk=True, writes=True, destructive=True, idempotent=False)
def delete_contact(
    contact_id: Annotated[
        str, Field(description="Id of the contact, from find_contacts.", min_length=1, max_length=500)
    ],
) -> engine.ContactDone:
    """Delete a contact permanently."""
    return engine.delete_contact(current_book(), contact_id)
