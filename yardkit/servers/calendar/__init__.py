"""Calendars of the workspace's owner: events, series with exceptions, invitations by mail, common free times."""

GROUP = "apps"
