"""Reader for e-mails: MIME messages, mailboxes of them, and messages of Outlook.

Enters: the bytes of a message, a mailbox, or a web page saved as one file.
Leaves: a section for each message, and one for each attachment, read by the reader of its format.
First: `reader`.
Free: all of it: every kind of file becomes the one form in `message`.
Modules: attachments, bodies, charsets, cms, headers, lzfu, mailbox, mapi, message, mime, mime_message, outlook,
    pictures, plain_text, reader, rtf_html, tnef.
"""
