"""Discussions, announcements, conversations, notifications."""

from typing import Annotated, Any

from pydantic import Field

from yardkit.apps.courses import Topic
from yardkit.kit.dialect import Text, TextPage
from yardkit.kit.surface import tool
from yardkit.servers.courses.dialects.toolathlon import objects
from yardkit.servers.courses.dialects.toolathlon.app import (
    CourseId,
    Offset,
    Time,
    TopicId,
    YesNo,
    format_answer,
    mcp,
    open_for_changing,
    open_for_reading,
    require_values,
)
from yardkit.servers.courses.engine import contents, views
from yardkit.servers.courses.engine.school_view import time_of
from yardkit.world import Problem, current_world
from yardkit.world.paths import in_file

Message = Annotated[str, Field(description="Text or HTML.", max_length=200_000)]
ConversationId = Annotated[int, Field(description="ID of the conversation.")]


@tool(mcp)
def canvas_list_discussion_topics(course_id: CourseId, offset: Offset = 0) -> TextPage:
    """List all discussion topics in a course."""
    require_values(course_id=course_id)
    with open_for_reading() as campus:
        topics = contents.find_topics(campus, course_id, announcements=False)
        return format_answer([objects.build_topic(campus, topic) for topic in topics], offset)


@tool(mcp)
def canvas_get_discussion_topic(course_id: CourseId, topic_id: TopicId, offset: Offset = 0) -> TextPage:
    """Get details of a specific discussion topic."""
    require_values(course_id=course_id, topic_id=topic_id)
    with open_for_reading() as campus:
        topic = campus.get_course_record(Topic, topic_id, course_id)
        posts = [objects.build_post(campus, post) for post in contents.posts_of(campus, topic)]
        return format_answer(objects.build_topic(campus, topic) | {"entries": posts}, offset)


@tool(mcp, writes=True, idempotent=False)
def canvas_post_to_discussion(course_id: CourseId, topic_id: TopicId, message: Message) -> TextPage:
    """Post a message to a discussion topic."""
    require_values(course_id=course_id, topic_id=topic_id, message=message)
    with open_for_changing() as campus:
        return format_answer(objects.build_post(campus, contents.add_post(campus, course_id, topic_id, message)))


@tool(mcp)
def canvas_list_announcements(course_id: CourseId, offset: Offset = 0) -> TextPage:
    """List all announcements in a course."""
    require_values(course_id=course_id)
    with open_for_reading() as campus:
        announcements = contents.find_topics(campus, course_id, announcements=True)
        return format_answer([objects.build_topic(campus, announcement) for announcement in announcements], offset)


@tool(mcp, writes=True, idempotent=False)
def canvas_create_announcement(
    course_id: CourseId,
    title: Annotated[str, Field(description="Title of the announcement.", max_length=500)],
    message: Message,
    is_announcement: YesNo = None,
    published: YesNo = None,
    delayed_post_at: Time = None,
    attachment: Annotated[dict[str, Any] | None, Field(description="filename: a file of the workspace.")] = None,
) -> TextPage:
    """Create a new announcement in a course."""
    require_values(course_id=course_id, title=title, message=message)
    world = current_world()
    with open_for_changing() as campus:
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
        return format_answer(objects.build_topic(campus, new_announcement))


@tool(mcp, writes=True, destructive=True, idempotent=False)
def canvas_delete_announcement(
    course_id: CourseId, announcement_id: Annotated[int, Field(description="ID of the announcement.")]
) -> Text:
    """Delete an announcement."""
    require_values(course_id=course_id, announcement_id=announcement_id)
    with open_for_changing() as campus:
        topic = campus.get_course_record(Topic, announcement_id, course_id)
        if not topic.announcement:
            raise Problem(f"the topic {announcement_id} ({topic.title}) is a discussion and no announcement")
        contents.delete_topic(campus, course_id, announcement_id)
    return Text(f"Successfully deleted announcement {announcement_id} from course {course_id}")


@tool(mcp)
def canvas_list_conversations(offset: Offset = 0) -> TextPage:
    """List user's conversations."""
    with open_for_reading() as campus:
        conversations = contents.find_conversations(campus)
        return format_answer(
            [
                objects.build_conversation(campus, thread.conversation, thread.messages, with_messages=False)
                for thread in conversations
            ],
            offset,
        )


@tool(mcp)
def canvas_get_conversation(conversation_id: ConversationId, offset: Offset = 0) -> TextPage:
    """Get details of a specific conversation."""
    require_values(conversation_id=conversation_id)
    with open_for_reading() as campus:
        thread = contents.conversation_of(campus, conversation_id)
        return format_answer(
            objects.build_conversation(campus, thread.conversation, thread.messages, with_messages=True), offset
        )


@tool(mcp, writes=True, idempotent=False)
def canvas_create_conversation(
    recipients: Annotated[list[str], Field(description="User IDs, or course_1_students.", max_length=500)],
    body: Message,
    subject: Annotated[str | None, Field(description="Subject.", max_length=1_000)] = None,
) -> TextPage:
    """Create a new conversation."""
    require_values(recipients=recipients, body=body)
    with open_for_changing() as campus:
        numbers = []
        for text in recipients:
            course, _, role = text.removeprefix("course_").partition("_")
            of = int(course) if text.startswith("course_") and course.isdigit() else None
            numbers += views.numbers_of(campus, [role or "students" if of else text], of)
        thread = contents.send_message(campus, numbers, body, subject or "")
        return format_answer(
            [objects.build_conversation(campus, thread.conversation, thread.messages, with_messages=True)]
        )


@tool(mcp, writes=True, destructive=True, idempotent=False)
def canvas_delete_conversation(conversation_id: ConversationId) -> Text:
    """Delete a conversation."""
    require_values(conversation_id=conversation_id)
    with open_for_changing() as campus:
        contents.hide_conversation(campus, conversation_id)
    return Text(f"Successfully deleted conversation {conversation_id}")


@tool(mcp)
def canvas_list_notifications(offset: Offset = 0) -> TextPage:
    """List user's notifications."""
    with open_for_reading() as campus:
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
        return format_answer(
            sorted(notifications, key=lambda notification: str(notification["created_at"]), reverse=True)[:50], offset
        )
