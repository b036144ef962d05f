from support.pdf_statements import only


def test_a_value_between_texts_makes_columns() -> None:
    rows = only(
        """
Name                   Age      Position
Satya Nadella           55      Chairman and Chief Executive Officer
Judson B. Althoff       50      Executive Vice President
                                and Chief Commercial Officer
"""
    )
    assert rows[2] == ["Judson B. Althoff", "50", "Executive Vice President and Chief Commercial Officer"]


def test_a_year_at_the_left_is_a_label() -> None:
    rows = only(
        """
2024              173        12
2025              150        13
2022
Deliveries        480        20
"""
    )
    assert rows[0] == ["2024", "173", "12"] and rows[2] == ["2022", "", ""]
