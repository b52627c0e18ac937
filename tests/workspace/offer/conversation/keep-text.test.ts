import { createCatalog, createMemoryLog, defineSkill, VirtualWorkspace } from 'loadout'
import type { StepRequest } from 'loadout'
import { expect, test } from 'vitest'
import { storedDefinition } from '../../../../src/connections/logs/contract/event-log-case.ts'

/** One request of a host that shows its history, and another one from a second process. */
async function twoProcesses(variables: Record<string, string>, format: StepRequest['format']) {
  const skill = defineSkill({
    name: 'vault',
    description: 'Opens the vault.',
    instructions: 'Say: {{ KEY }} please.\n- {{ KEY }}',
    tools: [],
  })
  const catalog = await createCatalog({ skills: [skill] })
  const log = createMemoryLog()
  const open = () => VirtualWorkspace.open({ catalog, log, session: 'chat', variables })
  const workspace = await open()
  await workspace.activateSkill('vault')
  const prompt = format === undefined ? {} : { format }
  const history = [{ role: 'user', content: 'Open it.' }] as const
  const { messages } = await workspace.beginStep({ history, ...prompt })
  const entries = await workspace.entries()
  const hashes = new Set(JSON.stringify(entries).match(/sha256:[0-9a-f]{64}/gu))
  const definitions = await Promise.all([...hashes].map((hash) => storedDefinition(log, hash)))
  const later = [...history, { role: 'assistant', content: 'Yes.' }] as const
  const { cost } = await (await open()).beginStep({ history: later, ...prompt })
  return {
    sent: JSON.stringify(messages),
    stored: JSON.stringify([entries, definitions.filter((one) => typeof one === 'string')]),
    isKept: cost.kept === cost.previous,
  }
}

test.each<{
  title: string
  variables: Record<string, string>
  format?: StepRequest['format']
  isKept: boolean
}>([
  { title: 'plain', variables: { KEY: 'hunter2-zz' }, isKept: true },
  { title: 'with markup', variables: { KEY: 'hunter2&<b>zz' }, isKept: true },
  { title: 'with lines', variables: { KEY: 'hunter2\n\nzz' }, isKept: true },
  { title: 'with a name in it', variables: { KEY: '{{ B }}hunter2', B: 'b' }, isKept: true },
  {
    title: 'beginning with the end of another',
    variables: { A: 'Say: h', KEY: 'hunter2-zz' },
    isKept: true,
  },
  { title: 'escaped as XML', variables: { KEY: 'hunter2&<b>' }, format: 'xml', isKept: false },
  {
    title: 'broken over lines of a box',
    variables: { KEY: 'hunter2 \n zz' },
    format: 'text',
    isKept: false,
  },
  { title: 'with hidden characters', variables: { KEY: 'hunter2\u0007\u202ezz' }, isKept: false },
  { title: 'with other line ends', variables: { KEY: 'hunter2\r\nzz' }, isKept: false },
  { title: 'with spaces at its ends', variables: { KEY: ' hunter2 ' }, isKept: false },
])(
  'the log has no part of a value that the model reads: one $title',
  async ({ variables, format, isKept }) => {
    const found = await twoProcesses(variables, format)
    expect(found.sent).toContain('unter2')
    expect(found.stored).not.toContain('unter2')
    expect(found.isKept).toBe(isKept)
  },
)
