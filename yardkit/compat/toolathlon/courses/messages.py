"""Discussions, announcements, conversations, notifications."""

from typing import Any

from yardkit.apps.courses import Topic
from yardkit.compat.toolathlon.courses import objects
from yardkit.servers.courses.engine import contents, views
from yardkit.servers.courses.engine.school_view import Campus, time_of
from yardkit.world import Problem, current_world
from yardkit.world.paths import in_file


def canvas_list_discussion_topics(campus: Campus, course_id: int) -> Any:
    topics = contents.find_topics(campus, course_id, announcements=False)
    return [objects.build_topic(campus, topic) for topic in topics]


def canvas_get_discussion_topic(campus: Campus, course_id: int, topic_id: int) -> Any:
    topic = campus.get_course_record(Topic, topic_id, course_id)
    posts = [objects.build_post(campus, post) for post in contents.posts_of(campus, topic)]
    return objects.build_topic(campus, topic) | {"entries": posts}


def canvas_post_to_discussion(campus: Campus, course_id: int, topic_id: int, message: str) -> Any:
    return objects.build_post(campus, contents.add_post(campus, course_id, topic_id, message))


def canvas_list_announcements(campus: Campus, course_id: int) -> Any:
    announcements = contents.find_topics(campus, course_id, announcements=True)
    return [objects.build_topic(campus, announcement) for announcement in announcements]


def canvas_create_announcement(
    campus: Campus,
    course_id: int,
    title: str,
    message: str,
    is_announcement: bool | None = None,
    published: bool | None = None,
    delayed_post_at: str | None = None,
    attachment: dict[str, Any] | None = None,
) -> Any:
    world = current_world()
    file = None
    if attachment:
        name = attachment.get("filename") or attachment.get("path") or attachment.get("file_path")
        if not isinstance(name, str):
            raise Problem("an attachment has filename: the path of a file")
        file = contents.upload_file(campus, world, in_file(name), course_id).id
    new_announcement = contents.save_topic(
        campus, course_id, title, message, announcement=is_announcement is not False, published=published,
        shows=time_of(delayed_post_at, world), file_id=file,
    )  # fmt: skip
    return objects.build_topic(campus, new_announcement)


def canvas_delete_announcement(campus: Campus, course_id: int, announcement_id: int) -> str:
    topic = campus.get_course_record(Topic, announcement_id, course_id)
    if not topic.announcement:
        raise Problem(f"the topic {announcement_id} ({topic.title}) is a discussion and no announcement")
    contents.delete_topic(campus, course_id, announcement_id)
    return f"Successfully deleted announcement {announcement_id} from course {course_id}"


def canvas_list_conversations(campus: Campus) -> Any:
    conversations = contents.find_conversations(campus)
    return [
        objects.build_conversation(campus, thread.conversation, thread.messages, with_messages=False)
        for thread in conversations
    ]


def canvas_get_conversation(campus: Campus, conversation_id: int) -> Any:
    thread = contents.conversation_of(campus, conversation_id)
    return objects.build_conversation(campus, thread.conversation, thread.messages, with_messages=True)


def canvas_create_conversation(campus: Campus, recipients: list[str], body: str, subject: str | None = None) -> Any:
    numbers = []
    for text in recipients:
        course, _, role = text.removeprefix("course_").partition("_")
        of = int(course) if text.startswith("course_") and course.isdigit() else None
        numbers += views.numbers_of(campus, [role or "students" if of else text], of)
    thread = contents.send_message(campus, numbers, body, subject or "")
    return [objects.build_conversation(campus, thread.conversation, thread.messages, with_messages=True)]


def canvas_delete_conversation(campus: Campus, conversation_id: int) -> str:
    contents.hide_conversation(campus, conversation_id)
    return f"Successfully deleted conversation {conversation_id}"


def canvas_list_notifications(campus: Campus) -> Any:
    news = [
        topic
        for course in campus.list_courses()
        for topic in contents.find_topics(campus, course.id, announcements=True)
    ]
    notifications = [
        {
            "id": announcement.id,
            "type": "Announcement",
            "title": announcement.title,
            "created_at": announcement.posted,
            "course_id": announcement.course_id,
        }
        for announcement in news
    ]
    notifications += [
        {
            "id": thread.conversation.id,
            "type": "Conversation",
            "title": thread.conversation.subject,
            "created_at": thread.messages[-1].sent,
            "course_id": thread.conversation.course_id,
        }
        for thread in contents.find_conversations(campus)
        if thread.messages and thread.messages[-1].author_id != campus.me.id
    ]
    return sorted(notifications, key=lambda notification: str(notification["created_at"]), reverse=True)[:50]
