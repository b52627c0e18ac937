import { describe, expect, test } from 'vitest'
import type { SearchReport } from '../../../../src/workbench/cli/opening/open-search.ts'
import { skillText, temporaryFolder, toolTree } from '../../project/temporary-folder.ts'
import { embeddingServer } from '../../../connections/wires/embeddings/embedding-server.ts'
import { runCommand } from '../run-command.ts'

const skill = (name: string, description: string) =>
  skillText(name).replace(`Does ${name}.`, description)

const tree = {
  'skills/refunds/SKILL.md': skill('refunds', 'Give customers a refund for an order.'),
  ...toolTree('skills/refunds/tools/find_order'),
  'skills/weather/SKILL.md': skill('weather', 'The forecast for a city.'),
}

async function search(...argv: string[]) {
  const cwd = await temporaryFolder(tree)
  return runCommand(['search', ...argv], { cwd })
}

test('results are listed with their owner and the matching words', async () => {
  const { code, stdout, stderr } = await search('find an order', 'skills')
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.not.stringContaining('error') })
  expect(stdout.replace(/\d+\.\d\d/g, '0.00')).toMatchInlineSnapshot(`
    "SCORE  KIND   NAME        OWNER    MATCHED
    0.00  tool   find_order  refunds  name: find order findorder; description: find order
    0.00   skill  refunds     -        description: order

    confidence 0.00, by words
    "
  `)
})

test('--json prints the answer of the search with owner, description and path', async () => {
  const cwd = await temporaryFolder(tree)
  const { stdout, stderr } = await runCommand(['search', 'find_order', '--json'], { cwd })
  expect(stderr).toBe('')
  const report = JSON.parse(stdout) as SearchReport
  expect(report).toMatchObject({ query: 'find_order', confidence: 1, route: 'lexical' })
  expect(report.results[0]).toEqual({
    name: 'find_order',
    kind: 'tool',
    score: expect.any(Number),
    matched: expect.arrayContaining([{ field: 'description', terms: ['find', 'order'] }]),
    owner: 'refunds',
    description: 'Runs find_order.',
    path: `${cwd}/skills/refunds/tools/find_order`,
  })
  expect(report.results.find(({ kind }) => kind === 'skill')).toMatchObject({
    owner: null,
    path: `${cwd}/skills/refunds/SKILL.md`,
  })
})

test('without a match it says so, gives advice, and fails', async () => {
  const { code, stdout, stderr } = await search('zzqx vvkw', 'skills')
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('nothing matches "zzqx vvkw" in 3 tools and skills')
  expect(stderr).toContain('such as "create page"')
  const json = await search('zzqx vvkw', 'skills', '--json')
  expect(json.code).toBe(1)
  expect(JSON.parse(json.stdout)).toMatchObject({ results: [], confidence: 0 })
})

test('--kind and --limit restrict the results', async () => {
  const { stdout } = await search('order refund forecast', 'skills', '--kind', 'skill', '--json')
  const names = (JSON.parse(stdout) as SearchReport).results.map(({ name }) => name)
  expect(names.sort()).toEqual(['refunds', 'weather'])
  const one = await search('order refund forecast', 'skills', '--limit', '1', '--json')
  expect((JSON.parse(one.stdout) as SearchReport).results).toHaveLength(1)
})

test.each([
  [[], "Missing required argument 'query'"],
  [['  '], 'The query is empty'],
  [['money', 'back', 'skills'], "loadout search 'money back skills'"],
  [['x', './nowhere'], 'nothing to read at'],
  [['x', '--limit', '0'], 'a whole number from 1 to 100'],
  [['x', '--limit', '1.5'], 'a whole number'],
  [['x', '--kind', 'agent'], 'tool, skill'],
  [['x', 'skills', '--embed', 'toy'], '--embed-url'],
  [['x', 'skills', '--embed', 'toy', '--embed-url', 'localhost'], '"localhost" is not a URL'],
])('%j is wrong usage', async (argv, said) => {
  const { code, stderr, stdout } = await search(...argv)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(said)
})

test('on a terminal no line is wider than the terminal', async () => {
  const cwd = await temporaryFolder(tree)
  const { stdout } = await runCommand(['search', 'find order refund'], { cwd, columns: 50 })
  expect(stdout.split('\n').every((line) => line.length <= 50)).toBe(true)
})

describe('with a model', () => {
  test('a query in another language is matched by meaning, and the next run embeds only the query', async () => {
    const server = await embeddingServer()
    const cwd = await temporaryFolder(tree)
    const ask = async (query: string) => {
      const argv = ['search', query, '--embed', 'toy', '--embed-cache', 'vectors.sqlite', '--json']
      const env = { LOADOUT_EMBED_URL: server.url, LOADOUT_EMBED_KEY: 'secret' }
      const { stdout } = await runCommand(argv, { cwd, env })
      return JSON.parse(stdout) as SearchReport
    }
    const report = await ask('退款')
    expect(report.route).toBe('vectors')
    expect(report.results).toContainEqual(expect.objectContaining({ name: 'refunds', matched: [] }))
    expect(report.results.map(({ name }) => name)).not.toContain('weather')
    expect(server.requests.map(({ length }) => length)).toEqual([3, 1])
    expect(server.keys[0]).toBe('Bearer secret')
    expect((await ask('天气')).results[0]?.name).toBe('weather')
    expect(server.requests.slice(2)).toEqual([['天气']])
  })

  test('that cannot be reached, words are used and stderr says why', async () => {
    const argv = ['order', 'skills', '--embed', 'toy', '--embed-url', 'http://127.0.0.1:1/v1']
    const { code, stdout, stderr } = await search(...argv)
    expect(code).toBe(0)
    expect(stdout).toContain('find_order')
    expect(stderr).toContain('Only words were searched')
    expect(stderr).toContain('no connection to 127.0.0.1:1')
  })
})
