from pincite.formats.columns import Column, ColumnKind, analyse, shared_columns


def test_a_column_has_a_type_if_more_than_four_fifths_of_its_values_have() -> None:
    rows = [["1", "2024-01-01", "a", "", "1"]] * 9 + [
        ["x", "never", "5", "", "x"],
        ["2", "13:45", "b", "", "x"],
        ["", "", "", "", "x"],
    ]
    kinds = [column.kind for column in analyse(["n", "when", "what", "none", "mixed"], rows)]
    assert kinds == [ColumnKind.NUMERIC, ColumnKind.DATETIME, ColumnKind.TEXT, ColumnKind.EMPTY, ColumnKind.TEXT]


def test_exactly_four_fifths_are_not_enough() -> None:
    assert analyse(["n"], [["1"], ["2"], ["3"], ["4"], ["x"]])[0].kind is ColumnKind.TEXT
    assert analyse(["n"], [["1"], ["2"], ["3"], ["4"], ["5"], ["x"]])[0].kind is ColumnKind.NUMERIC


def test_density_is_the_share_of_filled_cells() -> None:
    assert analyse(["a", "b"], [["1", " "], ["2"], ["3", "x"], ["4", ""]]) == (
        Column("a", ColumnKind.NUMERIC, 1.0),
        Column("b", ColumnKind.TEXT, 0.25),
    )


def test_a_table_without_rows_has_empty_columns_and_a_longer_row_a_nameless_one() -> None:
    assert analyse(["a"], []) == (Column("a", ColumnKind.EMPTY, 0.0),)
    assert analyse([], [["x", "1"]]) == (Column("", ColumnKind.TEXT, 1.0), Column("", ColumnKind.NUMERIC, 1.0))


def test_columns_are_shared_whatever_their_letter_case() -> None:
    tables = {"May": ["Id", "units", "", "only"], "June": ["ID ", "Units", ""], "July": ["price", "price", "id"]}
    assert shared_columns(tables) == {"Id": ("May", "June", "July"), "units": ("May", "June")}
