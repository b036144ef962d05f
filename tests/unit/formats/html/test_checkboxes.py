import pytest

from support.html_pages import texts

CONFLUENCE = (
    '<ul class="inline-task-list"><li class="checked" data-inline-task-id="1"><span>a</span></li>'
    '<li data-inline-task-id="2">b</li></ul>'
)
NOTION = (
    '<ul class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span>a</span></li>'
    '<li><div class="checkbox checkbox-off"></div> <span>b</span></li></ul>'
)
EVERNOTE = (
    '<ul style="--en-todo:true;"><li style="--en-checked:true;"><div>a</div></li>'
    '<li style="--en-checked:false;"><div>b</div></li></ul>'
)
EDITOR = '<ul data-todo="true"><li data-checked="true">a</li><li data-checked="false">b</li></ul>'
ROLES = (
    '<ul><li><span role="checkbox" aria-checked="true"></span>a</li>'
    '<li data-checked="false"></li><li><span role="checkbox" aria-checked="false"></span>b</li></ul>'
)


@pytest.mark.parametrize("markup", [CONFLUENCE, NOTION, EVERNOTE, EDITOR, ROLES])
def test_boxes_of_wikis_and_notes_show_whether_they_are_checked(markup: str) -> None:
    assert "\n".join(texts(markup)) == "- [x] a\n- [ ] b"


def test_boxes_of_notes_are_shown_outside_of_lists_and_those_of_forms_are_not() -> None:
    notes = '<div><en-todo checked="true"></en-todo>a</div><div><input type="checkbox" checked>b</div>'
    form = '<div><input type="checkbox" name="newsletter">c</div><div><input type="checkbox"></div>'
    assert texts(f"<body>{notes}{form}</body>") == ["[x] a", "[x] b", "c"]
