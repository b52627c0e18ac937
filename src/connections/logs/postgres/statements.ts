import { PARENT_MARK } from '../rows/session-row.ts'
import { PRUNED } from '../rows/unwritten-definitions.ts'

/** The largest number that a `seq` column takes. */
export const MAX_SEQ = 2 ** 31 - 1

/** The SQL statements of a log. The comments name their parameters in order. */
export interface Statements {
  /** key → the session's row, the checksum of its last entry, the format of the schema. */
  readonly row: string
  /** key, name, format, version, openedAt, changedAt, lastSum, sum; then as in `appendNext`. */
  readonly appendFirst: string
  /**
   * id, expected version, its lastSum; format, version, changedAt, lastSum, sum; then numbers,
   * texts and sums of entries, id of the append; hashes, texts and sums of definitions; format of
   * the schema, durability, channel, payload, numbers of its lock.
   */
  readonly appendNext: string
  /**
   * key, from (included), to (excluded) → as `row`, in a row of its own; then the entry before, and the entries,
   * as `entries`. No entries when there are none from there on, and at most a page of them.
   */
  readonly read: string
  /** id, from (included), to (excluded) → numbers, texts and sums of entries. */
  readonly entries: string
  /** id, number → id of the append that wrote the entry. */
  readonly appendOf: string
  /** changed at and key of the session before the page; limit, or null. */
  readonly sessions: string
  /** time → id, name and age of all sessions, with the text of the first entry if that may name a parent. */
  readonly aged: string
  /**
   * ids of sessions, numbers of their trees, time, channel → ids of those that it deleted: trees that are still old.
   */
  readonly dropOld: string
  /**
   * id and number of an entry, ids of sessions → the next entries, with the hashes in them; without those of the
   * sessions.
   */
  readonly entryReferences: string
  /** hash → the next definitions: hash, bytes, the hashes in it. */
  readonly definitionReferences: string
  /** Keeps writers out until the end of the transaction. */
  readonly lockForPrune: string
  /**
   * ids of sessions, numbers of their last entries that were looked at; hashes of definitions →
   * sizes of those that later entries do not name either, which it deletes.
   */
  readonly dropUnused: string
  /** text, sum. */
  readonly markPruned: string
  /** hashes, texts and sums of definitions. */
  readonly keep: string
  /** key, channel, payload, numbers of its lock. */
  readonly drop: string
  /** hash. */
  readonly hasDefinition: string
  /** hashes → hash, text, sum of those that are stored. */
  readonly definitions: string
  /** key, format, number of its last entry, text. */
  readonly putSnapshot: string
  /** key, format, at most → number of its last entry, text. */
  readonly latestSnapshot: string
}

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
export function statements(schema: string): Statements {
  const row = `SELECT log.format AS log_format, ${COLUMNS}, entry.sum AS entry_sum
      FROM ${schema}.loadout_log log
      LEFT JOIN ${schema}.session ON key = $1
      LEFT JOIN ${schema}.entry ON entry.session = session.id AND seq = version - 1`
  return {
    row,
    read: `WITH head AS (${row})
      SELECT head.*, NULL::integer AS seq, NULL::text AS text, NULL::text AS own_sum FROM head
      UNION ALL
      (SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, seq, text, entry.sum
        FROM head JOIN ${schema}.entry ON entry.session = head.id::bigint
          AND seq >= $2::integer - 1 AND seq < least($3::integer, head.version)
        WHERE head.version > $2::integer ORDER BY seq LIMIT ${ENTRY_PAGE})`,
    appendFirst: `WITH moved AS (
        INSERT INTO ${schema}.session
          (key, name, format, version, opened_at, changed_at, last_sum, sum)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8 FROM ${schema}.loadout_log log
        WHERE log.format = $16
        ON CONFLICT (key) DO NOTHING RETURNING id
      ), ${appendTail(schema, 9)}`,
    appendNext: `WITH moved AS (
        UPDATE ${schema}.session
        SET format = $4, version = $5, changed_at = $6, last_sum = $7, sum = $8
        WHERE id = $1 AND version = $2 AND last_sum = $3
          AND (SELECT log.format FROM ${schema}.loadout_log log) = $16
        RETURNING id
      ), ${appendTail(schema, 9)}`,
    entries: `SELECT seq, text, sum FROM ${schema}.entry
      WHERE session = $1 AND seq >= $2 AND seq < $3 ORDER BY seq`,
    appendOf: `SELECT append FROM ${schema}.entry WHERE session = $1 AND seq = $2`,
    sessions: `SELECT log.format AS log_format, ${COLUMNS}
      FROM ${schema}.loadout_log log LEFT JOIN (
        SELECT * FROM ${schema}.session
        WHERE changed_at <= $1::double precision AND (changed_at < $1 OR key > $2::text)
        ORDER BY changed_at DESC, key LIMIT $3::bigint
      ) AS session ON true
      ORDER BY changed_at DESC, key`,
    aged: `SELECT id::text, name, changed_at < $1 AS is_old, entry.text
      FROM ${schema}.session LEFT JOIN ${schema}.entry
        ON entry.session = session.id AND seq = 0 AND position('${PARENT_MARK}' IN entry.text) > 0
      ORDER BY id`,
    dropOld: `WITH tree AS (
        SELECT * FROM unnest($1::bigint[], $2::integer[]) AS one (id, tree)
      ), gone AS (
        DELETE FROM ${schema}.session WHERE changed_at < $3 AND id IN (SELECT id FROM tree)
          AND id NOT IN (SELECT id FROM tree WHERE tree.tree IN (
            SELECT newer.tree FROM tree AS newer JOIN ${schema}.session USING (id) WHERE changed_at >= $3))
        RETURNING id, key)
      SELECT id::text, pg_notify($4, key)::text FROM gone`,
    entryReferences: `SELECT session::text, seq, ${hashesSql('text')} AS hashes FROM (
        SELECT session, seq, text FROM ${schema}.entry
        WHERE (session, seq) > ($1::bigint, $2::integer)
          AND session <> ALL($3::bigint[])
        ORDER BY session, seq LIMIT ${PAGE}
      ) AS page ORDER BY page.session, seq`,
    definitionReferences: `SELECT hash, octet_length(text) AS bytes, ${hashesSql('text')} AS hashes
      FROM ${schema}.definition WHERE hash > $1 ORDER BY hash LIMIT ${PAGE}`,
    lockForPrune: `LOCK TABLE ${schema}.session, ${schema}.definition IN EXCLUSIVE MODE`,
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
    markPruned: `INSERT INTO ${schema}.definition VALUES ('${PRUNED}', $1, $2)
      ON CONFLICT (hash) DO UPDATE SET text = excluded.text, sum = excluded.sum`,
    keep: `INSERT INTO ${schema}.definition
      SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) ON CONFLICT DO NOTHING`,
    drop: `WITH gone AS (DELETE FROM ${schema}.session WHERE key = $1 RETURNING id)
      SELECT ${notifySql(2)} FROM gone`,
    hasDefinition: `SELECT 1 FROM ${schema}.definition WHERE hash = $1`,
    definitions: `SELECT hash, text, sum FROM ${schema}.definition WHERE hash = ANY($1::text[])`,
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
    latestSnapshot: `SELECT seq, text FROM ${schema}.snapshot
      JOIN ${schema}.session ON session.id = snapshot.session
      WHERE key = $1 AND snapshot.format = $2 AND seq <= $3 ORDER BY seq DESC LIMIT 1`,
  }
}

/**
 * The part that both appends share, after the session's row was changed; their parameters begin at
 * number `at`.
 */
function appendTail(schema: string, at: number): string {
  const [seqs, texts, sums, append, hashes, definitions, checks] = Array.from(
    { length: 7 },
    (_, index) => `$${at + index}`,
  )
  return `added AS (
      INSERT INTO ${schema}.entry
      SELECT moved.id, one.seq, one.text, one.sum, ${append}::uuid
      FROM moved, unnest(${seqs}::integer[], ${texts}::text[], ${sums}::text[]) AS one (seq, text, sum)
    ), kept AS (
      INSERT INTO ${schema}.definition
      SELECT one.hash, one.text, one.sum
      FROM moved, unnest(${hashes}::text[], ${definitions}::text[], ${checks}::text[]) AS one (hash, text, sum)
      ON CONFLICT DO NOTHING
    )
    SELECT id::text, (SELECT text FROM ${schema}.definition WHERE hash = '${PRUNED}') AS pruned,
      ${notifySql(at + 9)}, set_config('synchronous_commit', CASE
      WHEN $${at + 8} = 'os' THEN 'off'
      WHEN current_setting('synchronous_commit') = 'off' THEN 'on'
      ELSE current_setting('synchronous_commit') END, true)
    FROM moved`
}

/** Notifies followers, if there may be any; parameters begin at number `at`. See `Channel`. */
function notifySql(at: number): string {
  return `CASE WHEN NOT pg_try_advisory_xact_lock($${at + 2}::integer, $${at + 3}::integer)
    THEN pg_notify($${at}, $${at + 1})::text END`
}
