-- Every statement of the SQLite store, each after its name and a description. `statements.py` reads this
-- file once when a store is opened. Needs SQLite 3.38.

-- name: schema
-- All tables. `name`, titles, texts and wide integers have no declared type on purpose: a text that is not
-- valid Unicode is kept as bytes, an integer over 64 bits as digits, and no affinity may change them.
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value
) WITHOUT ROWID;
CREATE TABLE embedder (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    identity TEXT NOT NULL UNIQUE,
    dimensions INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE document (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name NOT NULL UNIQUE,
    source_key,
    state NOT NULL,
    modified_ns NOT NULL,
    fingerprint TEXT NOT NULL,
    stamp TEXT NOT NULL,
    revision TEXT NOT NULL,
    chunk_count INTEGER NOT NULL DEFAULT 0,
    total_chars INTEGER NOT NULL DEFAULT 0,
    title,
    first_h1,
    failure NOT NULL DEFAULT '',
    coverage,
    properties
);
CREATE INDEX document_count ON document (failure, chunk_count);
CREATE UNIQUE INDEX document_by_key ON document (source_key) WHERE source_key IS NOT NULL;
CREATE INDEX document_by_stamp ON document (stamp);
CREATE TABLE text (
    document_id INTEGER NOT NULL,
    number INTEGER NOT NULL,
    text NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (document_id, number)
);
CREATE TABLE chunk (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    document_id INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    hash BLOB NOT NULL,
    embed_hash BLOB NOT NULL,
    locator TEXT NOT NULL,
    kind TEXT NOT NULL,
    level INTEGER NOT NULL,
    part INTEGER NOT NULL,
    parts INTEGER NOT NULL,
    span_start INTEGER NOT NULL,
    span_end INTEGER NOT NULL,
    embed_start INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    breadcrumb NOT NULL,
    path,
    pages,
    boxes,
    sources,
    chunk_type TEXT,
    normative INTEGER,
    clause,
    other_tags,
    context NOT NULL
);
CREATE INDEX chunk_by_document ON chunk (document_id, ordinal);
CREATE INDEX chunk_by_vector ON chunk (embed_hash, document_id);
CREATE INDEX chunk_to_document ON chunk (id, document_id);
CREATE INDEX chunk_by_tag ON chunk (chunk_type, normative, clause, kind, document_id)
WHERE chunk_type IS NOT NULL OR normative IS NOT NULL OR clause IS NOT NULL;
CREATE INDEX chunk_heading ON chunk (document_id, ordinal, level, breadcrumb, path) WHERE part = 1 AND level > 0;
CREATE TABLE vector (
    id INTEGER PRIMARY KEY,
    embedder INTEGER NOT NULL,
    embed_hash BLOB NOT NULL,
    vector BLOB NOT NULL,
    UNIQUE (embedder, embed_hash)
);
CREATE TABLE waiting (
    embedder INTEGER NOT NULL,
    chunk_id INTEGER NOT NULL,
    document_id INTEGER NOT NULL,
    PRIMARY KEY (embedder, chunk_id)
) WITHOUT ROWID;
CREATE INDEX waiting_by_chunk ON waiting (chunk_id);
CREATE TABLE waiting_document (
    embedder INTEGER NOT NULL,
    document_id INTEGER NOT NULL,
    chunks INTEGER NOT NULL,
    PRIMARY KEY (embedder, document_id)
) WITHOUT ROWID;
CREATE TRIGGER waiting_more AFTER INSERT ON waiting BEGIN
    INSERT INTO waiting_document (embedder, document_id, chunks) VALUES (new.embedder, new.document_id, 1)
    ON CONFLICT DO UPDATE SET chunks = chunks + 1; END;
CREATE TRIGGER waiting_fewer AFTER DELETE ON waiting BEGIN
    UPDATE waiting_document SET chunks = chunks - 1 WHERE embedder = old.embedder AND document_id = old.document_id; DELETE FROM waiting_document WHERE embedder = old.embedder AND document_id = old.document_id AND chunks = 0; END;
CREATE TABLE past (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name NOT NULL,
    revision TEXT NOT NULL,
    ended_ns INTEGER NOT NULL,
    chunks BLOB NOT NULL,
    UNIQUE (name, revision)
);
CREATE TABLE change (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    generation INTEGER NOT NULL,
    chunk_id INTEGER NOT NULL,
    added INTEGER NOT NULL
);
CREATE INDEX change_by_generation ON change (generation, chunk_id, added);
CREATE TABLE term (
    id INTEGER PRIMARY KEY,
    term NOT NULL UNIQUE,
    holding INTEGER NOT NULL
);
CREATE TABLE lease (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    holder TEXT NOT NULL,
    beat_ns INTEGER NOT NULL
);
CREATE TABLE word (
    word TEXT PRIMARY KEY
) WITHOUT ROWID;
CREATE TABLE forward (
    chunk_id INTEGER PRIMARY KEY,
    length INTEGER NOT NULL,
    terms BLOB NOT NULL
);
CREATE VIRTUAL TABLE words USING fts5 (
    context, text, content='', tokenize='porter unicode61 remove_diacritics 2 categories ''L* N* Co M*'''
);

-- name: tables
-- Tables to drop before a rebuild, virtual tables first because they drop their shadow tables themselves.
SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
ORDER BY sql NOT LIKE 'CREATE VIRTUAL%';

-- name: meta
-- The index's metadata.
SELECT key, value FROM meta;

-- name: meta_put
-- Set one entry of the index's metadata.
INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- name: lease
-- The holder of the lease on bulk work, and the time of its last renewal.
SELECT holder, beat_ns FROM lease;

-- name: lease_put
-- Acquire or renew the lease.
INSERT INTO lease (only, holder, beat_ns) VALUES (1, ?, ?)
ON CONFLICT (only) DO UPDATE SET holder = excluded.holder, beat_ns = excluded.beat_ns;

-- name: lease_delete
-- Release the lease.
DELETE FROM lease WHERE holder = ?;

-- name: generation
-- The index's version.
SELECT value FROM meta WHERE key = 'generation';

-- name: log_floor
-- The generation up to which the change log was trimmed: a reader at an earlier one reads everything again.
SELECT value FROM meta WHERE key = 'log_floor';

-- name: last_indexed
-- Time of the last change of contents.
SELECT value FROM meta WHERE key = 'last_indexed_ns';

-- name: embedder_add
-- Insert an embedder; vectors refer to its id.
INSERT INTO embedder (identity) VALUES (?) ON CONFLICT DO NOTHING;

-- name: embedder
-- An embedder's id.
SELECT id FROM embedder WHERE identity = ?;

-- name: dimensions
-- The dimensions of an embedder's vectors (0 before the first).
SELECT dimensions FROM embedder WHERE id = ?;

-- name: embedder_dimensions
-- Set the dimensions of an embedder's vectors, with the first of them.
UPDATE embedder SET dimensions = ? WHERE id = ?;

-- name: waiting_all
-- Queue every chunk without a vector for a new embedder.
INSERT INTO waiting (embedder, chunk_id, document_id)
SELECT ?1, chunk.id, chunk.document_id FROM chunk
WHERE NOT EXISTS (SELECT 1 FROM vector WHERE vector.embedder = ?1 AND vector.embed_hash = chunk.embed_hash);

-- name: states
-- Every document's state by source key, which is stored only if it is not the name.
SELECT coalesce(source_key, name), state FROM document;

-- name: state
-- One document's state.
SELECT coalesce(source_key, name), state FROM document WHERE source_key = ?1 OR (name = ?1 AND source_key IS NULL);

-- name: states_of
-- The states of some documents, by source key. A statement for each takes three times as long.
SELECT name, state FROM document WHERE name IN (SELECT value FROM json_each(?1)) AND source_key IS NULL
UNION ALL SELECT source_key, state FROM document WHERE source_key IN (SELECT value FROM json_each(?1));

-- name: stamps
-- The distinct stamps.
SELECT DISTINCT stamp FROM document;

-- name: stamped
-- The source keys and names of documents with one of these stamps.
SELECT coalesce(source_key, name), name FROM document WHERE stamp IN (SELECT value FROM json_each(?));

-- name: waiting_chunks
-- The number of chunks without vector of each document that has any.
SELECT document_id, chunks FROM waiting_document WHERE embedder = ?;

-- name: chunks_at
-- The chunks at (document name, ordinal), with the number of each pair. A name that is not UTF-8 is stored as bytes.
SELECT place.key, chunk.id FROM json_each(?) AS place
JOIN document ON document.name
    IN (json_extract(place.value, '$[0]'), CAST(json_extract(place.value, '$[0]') AS BLOB))
JOIN chunk ON chunk.document_id = document.id AND chunk.ordinal = json_extract(place.value, '$[1]');

-- name: document_stamp
-- The stamp of a document.
SELECT stamp FROM document WHERE id = ?;

-- name: identity_put
-- Give the file an id of its own, unless it has one.
INSERT INTO meta (key, value) VALUES ('identity', ?) ON CONFLICT DO NOTHING;

-- name: identity
-- Its id.
SELECT value FROM meta WHERE key = 'identity';

-- name: history
-- The file's id, and what was logged last up to a generation: histories that part differ in it.
SELECT (SELECT value FROM meta WHERE key = 'identity'), generation, max(id), sum(chunk_id) FROM change
WHERE generation = (SELECT max(generation) FROM change WHERE generation <= ?);

-- name: waiting_documents
-- The number of documents that have a chunk without vector.
SELECT count(*) FROM waiting_document WHERE embedder = ?;

-- name: document_known
-- The documents of a name or a source key, with the columns that tell whether one is unchanged.
SELECT id, fingerprint, revision, failure, coverage, coalesce(source_key, name), name, chunk_count FROM document
WHERE name = ?1 OR source_key = ?2 OR (name = ?2 AND source_key IS NULL);

-- name: document_of_key
-- The document of a source key.
SELECT id, name, chunk_count FROM document WHERE source_key = ?1 OR (name = ?1 AND source_key IS NULL);

-- name: document_insert
-- Insert a document.
INSERT INTO document (
    source_key, state, modified_ns, fingerprint, stamp, revision, chunk_count, total_chars, title, first_h1, failure,
    coverage, properties, name
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
RETURNING id;

-- name: document_update
-- Replace a document by name; it keeps its id.
UPDATE document SET
    source_key = ?, state = ?, modified_ns = ?, fingerprint = ?, stamp = ?, revision = ?, chunk_count = ?,
    total_chars = ?, title = ?, first_h1 = ?, failure = ?, coverage = ?, properties = ?
WHERE name = ?
RETURNING id;

-- name: document_state
-- Update key, state, stamp and properties of a document whose text did not change.
UPDATE document SET source_key = ?, state = ?, modified_ns = ?, stamp = ?, properties = ? WHERE name = ?;

-- name: document_delete
-- Delete a document.
DELETE FROM document WHERE id = ?;

-- name: text_insert
-- Insert a piece of a document's text.
INSERT INTO text (document_id, number, text, checksum) VALUES (?, ?, ?, ?);

-- name: text_delete
-- Delete a document's text from a piece on.
DELETE FROM text WHERE document_id = ? AND number >= ?;

-- name: pieces
-- The pieces of a document's text between two numbers, both included, in order.
SELECT number, text, checksum FROM text WHERE document_id = ? AND number BETWEEN ? AND ? ORDER BY number;

-- name: past_add
-- Add a document's present revision to the history.
INSERT OR REPLACE INTO past (name, revision, ended_ns, chunks) SELECT name, revision, ?2, ?3 FROM document WHERE id = ?1;

-- name: past_trim
-- Delete all but the latest replaced revisions of a name.
DELETE FROM past WHERE name = ?1 AND id NOT IN (SELECT id FROM past WHERE name = ?1 ORDER BY id DESC LIMIT ?2);

-- name: past_tidy
-- Delete the oldest replaced revisions over all names.
DELETE FROM past WHERE id <= (SELECT id FROM past ORDER BY id DESC LIMIT 1 OFFSET ?);

-- name: past
-- A replaced revision: the time of its replacement and its locators.
SELECT ended_ns, chunks FROM past WHERE name = ? AND revision = ?;

-- name: chunk_rows
-- A document's chunks without their text.
SELECT id, context, hash, embed_hash, ordinal, locator, kind, level, part, parts, span_start, span_end, embed_start,
    tokens, breadcrumb, path, pages, boxes, sources, chunk_type, normative, clause, other_tags
FROM chunk WHERE document_id = ? ORDER BY ordinal;

-- name: chunk_last_id
-- The highest chunk id ever used; ids are not reused.
SELECT seq FROM sqlite_sequence WHERE name = 'chunk';

-- name: chunk_insert
-- Insert a chunk.
INSERT INTO chunk (
    id, document_id, context, hash, embed_hash, ordinal, locator, kind, level, part, parts, span_start, span_end,
    embed_start, tokens, breadcrumb, path, pages, boxes, sources, chunk_type, normative, clause, other_tags
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: chunk_update
-- Update a chunk with an unchanged text.
UPDATE chunk SET
    ordinal = ?, locator = ?, kind = ?, level = ?, part = ?, parts = ?, span_start = ?, span_end = ?, embed_start = ?,
    tokens = ?, breadcrumb = ?, path = ?, pages = ?, boxes = ?, sources = ?, chunk_type = ?, normative = ?, clause = ?,
    other_tags = ?
WHERE id = ?;

-- name: words_insert
-- Add a new chunk to the full-text index.
INSERT INTO words (rowid, context, text) VALUES (?, ?, ?);

-- name: fresh
-- A full-text index for new texts only, with the tokenizer of `words`.
CREATE VIRTUAL TABLE IF NOT EXISTS temp.fresh USING fts5 (
    context, text, content='', tokenize='porter unicode61 remove_diacritics 2 categories ''L* N* Co M*'''
);

-- name: fresh_by_instance
-- Its vocabulary by occurrence.
CREATE VIRTUAL TABLE IF NOT EXISTS temp.fresh_instance USING fts5vocab (temp, fresh, instance);

-- name: fresh_by_term
-- Its vocabulary by term, with counts.
CREATE VIRTUAL TABLE IF NOT EXISTS temp.fresh_term USING fts5vocab (temp, fresh, row);

-- name: fresh_insert
-- Tokenize a new chunk.
INSERT INTO temp.fresh (rowid, context, text) VALUES (?, ?, ?);

-- name: fresh_put
-- Tokenize a string.
INSERT INTO temp.fresh (rowid, text) VALUES (?, ?);

-- name: fresh_tokens
-- The tokens of each string in order.
SELECT doc, term FROM temp.fresh_instance ORDER BY doc, "offset";

-- name: fresh_terms
-- Every term with its document frequency and its number of occurrences, in the order of `fresh_chunks`.
SELECT term, doc, cnt FROM temp.fresh_term;

-- name: fresh_chunks
-- The chunk of every occurrence, by term, as one string: rows would take longer than everything else.
SELECT group_concat(doc) FROM temp.fresh_instance;

-- name: fresh_places
-- The chunk, the column and the place of every occurrence, by term, each as one string (as `fresh_chunks`).
SELECT group_concat(doc), group_concat(col = 'text'), group_concat("offset") FROM temp.fresh_instance;

-- name: fresh_clear
-- Empty the temporary index.
INSERT INTO temp.fresh (fresh) VALUES ('delete-all');

-- name: term_add
-- Insert terms with a document frequency of 0.
INSERT INTO term (term, holding) SELECT value, 0 FROM json_each(?) WHERE true ON CONFLICT DO NOTHING;

-- name: term_ids
-- The ids of terms; fastest if they are sorted.
SELECT term.term, term.id FROM json_each(?) AS wanted CROSS JOIN term ON term.term = wanted.value;

-- name: terms
-- The ids and document frequencies of terms.
SELECT term, id, holding FROM term WHERE term IN (SELECT value FROM json_each(?));

-- name: term_count
-- Change a term's document frequency.
UPDATE term SET holding = holding + ? WHERE id = ?;

-- name: term_delete
-- Delete those of these terms that no chunk contains.
DELETE FROM term WHERE holding = 0 AND id IN (SELECT value FROM json_each(?));

-- name: word_add
-- Insert words as spelt; they are kept after their chunks are deleted.
INSERT INTO word (word) SELECT value FROM json_each(?) WHERE true ON CONFLICT DO NOTHING;

-- name: words_like
-- Words in a range of prefixes and of lengths.
SELECT word FROM word WHERE word >= ? AND word < ? AND length(word) BETWEEN ? AND ?;

-- name: tokens
-- The number of tokens in the index.
SELECT value FROM meta WHERE key = 'tokens';

-- name: tokens_add
-- Change the number of tokens in the index.
UPDATE meta SET value = value + ? WHERE key = 'tokens';

-- name: forward_insert
-- Insert a chunk's forward list: term ids (uint32), then frequencies (uint16).
INSERT INTO forward (chunk_id, length, terms) VALUES (?, ?, ?);

-- name: forward_delete
-- Delete the forward lists of chunks and return them.
DELETE FROM forward WHERE chunk_id IN (SELECT value FROM json_each(?)) RETURNING length, terms;

-- name: forward
-- The forward lists of chunks.
SELECT chunk_id, length, terms FROM forward WHERE chunk_id IN (SELECT value FROM json_each(?));

-- name: forward_after
-- The forward lists of all chunks after an id.
SELECT chunk_id, length, terms FROM forward WHERE chunk_id > ? ORDER BY chunk_id;

-- name: phrase
-- One phrase's part of the BM25 of every chunk that contains it: FTS5's BM25 is the sum over phrases.
SELECT rowid, -bm25(words) FROM words WHERE words MATCH ?;

-- name: phrase_chunks
-- Some chunks that contain a phrase.
SELECT rowid FROM words WHERE words MATCH ? LIMIT ?;

-- name: phrase_chunks_allowed
-- The same among some documents (as `words_allowed`).
SELECT rowid FROM words
WHERE words MATCH ?1 AND (
    SELECT chunk.document_id FROM chunk INDEXED BY chunk_to_document WHERE chunk.id = words.rowid
) IN (SELECT value FROM json_each(?3))
LIMIT ?2;

-- name: phrase_chunks_among
-- The same among some chunks.
SELECT rowid FROM words WHERE words MATCH ?1 AND +rowid IN (SELECT value FROM json_each(?3)) LIMIT ?2;

-- name: borders
-- The spans of some chunks in the texts of their documents.
SELECT id, span_start, span_end FROM chunk WHERE id IN (SELECT value FROM json_each(?));

-- name: chunk_texts
-- The pieces that some chunks overlap, of pieces of this length, each chunk's in order.
SELECT chunk.id, text.number, text.text, text.checksum
FROM json_each(?1) AS required CROSS JOIN chunk ON chunk.id = required.value
CROSS JOIN text ON text.document_id = chunk.document_id
    AND text.number BETWEEN chunk.span_start / ?2 AND (chunk.span_end - 1) / ?2
ORDER BY chunk.id, text.number;

-- name: waiting_insert
-- Queue new chunks for every embedder that has no vector for them.
INSERT INTO waiting (embedder, chunk_id, document_id)
SELECT embedder.id, chunk.id, chunk.document_id FROM chunk JOIN embedder
WHERE chunk.id BETWEEN ? AND ?
    AND NOT EXISTS (SELECT 1 FROM vector WHERE vector.embedder = embedder.id AND vector.embed_hash = chunk.embed_hash);

-- name: change_insert
-- Log new chunks.
INSERT INTO change (generation, chunk_id, added) SELECT ?, id, 1 FROM chunk WHERE id BETWEEN ? AND ?;

-- name: words_delete
-- Delete a chunk from the full-text index, which keeps no texts: they are given as they were inserted.
INSERT INTO words (words, rowid, context, text) VALUES ('delete', ?, ?, ?);

-- name: waiting_delete
-- Remove deleted chunks from the embedding queue.
DELETE FROM waiting WHERE chunk_id IN (SELECT value FROM json_each(?));

-- name: chunk_delete
-- Delete chunks.
DELETE FROM chunk WHERE id IN (SELECT value FROM json_each(?));

-- name: change_delete
-- Log deleted chunks.
INSERT INTO change (generation, chunk_id, added) SELECT ?, value, 0 FROM json_each(?);

-- name: change_trim
-- Keep the newest rows of the change log.
DELETE FROM change WHERE id <= (SELECT max(id) FROM change) - ? RETURNING generation;

-- name: missing
-- Chunks to embed, oldest first.
SELECT chunk.id, chunk.span_start, chunk.span_end, chunk.embed_hash, chunk.context, chunk.embed_start
FROM waiting JOIN chunk ON chunk.id = waiting.chunk_id WHERE waiting.embedder = ? ORDER BY waiting.chunk_id;

-- name: vector_insert
-- Insert a vector unless it exists; replace that of a text that was refused, which is zero.
INSERT INTO vector (embedder, embed_hash, vector) VALUES (?, ?, ?)
ON CONFLICT (embedder, embed_hash) DO UPDATE SET vector = excluded.vector
WHERE vector.vector = zeroblob(length(vector.vector)) AND excluded.vector <> vector.vector;

-- name: refused
-- The chunks whose vector is zero.
SELECT chunk.id FROM vector CROSS JOIN chunk ON chunk.embed_hash = vector.embed_hash
WHERE vector.embedder = ? AND vector.vector = zeroblob(length(vector.vector)) ORDER BY chunk.id;

-- name: change_vector
-- Log the chunks of a new vector.
INSERT INTO change (generation, chunk_id, added) SELECT ?1, id, 1 FROM chunk WHERE embed_hash = ?2;

-- name: waiting_done
-- Remove the chunks of a new vector from the embedding queue.
DELETE FROM waiting WHERE embedder = ? AND chunk_id IN (SELECT id FROM chunk WHERE embed_hash = ?);

-- name: has_spare_vectors
-- A row if there are more vectors than this many, used ones included: to find the unused ones each is looked up.
SELECT 1 FROM vector LIMIT 1 OFFSET ?;

-- name: spare_vectors
-- Unused vectors, newest first, after the ones to keep.
SELECT id FROM vector
WHERE embedder <> ?1 OR NOT EXISTS (SELECT 1 FROM chunk WHERE chunk.embed_hash = vector.embed_hash)
ORDER BY id DESC LIMIT ?3 OFFSET ?2;

-- name: spare_delete
-- Delete a vector unless a chunk uses it again.
DELETE FROM vector WHERE id = ?2
    AND (embedder <> ?1 OR NOT EXISTS (SELECT 1 FROM chunk WHERE chunk.embed_hash = vector.embed_hash))
RETURNING embedder, embed_hash;

-- name: waiting_again
-- Queue the chunks of a deleted vector of another embedder.
INSERT OR IGNORE INTO waiting (embedder, chunk_id, document_id)
SELECT ?1, id, document_id FROM chunk WHERE embed_hash = ?2;

-- name: words
-- The best chunks by BM25. `ORDER BY bm25()` takes half the time of `ORDER BY rank`.
SELECT rowid, -bm25(words) FROM words WHERE words MATCH ? ORDER BY bm25(words), rowid LIMIT ?;

-- name: words_allowed
-- The best chunks by BM25 among some documents. Written as a join, SQLite tries every allowed id for
-- every match (8 s instead of 14 ms with 2,500 ids); a scalar subquery leaves it no choice.
SELECT rowid, -bm25(words) FROM words
WHERE words MATCH ?1 AND (
    SELECT chunk.document_id FROM chunk INDEXED BY chunk_to_document WHERE chunk.id = words.rowid
) IN (SELECT value FROM json_each(?3))
ORDER BY bm25(words), rowid LIMIT ?2;

-- name: words_among
-- The best chunks by BM25 among some chunks; `+rowid`, lest SQLite try every allowed id for every match.
SELECT rowid, -bm25(words) FROM words WHERE words MATCH ?1 AND +rowid IN (SELECT value FROM json_each(?3))
ORDER BY bm25(words), rowid LIMIT ?2;

-- name: words_by_instance
-- Every occurrence of every term, by term.
CREATE VIRTUAL TABLE IF NOT EXISTS temp.word_instance USING fts5vocab (main, words, instance);

-- name: instances
-- The chunk of every occurrence of a term: one string, because a row for each costs more than all the rest.
SELECT group_concat(doc) FROM temp.word_instance WHERE term = ?;

-- name: chunk_highest
-- The newest chunk.
SELECT max(id) FROM chunk;

-- name: chunk_lengths
-- The tokens of each chunk after this one, as two strings.
SELECT group_concat(chunk_id), group_concat(length) FROM forward WHERE chunk_id > ?;

-- name: chunk_documents
-- The document of each chunk after this one, as two strings.
SELECT group_concat(id), group_concat(document_id) FROM chunk INDEXED BY chunk_to_document WHERE id > ?;

-- name: vector_rows
-- Every chunk with a vector of this embedder, in the order of the file: by the table's index each vector is on
-- another page, and 100,000 take twice as long.
SELECT chunk.id, chunk.document_id, vector.vector
FROM vector NOT INDEXED CROSS JOIN chunk INDEXED BY chunk_by_vector ON chunk.embed_hash = vector.embed_hash
WHERE vector.embedder = ? AND length(vector.vector) = ?;

-- name: changes
-- The last change of each chunk since a generation, with its vector if it has one.
SELECT log.chunk_id, log.generation, chunk.document_id, vector.vector
FROM (SELECT chunk_id, max(generation) AS generation FROM change WHERE generation > ?1 GROUP BY chunk_id) AS log
LEFT JOIN chunk ON chunk.id = log.chunk_id
LEFT JOIN vector ON vector.embedder = ?2 AND vector.embed_hash = chunk.embed_hash AND length(vector.vector) = ?3;

-- name: changed_chunks
-- The chunks in the change log since a generation, and whether each still exists.
SELECT change.chunk_id, max(chunk.id) IS NOT NULL FROM change LEFT JOIN chunk ON chunk.id = change.chunk_id
WHERE change.generation > ? GROUP BY change.chunk_id;

-- name: deleted_chunks
-- The chunks that were deleted since a generation.
SELECT chunk_id FROM change WHERE generation > ? AND added = 0;

-- name: chunk_ids
-- Every chunk.
SELECT id FROM chunk INDEXED BY chunk_to_document ORDER BY id;

-- name: vectors
-- The vectors of some chunks.
SELECT chunk.id, vector.vector FROM json_each(?2) AS required CROSS JOIN chunk ON chunk.id = required.value
CROSS JOIN vector ON vector.embedder = ?1 AND vector.embed_hash = chunk.embed_hash;

-- name: change_retagged
-- Log chunks whose tags changed.
INSERT INTO change (generation, chunk_id, added) SELECT ?, value, 1 FROM json_each(?);

-- name: chunks
-- Chunks by id, with the columns needed to cite them.
SELECT chunk.id, chunk.document_id, document.name, document.revision, document.modified_ns, chunk.ordinal,
    chunk.locator, chunk.kind, chunk.level, chunk.part, chunk.parts, chunk.span_start, chunk.span_end,
    chunk.embed_start, chunk.tokens, chunk.breadcrumb, chunk.path, chunk.pages, chunk.boxes, chunk.sources,
    chunk.chunk_type, chunk.normative, chunk.clause, chunk.other_tags, chunk.context, chunk.hash
FROM chunk JOIN document ON document.id = chunk.document_id
WHERE chunk.id IN (SELECT value FROM json_each(?));

-- name: document_chunks
-- A document's chunks in order, with the columns needed to cite them.
SELECT chunk.id, chunk.document_id, document.name, document.revision, document.modified_ns, chunk.ordinal,
    chunk.locator, chunk.kind, chunk.level, chunk.part, chunk.parts, chunk.span_start, chunk.span_end,
    chunk.embed_start, chunk.tokens, chunk.breadcrumb, chunk.path, chunk.pages, chunk.boxes, chunk.sources,
    chunk.chunk_type, chunk.normative, chunk.clause, chunk.other_tags, chunk.context, chunk.hash
FROM chunk JOIN document ON document.id = chunk.document_id
WHERE chunk.document_id = ? ORDER BY chunk.ordinal;

-- name: ordinal_chunks
-- The chunks of a document between two ordinals.
SELECT id FROM chunk WHERE document_id = ? AND ordinal BETWEEN ? AND ? ORDER BY ordinal;

-- name: located_chunks
-- The chunk of a locator, or those of its section: `.` follows `-` in the order of characters. A scan of the document's
-- rows: an index would cost every insertion.
SELECT id FROM chunk WHERE document_id = :document AND (locator = :locator OR (locator > :locator || '-' AND locator < :locator || '.'))
ORDER BY ordinal;

-- name: overlapping_chunks
-- The chunks that overlap a span of a document's text.
SELECT id FROM chunk WHERE document_id = :document AND span_start < :end AND span_end > :start AND :start < :end ORDER BY ordinal;

-- name: places
-- The locators of a document with the hashes of its texts, its breadcrumbs and its spans, in order.
SELECT locator, hash, breadcrumb, span_start, span_end FROM chunk WHERE document_id = ? ORDER BY ordinal;

-- name: source_texts
-- The texts in the order of the file, with the start of the chunk that each belongs to.
SELECT span_start, sources FROM chunk WHERE document_id = ? AND sources IS NOT NULL ORDER BY ordinal;

-- name: section_chunks
-- The ids of the chunks of each section of a breadcrumb, in order. Its first chunk is from an index of headings, as a
-- long document has thousands of chunks.
WITH first AS (
    SELECT ordinal, parts FROM chunk INDEXED BY chunk_heading
    WHERE part = 1 AND level > 0 AND document_id = :document AND breadcrumb = :breadcrumb
    UNION ALL SELECT ordinal, parts FROM chunk
    WHERE document_id = :document AND ordinal = 0 AND level = 0 AND breadcrumb = :breadcrumb
)
SELECT chunk.id FROM first CROSS JOIN chunk ON chunk.document_id = :document
    AND chunk.ordinal BETWEEN first.ordinal AND first.ordinal + first.parts - 1
ORDER BY chunk.ordinal;


-- name: chunks_of_kind
-- The chunks of some documents (null for all) and kinds, with their documents.
SELECT id, document_id FROM chunk
WHERE kind IN (SELECT value FROM json_each(?2))
    AND (?1 IS NULL OR document_id IN (SELECT value FROM json_each(?1)));

-- name: chunks_tagged
-- The chunks that pass conditions on their tags, with their documents; null passes everything. The first line names
-- the rows of the index `chunk_by_tag`; the last argument has clause numbers between line ends, or a line end and a dot.
SELECT id, document_id FROM chunk WHERE (chunk_type IS NOT NULL OR normative IS NOT NULL OR clause IS NOT NULL)
    AND (?1 IS NULL OR document_id IN (SELECT value FROM json_each(?1)))
    AND (?2 IS NULL OR kind IN (SELECT value FROM json_each(?2)))
    AND (?3 IS NULL OR chunk_type IN (SELECT value FROM json_each(?3)))
    AND (?4 IS NULL OR normative = ?4)
    AND (?5 IS NULL
        OR EXISTS (SELECT 1 FROM json_each(?5) WHERE instr(char(10) || chunk.clause || char(10), value) > 0));

-- name: chunks_of_documents
-- The chunks of some documents.
SELECT id FROM chunk WHERE document_id IN (SELECT value FROM json_each(?)) ORDER BY id;

-- name: chunk_tokens
-- The number of tokens of all chunks.
SELECT coalesce(sum(tokens), 0) FROM chunk;

-- name: document_size
-- The numbers of a document's chunks and characters.
SELECT chunk_count, total_chars FROM document WHERE id = ?;

-- name: documents
-- Every document.
SELECT id, name, coalesce(source_key, name), title, first_h1, modified_ns, revision, fingerprint, chunk_count,
    total_chars, coverage, failure, properties
FROM document;

-- name: document
-- The document with this name.
SELECT id, name, coalesce(source_key, name), title, first_h1, modified_ns, revision, fingerprint, chunk_count,
    total_chars, coverage, failure, properties
FROM document WHERE name = ?;

-- name: gaps
-- Failures, and coverages that are not full.
SELECT failure, coverage FROM document WHERE failure <> '' OR coverage IS NOT NULL;

-- name: headings
-- Every section's heading, each document's in order.
SELECT document_id, level, breadcrumb, path FROM chunk INDEXED BY chunk_heading
WHERE part = 1 AND level > 0 AND level <= ? ORDER BY document_id, ordinal;

-- name: document_names
-- Document ids and names, after an id.
SELECT id, name FROM document WHERE id > ?;

-- name: count
-- The numbers of chunks and of documents that have any. Summed over documents: many times fewer rows to read.
SELECT coalesce(sum(chunk_count), 0), count(nullif(chunk_count, 0)) FROM document;

-- name: count_allowed
-- The same of some documents.
SELECT coalesce(sum(document.chunk_count), 0), count(nullif(document.chunk_count, 0))
FROM json_each(?) AS allowed CROSS JOIN document ON document.id = allowed.value;

-- name: statistics
-- The numbers of documents read and failed, and of documents and chunks without a vector.
SELECT
    (SELECT count(*) FROM document WHERE failure = ''),
    (SELECT count(*) FROM document WHERE failure <> ''),
    (SELECT count(*) FROM waiting_document WHERE embedder = ?1),
    (SELECT coalesce(sum(chunks), 0) FROM waiting_document WHERE embedder = ?1);
