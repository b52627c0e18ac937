import type pg from 'pg'

/**
 * Create a table unless it is there. `IF NOT EXISTS` alone fails where two servers that start at once
 * both find nothing, so one waits for the other: the statements of one query are one transaction.
 *
 * @param table its name and columns
 */
export async function createTable(pool: pg.Pool, table: string): Promise<void> {
  await pool.query(`
    SELECT pg_advisory_xact_lock(hashtextextended('create table', 0));
    CREATE TABLE IF NOT EXISTS ${table}`)
}
