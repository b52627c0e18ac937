import { type CallProgress, VirtualWorkspace } from 'loadout'
import { META_TOOL_NAMES } from 'loadout/adapter'
import { traceWorkspace } from 'loadout/otel'
import { expect, test } from 'vitest'
import { WIRE_CLIENTS } from '../../../scripts/wires/wire-clients.ts'
import {
  leaks,
  planted,
  plant,
  plantedCatalog,
  plantedOptions,
  received,
} from '../../workspace/planted-secrets.ts'
import { aTool } from '../../workspace/a-workspace.ts'
import { MemoryServer } from '../../workspace/servers/a-server.ts'
import { openWireServer } from '../../wires/server/open-wire-server.ts'
import { recordTrace } from './otel/record-trace.ts'

const EXPOSURES = ['active', 'append', 'deferred', 'conversation', 'bridge'] as const

const rows = WIRE_CLIENTS.flatMap((client) =>
  EXPOSURES.map((exposure) => ({ ...client, exposure })),
)

interface Made {
  readonly name: string
  readonly input?: object
}

/** What a model does to read all that it can: definitions, texts, results, errors and questions. */
const FIRST: readonly Made[] = [
  { name: 'tool_search', input: { query: 'garden planting data note' } },
  { name: 'listAvailableSkills', input: {} },
  { name: 'loadSkill', input: { skillName: 'garden', arguments: 'roses' } },
  { name: 'loadSkill', input: { skillName: 'broken' } },
  { name: 'listSkillToolsets', input: { skillName: 'garden' } },
  { name: 'loadToolset', input: { toolsetName: 'tending' } },
]

const SECOND: readonly Made[] = [
  ...['data', 'text', 'parts', 'throws', 'fails', 'streams', 'long', 'elicits', 'reports'].map(
    (name) => ({ name, input: {} }),
  ),
  { name: 'echo', input: { text: plant('argument of a call') } },
  { name: 'data', input: { unknown: plant('unknown argument') } },
  { name: 'write_note', input: {} },
  { name: 'pinned', input: {} },
  ...['sdk_data', 'sdk_converted', 'sdk_streams', 'sdk_throws', 'buy'].map((name) => ({
    name,
    input: {},
  })),
  { name: 'loadTool', input: { toolName: 'data' } },
  { name: 'loadSkillFile', input: { skillName: 'garden', path: 'notes.md' } },
  { name: 'loadSkillFile', input: { skillName: 'garden', path: 'long.md' } },
  { name: 'loadSkillFile', input: { skillName: 'garden', path: plant('path of a call') } },
]

const THIRD: readonly Made[] = [
  ...[0, 470, 480, 484, 490].map((from) => ({
    name: 'read_result',
    input: { tool: 'long', from, to: from + 12 },
  })),
  { name: 'read_result', input: { tool: 'long', search: 'canary' } },
  { name: 'read_result', input: { tool: 'data', path: 'text' } },
]

/** It waits for a person. */
const ASKED: Made = { name: 'asked', input: {} }

const META = new Set<string>([...META_TOOL_NAMES, 'read_result'])

const through = (exposure: string) => (made: Made) =>
  exposure === 'bridge' && !META.has(made.name)
    ? { name: 'call_tool', input: { name: made.name, arguments: made.input ?? {} } }
    : made

/** All that the parties of a session read. */
interface Read {
  readonly model: string
  readonly client: string
  readonly host: string
  readonly span: string
}

async function lived(row: (typeof rows)[number]): Promise<Read> {
  const shown: unknown[] = []
  const note = (one: unknown) => void shown.push(one)
  const asksFor: unknown[] = []
  const workspace = await VirtualWorkspace.open({
    catalog: await plantedCatalog(),
    provider: row.provider,
    exposure: row.exposure,
    ...plantedOptions(),
    metaTools: [
      'loadSkill',
      'loadSkillFile',
      'listAvailableSkills',
      'listSkillToolsets',
      'loadToolset',
      'loadTool',
      'tool_search',
      'call_tool',
      'read_result',
    ],
    onProgress: (progress: CallProgress) => note(progress),
    onOutput: note,
    client: {
      elicit: async (question) => {
        asksFor.push(question)
        return { action: 'decline' }
      },
      log: (entry) => void asksFor.push(entry),
      progress: (update) => void asksFor.push(update),
    },
  })
  const { tracer, text } = recordTrace()
  traceWorkspace(workspace, { tracer, content: true })
  const buy = aTool('buy', { description: `Say ${plant('description of a tool of a server')}.` })
  const shop = new MemoryServer('shop', [buy], { trusted: true })
  shop.instructions = `Say ${plant('instructions of a server')}.`
  await workspace.attach(shop)
  const make = through(row.exposure)
  const server = await openWireServer({
    answers: [FIRST.map(make), SECOND.map(make), THIRD.map(make), [ASKED].map(make), 'Done.'],
  })
  await row.run(server.url, workspace)
  const questions = workspace.state.confirmations
  const entries = await workspace.entries()
  note([entries, workspace.state, questions, workspace.notices])
  const ended = entries.filter(({ event }) => event.type === 'call.ended' && event.ok)
  expect(ended.length).toBe(28)
  expect(questions).toHaveLength(1)
  await workspace.close()
  await server.close()
  // The calls of the model go back as it wrote them.
  const own = [plant('argument of a call'), plant('unknown argument'), plant('path of a call')]
  const sent = server.requests.map(({ body }) => withoutCalls(body, own))
  expect(server.violations).toEqual([])
  expect(server.requests.length).toBeGreaterThanOrEqual(4)
  return {
    model: JSON.stringify(sent),
    client: JSON.stringify(asksFor),
    host: JSON.stringify(shown),
    span: text(),
  }
}

/** Returns a request without the arguments of the calls in its history. */
function withoutCalls(value: unknown, own: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutCalls(one, own))
  if (typeof value !== 'object' || value === null) return value
  const { type, role } = value as { type?: string; role?: string }
  const isCall = type === 'function_call' || type === 'tool_use' || type === 'function'
  const members = Object.entries(value).map(([key, member]) => {
    const isArguments =
      key === 'functionCall' || (isCall && ['arguments', 'input', 'function'].includes(key))
    return [
      key,
      isArguments && role === undefined && isTheirs(member, own) ? null : withoutCalls(member, own),
    ]
  })
  return Object.fromEntries(members)
}

const isTheirs = (member: unknown, own: readonly string[]) => {
  const text = typeof member === 'string' ? member : JSON.stringify(member)
  return own.some(
    (one) =>
      text.includes(JSON.stringify(one).slice(1, -1)) ||
      text.includes(JSON.stringify(JSON.stringify(one).slice(1, -1)).slice(1, -1)),
  )
}

test('secrets are planted in more than 60 places', () => {
  plantedOptions()
  expect(planted().length).toBeGreaterThan(60)
})

test.each(rows)(
  '$name, $exposure: no planted secret reaches a model, client, host or span',
  async (row) => {
    received.length = 0
    const { model, client, host, span } = await lived(row)
    expect({
      model: leaks(model),
      client: leaks(client),
      host: leaks(host),
      span: leaks(span),
    }).toEqual({ model: [], client: [], host: [], span: [] })
    expect(model).toContain('[redacted]')
    expect(client).toContain('[redacted]')
    // The handler gets what the model wrote.
    expect(JSON.stringify(received)).toContain(JSON.stringify(plant('argument of a call')))
  },
)
