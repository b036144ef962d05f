from pincite.formats.html.shadow_roots import opened
from support.html_pages import texts


def test_shadow_roots_are_read_and_other_templates_are_not() -> None:
    inner = (
        '<my-row><template shadowrootmode="open"><p>Inner.</p><template><p>Copied.</p></template></template></my-row>'
    )
    page = f'<my-page><template shadowrootmode=open><h1>Title</h1>{inner}</template><p slot="a">Slot.</p></my-page>'
    assert texts(page) == ["# Title", "Inner.", "Slot."]


def test_style_sheets_of_a_shadow_root_hide_nothing_around_it() -> None:
    page = "<b-x><template shadowrootmode=open><style>p{display:none}</style><i>In</i></template></b-x><p>Out.</p>"
    assert texts(page) == ["In", "Out."]


def test_markup_without_shadow_roots_or_ends_is_kept() -> None:
    page = "<template><p>Copied.</p></template><p>Text.</p>"
    assert opened(page) == page
    assert opened("<template shadowrootmode=open><p>Text.") == "<div><p>Text."


def test_a_style_sheet_without_an_end_takes_the_rest() -> None:
    page = f"<template shadowrootmode=open><p>In.</p>{'<style' * 100_000}</template>"
    assert opened(page) == "<div><p>In.</p></div>"
