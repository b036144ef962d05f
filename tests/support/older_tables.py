"""A collection in PostgreSQL with the tables of version 1, made from this version's."""

import numpy as np
import psycopg

_BEGIN = b"""
DROP TABLE segment, dead, posting;
CREATE TABLE posting (
    term integer NOT NULL,
    chunk_id bigint NOT NULL,
    frequency integer NOT NULL,
    length integer NOT NULL,
    places integer[] NOT NULL,
    PRIMARY KEY (chunk_id, term)
);
CREATE INDEX posting_by_term ON posting (term, chunk_id) INCLUDE (frequency, length);
ALTER TABLE meta DROP COLUMN flushed, DROP COLUMN layout;
UPDATE meta SET version = 1;
"""


def to_version_1(dsn: str, schema: str) -> None:
    """Give a collection the tables that version 1 had: a row for each term of each chunk."""
    with psycopg.connect(dsn) as connection:
        connection.execute(f'SET search_path TO "{schema}", public'.encode())
        chunks = connection.execute("SELECT chunk_id, length, terms FROM forward").fetchall()
        connection.execute(_BEGIN, prepare=False)
        for chunk_id, length, packed in chunks:
            terms = np.frombuffer(packed, "<u4")
            for term in np.unique(terms[terms > 0]).tolist():
                places = np.flatnonzero(terms == term).tolist()
                connection.execute(
                    "INSERT INTO posting VALUES (%s, %s, %s, %s, %s)", (term, chunk_id, len(places), length, places)
                )
        connection.execute("DROP TABLE forward")
