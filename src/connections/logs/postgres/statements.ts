import { PARENT_MARK } from '../rows/session-row.ts'
import { PRUNED } from '../rows/unwritten-definitions.ts'

/** The largest number that a `seq` column takes. */
export const MAX_SEQ = 2 ** 31 - 1

/** The SQL statements of a log. Their comments name the parameters in order. */
export type Statements = ReturnType<typeof statements>

/** A pattern that finds hashes in a text. */
const HASHES = `'(sha256:[0-9a-f]{64})'`

/** Entries that one statement reads; a long session is read in many short statements. */
export const ENTRY_PAGE = 2_000

/** Rows that one statement of a pruning reads. */
const PAGE = 1_000

/** Joins the hashes in a text with spaces. */
function hashesSql(text: string): string {
  return `(SELECT string_agg(DISTINCT found[1], ' ') FROM regexp_matches(${text}, ${HASHES}, 'g') AS found)`
}

/** Listed by name: with `*`, a prepared statement fails when a later version adds a column. */
const COLUMNS = [
  'id::text',
  'name',
  'session.format',
  'version',
  'opened_at',
  'changed_at',
  'last_sum',
  'session.sum',
].join(', ')

/**
 * Builds the statements for a schema.
 *
 * An append is one statement, and so one transaction and one round trip. It moves the session on
 * from the expected version, or does nothing. `synchronous_commit` applies as set when the
 * transaction commits; `on` and stronger settings of the server are kept.
 *
 * @param schema quoted for SQL
 */
export function statements(schema: string) {
  /** key → the session's row, the checksum of its last entry, the format of the schema. */
  const row = `SELECT log.format AS log_format, ${COLUMNS}, entry.sum AS entry_sum
      FROM ${schema}.loadout_log log
      LEFT JOIN ${schema}.session ON key = $1
      LEFT JOIN ${schema}.entry ON entry.session = session.id AND seq = version - 1`
  return {
    row,
    /**
     * key, from (included), to (excluded), format of a snapshot or null → as `row`, in a row of its own, with number and
     * text of the latest snapshot of the format; then the entry before, and the entries, as `entries`. With a snapshot,
     * from its last entry on. No entries when there are none from there on, and at most a page of them.
     */
    read: `WITH head AS (${row}), cached AS (
        SELECT seq, text FROM head JOIN ${schema}.snapshot ON snapshot.session = head.id::bigint
        WHERE snapshot.format = $4 ORDER BY seq DESC LIMIT 1
      ), first AS (SELECT greatest($2::integer, (SELECT seq FROM cached)) AS seq)
      SELECT head.*, cached.seq, cached.text, NULL::text AS own_sum FROM head LEFT JOIN cached ON true
      UNION ALL
      (SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, entry.seq, entry.text, entry.sum
        FROM first, head JOIN ${schema}.entry ON entry.session = head.id::bigint
        WHERE head.version > first.seq AND entry.seq >= first.seq - 1
          AND entry.seq < least($3::integer, head.version) ORDER BY entry.seq LIMIT ${ENTRY_PAGE})`,
    /** key, name, format, version, openedAt, changedAt, lastSum, sum; then as in `appendNext`. */
    appendFirst: `WITH moved AS (
        INSERT INTO ${schema}.session
          (key, name, format, version, opened_at, changed_at, last_sum, sum)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8 FROM ${schema}.loadout_log log
        WHERE log.format = $16
        ON CONFLICT (key) DO NOTHING RETURNING id
      ), ${appendTail(schema)}`,
    /**
     * id, expected version, its lastSum; format, version, changedAt, lastSum, sum; then numbers,
     * texts and sums of entries, id of the append; hashes, texts and sums of definitions; format of
     * the schema, durability, channel, payload, numbers of its lock.
     */
    appendNext: `WITH moved AS (
        UPDATE ${schema}.session
        SET format = $4, version = $5, changed_at = $6, last_sum = $7, sum = $8
        WHERE id = $1 AND version = $2 AND last_sum = $3
          AND (SELECT log.format FROM ${schema}.loadout_log log) = $16
        RETURNING id
      ), ${appendTail(schema)}`,
    /** id, from (included), to (excluded) → numbers, texts and sums of entries. */
    entries: `SELECT seq, text, sum FROM ${schema}.entry
      WHERE session = $1 AND seq >= $2 AND seq < $3 ORDER BY seq`,
    /** id, number → id of the append that wrote the entry. */
    appendOf: `SELECT append FROM ${schema}.entry WHERE session = $1 AND seq = $2`,
    /** changed at and key of the session before the page; limit, or null. */
    sessions: `SELECT log.format AS log_format, ${COLUMNS}
      FROM ${schema}.loadout_log log LEFT JOIN (
        SELECT * FROM ${schema}.session
        WHERE changed_at <= $1::double precision AND (changed_at < $1 OR key > $2::text)
        ORDER BY changed_at DESC, key LIMIT $3::bigint
      ) AS session ON true
      ORDER BY changed_at DESC, key`,
    /** time → id, name and age of all sessions, with the text of the first entry if that may name a parent. */
    aged: `SELECT id::text, name, changed_at < $1 AS is_old, entry.text
      FROM ${schema}.session LEFT JOIN ${schema}.entry
        ON entry.session = session.id AND seq = 0 AND position('${PARENT_MARK}' IN entry.text) > 0
      ORDER BY id`,
    /**
     * ids of sessions, numbers of their trees, time, channel → ids of those that it deleted: trees that are still old.
     */
    dropOld: `WITH tree AS (
        SELECT * FROM unnest($1::bigint[], $2::integer[]) AS one (id, tree)
      ), gone AS (
        DELETE FROM ${schema}.session WHERE changed_at < $3 AND id IN (SELECT id FROM tree)
          AND id NOT IN (SELECT id FROM tree WHERE tree.tree IN (
            SELECT newer.tree FROM tree AS newer JOIN ${schema}.session USING (id) WHERE changed_at >= $3))
        RETURNING id, key)
      SELECT id::text, pg_notify($4, key)::text FROM gone`,
    /**
     * id and number of an entry, ids of sessions → the next entries, with the hashes in them; without those of the
     * sessions.
     */
    entryReferences: `SELECT session::text, seq, ${hashesSql('text')} AS hashes FROM (
        SELECT session, seq, text FROM ${schema}.entry
        WHERE (session, seq) > ($1::bigint, $2::integer)
          AND session <> ALL($3::bigint[])
        ORDER BY session, seq LIMIT ${PAGE}
      ) AS page ORDER BY page.session, seq`,
    /** hash → the next definitions: hash, bytes, the hashes in it. */
    definitionReferences: `SELECT hash, octet_length(text) AS bytes, ${hashesSql('text')} AS hashes
      FROM ${schema}.definition WHERE hash > $1 ORDER BY hash LIMIT ${PAGE}`,
    /** Keeps writers out until the end of the transaction. */
    lockForPrune: `LOCK TABLE ${schema}.session, ${schema}.definition IN EXCLUSIVE MODE`,
    /**
     * ids of sessions, numbers of their last entries that were looked at; hashes of definitions →
     * sizes of those that later entries do not name either, which it deletes.
     */
    dropUnused: `WITH RECURSIVE seen AS (
        SELECT * FROM unnest($1::bigint[], $2::integer[]) AS one (id, seq)
      ), referenced(hash) AS (
        SELECT found[1] FROM ${schema}.session LEFT JOIN seen USING (id)
          JOIN ${schema}.entry ON entry.session = session.id
            AND entry.seq > coalesce(seen.seq, -1),
          regexp_matches(entry.text, ${HASHES}, 'g') AS found
        WHERE session.version > coalesce(seen.seq, -1) + 1
        UNION
        SELECT found[1] FROM referenced JOIN ${schema}.definition USING (hash),
          regexp_matches(text, ${HASHES}, 'g') AS found
      )
      DELETE FROM ${schema}.definition
      WHERE hash = ANY($3::text[]) AND hash NOT IN (SELECT hash FROM referenced)
      RETURNING octet_length(text) AS bytes`,
    /** text, sum. */
    markPruned: `INSERT INTO ${schema}.definition VALUES ('${PRUNED}', $1, $2)
      ON CONFLICT (hash) DO UPDATE SET text = excluded.text, sum = excluded.sum`,
    /** hashes, texts and sums of definitions. */
    keep: `INSERT INTO ${schema}.definition
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) ON CONFLICT DO NOTHING`,
    /** key, channel, payload, numbers of its lock. */
    drop: `WITH gone AS (DELETE FROM ${schema}.session WHERE key = $1 RETURNING id)
      SELECT ${notifySql(2)} FROM gone`,
    /** hash. */
    hasDefinition: `SELECT 1 FROM ${schema}.definition WHERE hash = $1`,
    /** hashes → hash, text, sum of those that are stored. */
    definitions: `SELECT hash, text, sum FROM ${schema}.definition WHERE hash = ANY($1::text[])`,
    /** key, format, number of its last entry, text. */
    putSnapshot: `WITH target AS (
        SELECT id FROM ${schema}.session WHERE key = $1 AND version > $3::integer
      ), other AS (
        SELECT snapshot.format, seq FROM ${schema}.snapshot JOIN target ON session = target.id
        WHERE (snapshot.format, seq) <> ($2::text, $3::integer)
      ), older AS (
        DELETE FROM ${schema}.snapshot WHERE session = (SELECT id FROM target)
          AND (format, seq) IN (SELECT * FROM other) AND seq < (SELECT max(seq) FROM other)
      )
      INSERT INTO ${schema}.snapshot SELECT id, $2::text, $3::integer, $4 FROM target
      ON CONFLICT (session, format, seq) DO UPDATE SET text = excluded.text`,
    /** key, format, at most → number of its last entry, text. */
    latestSnapshot: `SELECT seq, text FROM ${schema}.snapshot
      JOIN ${schema}.session ON session.id = snapshot.session
      WHERE key = $1 AND snapshot.format = $2 AND seq <= $3 ORDER BY seq DESC LIMIT 1`,
  }
}

/** The part that both appends share, after the session's row was changed; its parameters begin at number 9. */
function appendTail(schema: string): string {
  return `added AS (
      INSERT INTO ${schema}.entry
      SELECT moved.id, one.seq, one.text, one.sum, $12::uuid
      FROM moved, unnest($9::integer[], $10::text[], $11::text[]) AS one (seq, text, sum)
    ), kept AS (
      INSERT INTO ${schema}.definition
      SELECT one.hash, one.text, one.sum
      FROM moved, unnest($13::text[], $14::text[], $15::text[]) AS one (hash, text, sum)
      ON CONFLICT DO NOTHING
    )
    SELECT id::text, (SELECT text FROM ${schema}.definition WHERE hash = '${PRUNED}') AS pruned,
      ${notifySql(18)}, set_config('synchronous_commit', CASE
      WHEN $17 = 'os' THEN 'off'
      WHEN current_setting('synchronous_commit') = 'off' THEN 'on'
      ELSE current_setting('synchronous_commit') END, true)
    FROM moved`
}

/** Notifies followers, if there may be any; parameters begin at number `at`. See `Channel`. */
function notifySql(at: number): string {
  return `CASE WHEN NOT pg_try_advisory_xact_lock($${at + 2}::integer, $${at + 3}::integer)
    THEN pg_notify($${at}, $${at + 1})::text END`
}
