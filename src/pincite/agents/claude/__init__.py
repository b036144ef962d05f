"""The engine `claude`: a model that searches and reads a document with four tools, whatever runs it.

Enters: a document and a schema; settings of the section `agent`.
Leaves: an answer of values and citations, or the failure of the last attempt.
First: `engine`.
Free: instructions (`prompt`), attempts and their times. A runner needs only the interface in `conversation`.
Modules: answers, attempts, conversation, desk, engine, failures, prompt.
"""
