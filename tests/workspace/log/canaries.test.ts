import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createCatalog,
  createMemoryLog,
  defineComponent,
  defineSkill,
  defineTool,
  VirtualWorkspace,
  type CallProgress,
  type EventLog,
} from 'loadout'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { secretsFromEnvironment } from '../../../src/workbench/project/config/environment-variables.ts'
import { exportLog } from '../../../src/connections/logs/jsonl/export-lines.ts'
import { openSqliteLog } from '../../../src/connections/logs/sqlite/open-sqlite-log.ts'

/** Fifty secrets: in the environment, under names of secrets, and with the prefixes of keys. */
const ENVIRONMENT = Object.fromEntries(
  Array.from({ length: 30 }, (_, index) => [
    `SERVICE_${index}_TOKEN`,
    `canary-"${index}"-in/the mine`,
  ]),
)
const SECRETS = Object.values(ENVIRONMENT)
const NAMED = Array.from({ length: 10 }, (_, index) => `canary of a named member ${index}`)
const BEGUN = Array.from({ length: 10 }, (_, index) => `sk-canary0000${index}`)
const CANARIES = [...SECRETS, ...NAMED, ...BEGUN]
const BEARER = { secrets: secretsFromEnvironment(ENVIRONMENT) }

/** The texts to look for: each secret unchanged, and escaped as in JSON. */
const FORMS = CANARIES.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
const found = (text: string) => FORMS.filter((form) => text.includes(form))

/** All of the secrets in one text, and in data with names of secrets. */
const told = [...SECRETS, ...BEGUN].join(' and ')
const data = () => ({
  told,
  accounts: NAMED.map((password) => ({ password })),
  list: [...SECRETS, ...BEGUN],
})

/** Whatever can carry a text from outside into a session does so, with all of the secrets. */
const catalog = () =>
  createCatalog({
    skills: [
      defineSkill({
        name: 'leaky',
        description: `Knows ${told}.`,
        instructions: `Say ${told}.`,
        tools: [
          defineTool({
            name: 'list_pages',
            description: `Lists with ${told}.`,
            extraction: { path: 'pages', type: 'page', nameField: 'name', isArray: true },
            execute: () => ({ pages: [...SECRETS, ...BEGUN].map((name, id) => ({ id, name })) }),
          }),
        ],
      }),
      defineSkill({
        name: 'broken',
        description: 'Fails to start.',
        onActivate: () => {
          throw new Error(`no access with ${told}`)
        },
      }),
    ],
    components: [
      defineComponent({
        key: 'vault',
        initialState: { at: 0, held: {} as ReturnType<typeof data> },
        tools: (define) => [
          define({
            name: 'hold',
            description: 'Hold it.',
            execute: (_, { update, progress }) => {
              progress({ message: told })
              return update(({ at }) => ({ at: at + 1, held: data() }))
            },
          }),
        ],
        panel: ({ held }) => ({ title: 'Vault', lines: [JSON.stringify(held), told] }),
      }),
    ],
    tools: [
      defineTool({
        name: 'fail',
        description: 'Fails.',
        execute: () => {
          throw new Error(`refused for ${told}`)
        },
      }),
      defineTool({
        name: 'later',
        description: 'Goes on.',
        background: true,
        execute: () => data(),
      }),
      defineTool({
        name: 'asks_for',
        description: 'Takes a number.',
        inputSchema: {
          type: 'object',
          properties: { count: { type: 'integer' } },
          required: ['count'],
        },
        execute: () => null,
      }),
    ],
  })

/** Live through all of it; what the host was shown on the way, as text. */
async function lived(log: EventLog): Promise<string> {
  const shown: unknown[] = []
  const workspace = await VirtualWorkspace.open({
    catalog: await catalog(),
    log,
    session: 's1',
    redact: BEARER,
    discovery: {},
    limits: { snapshotEvery: 5 },
    variables: { KEY: told },
    onProgress: (progress: CallProgress) => shown.push(progress),
  })
  shown.push(await workspace.activateSkill('leaky'), await workspace.activateSkill('broken'))
  shown.push(await workspace.activateSkill(told), await workspace.approve(told))
  await workspace.beginTurn()
  shown.push((await workspace.callTool('list_pages', {})).ok)
  shown.push((await workspace.callTool('hold', {})).ok)
  shown.push((await workspace.callTool('later', {})).ok)
  shown.push(await workspace.callTool('fail', {}))
  shown.push(await workspace.callTool('asks_for', { count: told, [told]: 1 }))
  shown.push(await workspace.callTool(told, data(), { caller: 'model' }))
  await workspace.callTool('tool_search', { query: told }, { caller: 'model' })
  await workspace.setSummary(`So far: ${told}`)
  const step = await workspace.beginStep()
  shown.push(step.instructions, step.conversation, await workspace.compact())
  shown.push(workspace.prompt().text, workspace.prompt({ format: 'xml' }).text, workspace.render())
  shown.push(
    workspace.state,
    workspace.notices,
    await workspace.figures.health(),
    await workspace.entries(),
  )
  shown.push(workspace.explainSkill('broken'), workspace.explain('fail'))
  await workspace.close()
  return JSON.stringify(shown)
}

describe('of fifty secrets, none is', () => {
  let folder = ''

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'loadout-canaries-'))
  })

  afterEach(() => rmSync(folder, { recursive: true }))

  /** Everything in the folder, the write-ahead log too. */
  const bytes = () =>
    readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('\n')

  test('in what a host is shown, prompts and diagnostics among it', async () => {
    expect(CANARIES).toHaveLength(50)
    const shown = await lived(createMemoryLog())
    expect(found(shown)).toEqual([])
    expect(shown).toContain('[redacted]')
  })

  test('in the bytes of a SQLite file and its write-ahead log', async () => {
    const log = await openSqliteLog(join(folder, 'sessions.sqlite'))
    await lived(log)
    expect(readdirSync(folder)).toContain('sessions.sqlite-wal')
    expect(found(bytes())).toEqual([])
    await log.close()
    expect(found(bytes())).toEqual([])
    expect(bytes()).toContain('[redacted]')
  })

  test('in an export', async () => {
    const log = createMemoryLog()
    await lived(log)
    expect(found(await exportLog(log, 's1'))).toEqual([])
  })
})

test('memory holds what the log holds', async () => {
  const log = createMemoryLog()
  await lived(log)
  const options = { catalog: await catalog(), log, session: 's1', discovery: {}, readOnly: true }
  const looking = await VirtualWorkspace.open(options)
  const { components, memory } = looking.state
  expect(JSON.stringify(components)).toContain('"password":"[redacted]"')
  expect(memory.entities.map(({ name }) => name)).toContain('[redacted]')
})

test('the result of a handler reaches its caller unredacted', async () => {
  const workspace = await VirtualWorkspace.open({ catalog: await catalog(), redact: BEARER })
  await workspace.activateSkill('leaky')
  const listed = await workspace.callTool('list_pages', {})
  expect(listed.ok && listed.data).toMatchObject({ pages: { 0: { name: SECRETS[0] } } })
})

test('the beginning of a result that is too long to be kept has no half of a secret', async () => {
  const log = createMemoryLog()
  for (const keptBytes of [42, 45, 48, 51, 54, 57, 60, 1_500]) {
    const session = `${keptBytes}`
    const options = { catalog: await catalog(), log, session, redact: BEARER }
    const workspace = await VirtualWorkspace.open({ ...options, limits: { keptBytes } })
    const { data } = (await workspace.callTool('later', {})) as { data: { call: string } }
    const report = await workspace.calls.waitFor(data.call)
    expect(report?.result).toMatchObject({ ok: true })
    expect(JSON.stringify(report)).not.toContain('canary')
  }
})

test.each(['message', 'inner', 'envelope', 'background'])(
  'no beginning of a secret is left where a long text of a handler is cut (%s)',
  async (way) => {
    const secret = SECRETS[0] ?? ''
    const told = `${'x'.repeat(1_980)} ${secret} and more`
    const run = () => {
      if (way === 'inner') throw new AggregateError([new Error(told), new Error('b')], 'all failed')
      if (way === 'envelope') return { ok: false, error: { type: 'CONFLICT', message: told } }
      throw new Error(told)
    }
    const tool = defineTool({ name: 'fail', description: 'Fail.', execute: run })
    const workspace = await VirtualWorkspace.open({
      catalog: await createCatalog({}),
      tools: [tool],
      redact: BEARER,
    })
    const background = way === 'background'
    const answer = await workspace.callTool('fail', {}, background ? { background } : {})
    await workspace.calls.waitFor(answer.meta.call)
    const all = JSON.stringify([answer, await workspace.entries()])
    expect(all.includes(secret.slice(0, 6))).toBe(false)
  },
)
