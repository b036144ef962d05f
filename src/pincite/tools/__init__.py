"""The toolsets that agents see.

Enters: validated arguments, and services from `app`.
Leaves: answers of `tools/answers`.
First: `base`.
Free: what a tool does inside. Its name, description, arguments and answer are contracts.
Modules: answers/, arguments/, base, citations, docs, documents, extraction, knowledge.
"""
