"""Response models, one module per toolset.

Enters: what services return.
Leaves: models whose JSON is the answer.
First: `bounded`.
Free: how an answer is put together; fields and their order are contracts.
Modules: bounded, cited, docs, documents, editions, information, knowledge, opened, pages, passages, search_notes,
    status.
"""
