from datetime import date

from support.decks import (
    NS,
    Deck,
    bar_chart,
    frame,
    raw,
    texts,
)


def test_a_chart_is_a_table_of_its_values() -> None:
    deck = Deck()
    chart = bar_chart(deck.slide("T"), ["Q1", "Q2", "Q3"], {"North": [1.5, None, 3], "South": [4, 5, 0.1 + 0.2]})
    chart.has_title = True
    chart.chart_title.text_frame.text = "Sales"
    assert texts(deck.read(), "table") == [
        "Sales\n\n|  | North | South |\n| --- | --- | --- |\n| Q1 | 1.5 | 4 |\n| Q2 |  | 5 |\n| Q3 | 3 | 0.3 |"
    ]


def test_dates_and_percentages_of_charts_are_written_as_they_are_shown() -> None:
    deck = Deck()
    bar_chart(deck.slide("T"), [date(2024, 1, 31), date(2024, 2, 29)], {"Share": [0.07, 1]}, "0.0%")
    assert "| 2024-01-31 | 7% |\n| 2024-02-29 | 100% |" in deck.read().text


def test_charts_without_values_give_their_titles() -> None:
    deck = Deck()
    slide = deck.slide("T")
    bar_chart(slide, [], {})
    assert deck.read().coverage.complete


def test_newer_charts_are_tables_too() -> None:
    deck = Deck()
    slide = deck.slide("T")
    xml = (
        f'<cx:chartSpace {NS}><cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:lvl><cx:pt idx="0">Rent</cx:pt>'
        '<cx:pt idx="1">Food</cx:pt></cx:lvl></cx:strDim><cx:numDim type="val"><cx:lvl formatCode="General">'
        '<cx:pt idx="0">7</cx:pt><cx:pt idx="1">-2</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart>'
        "<cx:title><cx:tx><cx:txData><cx:v>Costs</cx:v></cx:txData></cx:tx></cx:title><cx:plotArea><cx:plotAreaRegion>"
        '<cx:series><cx:dataId val="0"/></cx:series><cx:series><cx:dataId val="5"/></cx:series></cx:plotAreaRegion>'
        "</cx:plotArea></cx:chart></cx:chartSpace>"
    )
    key = deck.part(slide, "http://schemas.microsoft.com/office/2014/relationships/chartEx", "/ppt/charts/x1.xml", xml)
    raw(slide, frame(f'<cx:chart r:id="{key}"/>'))
    assert texts(deck.read(), "table") == ["Costs\n\n|  | Series 1 |\n| --- | --- |\n| Rent | 7 |\n| Food | -2 |"]
