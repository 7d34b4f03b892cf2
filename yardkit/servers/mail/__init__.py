"""Mail of the workspace's owner: folders, threads, search, attachments, drafts, sending with answers and bounces."""

GROUP = "apps"
