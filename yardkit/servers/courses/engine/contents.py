"""Modules, pages, files, discussions, announcements, messages."""

import mimetypes
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from yardkit.apps.courses import (
    APP,
    Assignment,
    Completion,
    Conversation,
    File,
    Folder,
    ItemKind,
    Message,
    Module,
    ModuleItem,
    Post,
    Quiz,
    Topic,
    User,
)
from yardkit.apps.courses import Page as CoursePage
from yardkit.apps.store import drop_missing
from yardkit.servers.courses.engine.school_view import Campus, require_storable_text
from yardkit.world import Problem, World, save_atomically
from yardkit.world.limits import check_bytes
from yardkit.world.tree import clone_file

MAX_FILE_BYTES = 25_000_000
_ITEM_KINDS: dict[str, Any] = {"assignment": Assignment, "quiz": Quiz, "page": CoursePage, "file": File, "topic": Topic}


@dataclass(frozen=True)
class ThreadView:
    """A conversation with its messages, the oldest first."""

    conversation: Conversation
    messages: list[Message]


def find_modules(campus: Campus, course_id: int) -> list[Module]:
    """The modules of a course that the person sees, in order."""
    campus.get_course(course_id)
    return [
        course_module
        for course_module in campus.all(Module, "position", course_id=course_id)
        if campus.is_visible(course_module, course_id)
    ]


def items_of(campus: Campus, course_id: int, module_id: int) -> list[ModuleItem]:
    """What a module holds that the person sees, in order."""
    module = campus.get_course_record(Module, module_id, course_id)
    return [
        module_item
        for module_item in campus.all(ModuleItem, "position", module_id=module.id)
        if campus.is_visible(module_item, course_id)
    ]


def item_of(campus: Campus, course_id: int, module_id: int, item_id: int) -> ModuleItem:
    """A thing of a module.

    Raises:
        Problem: there is none of this number.
    """
    items = items_of(campus, course_id, module_id)
    for module_item in items:
        if module_item.id == item_id:
            return module_item
    named = ", ".join(f"{module_item.id} ({module_item.title})" for module_item in items) or "none"
    raise Problem(f"there is no item {item_id} in module {module_id}; there are: {named}")


def save_module(campus: Campus, course_id: int, module_id: int | None = None, **values: Any) -> Module:
    """A new module at the end, or what is given changed of one."""
    campus.require_teacher(course_id)
    if module_id is not None:
        return campus.store.change(campus.get_course_record(Module, module_id, course_id), **drop_missing(**values))
    place = values.pop("position", None) or len(campus.all(Module, course_id=course_id)) + 1
    return campus.store.put(Module(campus.next_id(Module), course_id, position=place, **drop_missing(**values)))


def save_item(
    campus: Campus,
    course_id: int,
    module_id: int,
    kind: ItemKind,
    title: str = "",
    content_id: int | None = None,
    url: str = "",
    position: int | None = None,
    *,
    published: bool = True,
    must_be_done: bool = False,
) -> ModuleItem:
    """Put a thing of the course, a link or a heading into a module, at the end or at a place.

    Raises:
        Problem: there is no such module or thing, or a link has no address.
    """
    campus.require_teacher(course_id)
    module = campus.get_course_record(Module, module_id, course_id)
    if kind in _ITEM_KINDS:
        if content_id is None:
            raise Problem(f"give content_id to identify the {kind}")
        thing = campus.get_course_record(_ITEM_KINDS[kind], content_id, course_id)
        title = title or next(str(getattr(thing, name)) for name in ("name", "title") if hasattr(thing, name))
    elif not title or (kind == "link" and not re.match(r"https?://\S+$", url)):
        raise Problem(f"a {kind} needs a title{' and an address (http)' if kind == 'link' else ''}")
    others = campus.all(ModuleItem, "position", module_id=module.id)
    place = min(position or len(others) + 1, len(others) + 1)
    for module_item in others[place - 1 :]:
        campus.store.change(module_item, position=module_item.position + 1)
    number = campus.next_id(ModuleItem)
    item = ModuleItem(number, module.id, place, kind, title, content_id, url, published, must_be_done)
    return campus.store.put(item)


def mark_done(campus: Campus, course_id: int, module_id: int, item_id: int) -> Completion:
    """Mark a thing of a module as done, as the person who acts."""
    item = item_of(campus, course_id, module_id, item_id)
    old = campus.find_first(Completion, item_id=item.id, user_id=campus.me.id)
    return old or campus.store.put(Completion(campus.next_id(Completion), item.id, campus.me.id, campus.now))


def find_pages(campus: Campus, course_id: int) -> list[CoursePage]:
    """The pages of a course that the person sees, by title."""
    campus.get_course(course_id)
    return [
        course_page
        for course_page in campus.all(CoursePage, "title", course_id=course_id)
        if campus.is_visible(course_page, course_id)
    ]


def page_of(campus: Campus, course_id: int, url: str) -> CoursePage:
    """A page by its name or number.

    Raises:
        Problem: there is none.
    """
    pages = find_pages(campus, course_id)
    for course_page in pages:
        if url in (course_page.url, str(course_page.id)):
            return course_page
    named = ", ".join(course_page.url for course_page in pages) or "none"
    raise Problem(f"there is no page {url[:200]!r} in course {course_id}; there are: {named}")


def find_files(campus: Campus, course_id: int, folder_id: int | None = None) -> list[File]:
    """The files of a course, or of one folder of it."""
    campus.get_course(course_id)
    where = {} if folder_id is None else {"folder_id": campus.get_course_record(Folder, folder_id, course_id).id}
    return campus.all(File, "name", course_id=course_id, **where)


def file_of(campus: Campus, file_id: int) -> File:
    """A file that the person sees: of one of their courses, or their own.

    Raises:
        Problem: there is none of this number.
    """
    file = campus.store.get(File, file_id)
    if file.course_id is not None:
        campus.get_course(file.course_id)
    elif file.author_id != campus.me.id and not campus.me.admin:
        raise Problem(f"the file {file_id} belongs to another person")
    return file


def upload_file(
    campus: Campus, world: World, path: Path, course_id: int | None = None, folder_id: int | None = None
) -> File:
    """Put a copy of a file of the workspace into a course, or keep it as the person's own.

    Raises:
        Problem: it is too large, there is no such course or folder, or the person may not.
    """
    size = check_bytes(path, MAX_FILE_BYTES)
    if course_id is not None:
        campus.get_course(course_id)
        folders = campus.all(Folder, course_id=course_id)
        if folder_id is not None:
            folder_id = campus.get_course_record(Folder, folder_id, course_id).id
        elif folders and campus.is_teacher(course_id):
            folder_id = folders[0].id
        if not campus.is_teacher(course_id):
            course_id = folder_id = None  # what a student hands in is the student's own
    number = campus.next_id(File)
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    with save_atomically(world.get_app_folder(APP) / "files" / str(number)) as draft:
        clone_file(path, draft)
    return campus.store.put(File(number, path.name, kind, size, campus.me.id, campus.now, course_id, folder_id))


def find_topics(campus: Campus, course_id: int, *, announcements: bool) -> list[Topic]:
    """The discussions or the announcements of a course that the person sees, the newest first."""
    campus.get_course(course_id)
    topics = campus.all(Topic, "posted DESC", course_id=course_id, announcement=int(announcements))
    return [topic for topic in topics if campus.is_visible(topic, course_id)]


def posts_of(campus: Campus, topic: Topic) -> list[Post]:
    """What was said in a discussion, the oldest first."""
    return campus.all(Post, "posted", topic_id=topic.id)


def save_topic(campus: Campus, course_id: int, title: str, message: str, **values: Any) -> Topic:
    """A new discussion or announcement.

    Raises:
        Problem: the person may not, or it says nothing.
    """
    campus.require_teacher(course_id)
    if not title.strip() or not message.strip():
        raise Problem("it needs both a title and a text")
    number, at = campus.next_id(Topic), campus.make_stamp(Topic, "posted")
    topic = Topic(
        number,
        course_id,
        title.strip(),
        require_storable_text("the text", message),
        campus.me.id,
        at,
        **drop_missing(**values),
    )
    return campus.store.put(topic)


def delete_topic(campus: Campus, course_id: int, topic_id: int) -> Topic:
    """Delete a discussion or announcement with what was said in it."""
    campus.require_teacher(course_id)
    topic = campus.get_course_record(Topic, topic_id, course_id)
    for post in posts_of(campus, topic):
        campus.store.remove(post)
    campus.store.remove(topic)
    return topic


def add_post(campus: Campus, course_id: int, topic_id: int, message: str) -> Post:
    """Say something in a discussion, as the person who acts."""
    topic = campus.get_course_record(Topic, topic_id, course_id)
    number, at = campus.next_id(Post), campus.make_stamp(Post, "posted")
    return campus.store.put(Post(number, topic.id, campus.me.id, require_storable_text("the text", message), at))


def find_conversations(campus: Campus) -> list[ThreadView]:
    """The conversations of the person who acts, that with the newest message first."""
    mine = [conversation for conversation in campus.store.find(Conversation) if _takes_part(campus, conversation)]
    views = [
        ThreadView(conversation, campus.all(Message, "sent", conversation_id=conversation.id)) for conversation in mine
    ]
    return sorted(views, key=lambda view: (view.messages[-1].sent if view.messages else "", view.conversation.id))[::-1]


def conversation_of(campus: Campus, conversation_id: int) -> ThreadView:
    """A conversation of the person who acts.

    Raises:
        Problem: there is none of this number.
    """
    views = find_conversations(campus)
    for view in views:
        if view.conversation.id == conversation_id:
            return view
    named = ", ".join(f"{view.conversation.id} ({view.conversation.subject})" for view in views[:10]) or "none"
    raise Problem(f"there is no conversation {conversation_id}; there are: {named}")


def send_message(
    campus: Campus, recipients: Sequence[int], body: str, subject: str = "", course_id: int | None = None
) -> ThreadView:
    """Send a message; to the same people with the same subject it goes on in their conversation.

    Raises:
        Problem: there is nobody to send it to, or nothing to send.
    """
    if not body.strip():
        raise Problem("the message is empty; give a text")
    people = sorted({campus.me.id, *(campus.store.get(User, number).id for number in recipients)})
    if people == [campus.me.id]:
        raise Problem("the message has no recipients; give the numbers of other people")
    known = (
        conversation
        for conversation in campus.store.find(Conversation)
        if (conversation.people, conversation.subject) == (people, subject)
    )
    thread = next(known, None) or campus.store.put(
        Conversation(campus.next_id(Conversation), subject, people, course_id)
    )
    thread = campus.store.change(thread, hidden_by=[])
    number, at = campus.next_id(Message), campus.make_stamp(Message, "sent")
    campus.store.put(Message(number, thread.id, campus.me.id, require_storable_text("the text", body), at))
    return ThreadView(thread, campus.all(Message, "sent", conversation_id=thread.id))


def hide_conversation(campus: Campus, conversation_id: int) -> Conversation:
    """Delete a conversation for the person who acts; the others keep it."""
    thread = conversation_of(campus, conversation_id).conversation
    return campus.store.change(thread, hidden_by=sorted({*thread.hidden_by, campus.me.id}))


def _takes_part(campus: Campus, thread: Conversation) -> bool:
    return campus.me.id in thread.people and campus.me.id not in thread.hidden_by
