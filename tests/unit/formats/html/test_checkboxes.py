from support.html_pages import texts


def test_boxes_are_shown_outside_of_lists_and_those_of_forms_are_not() -> None:
    note = '<div><input type="checkbox" checked>b</div>'
    form = '<div><input type="checkbox" name="newsletter">c</div><div><input type="checkbox"></div>'
    assert texts(f"<body>{note}{form}</body>") == ["[x] b", "c"]
