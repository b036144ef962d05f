# ruff: noqa: E501 - XML by hand reads best on one line
"""Cells and styles of a sheet as XML."""

STYLES = (
    '<numFmts count="3"><numFmt numFmtId="164" formatCode="0.0%"/><numFmt numFmtId="165" formatCode="[$€-407] #,##0.00"/>'
    '<numFmt numFmtId="166" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/></numFmts><cellXfs count="5"><xf numFmtId="0"/>'
    '<xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="14"/></cellXfs>'
)


def number(address: str, value: object, style: int = 0) -> str:
    return f'<c r="{address}" s="{style}"><v>{value}</v></c>'


def text(address: str, value: str) -> str:
    return f'<c r="{address}" t="inlineStr"><is><t>{value}</t></is></c>'
