import { createDice, type Dice, type TorturePart } from './torture-part.ts'
import { createCatalog } from '../../src/catalog/create/create-catalog.ts'
import type { JsonSchema } from '../../src/kernel/json-value.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import { bindTool, toolDefinition } from '../../src/tools/definition/make-tool.ts'
import type { Tool, ToolDefinition } from '../../src/tools/definition/tool.ts'
import type { EventLog } from '../../src/workspace/log/event-log.ts'
import { createMemoryLog } from '../../src/workspace/log/memory-log.ts'
import { VirtualWorkspace } from '../../src/workspace/virtual-workspace.ts'

const TRIES = 1_000

/** Changes the definition of approved tools, or only the order of its keys. */
export const drift: TorturePart = {
  name: 'drift',
  claim:
    'A change of any one field of an approved definition is noticed before a call, and another order of keys is none.',
  async run({ seed, scale, forMs }) {
    const until = performance.now() + forMs
    const dice = createDice(seed)
    const tries = Math.ceil(TRIES * scale)
    const failures: string[] = []
    const seen = { changes: 0, fields: new Set<string>(), reorderings: 0 }
    const log = await approvedLog()
    for (let index = 0; index < tries && performance.now() < until; index += 1) {
      const [field, change] = CHANGES[index % CHANGES.length] ?? ['', () => ({})]
      const changed = { ...DEFINITION, ...change(dice) }
      seen.changes += 1
      seen.fields.add(field)
      const came = await standingOf(log, changed)
      if (came !== 'changed, then changed') failures.push(`${field} changed: it is ${came}`)
      seen.reorderings += 1
      const same = await standingOf(log, reordered(DEFINITION, dice) as ToolDefinition)
      if (same !== 'available, then ok') failures.push(`in another order: it is ${same}`)
    }
    return {
      figures: {
        'changes of one field': seen.changes,
        'fields that were changed': seen.fields.size,
        'reorderings of keys': seen.reorderings,
        'changes not noticed, or noticed where there is none': failures.length,
      },
      failures: [...new Set(failures)],
    }
  },
}

const SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    order: { type: 'string', description: 'The number of an order', minLength: 1 },
    amount: { type: 'number', minimum: 0 },
    lines: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
  },
  required: ['order'],
  additionalProperties: false,
}

const DEFINITION: ToolDefinition = {
  ...toolDefinition(
    defineTool({
      name: 'refund',
      description: 'Pay an order back.',
      category: 'action',
      risk: 'destructive',
      idempotent: false,
      requiresConfirmation: true,
      execute: () => null,
    }) as Tool,
  ),
  inputSchema: SCHEMA,
  modes: ['text', 'voice'],
  guidance: { before: 'Look up the order.', after: 'Name the sum.', pitfalls: ['Twice.'] },
}

type Change = (dice: Dice) => Partial<ToolDefinition>

const word = (dice: Dice): string => `word ${dice(1_000_000)}`

/** One change for each field; those of the schema change a nested value. */
const CHANGES: readonly (readonly [string, Change])[] = [
  ['description', (dice) => ({ description: word(dice) })],
  ['version', (dice) => ({ version: `1.${1 + dice(9)}.0` })],
  ['category', () => ({ category: 'retrieval' })],
  ['topic', (dice) => ({ topic: `topic-${dice(99)}` })],
  ['risk', () => ({ risk: 'moderate' })],
  ['modes', () => ({ modes: ['text'] })],
  ['phrases', (dice) => ({ phrases: [word(dice)] })],
  ['summary', (dice) => ({ summary: word(dice) })],
  ['documentation', (dice) => ({ documentation: word(dice) })],
  [
    'guidance',
    (dice) => ({ guidance: { before: word(dice), after: 'Name the sum.', pitfalls: [] } }),
  ],
  ['requiresConfirmation', () => ({ requiresConfirmation: false })],
  ['idempotent', () => ({ idempotent: !DEFINITION.idempotent })],
  ['latencyMs', (dice) => ({ latencyMs: 1 + dice(999) })],
  ['a title of the schema', (dice) => ({ inputSchema: { ...SCHEMA, title: word(dice) } })],
  ['required', () => ({ inputSchema: { ...SCHEMA, required: ['order', 'amount'] } })],
  ['additionalProperties', () => ({ inputSchema: { ...SCHEMA, additionalProperties: true } })],
  [
    'a property of the schema',
    (dice) => ({
      inputSchema: {
        ...SCHEMA,
        properties: {
          ...(SCHEMA['properties'] as object),
          amount: { type: 'number', minimum: 1 + dice(9) },
        },
      } as JsonSchema,
    }),
  ],
]

/** Opens a session in which another process approved the tool permanently. */
async function approvedLog(): Promise<EventLog> {
  const log = createMemoryLog()
  const workspace = await openWith(log, DEFINITION)
  await workspace.callTool('refund', { order: '7' })
  await workspace.approve(workspace.state.confirmations[0]?.id ?? '', { remember: 'session' })
  await workspace.callTool('refund', { order: '7' })
  await workspace.close()
  return log
}

async function openWith(log: EventLog, definition: ToolDefinition): Promise<VirtualWorkspace> {
  const tool = bindTool(definition, () => 'paid') as Tool
  const catalog = await createCatalog({ tools: [tool] })
  return VirtualWorkspace.open({ catalog, log, session: 's1', metaTools: [] })
}

/** Resumes the session with a definition. Returns the status of the tool and the result of a call. */
async function standingOf(log: EventLog, definition: ToolDefinition): Promise<string> {
  const own = createMemoryLog()
  await own.append('s1', 0, await log.read('s1'))
  const workspace = await openWith({ ...own, definitions: log.definitions }, definition)
  const { status } = workspace.explain('refund')
  const response = await workspace.callTool('refund', { order: '8' })
  await workspace.close()
  return `${status}, then ${response.ok ? 'ok' : String(response.error.details['code'])}`
}

/** Returns a value with the members of all its objects in a random order. */
function reordered(value: unknown, dice: Dice): unknown {
  if (Array.isArray(value)) return value.map((item) => reordered(item, dice))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => ({ key, member: reordered(member, dice), place: dice(1_000_000) }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ key, member }) => [key, member]),
  )
}
