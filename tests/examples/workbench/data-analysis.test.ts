import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { oneSelect } from '../../../examples/workbench/skills/data-analysis/lib/one-select.ts'
import { readCsv } from '../../../examples/workbench/skills/data-analysis/lib/read-csv.ts'
import { runQueries } from '../../../examples/workbench/skills/data-analysis/lib/run-queries.ts'
import {
  MOST_SESSIONS,
  removeAllTables,
  sessionTables,
} from '../../../examples/workbench/skills/data-analysis/lib/session-tables.ts'
import { failureOf, toolUnderTest } from './tool-under-test.ts'

const workbench = join(import.meta.dirname, '../../../examples/workbench')
const services = { root: workbench }
const sales = 'data/sales.csv'

const openTable = await toolUnderTest('data-analysis', 'open_table')
const describeTable = await toolUnderTest('data-analysis', 'describe_table')
const queryTable = await toolUnderTest('data-analysis', 'query_table')
const summariseTable = await toolUnderTest('data-analysis', 'summarise_table')

afterAll(removeAllTables)

/** Open a text as table `t` in a session of its own, and query that. */
async function tableOf(text: string, options: object = {}) {
  const surroundings = { session: crypto.randomUUID() }
  const table = await openTable({ text, table: 't', ...options }, surroundings)
  const query = async (sql: string) => (await queryTable({ sql }, surroundings)).rows
  return { table, query, surroundings }
}

describe('open_table', () => {
  test('opens the sample CSV with names from its header and types from its values', async () => {
    expect(await openTable({ file: sales }, { services })).toEqual({
      name: 'sales',
      source: 'data/sales.csv',
      rows: 40,
      columns: [
        { name: 'order', type: 'INTEGER' },
        { name: 'date', type: 'TEXT' },
        { name: 'region', type: 'TEXT' },
        { name: 'customer', type: 'TEXT' },
        { name: 'product', type: 'TEXT' },
        { name: 'quantity', type: 'INTEGER' },
        { name: 'unit_price', type: 'REAL' },
        { name: 'note', type: 'TEXT' },
      ],
    })
  })

  test('opens the sample JSON, with truth as 1 and 0 and nested values as JSON text', async () => {
    const surroundings = { services, session: 'json' }
    const { columns } = await openTable({ file: 'data/customers.json' }, surroundings)
    expect(columns).toContainEqual({ name: 'newsletter', type: 'INTEGER' })
    const sql = "SELECT name, json_extract(contact, '$.email') FROM customers WHERE id IN (4, 5)"
    expect((await queryTable({ sql }, surroundings)).rows).toEqual([
      ['Smith, Jones & Co.', 'orders4@example.org'],
      ['东京茶屋', null],
    ])
  })

  test.each([
    ['whole numbers', '1\n-20\n+3', 'INTEGER', [1, -20, 3]],
    ['numbers with a fraction', '1\n2.5\n1e3', 'REAL', [1, 2.5, 1000]],
    ['numbers and a gap', 'x,1\nx,\nx,3', 'INTEGER', [1, null, 3]],
    ['leading zeros', '007\n12', 'TEXT', ['007', '12']],
    ['more digits than a number holds', '9007199254740993', 'TEXT', ['9007199254740993']],
    ['a long fraction', '0.30000000000000004', 'REAL', [0.30000000000000004]],
    ['a word among numbers', '1\nn/a', 'TEXT', ['1', 'n/a']],
    ['what only looks like a number', '.\n-\ne5', 'TEXT', ['.', '-', 'e5']],
    ['too large a power', '1e999', 'TEXT', ['1e999']],
  ])('types a column of %s', async (_, text, type, values) => {
    const { table, query } = await tableOf(text, { header: false })
    const last = table.columns.at(-1)
    expect(last.type).toBe(type)
    expect(await query(`SELECT ${last.name} FROM t`)).toEqual(values.map((value) => [value]))
  })

  test('tells nothing from an empty text', async () => {
    const { query } = await tableOf('a,b\n1,\n2,""')
    expect(await query('SELECT a, b IS NULL, b FROM t')).toEqual([
      [1, 1, null],
      [2, 0, ''],
    ])
  })

  test('gives every column a name of its own, in any case', async () => {
    const { table } = await tableOf('a,A,,"a ""b""",A_2\n1,2,3,4,5')
    expect(table.columns.map(({ name }: { name: string }) => name)).toEqual([
      'a',
      'A_2',
      'column_3',
      'a "b"',
      'A_2_2',
    ])
  })

  test.each([
    [';', 'a;b\n1,5;2'],
    ['tab', 'a\tb\n1,5\t2'],
    ['|', 'a|b\n1,5|2'],
    ['; although a name holds commas', '"a,,,";b\n1,5;2'],
  ])('finds out that the delimiter is %s', async (_, text) => {
    const { query } = await tableOf(text)
    expect(await query('SELECT * FROM t')).toEqual([['1,5', 2]])
  })

  test('reads an inline text with a byte order mark, and JSON by its look', async () => {
    expect((await tableOf('\uFEFFname\nx')).table.columns[0].name).toBe('name')
    const { query } = await tableOf(' [1, {"value": "two"}, null, {"__proto__": true}]')
    expect(await query('SELECT value, "__proto__" FROM t')).toEqual([
      ['1', null],
      ['two', null],
      [null, null],
      [null, 1],
    ])
  })

  test.each([
    [{}, 'Give either a file or a text.'],
    [{ text: 'a', file: sales }, 'Give either a file or a text.'],
    [{ text: 'a\n"b' }, 'The CSV cannot be read: line 2 opens a quote that is never closed.'],
    [{ text: 'a\n"b"c' }, 'The CSV cannot be read: line 2 has text after a closing quote.'],
    [{ text: 'a,b\n"x\ny",2\n3' }, 'Line 4 of the CSV has 1 fields; the first has 2.'],
    [{ text: '\n\n' }, 'The CSV holds no records.'],
    [{ text: '{"a": 1}' }, 'The JSON is not an array; a table needs an array of objects.'],
    [{ text: '[]' }, 'The JSON array holds no values.'],
    [{ text: 'a\n'.repeat(100_002) }, 'The CSV has more than 100000 rows.'],
    [{ text: ','.repeat(200) }, 'The CSV has 201 columns; 200 are the most.'],
    [{ text: 'a', table: 'sqlite_x' }, expect.stringMatching(/^"sqlite_x" cannot name a table/)],
    [{ text: 'a', table: 'x"; DROP' }, expect.stringContaining('cannot name a table')],
    [{ text: '[1,' }, expect.stringMatching(/^The JSON cannot be read: /)],
  ])('refuses %j: %s', async (input, message) => {
    const failure = await failureOf(openTable(input, { services }))
    expect(failure.split(': ', 1)).toEqual(['VALIDATION'])
    expect(failure.slice('VALIDATION: '.length)).toEqual(message)
  })

  test('of a name that is taken is a conflict, unless it replaces the table', async () => {
    const { query, surroundings } = await tableOf('a\n1')
    expect(await failureOf(openTable({ text: 'a\n2', table: 'T' }, surroundings))).toBe(
      'CONFLICT: A table "T" is open already; give "replace" or a name.',
    )
    await openTable({ text: 'a\n2\n3', table: 'T', replace: true }, surroundings)
    expect(await query('SELECT a FROM t')).toEqual([[2], [3]])
  })

  test('refuses a twenty-first table', async () => {
    const { surroundings } = await tableOf('a\n1')
    for (let count = 2; count <= 20; count += 1) {
      await openTable({ text: 'a\n1', table: `t${count}` }, surroundings)
    }
    expect(await failureOf(openTable({ text: 'a\n1', table: 'more' }, surroundings))).toBe(
      'VALIDATION: A session has at most 20 tables; replace one.',
    )
  })
})

describe('data files', () => {
  const above = mkdtempSync(join(tmpdir(), 'data-analysis-'))
  const root = join(above, 'root')
  mkdirSync(join(root, 'folder'), { recursive: true })
  mkdirSync(join(above, 'root-secrets'))
  writeFileSync(join(above, 'root-secrets', 'key.csv'), 'secret\n1\n')
  writeFileSync(join(root, '2026 plan.csv'), 'a;b\n1;2\n')
  writeFileSync(join(root, 'latin.csv'), Uint8Array.of(0x63, 0xe9))
  writeFileSync(join(root, 'huge.csv'), Buffer.alloc(16 * 1024 * 1024 + 1, 'a'))
  const wide = `${'x'.repeat(1000)}\n`.repeat(16_000)
  writeFileSync(join(root, 'wide.csv'), wide)
  symlinkSync('../root-secrets/key.csv', join(root, 'link.csv'))
  symlinkSync('2026 plan.csv', join(root, 'inner.csv'))
  afterAll(() => rmSync(above, { recursive: true }))

  test('are named after themselves, and read through links that stay inside', async () => {
    const here = { services: { root } }
    expect((await openTable({ file: '2026 plan.csv' }, here)).name).toBe('t_2026_plan')
    expect((await openTable({ file: 'inner.csv' }, here)).columns).toHaveLength(2)
  })

  test.each([
    '../root-secrets/key.csv',
    'folder/../../root-secrets/key.csv',
    '/etc/passwd',
    'C:\\data.csv',
    'link.csv',
    'x\0.csv',
    '.',
  ])('are not read outside the root: %j', async (file) => {
    const failure = await failureOf(openTable({ file }, { services: { root } }))
    expect(failure).toBe(`DENIED: The path ${JSON.stringify(file)} does not stay below the root.`)
  })

  test.each([
    ['missing.csv', 'NOT_FOUND: There is no file "missing.csv" below the root.'],
    ['folder', 'VALIDATION: "folder" is not a plain file.'],
    ['latin.csv', 'VALIDATION: "latin.csv" is not UTF-8 text.'],
    ['huge.csv', 'VALIDATION: "huge.csv" has 16777217 bytes; 16777216 are the most.'],
  ])('that cannot be read say why: %s', async (file, expected) => {
    expect(await failureOf(openTable({ file }, { services: { root } }))).toBe(expected)
  })

  test('that would take more than 64 MiB together are refused, and the others stay', async () => {
    const here = { services: { root }, session: 'full' }
    for (const table of ['a', 'b', 'c', 'd']) await openTable({ file: 'wide.csv', table }, here)
    expect(await failureOf(openTable({ file: 'wide.csv', table: 'e' }, here))).toBe(
      "VALIDATION: The session's tables would take more than 64 MiB together.",
    )
    const { tables } = await describeTable({}, here)
    expect(tables.map(({ name }: { name: string }) => name)).toEqual(['a', 'b', 'c', 'd'])
  })
})

describe('the CSV reader', () => {
  const records = (text: string): unknown => [...readCsv(text, ',')].map(({ fields }) => fields)

  test.each([
    [
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,b\rc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['"a,""b""",c', [['a,"b"', 'c']]],
    ['"a\r\nb",c', [['a\r\nb', 'c']]],
    ['a,,"",', [['a', null, '', null]]],
    ['\n\na\n\n', [['a']]],
    ['""\n', [['']]],
    ['19" rack,x', [['19" rack', 'x']]],
    [' a , b ', [[' a ', ' b ']]],
    ['"a"', [['a']]],
    [',', [[null, null]]],
    ['', []],
  ])('reads %j', (text, expected) => {
    expect(records(text)).toEqual(expected)
  })

  test('gives back what was written, whatever is in the fields', () => {
    const field = fc.option(
      fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', 'é', ' ') }),
    )
    const row = fc.array(field, { minLength: 2, maxLength: 4 })
    const write = (value: string | null): string =>
      value === null ? '' : `"${value.replaceAll('"', '""')}"`
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        (rows, end) => {
          const text = rows.map((fields) => fields.map(write).join(',')).join(end)
          expect(records(text)).toEqual(rows)
        },
      ),
    )
  })
})

describe('query_table', () => {
  test('answers with columns and rows, also for columns of one name', async () => {
    const session = { services, session: 'query' }
    await openTable({ file: sales }, session)
    const sql = 'SELECT region, count(*) AS n, region FROM sales GROUP BY 1 ORDER BY 1'
    const answer = await queryTable({ sql }, session)
    expect(answer).toMatchObject({ columns: ['region', 'n', 'region'], complete: true })
    expect(answer.rows).toHaveLength(4)
  })

  test('opens a file on the way, once', async () => {
    const session = { services, session: 'file' }
    const query = { file: sales, sql: 'SELECT count(*), max(customer) FROM sales' }
    const first = await queryTable(query, session)
    expect(first.rows[0][0]).toBe(40)
    expect(await queryTable(query, session)).toEqual(first)
  })

  test('says when rows were cut, and not when the limit was just met', async () => {
    const { surroundings } = await tableOf('a\n1\n2\n3')
    const cut = await queryTable({ sql: 'SELECT a FROM t', limit: 2 }, surroundings)
    expect(cut).toMatchObject({ rows: [[1], [2]], complete: false })
    expect(cut.note).toBe('Cut after 2 rows; aggregate, or narrow it down with WHERE and LIMIT.')
    const met = await queryTable({ sql: 'SELECT a FROM t', limit: 3 }, surroundings)
    expect(met.complete).toBe(true)
  })

  test('bounds the characters of an answer and of a value', async () => {
    const { surroundings } = await tableOf('a\n1')
    const long = await queryTable({ sql: "SELECT printf('%.*c', 5000, 'x')" }, surroundings)
    expect(long.rows[0][0]).toHaveLength(2001)
    const many = `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 900)
      SELECT printf('%.*c', 1500, 'x') FROM n`
    const cut = await queryTable({ sql: many, limit: 1000 }, surroundings)
    expect(cut.complete).toBe(false)
    expect(JSON.stringify(cut).length).toBeLessThan(210_000)
  })

  test('carries what JSON has no number for as text', async () => {
    const { query } = await tableOf('a\n1')
    expect(await query("SELECT 9007199254740993, 9e999, x'00ff', 2.5, NULL")).toEqual([
      ['9007199254740993', 'Infinity', '(2 bytes)', 2.5, null],
    ])
  })

  test.each([
    'DELETE FROM t',
    'PRAGMA query_only = 0',
    "ATTACH '/tmp/other.sqlite' AS other",
    'EXPLAIN SELECT 1',
    'SELECT 1; DROP TABLE t',
    '/* SELECT */ DROP TABLE t',
    '-- SELECT\nDROP TABLE t',
    "VACUUM INTO '/tmp/copy.sqlite'",
    '',
    'SELECT 1\0',
  ])('does not run %j', async (sql) => {
    expect(() => oneSelect(sql)).toThrow(/^The query /)
  })

  test.each([
    'SELECT 1',
    ' select 1 ; -- done',
    'WITH x AS (SELECT 1) SELECT * FROM x;',
    'VALUES (1)',
    'SELECT \';\', ";", `;`, [;] /* ; */',
    "SELECT 'it''s; fine'",
    '/* first */ -- and\n SELECT 1',
  ])('lets pass %j', (sql) => {
    expect(() => oneSelect(sql)).not.toThrow()
  })

  test.each([
    'WITH x AS (SELECT 1) DELETE FROM t',
    'WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x',
    "SELECT load_extension('/tmp/x')",
    "SELECT * FROM pragma_table_info('t')",
    'SELECT nothing FROM t',
    'SELEKT 1',
  ])('fails with what SQLite says: %j', async (sql) => {
    const { query, surroundings } = await tableOf('a\n1')
    expect(await failureOf(queryTable({ sql }, surroundings))).toMatch(/^VALIDATION: /)
    expect(await query('SELECT a FROM t')).toEqual([[1]])
  })

  test('changes and opens nothing even when a statement got past the gate', async () => {
    const { surroundings } = await tableOf('a\n1')
    const { database } = sessionTables(surroundings.session)
    const other = `${database}.other`
    new DatabaseSync(other).close()
    const { signal } = new AbortController()
    for (const sql of ['DELETE FROM t', `ATTACH '${other}' AS other`, 'PRAGMA user_version = 7']) {
      const call = runQueries(database, [sql], { limit: 1 }, signal)
      expect(await failureOf(call)).toMatch(/^VALIDATION: SQLite refused the query/)
    }
  })

  const endless =
    'WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT sum(i) FROM n'

  test('kills a query that does not end when its time is up', async () => {
    const { query, surroundings } = await tableOf('a\n1')
    expect(await failureOf(queryTable({ sql: endless, timeoutMs: 400 }, surroundings))).toBe(
      'TIMEOUT: The query took longer than 0.4 seconds; ask for less.',
    )
    expect(await query('SELECT a FROM t')).toEqual([[1]])
  })

  test('stops a query when the call is given up', async () => {
    const { surroundings } = await tableOf('a\n1')
    const controller = new AbortController()
    const call = failureOf(
      queryTable(
        { sql: endless, timeoutMs: 30_000 },
        { ...surroundings, signal: controller.signal },
      ),
    )
    controller.abort()
    expect(await call).toBe('ABORTED: The call was given up before the query was done.')
  })

  test('ends the query process by itself when nobody is left to kill it', async () => {
    const { surroundings } = await tableOf('a\n1')
    const { database } = sessionTables(surroundings.session)
    const program = join(workbench, 'skills/data-analysis/lib/query-process.ts')
    const job = { database, queries: [endless], limit: 1, characters: 1, timeoutMs: 100 }
    const ended = spawnSync(process.execPath, ['--no-warnings', program], {
      input: JSON.stringify(job),
      timeout: 300_000,
      killSignal: 'SIGTERM',
    })
    expect(ended.signal).toBe('SIGKILL')
  })

  test('refuses a value that would take too much memory', async () => {
    const { surroundings } = await tableOf('a\n1')
    const sql = 'SELECT length(hex(randomblob(400000000)))'
    expect(await failureOf(queryTable({ sql }, surroundings))).toMatch(/^VALIDATION: .*too big/)
  })
})

describe('describe_table', () => {
  test('shows one table or all of them, with their first rows', async () => {
    const { surroundings } = await tableOf('a,b\n1,x\n2,y\n3,z\n4,\n')
    await openTable({ text: '[true]', table: 'u' }, surroundings)
    expect(await describeTable({ table: 'T' }, surroundings)).toEqual({
      tables: [
        {
          name: 't',
          source: 'inline',
          rows: 4,
          columns: [
            { name: 'a', type: 'INTEGER' },
            { name: 'b', type: 'TEXT' },
          ],
          sample: [
            [1, 'x'],
            [2, 'y'],
            [3, 'z'],
          ],
        },
      ],
    })
    expect((await describeTable({}, surroundings)).tables).toHaveLength(2)
  })

  test('shows of a long text only its start', async () => {
    const { surroundings } = await tableOf(`a\n${'x'.repeat(300)}`)
    const cut = `${'x'.repeat(200)}…`
    expect((await describeTable({}, surroundings)).tables[0].sample).toEqual([[cut]])
    const { columns } = await summariseTable({ table: 't' }, surroundings)
    expect(columns).toMatchObject([{ min: cut, top: [{ value: cut, count: 1 }] }])
  })

  test('of what is not open says what is', async () => {
    expect(await failureOf(describeTable({}))).toBe(
      'NOT_FOUND: No table is open in this session. open_table opens one.',
    )
    const { surroundings } = await tableOf('a\n1')
    expect(await failureOf(describeTable({ table: 'x' }, surroundings))).toBe(
      'NOT_FOUND: No table "x" is open. Open: t.',
    )
  })
})

describe('summarise_table', () => {
  test('gives the figures of every column', async () => {
    const { surroundings } = await tableOf('n,word\n1,b\n3,a\n,b\n5,\n')
    expect(await summariseTable({ table: 't', top: 2 }, surroundings)).toEqual({
      table: 't',
      rows: 4,
      columns: [
        {
          name: 'n',
          type: 'INTEGER',
          count: 3,
          nulls: 1,
          distinct: 3,
          min: 1,
          max: 5,
          mean: 3,
          top: [
            { value: 1, count: 1 },
            { value: 3, count: 1 },
          ],
        },
        {
          name: 'word',
          type: 'TEXT',
          count: 3,
          nulls: 1,
          distinct: 2,
          min: 'a',
          max: 'b',
          top: [
            { value: 'b', count: 2 },
            { value: 'a', count: 1 },
          ],
        },
      ],
    })
  })

  test('picks columns in any case and says which there are', async () => {
    const session = { services, session: 'summary' }
    const input = { table: 'sales', file: sales, columns: ['CUSTOMER'] }
    const { columns } = await summariseTable(input, session)
    expect(columns).toMatchObject([{ name: 'customer', count: 40 }])
    const wrong = summariseTable({ table: 'sales', columns: ['price'] }, session)
    expect(await failureOf(wrong)).toBe('VALIDATION: "sales" has no column "price".')
  })
})

describe('sessions', () => {
  test('share nothing, even under one name', async () => {
    const one = await tableOf('a\n1')
    const two = await tableOf('a\n2')
    expect(await one.query('SELECT a FROM t')).toEqual([[1]])
    expect(await two.query('SELECT a FROM t')).toEqual([[2]])
  })

  test('beyond the most that are kept lose their tables and their files, the oldest first', async () => {
    const oldest = await tableOf('a\n1')
    const { database } = sessionTables(oldest.surroundings.session)
    expect(existsSync(database)).toBe(true)
    for (let count = 0; count < MOST_SESSIONS; count += 1) await tableOf('a\n1')
    expect(existsSync(database)).toBe(false)
    expect(await failureOf(describeTable({}, oldest.surroundings))).toMatch(/^NOT_FOUND/)
  })
})

test('leaves no file behind when the process ends', () => {
  const lib = join(workbench, 'skills/data-analysis/lib/session-tables.ts')
  const script = `import { sessionTables } from ${JSON.stringify(lib)}
    import { writeFileSync } from 'node:fs'
    const { database } = sessionTables('s')
    writeFileSync(database, 'x')
    console.log(database)`
  const args = ['--no-warnings', '--input-type=module', '--eval', script]
  const database = execFileSync(process.execPath, args, { encoding: 'utf8' }).trim()
  expect(database).toMatch(/tables\.sqlite$/)
  expect(existsSync(dirname(database))).toBe(false)
})

test.each([
  ['open_table', openTable, { text: 'a' }],
  ['describe_table', describeTable, { table: 't' }],
  ['query_table', queryTable, { sql: 'SELECT a FROM t' }],
  ['summarise_table', summariseTable, { table: 't' }],
])('%s ends with ABORTED when the call was given up', async (_, tool, input) => {
  const { surroundings } = await tableOf('a\n1')
  const signal = AbortSignal.abort()
  expect(await failureOf(tool(input, { ...surroundings, signal }))).toMatch(/^ABORTED/)
})
