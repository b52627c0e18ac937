import type { Tracer } from '@opentelemetry/api'
import { defineSkill, defineTool, type VirtualWorkspace } from 'loadout'
import { traceWorkspace } from 'loadout/otel'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { aWorkspace } from '../../../workspace/a-workspace.ts'
import { recordTrace } from './record-trace.ts'

/** Secrets that the redactor knows, and secrets that nobody knows. */
const known = Array.from({ length: 25 }, (_, index) => `known-canary-${index}-a9f3`)
const unknown = Array.from({ length: 25 }, (_, index) => `other-canary-${index}-7c1d`)

/** Puts one secret into everything that a model, a tool or an error can write. */
async function leak(workspace: VirtualWorkspace, tracer: Tracer, secret: string) {
  const model = { caller: 'model' } as const
  await tracer.startActiveSpan('turn', async (span) => {
    await workspace.callTool('echo', { text: secret, more: { [secret]: [secret] } }, model)
    await workspace.callTool('echo', { text: 1, [secret]: secret }, model)
    await workspace.callTool('echo', secret, model)
    await workspace.callTool('throws', { text: secret }, model)
    await workspace.callTool('fails', { text: secret }, model)
    await workspace.callTool(secret, {}, model)
    await workspace.callTool(`echoes/${secret}`, {}, model)
    await workspace.callTool('call_tool', { name: secret, arguments: { secret } }, model)
    await workspace.callTool('call_tool', { name: 'echo', arguments: { text: secret } }, model)
    await workspace.callTool('loadSkill', { skillName: secret }, model)
    await workspace.callTool('loadSkillFile', { skillName: 'echoes', path: secret }, model)
    await workspace.callTool('tool_search', { query: `find ${secret}` }, model)
    await workspace.callTool('asked', { text: secret }, model)
    await workspace.activateSkill(secret)
    await workspace.setToolEnabled(secret, false)
    await workspace.approve(secret)
    await workspace.setSummary(secret)
    await workspace.beginStep()
    span.end()
  })
}

async function traced(content: boolean) {
  const text = { inputSchema: z.object({ text: z.string() }), description: 'Uses a text.' }
  const echo = defineTool({ ...text, name: 'echo', execute: (input) => ({ result: input }) })
  const throws = defineTool({
    ...text,
    name: 'throws',
    execute: ({ text }) => {
      throw new Error(`No access with ${text}`, { cause: text })
    },
  })
  const fails = defineTool({
    ...text,
    name: 'fails',
    execute: ({ text }) =>
      ({ ok: false, error: { type: 'AUTH', message: text, details: { code: text } } }) as never,
  })
  const asked = defineTool({ ...text, name: 'asked', requiresConfirmation: true, execute: () => 1 })
  const echoes = defineSkill({ name: 'echoes', description: 'Echoes.', tools: [] })
  const workspace = await aWorkspace(
    { tools: [echo, throws, fails, asked], skills: [echoes] },
    {
      metaTools: ['call_tool', 'loadSkill', 'loadSkillFile', 'tool_search'],
      redact: { secrets: known },
    },
  )
  const recorded = recordTrace()
  traceWorkspace(workspace, { tracer: recorded.tracer, content })
  for (const secret of [...known, ...unknown]) await leak(workspace, recorded.tracer, secret)
  return recorded
}

test('by default no span has any of 50 secrets', async () => {
  const { text, spans, spansOf, open } = await traced(false)
  const found = [...known, ...unknown].filter((secret) => text().includes(secret))
  expect(found).toEqual([])
  const refused = spans().flatMap(({ events }) => events.map(({ name }) => name))
  expect(refused.filter((name) => name === 'loadout.command.refused').length).toBeGreaterThan(100)
  expect(spansOf('execute_tool')).toHaveLength(50 * 13)
  expect(spansOf('retrieval')).toHaveLength(50)
  expect(open()).toEqual([])
})

test('with content no span has a secret that the redactor knows', async () => {
  const { text } = await traced(true)
  expect(known.filter((secret) => text().includes(secret))).toEqual([])
  // The content is there: the redactor does not know the others.
  expect(unknown.filter((secret) => text().includes(secret))).toEqual(unknown)
})
