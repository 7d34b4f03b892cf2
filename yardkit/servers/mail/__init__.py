"""Mail of the workspace's owner: folders, threads, search, attachments, drafts, sending with replies and bounces."""

GROUP = "apps"
