import { expect, test } from 'vitest'
import type { EvalReport } from '../../../../src/workbench/cli/commands/eval/eval-report.ts'
import { skillText, temporaryFolder, type Tree } from '../../project/temporary-folder.ts'
import { embeddingServer } from '../../../connections/wires/embeddings/embedding-server.ts'
import { runCommand } from '../run-command.ts'

const jsonl = (...lines: readonly object[]) =>
  `${lines.map((one) => JSON.stringify(one)).join('\n')}\n`

const TOOLS = jsonl(
  { name: 'refund_order', description: 'Pay the money of an order back.', server: 'billing' },
  { name: 'send_invoice', description: 'Send an invoice.', category: 'payments' },
  { name: 'get_weather', description: 'The forecast for a city.' },
)
const QUERIES = jsonl(
  { id: 7, query: 'money back', gold: ['refund_order'] },
  { query: 'send the invoice', gold: ['send_invoice', 'get_weather'] },
  { query: 'zzqx', gold: [] },
  { query: 'the forecast', gold: [] },
)
const SET = { 'set/tools.jsonl': TOOLS, 'set/queries.jsonl': QUERIES }

async function judge(tree: Tree, ...argv: string[]) {
  return runCommand(['eval', ...argv], { cwd: await temporaryFolder(tree) })
}

test('a folder of tools and queries is evaluated, and misses are listed', async () => {
  const { code, stdout, stderr } = await judge(SET, 'set', '--misses')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.replace(/\d+\.\d\d ms/g, '- ms').replace(/confidence .*/g, 'confidence -'))
    .toMatchInlineSnapshot(`
    "4 queries over 3 tools and skills

    recall@1   0.750
    recall@5   0.750
    recall@10  0.750
    nDCG@10    0.807
    MRR        1.000
    no match   2 wanted, 1 given, precision 1.000, recall 0.500
    latency    p50 - ms, p99 - ms

    line 2: send the invoice
      misses get_weather; finds send_invoice, refund_order; confidence -
    line 4: the forecast
      expects nothing; finds get_weather; confidence -
    "
  `)
})

test('--json prints the same figures by name', async () => {
  const { stdout } = await judge(SET, 'set', '--json')
  const report = JSON.parse(stdout) as EvalReport
  expect(report).toMatchObject({ documents: 3, queries: 4, recall1: 0.75, recall5: 0.75 })
  expect(report.noMatch).toEqual({ wanted: 2, given: 1, precision: 1, recall: 0.5 })
  expect(report.misses).toBeUndefined()
  const { misses } = JSON.parse(
    (await judge(SET, 'set', '--json', '--misses')).stdout,
  ) as EvalReport
  expect(misses).toMatchObject([
    { line: 2, missed: [{ name: 'get_weather', place: null }] },
    { line: 4, missed: [], found: ['get_weather'] },
  ])
})

test.each([
  ['0.7', 0, ''],
  ['0.8', 1, 'recall@5 is 0.750, below 0.8'],
])('with --min-recall5 %s it exits with %d', async (least, exit, said) => {
  const { code, stderr } = await judge(SET, 'set', '--min-recall5', least)
  expect(code).toBe(exit)
  expect(stderr).toContain(said)
})

test('--min-recall5 fails when no query expects a name', async () => {
  const tree = { ...SET, 'set/queries.jsonl': jsonl({ query: 'zzqx', gold: [] }) }
  const { code, stderr } = await judge(tree, 'set', '--min-recall5', '0')
  expect(code).toBe(1)
  expect(stderr).toContain('no query expects a name')
})

test('queries can be run on skills, and unknown names are listed', async () => {
  const tree = {
    'skills/refunds/SKILL.md': skillText('refunds'),
    'good.jsonl': jsonl({ query: 'refunds', gold: ['refunds'] }),
    'bad.jsonl': jsonl({ query: 'refunds', gold: ['refund'] }),
  }
  const good = await judge(tree, 'skills', '--queries', 'good.jsonl', '--min-recall5', '1')
  expect(good).toMatchObject({ code: 0 })
  const bad = await judge(tree, 'skills', '--queries', 'bad.jsonl')
  expect(bad.code).toBe(1)
  expect(bad.stderr).toContain('line 1: "refund" does not exist. Did you mean "refunds"?')
})

test.each([
  ['queries.jsonl', '{"query": "x"}', 'line 1: "gold"'],
  ['queries.jsonl', '\n{"query": " ", "gold": []}', 'line 2: "query": it is empty'],
  ['queries.jsonl', 'nonsense', 'line 1: invalid JSON'],
  ['queries.jsonl', '[1]', 'line 1: Invalid input'],
  ['queries.jsonl', '\n\n', 'contains no queries'],
  ['queries.jsonl', '{"query": "x", "gold": ["toString"]}', '"toString" does not exist'],
  ['tools.jsonl', '{"name": "a"}', 'line 1: "description"'],
  [
    'tools.jsonl',
    '{"name":"a","description":"b"}\n{"name":"a","description":"c"}',
    'line 2: "a" is already on line 1',
  ],
  ['tools.jsonl', 'x\n'.repeat(9), 'and 4 more'],
  ['tools.jsonl', new Uint8Array([0xff, 0xfe]), 'cannot be read'],
])('a wrong %s (%j) is one precise error', async (file, content, said) => {
  const { code, stdout, stderr } = await judge({ ...SET, [`set/${file}`]: content }, 'set')
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(said)
})

test.each([
  [[], 'No folder is given'],
  [['set', 'set'], 'Only one folder can be evaluated'],
  [['nowhere'], 'does not exist'],
  [['set', '--queries', 'nowhere.jsonl'], 'does not exist'],
  [['set', '--min-recall5', '80'], 'a number from 0 to 1'],
])('%j is wrong usage', async (argv, said) => {
  const { code, stderr } = await judge(SET, ...argv)
  expect(code).toBe(2)
  expect(stderr).toContain(said)
})

test('names of built-in object properties are ordinary names', async () => {
  const tree = {
    'set/tools.jsonl': jsonl({ name: '__proto__', description: 'Polish the floor.' }),
    'set/queries.jsonl': `{"query": "polish", "gold": ["constructor"], "alt": {"constructor": ["__proto__"]}}
{"query": "polish", "gold": ["__proto__"]}`,
  }
  const { stderr } = await judge(tree, 'set')
  expect(stderr).toContain('line 1: "constructor" does not exist')
  expect(stderr).not.toContain('line 2')
})

test('the evaluation ends when the embedding model fails', async () => {
  const server = await embeddingServer()
  const cwd = await temporaryFolder({
    ...SET,
    'set/queries.jsonl': jsonl({ query: '退款', gold: ['refund_order'] }),
  })
  const argv = ['eval', 'set', '--embed', 'toy', '--embed-url', server.url, '--json']
  const { stdout } = await runCommand(argv, { cwd })
  expect(JSON.parse(stdout)).toMatchObject({ recall1: 1 })
  server.next({ kind: 'ok' }, { kind: 'status', status: 401 })
  expect(await runCommand(argv, { cwd })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('EVAL_DEGRADED'),
  })
})
