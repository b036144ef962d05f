import pytest

from pincite.ranking.code_names import MAX_NAMES, Definition, names


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("shutil.copy2", ["shutil.copy2"]),
        ("what does PyErr_SetString() return?", ["PyErr_SetString"]),
        ("default of `work_mem`, and of (SSLProtocol)", ["work_mem", "SSLProtocol"]),
        ("std::vector::push_back or Array#each", ["std::vector::push_back", "Array#each"]),
        ("what is --no-verify for", ["--no-verify"]),
        ("call eval() twice: eval()", ["eval"]),
        ("how do I rotate the keys", []),
        ("docs/settings.yml on https://example.com/a_b by a@b.org in 1.4.2", []),
        (" ".join(f"name_{n}" for n in range(MAX_NAMES + 1)), []),
    ],
)
def test_names_of_code_are_found_in_a_question(question: str, found: list[str]) -> None:
    assert [name.text for name in names(question)] == found


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("work_mem", "- **work_mem (integer)**\n  Sets the maximum."),
        ("toast.vacuum_truncate", "- **vacuum_truncate, toast.vacuum_truncate (boolean)**\n  Enables it."),
        ("Py_BuildValue", "- **[PyObject](structures.html#c) *Py_BuildValue(const char *format, ...)**\n  Creates."),
        ("SSLProtocol", "## SSLProtocol Directive\n\nWhich versions are accepted."),
        ("g_hash_table_insert", "### g_hash_table_insert ()\n\nInserts a key."),
        ("readFile", "### `fs.readFile(path[, options], callback)`"),
        ("shutil.copy2", ".. function:: shutil.copy2(src, dst)\n\n   Identical."),
        ("PyErr_Print", "   .. c:function:: void PyErr_Print(void)"),
        ("asyncio.sleep", ".. py:classmethod:: asyncio.sleep"),
        ("max_shards", "| name | default |\n| --- | --- |\n| `max_shards` | 50 |"),
        ("strict-ssl.enabled", "- `strict-ssl.enabled`: whether to check."),
        ("rotate_keys", "```python\ndef rotate_keys(count: int) -> None:\n```"),
        ("--no-verify", "- **-n, --no-verify**\n  Skips the hook."),
    ],
)
def test_what_defines_a_name(name: str, text: str) -> None:
    (one,) = names(name) or names(f"{name}()")
    assert Definition(one).strength(text, str) == 1


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("work_mem", "It may exceed work_mem many times. See **work_mem**."),
        ("PyObject", "- **void PyErr_SetString(PyObject *type, const char *message)**"),
        ("max_shards", "| shards | max_shards and more |"),
        ("work_mem", "- **maintenance_work_mem (integer)**"),
        ("http.Client.get", "- **Server.get(key)**\n  A value of an http.Client."),
        ("shutil.copy2", ".. audit-event:: shutil.copyfile src,dst shutil.copy2"),
        ("GraphQL", "## V13.4 GraphQL\n\nLimits of queries."),
    ],
)
def test_what_only_mentions_a_name(name: str, text: str) -> None:
    (one,) = names(name)
    assert Definition(one).strength(text, str) == 0


def test_a_definition_without_the_qualifiers_of_a_name_counts_as_far_as_they_are_near() -> None:
    (name,) = names("http.client.Pool.drain")
    method = "- **drain()**\n  Waits."
    strengths = [
        Definition(name).strength(method, around)
        for around in (str, lambda: "http.html", lambda: "http.html\nPool", lambda: "http.client.html\nPool objects")
    ]
    assert strengths == sorted(strengths)
    assert (
        strengths[0] == 0 < strengths[1] < strengths[3] < Definition(name).strength("# http.client.Pool.drain()", str)
    )
