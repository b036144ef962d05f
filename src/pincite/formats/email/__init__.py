"""Reader for e-mails: MIME messages, mailboxes of them, and messages of Outlook."""
