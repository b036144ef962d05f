from pincite.formats.email.rtf_html import html

HEAD = rb"{\rtf1\ansi\ansicpg1251\fromhtml1 \deff0{\fonttbl{\f0\fswiss Arial;}}{\*\generator x;}"


def test_the_page_is_what_was_put_into_rtf() -> None:
    body = (
        rb"{\*\htmltag19 <html>}{\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 \'ca\'eb\'fe\'f7 {\*\htmltag84 <b>}\htmlrtf "
        rb"{\b\htmlrtf0 \u1080\'3f\tab x{\*\htmltag92 </b>}\htmlrtf }\htmlrtf0 {\*\htmltag72 </p>}\htmlrtf \par}"
        rb"\htmlrtf0 \{ \} \\ \endash{\*\mhtmltag <a>}{\*\htmltag27 </html>}}"
    )
    assert html(HEAD + body) == "<html><p>Ключ <b>и\tx</b></p>{ } \\ –</html>"


def test_other_rtf_has_no_page() -> None:
    assert html(rb"{\rtf1\ansi text}") == ""


def test_damage_does_no_harm() -> None:
    assert html(HEAD + b"{" * 20_000) == ""
    assert html(HEAD + rb"}}}}} text") == ""
    assert html(HEAD + rb"\u-10179 ?a") == "\ufffda"
