/**
 * How the tables came to be what they are: the step at index n takes a file of format n to n + 1.
 * A step that was released is never changed.
 *
 * Names of sessions are JSON text, since SQLite stops at a NUL and has no half surrogates. `sum`
 * of an entry covers it and all before it, that of another row the row; a snapshot says itself what
 * it is worth. Entries are too large for a
 * table without row numbers, which takes a page more for each of over a kilobyte.
 */
export const SCHEMA_STEPS: readonly string[] = [
  `CREATE TABLE session (
     name TEXT PRIMARY KEY,
     format INTEGER NOT NULL,
     version INTEGER NOT NULL,
     opened_at REAL NOT NULL,
     changed_at REAL NOT NULL,
     last_sum TEXT NOT NULL,
     sum TEXT NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE entry (
     session TEXT NOT NULL,
     seq INTEGER NOT NULL,
     text TEXT NOT NULL,
     sum TEXT NOT NULL,
     PRIMARY KEY (session, seq)
   ) STRICT;
   CREATE TABLE definition (
     hash TEXT PRIMARY KEY,
     text TEXT NOT NULL,
     sum TEXT NOT NULL
   ) STRICT;`,
  `CREATE TABLE snapshot (
     session TEXT NOT NULL,
     seq INTEGER NOT NULL,
     format TEXT NOT NULL,
     text TEXT NOT NULL,
     PRIMARY KEY (session, seq)
   ) STRICT;`,
]

/**
 * What whoever only looks at a file has in the place of what later steps make: tables of the connection's
 * own, in memory, and empty.
 */
export const STAND_INS: readonly string[] = SCHEMA_STEPS.map((step) =>
  step.replaceAll('CREATE TABLE', 'CREATE TEMP TABLE'),
)
