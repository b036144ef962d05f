-- Every statement that the SQLite store runs. A statement begins with its name and a sentence on
-- what it is for; `statements.py` reads this file once when a store is opened. Needs SQLite 3.38.

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
    size NOT NULL,
    mtime_ns NOT NULL,
    ctime_ns NOT NULL,
    inode NOT NULL,
    modified_ns NOT NULL,
    fingerprint TEXT NOT NULL,
    revision TEXT NOT NULL,
    chunk_count INTEGER NOT NULL DEFAULT 0,
    total_chars INTEGER NOT NULL DEFAULT 0,
    title,
    first_h1,
    failure NOT NULL DEFAULT '',
    coverage
);
CREATE INDEX document_count ON document (failure, chunk_count);
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
    context NOT NULL,
    text NOT NULL
);
CREATE INDEX chunk_by_document ON chunk (document_id, ordinal);
CREATE INDEX chunk_by_vector ON chunk (embed_hash, document_id);
CREATE INDEX chunk_to_document ON chunk (id, document_id);
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
    context, text, content='chunk', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2'
);

-- name: tables
-- What to drop before a rebuild, virtual tables first because they drop their own.
SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'
ORDER BY sql NOT LIKE 'CREATE VIRTUAL%';

-- name: meta
-- Everything that is recorded of the index itself.
SELECT key, value FROM meta;

-- name: meta_put
-- Record one thing of the index itself.
INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- name: lease
-- Who does bulk work, and when that process last showed that it lives.
SELECT holder, beat_ns FROM lease;

-- name: lease_put
-- Take the lease, or show that its holder lives.
INSERT INTO lease (only, holder, beat_ns) VALUES (1, ?, ?)
ON CONFLICT (only) DO UPDATE SET holder = excluded.holder, beat_ns = excluded.beat_ns;

-- name: lease_delete
-- Give the lease back.
DELETE FROM lease WHERE holder = ?;

-- name: policy
-- The policy that every chunk was cut by.
SELECT value FROM meta WHERE key = 'policy';

-- name: generation
-- The index's version.
SELECT value FROM meta WHERE key = 'generation';

-- name: log_floor
-- The generation up to which the change log was trimmed: a reader that stands before it reads everything again.
SELECT value FROM meta WHERE key = 'log_floor';

-- name: last_indexed
-- When contents last changed.
SELECT value FROM meta WHERE key = 'last_indexed_ns';

-- name: embedder_add
-- Make an embedder known; its id is what vectors are kept under.
INSERT INTO embedder (identity) VALUES (?) ON CONFLICT DO NOTHING;

-- name: embedder
-- An embedder's id.
SELECT id FROM embedder WHERE identity = ?;

-- name: dimensions
-- The length of an embedder's vectors (0 before the first).
SELECT dimensions FROM embedder WHERE id = ?;

-- name: embedder_dimensions
-- Fix the length of an embedder's vectors with the first of them.
UPDATE embedder SET dimensions = ? WHERE id = ?;

-- name: waiting_all
-- Every chunk that has no vector of an embedder: what a new embedder has to do.
INSERT INTO waiting (embedder, chunk_id, document_id)
SELECT ?1, chunk.id, chunk.document_id FROM chunk
WHERE NOT EXISTS (SELECT 1 FROM vector WHERE vector.embedder = ?1 AND vector.embed_hash = chunk.embed_hash);

-- name: past_all
-- Remember what every locator meant before all documents are dropped.
INSERT OR REPLACE INTO past (name, revision, ended_ns, chunks)
SELECT document.name, document.revision, ?1,
    CAST(json_group_array(json_array(chunk.locator, hex(chunk.hash), CAST(chunk.breadcrumb AS TEXT))) AS BLOB)
FROM document JOIN chunk ON chunk.document_id = document.id GROUP BY document.id;

-- name: words_clear
-- Drop every word.
INSERT INTO words (words) VALUES ('delete-all');

-- name: chunk_clear
-- Drop every chunk.
DELETE FROM chunk;

-- name: term_clear
-- Drop every term.
DELETE FROM term;

-- name: forward_clear
-- Drop every forward list.
DELETE FROM forward;

-- name: document_clear
-- Drop every document.
DELETE FROM document;

-- name: waiting_clear
-- Drop every wish for a vector.
DELETE FROM waiting;

-- name: change_clear
-- Drop the change log.
DELETE FROM change;

-- name: states
-- Every document's file state.
SELECT name, size, mtime_ns, ctime_ns, inode FROM document;

-- name: state
-- One document's file state.
SELECT name, size, mtime_ns, ctime_ns, inode FROM document WHERE name = ?;

-- name: waiting_documents
-- How many documents have a chunk without vector.
SELECT count(*) FROM waiting_document WHERE embedder = ?;

-- name: document_known
-- What decides whether a document is already as it should be.
SELECT id, fingerprint, revision, failure, coverage FROM document WHERE name = ?;

-- name: document_insert
-- A new document.
INSERT INTO document (
    size, mtime_ns, ctime_ns, inode, modified_ns, fingerprint, revision, chunk_count, total_chars, title, first_h1,
    failure, coverage, name
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
RETURNING id;

-- name: document_update
-- A document in place of the one of its name; it keeps its id.
UPDATE document SET
    size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, modified_ns = ?, fingerprint = ?, revision = ?, chunk_count = ?,
    total_chars = ?, title = ?, first_h1 = ?, failure = ?, coverage = ?
WHERE name = ?
RETURNING id;

-- name: document_state
-- A new file state for a document whose bytes did not change.
UPDATE document SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, modified_ns = ?
WHERE name = ?;

-- name: document_delete
-- A document goes.
DELETE FROM document WHERE id = ?;

-- name: past_add
-- Remember what every locator of a revision meant.
INSERT OR REPLACE INTO past (name, revision, ended_ns, chunks)
SELECT document.name, document.revision, ?2,
    CAST(json_group_array(json_array(chunk.locator, hex(chunk.hash), CAST(chunk.breadcrumb AS TEXT))) AS BLOB)
FROM document JOIN chunk ON chunk.document_id = document.id WHERE document.id = ?1 GROUP BY document.id;

-- name: past_trim
-- Forget all but the latest revisions of a name.
DELETE FROM past WHERE name = ?1 AND id NOT IN (SELECT id FROM past WHERE name = ?1 ORDER BY id DESC LIMIT ?2);

-- name: past_tidy
-- Forget the oldest revisions of all names together.
DELETE FROM past WHERE id <= (SELECT id FROM past ORDER BY id DESC LIMIT 1 OFFSET ?);

-- name: past
-- What the locators of an old revision meant, and when it ended.
SELECT ended_ns, chunks FROM past WHERE name = ? AND revision = ?;

-- name: chunk_rows
-- A document's chunks as they are stored, without their text.
SELECT id, context, hash, embed_hash, ordinal, locator, kind, level, part, parts, span_start, span_end, embed_start,
    tokens, breadcrumb, path, pages, boxes, sources
FROM chunk WHERE document_id = ? ORDER BY ordinal;

-- name: chunk_last_id
-- The highest chunk id ever given; none of them is given again.
SELECT seq FROM sqlite_sequence WHERE name = 'chunk';

-- name: chunk_insert
-- A new chunk.
INSERT INTO chunk (
    id, document_id, context, hash, embed_hash, ordinal, locator, kind, level, part, parts, span_start, span_end,
    embed_start, tokens, breadcrumb, path, pages, boxes, sources, text
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: chunk_update
-- A chunk whose text stayed and whose place moved.
UPDATE chunk SET
    ordinal = ?, locator = ?, kind = ?, level = ?, part = ?, parts = ?, span_start = ?, span_end = ?, embed_start = ?,
    tokens = ?, breadcrumb = ?, path = ?, pages = ?, boxes = ?, sources = ?
WHERE id = ?;

-- name: words_insert
-- Index the words of new chunks.
INSERT INTO words (rowid, context, text) SELECT id, context, indexed_text(text) FROM chunk WHERE id BETWEEN ? AND ?;

-- name: fresh
-- A word index for new texts alone, split as `words` splits them.
CREATE VIRTUAL TABLE IF NOT EXISTS temp.fresh USING fts5 (
    context, text, content='', tokenize='porter unicode61 remove_diacritics 2'
);

-- name: fresh_by_instance
-- Its tokens one by one.
CREATE VIRTUAL TABLE IF NOT EXISTS temp.fresh_instance USING fts5vocab (temp, fresh, instance);

-- name: fresh_by_term
-- Its terms, counted.
CREATE VIRTUAL TABLE IF NOT EXISTS temp.fresh_term USING fts5vocab (temp, fresh, row);

-- name: fresh_insert
-- Split new chunks.
INSERT INTO temp.fresh (rowid, context, text) SELECT id, context, indexed_text(text) FROM chunk WHERE id BETWEEN ? AND ?;

-- name: fresh_put
-- Split a string.
INSERT INTO temp.fresh (rowid, text) VALUES (?, ?);

-- name: fresh_tokens
-- The tokens of each string in order.
SELECT doc, term FROM temp.fresh_instance ORDER BY doc, "offset";

-- name: fresh_terms
-- Every term, how many chunks hold it, how often it stands in all of them. In the order of `fresh_chunks`.
SELECT term, doc, cnt FROM temp.fresh_term;

-- name: fresh_chunks
-- The chunk of every token, term by term: one string, because a row for each costs more than all the rest.
SELECT group_concat(doc) FROM temp.fresh_instance;

-- name: fresh_clear
-- Empty it.
INSERT INTO temp.fresh (fresh) VALUES ('delete-all');

-- name: term_add
-- Make terms known; no chunk holds a new one yet.
INSERT INTO term (term, holding) SELECT value, 0 FROM json_each(?) WHERE true ON CONFLICT DO NOTHING;

-- name: term_ids
-- The ids of terms; fastest if they are sorted.
SELECT term.term, term.id FROM json_each(?) AS wanted CROSS JOIN term ON term.term = wanted.value;

-- name: term
-- A term's id and how many chunks hold it.
SELECT id, holding FROM term WHERE term = ?;

-- name: term_holding
-- How many chunks hold each of these terms.
SELECT term, holding FROM term WHERE term IN (SELECT value FROM json_each(?));

-- name: term_count
-- A term stands in so many more chunks, or in fewer.
UPDATE term SET holding = holding + ? WHERE id = ?;

-- name: term_delete
-- A term goes with the last chunk that held it.
DELETE FROM term WHERE holding = 0 AND id IN (SELECT value FROM json_each(?));

-- name: spelt_texts
-- Where new chunks spell words.
SELECT context, indexed_text(text) FROM chunk WHERE id BETWEEN ? AND ?;

-- name: word_add
-- Remember how words are spelt; they stay when their chunks go.
INSERT INTO word (word) SELECT value FROM json_each(?) WHERE true ON CONFLICT DO NOTHING;

-- name: word_clear
-- Forget how words are spelt.
DELETE FROM word;

-- name: words_like
-- Words of a length that begin as a string does: from it up to the next string of its length.
SELECT word FROM word WHERE word >= ? AND word < ? AND length(word) BETWEEN ? AND ?;

-- name: tokens
-- All tokens, counted.
SELECT value FROM meta WHERE key = 'tokens';

-- name: tokens_add
-- Count more tokens, or fewer.
UPDATE meta SET value = value + ? WHERE key = 'tokens';

-- name: forward_insert
-- A chunk's terms: ids of four bytes, then frequencies of two.
INSERT INTO forward (chunk_id, length, terms) VALUES (?, ?, ?);

-- name: forward_delete
-- The terms of chunks that go.
DELETE FROM forward WHERE chunk_id IN (SELECT value FROM json_each(?)) RETURNING length, terms;

-- name: forward
-- The terms of these chunks.
SELECT chunk_id, length, terms FROM forward WHERE chunk_id IN (SELECT value FROM json_each(?));

-- name: forward_after
-- The terms of each chunk after this one.
SELECT chunk_id, length, terms FROM forward WHERE chunk_id > ? ORDER BY chunk_id;

-- name: phrase
-- What one phrase adds to the BM25 of every chunk that holds it: the sum over phrases is the whole.
SELECT rowid, -bm25(words) FROM words WHERE words MATCH ?;

-- name: phrase_chunks
-- Some chunks that hold a phrase.
SELECT rowid FROM words WHERE words MATCH ? LIMIT ?;

-- name: phrase_chunks_allowed
-- The same among some documents (as `words_allowed`).
SELECT rowid FROM words
WHERE words MATCH ?1 AND (
    SELECT chunk.document_id FROM chunk INDEXED BY chunk_to_document WHERE chunk.id = words.rowid
) IN (SELECT value FROM json_each(?3))
LIMIT ?2;

-- name: texts
-- The texts of some chunks.
SELECT id, text FROM chunk WHERE id IN (SELECT value FROM json_each(?));

-- name: waiting_insert
-- New chunks wait for the vectors that no embedder made yet.
INSERT INTO waiting (embedder, chunk_id, document_id)
SELECT embedder.id, chunk.id, chunk.document_id FROM chunk JOIN embedder
WHERE chunk.id BETWEEN ? AND ?
    AND NOT EXISTS (SELECT 1 FROM vector WHERE vector.embedder = embedder.id AND vector.embed_hash = chunk.embed_hash);

-- name: change_insert
-- Log new chunks.
INSERT INTO change (generation, chunk_id, added) SELECT ?, id, 1 FROM chunk WHERE id BETWEEN ? AND ?;

-- name: words_delete
-- Take chunks' words out (their rows must still be there).
INSERT INTO words (words, rowid, context, text)
SELECT 'delete', id, context, indexed_text(text) FROM chunk WHERE id IN (SELECT value FROM json_each(?));

-- name: waiting_delete
-- Chunks that go wait for nothing.
DELETE FROM waiting WHERE chunk_id IN (SELECT value FROM json_each(?));

-- name: chunk_delete
-- Chunks go.
DELETE FROM chunk WHERE id IN (SELECT value FROM json_each(?));

-- name: change_delete
-- Log chunks that went.
INSERT INTO change (generation, chunk_id, added) SELECT ?, value, 0 FROM json_each(?);

-- name: change_trim
-- Keep the newest rows of the change log.
DELETE FROM change WHERE id <= (SELECT max(id) FROM change) - ? RETURNING generation;

-- name: missing
-- Texts to embed, oldest chunk first.
SELECT chunk.embed_hash, chunk.context, chunk.text, chunk.embed_start
FROM waiting JOIN chunk ON chunk.id = waiting.chunk_id WHERE waiting.embedder = ? ORDER BY waiting.chunk_id;

-- name: vector_insert
-- A vector, unless it is there already.
INSERT INTO vector (embedder, embed_hash, vector) VALUES (?, ?, ?) ON CONFLICT DO NOTHING;

-- name: change_vector
-- Log the chunks that got a vector.
INSERT INTO change (generation, chunk_id, added) SELECT ?1, id, 1 FROM chunk WHERE embed_hash = ?2;

-- name: waiting_done
-- Chunks that got a vector wait no more.
DELETE FROM waiting WHERE embedder = ? AND chunk_id IN (SELECT id FROM chunk WHERE embed_hash = ?);

-- name: spare_vectors
-- Vectors that no chunk needs now, newest first, after the ones to spare.
SELECT id FROM vector
WHERE embedder <> ?1 OR NOT EXISTS (SELECT 1 FROM chunk WHERE chunk.embed_hash = vector.embed_hash)
ORDER BY id DESC LIMIT ?3 OFFSET ?2;

-- name: spare_delete
-- Delete a vector unless a chunk needs it by now.
DELETE FROM vector WHERE id = ?2
    AND (embedder <> ?1 OR NOT EXISTS (SELECT 1 FROM chunk WHERE chunk.embed_hash = vector.embed_hash))
RETURNING embedder, embed_hash;

-- name: waiting_again
-- Chunks whose vector of another embedder was deleted wait for it again.
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

-- name: vectors
-- Every chunk that has a vector of this embedder. Read as the file has them: in the order of the table's index
-- each vector stands on another page, and 100,000 take twice as long.
SELECT chunk.id, chunk.document_id, vector.vector
FROM vector NOT INDEXED CROSS JOIN chunk INDEXED BY chunk_by_vector ON chunk.embed_hash = vector.embed_hash
WHERE vector.embedder = ? AND length(vector.vector) = ?;

-- name: changes
-- The last thing that happened to each chunk since a generation, with its vector if it has one.
SELECT log.chunk_id, log.generation, chunk.document_id, vector.vector
FROM (SELECT chunk_id, max(generation) AS generation FROM change WHERE generation > ?1 GROUP BY chunk_id) AS log
LEFT JOIN chunk ON chunk.id = log.chunk_id
LEFT JOIN vector ON vector.embedder = ?2 AND vector.embed_hash = chunk.embed_hash AND length(vector.vector) = ?3;

-- name: chunks
-- Chunks by id, with what is needed to cite them.
SELECT chunk.id, chunk.document_id, document.name, document.revision, document.modified_ns, chunk.ordinal,
    chunk.locator, chunk.kind, chunk.level, chunk.part, chunk.parts, chunk.span_start, chunk.span_end,
    chunk.embed_start, chunk.tokens, chunk.breadcrumb, chunk.path, chunk.pages, chunk.boxes, chunk.sources,
    chunk.context, chunk.text, chunk.hash
FROM chunk JOIN document ON document.id = chunk.document_id
WHERE chunk.id IN (SELECT value FROM json_each(?));

-- name: document_chunks
-- A document's chunks in order, with what is needed to cite them.
SELECT chunk.id, chunk.document_id, document.name, document.revision, document.modified_ns, chunk.ordinal,
    chunk.locator, chunk.kind, chunk.level, chunk.part, chunk.parts, chunk.span_start, chunk.span_end,
    chunk.embed_start, chunk.tokens, chunk.breadcrumb, chunk.path, chunk.pages, chunk.boxes, chunk.sources,
    chunk.context, chunk.text, chunk.hash
FROM chunk JOIN document ON document.id = chunk.document_id
WHERE chunk.document_id = ? ORDER BY chunk.ordinal;

-- name: chunk_count
-- How many chunks a document has.
SELECT chunk_count FROM document WHERE id = ?;

-- name: documents
-- Every document.
SELECT id, name, title, first_h1, modified_ns, revision, fingerprint, chunk_count, total_chars, coverage, failure
FROM document;

-- name: document
-- The document of this name.
SELECT id, name, title, first_h1, modified_ns, revision, fingerprint, chunk_count, total_chars, coverage, failure
FROM document WHERE name = ?;

-- name: gaps
-- What could not be read: whole documents, and what is known of how much of the others was.
SELECT failure, coverage FROM document WHERE failure <> '' OR coverage IS NOT NULL;

-- name: headings
-- Every section's heading, each document's in order.
SELECT document_id, level, breadcrumb, path FROM chunk INDEXED BY chunk_heading
WHERE part = 1 AND level > 0 AND level <= ? ORDER BY document_id, ordinal;

-- name: document_names
-- Ids and names, to put other rows in the order of names.
SELECT id, name FROM document WHERE id > ?;

-- name: count
-- All chunks, counted by document: many times fewer rows.
SELECT coalesce(sum(chunk_count), 0) FROM document;

-- name: count_allowed
-- The chunks of some documents, counted.
SELECT count(*) FROM json_each(?) AS allowed CROSS JOIN chunk INDEXED BY chunk_by_document
ON chunk.document_id = allowed.value;

-- name: statistics
-- Documents read, documents failed, and what waits for a vector.
SELECT
    (SELECT count(*) FROM document WHERE failure = ''),
    (SELECT count(*) FROM document WHERE failure <> ''),
    (SELECT count(*) FROM waiting_document WHERE embedder = ?1),
    (SELECT coalesce(sum(chunks), 0) FROM waiting_document WHERE embedder = ?1);
