/**
 * How the tables came to be what they are: the step at index n takes a schema of format n to n + 1.
 * A step that was released is never changed.
 *
 * Names of sessions are JSON text and found by their hash: PostgreSQL has neither NUL nor half
 * surrogates, and its indexes take no long texts. Entries are text, too, since `jsonb` gives back
 * another text than it was given. `append` is the id of the append that an entry came with. The
 * `sum` of an entry covers it and all before it, that of another row the row; a snapshot says itself
 * whether it is whole.
 *
 * @param schema quoted, as SQL takes it
 */
export function schemaSteps(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.session (
       id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       key text NOT NULL UNIQUE,
       name text NOT NULL,
       format integer NOT NULL,
       version integer NOT NULL,
       opened_at double precision NOT NULL,
       changed_at double precision NOT NULL,
       last_sum text NOT NULL,
       sum text NOT NULL
     );
     CREATE TABLE ${schema}.entry (
       session bigint NOT NULL REFERENCES ${schema}.session ON DELETE CASCADE,
       seq integer NOT NULL,
       text text NOT NULL,
       sum text NOT NULL,
       append uuid NOT NULL,
       PRIMARY KEY (session, seq)
     );
     CREATE TABLE ${schema}.definition (
       hash text PRIMARY KEY,
       text text NOT NULL,
       sum text NOT NULL
     );
     CREATE TABLE ${schema}.snapshot (
       session bigint NOT NULL REFERENCES ${schema}.session ON DELETE CASCADE,
       format text NOT NULL,
       seq integer NOT NULL,
       text text NOT NULL,
       PRIMARY KEY (session, format, seq)
     );`,
  ]
}
