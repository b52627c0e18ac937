import { readFileSync } from 'node:fs'
import { mkdir, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCatalog, type EventLog, VirtualWorkspace } from '../../../../src/entries/index.ts'
import { readTranscript } from '../../../../src/connections/observed/transcripts/read-transcript.ts'
import { temporaryFolder } from '../../../workbench/project/temporary-folder.ts'
import { CLIENTS, CONVERSATIONS, type Line, sampleLines, samplePath } from './samples.ts'

const catalog = await createCatalog({ skills: [] })

/** Opens each session of a log, as commands do, with the entries of a stored one; returns how many there are. */
async function openAll(log: EventLog): Promise<number> {
  const sessions = await log.list()
  for (const { session } of sessions) {
    const workspace = await VirtualWorkspace.open({ catalog, log, session, readOnly: true })
    await workspace.close()
    const entries = await log.read(session)
    expect(JSON.parse(JSON.stringify(entries))).toStrictEqual(entries)
  }
  return sessions.length
}

const cases = Object.keys(CLIENTS).flatMap((client) =>
  CONVERSATIONS.map((name) => ({ client, name })),
)

test.each(cases)('the file of $client, $name, opens as a log', async ({ client, name }) => {
  const log = await readTranscript(samplePath(client, name))
  expect(log && (await openAll(log))).toBe(1)
})

test('sessions without a name, or with the same one, are apart', async () => {
  const file = join(await temporaryFolder(), 'a.jsonl')
  const row = (id: string): Line => ({ table: 'session', id })
  const messages = [' ', '', 'x', ''].map((session): Line => ({
    table: 'message',
    id: session,
    session_id: session,
  }))
  const rows = [row('x'), ...messages, row('unknown')]
  await writeFile(file, rows.map((line) => JSON.stringify(line)).join('\n'))
  const log = await readTranscript(file)
  expect(log && (await openAll(log))).toBe(4)
})

test.each(cases)(
  'any member of a line of $client, $name, may be of another kind',
  async ({ client, name }) => {
    const lines = sampleLines(client, name)
    const file = join(await temporaryFolder(), 'a.jsonl')
    await fc.assert(
      fc.asyncProperty(fc.array(anyChange, { minLength: 1, maxLength: 30 }), async (changes) => {
        const changed = structuredClone(lines) as Line[]
        for (const change of changes) apply(changed, change)
        await writeFile(file, changed.map((line) => JSON.stringify(line)).join('\n'))
        const log = await readTranscript(file)
        if (log) await openAll(log)
      }),
      { numRuns: 40 },
    )
  },
  60_000,
)

/** Files that are one value, made of objects of which members are changed. */
const FILES: Readonly<
  Record<
    string,
    { readonly from: () => readonly Line[]; readonly file: (changed: readonly Line[]) => unknown }
  >
> = {
  messages: { from: () => uiMessages, file: (changed) => changed },
  'a HAR file': {
    from: () => sampleLines('claude-code', 'two-turns.wire'),
    file: (changed) => ({
      log: {
        entries: changed.map((body, at) => ({
          startedDateTime: body['turn'],
          request: { url: 'https://x/v1/messages', postData: { text: JSON.stringify(body) } },
          response: { content: { text: JSON.stringify({ usage: changed[at - 1] }) } },
        })),
      },
    }),
  },
  'the file of the DevTools': { from: devToolsSteps, file: (steps) => ({ runs: [], steps }) },
  spans: {
    from: () => [{ name: 'chat m', startTimeUnixNano: '1', attributes: spanAttributes }],
    file: (spans) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
  },
}

test.each(Object.entries(FILES))(
  'any member of %s may be of another kind',
  async (_, { from, file: written }) => {
    const file = join(await temporaryFolder(), 'a.json')
    await fc.assert(
      fc.asyncProperty(fc.array(anyChange, { minLength: 1, maxLength: 20 }), async (changes) => {
        const changed = structuredClone(from()) as Line[]
        for (const change of changes) apply(changed, change)
        await writeFile(file, JSON.stringify(written(changed)))
        const log = await readTranscript(file)
        if (log) await openAll(log)
      }),
      { numRuns: 40 },
    )
  },
)

/** The steps of a file of the DevTools, with the values that it stores as text. */
function devToolsSteps(): readonly Line[] {
  const file = readFileSync(new URL('ai-sdk/generations.json', import.meta.url), 'utf8')
  const { steps } = JSON.parse(file) as { readonly steps: readonly Line[] }
  const parsed = (value: unknown): unknown =>
    typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : value
  return steps.map((step) =>
    Object.fromEntries(Object.entries(step).map(([name, value]) => [name, parsed(value)])),
  )
}

const spanAttributes = [
  { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
  { key: 'gen_ai.usage.input_tokens', value: { intValue: '3' } },
  {
    key: 'gen_ai.input.messages',
    value: {
      arrayValue: {
        values: [
          {
            kvlistValue: {
              values: [
                { key: 'role', value: { stringValue: 'user' } },
                { key: 'content', value: { stringValue: 'Go.' } },
              ],
            },
          },
        ],
      },
    },
  },
]

const uiMessages: readonly Line[] = [
  { id: '1', role: 'user', parts: [{ type: 'text', text: 'Go.' }] },
  {
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      { type: 'tool-x', toolCallId: 'a', state: 'output-available', input: {}, output: { a: [1] } },
      {
        type: 'dynamic-tool',
        toolName: 'y',
        toolCallId: 'b',
        state: 'output-denied',
        approval: { reason: 'No.' },
      },
    ],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'a', output: { type: 'content', value: [{ text: 'A' }] } },
    ],
  },
]

const anyChange = fc.record({
  /** The place of a name among all names of members, and that of an object among those that have it. */
  name: fc.nat(),
  place: fc.nat(),
  value: fc.oneof(
    fc.constantFrom<unknown>(
      null,
      '',
      0,
      -1,
      1e300,
      true,
      false,
      [],
      {},
      [null],
      ['', {}],
      undefined,
    ),
    fc.constantFrom<unknown>(
      '__proto__',
      '../x',
      ' ',
      '\u202Ex',
      '\uD800',
      'a'.repeat(300),
      'x y',
      '$&',
    ),
    fc.jsonValue({ maxDepth: 2 }),
  ),
})

/** Replaces a member of an object in one of the lines; undefined removes it. */
function apply(
  lines: readonly Line[],
  { name, place, value }: { name: number; place: number; value: unknown },
) {
  const owners = Map.groupBy(
    objectsIn(lines).flatMap((owner) => Object.keys(owner).map((key) => [key, owner] as const)),
    ([key]) => key,
  )
  const [key = '', having = []] = [...owners][name % owners.size] ?? []
  const [, owner = {}] = having[place % having.length] ?? []
  if (value === undefined) delete owner[key]
  else owner[key] = value
}

/** All objects in a value, but not what schemas have. */
function objectsIn(value: unknown): readonly Line[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.entries(value).flatMap(([key, one]) =>
    key === 'properties' ? [] : objectsIn(one),
  )
  return Array.isArray(value) ? inner : [value as Line, ...inner]
}

test.each(Object.keys(CLIENTS))(
  'a file of %s that is being written opens at every byte',
  async (client) => {
    const folder = await temporaryFolder()
    const lines = sampleLines(client, 'load-and-count').map((line) => JSON.stringify(line))
    const text = lines.join('\n')
    for (let part = 1; part <= 12; part += 1) {
      const file = join(folder, `${part}.jsonl`)
      const end = Math.max(lines[0]?.length ?? 0, Math.floor((text.length * part) / 12) - 7)
      await writeFile(file, text.slice(0, end))
      const log = await readTranscript(file)
      expect(log && (await openAll(log))).toBe(1)
    }
  },
)

test.each(Object.keys(CLIENTS))(
  'a byte order mark, CRLF, empty lines and lines of unknown types change nothing for %s',
  async (client) => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'plain'))
    const texts = sampleLines(client, 'two-turns').map((line) => JSON.stringify(line))
    const plain = join(folder, 'plain', 'a.jsonl')
    const other = join(folder, 'a.jsonl')
    await writeFile(plain, texts.join('\n'))
    const strange = ['', 'null', '[1]', '{"type":"of-a-later-version","payload":{}}', '{"cut', '7']
    await writeFile(
      other,
      `\uFEFF${texts.flatMap((text, index) => [text, strange[index % 6]]).join('\r\n')}`,
    )
    const [one, two] = await Promise.all([readTranscript(plain), readTranscript(other)])
    expect(one).not.toBeNull()
    expect(await entriesOf(two)).toEqual(await entriesOf(one))
  },
)

test.each(Object.keys(CLIENTS))(
  'a text of %s may contain the line separators of Unicode',
  async (client) => {
    const folder = await temporaryFolder()
    const lines = sampleLines(client, 'load-and-count').map((line) => JSON.stringify(line))
    const file = join(folder, 'a.jsonl')
    await writeFile(file, lines.join('\n').replaceAll('bolts: 42', 'bolts:\u2028\u2029\u008542'))
    const plain = await entriesOf(await readTranscript(samplePath(client, 'load-and-count')))
    expect(await entriesOf(await readTranscript(file))).toHaveLength(plain.length)
  },
)

test.each(Object.keys(CLIENTS))(
  'data of %s that is nested too deeply is left out',
  async (client) => {
    const file = join(await temporaryFolder(), 'a.jsonl')
    const deep = `${'[{"a":'.repeat(20_000)}1${'}]'.repeat(20_000)}`
    const lines = sampleLines(client, 'load-and-count').map((line) => JSON.stringify(line))
    for (const put of [
      (line: string) =>
        line.replaceAll(/"(input|arguments|output|content|data)":/g, `$&${deep},"$1-":`),
      (line: string) => line.replaceAll(/"(input|arguments|output|data)":/g, `$&"${deep}","$1-":`),
    ]) {
      await writeFile(file, lines.map(put).join('\n'))
      const log = await readTranscript(file)
      expect(log === null ? 1 : await openAll(log)).toBeGreaterThan(0)
    }
  },
)

test.each(['a.jsonl', 'a.json'])(
  'a transcript in %s that is too large is refused',
  async (name) => {
    const file = join(await temporaryFolder(), name)
    await writeFile(file, '{"type":"user","sessionId":"s","message":{"content":"hello"}}\n{"x":"')
    await truncate(file, 300 * 2 ** 20)
    await expect(readTranscript(file)).rejects.toMatchObject({ code: 'LOG_UNREADABLE' })
  },
)

const attachment = (uuid: string, one: object, rendered?: string) => ({
  type: 'attachment',
  sessionId: 's',
  uuid,
  attachment: one,
  ...(rendered && { rendered: [{ content: rendered }] }),
})

test.each<readonly [string, (id: string) => object]>([
  ['skills', (id) => attachment(id, { type: 'skill_listing', names: [id] })],
  ['tools', (id) => attachment(id, { type: 'deferred_tools_delta', addedNames: [id] })],
  ['texts', (id) => attachment(id, { type: id }, 'text')],
  [
    'texts of codex',
    (id) => ({
      type: 'response_item',
      payload: { type: 'message', role: 'developer', content: [{ text: id }] },
    }),
  ],
])('a transcript whose lines make the list of %s longer and longer is refused', async (_, line) => {
  const file = join(await temporaryFolder(), 'a.jsonl')
  const lines = Array.from({ length: 3_000 }, (_, index) => JSON.stringify(line(`n-${index}`)))
  await writeFile(file, lines.join('\n'))
  await expect(readTranscript(file)).rejects.toMatchObject({ code: 'LOG_UNREADABLE' })
})

async function entriesOf(log: EventLog | null) {
  const [first] = (await log?.list()) ?? []
  return (await log?.read(first?.session ?? '')) ?? []
}
