"""Courses of a school: people, modules, assignments, submissions, grades, quizzes, announcements, messages."""

GROUP = "apps"
