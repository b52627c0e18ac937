import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createCatalog } from '../../../src/catalog/create/create-catalog.ts'
import { describeEvent } from '../../../src/engine/explain/describe-event.ts'
import { defineTool } from '../../../src/tools/define-tool.ts'
import type { ConfirmationCondition } from '../../../src/tools/definition/tool.ts'
import { VirtualWorkspace } from '../../../src/workspace/virtual-workspace.ts'

type Condition = ConfirmationCondition<{ path: string }>

async function openWith(requiresConfirmation: Condition, options: object = {}) {
  const read = defineTool({
    name: 'read',
    description: 'Read a file.',
    inputSchema: z.object({ path: z.string() }),
    requiresConfirmation,
    execute: ({ path }) => path,
  })
  const catalog = await createCatalog({ tools: [read] })
  return VirtualWorkspace.open({ catalog, services: { owner: 'Ann' }, ...options })
}

const isSecret: Condition = ({ path }) => path.endsWith('.env')

describe('a tool with a condition', () => {
  test('asks where the condition holds, and only there', async () => {
    const workspace = await openWith(isSecret)
    expect(await workspace.callTool('read', { path: 'a.ts' })).toMatchObject({ ok: true })
    const asked = await workspace.callTool('read', { path: '.env' })
    expect(asked).toMatchObject({ ok: false, error: { type: 'CONFIRMATION_REQUIRED' } })
    const [question] = workspace.state.confirmations
    expect(question?.condition).toEqual({ asks: true })
    await workspace.approve(question?.id ?? '')
    expect(await workspace.callTool('read', { path: '.env' })).toMatchObject({ ok: true })
    const texts = (await workspace.entries())
      .map(({ event }) => describeEvent(event))
      .filter((text) => text.includes('condition'))
    expect(texts).toEqual([
      expect.stringMatching(/^"read" called .*; its condition did not ask/u),
      expect.stringMatching(/^confirmation asked for a call of "read", by its condition/u),
    ])
  })

  test.each<{ what: string; condition: Condition; reason: string | undefined }>([
    { what: 'a text', condition: () => 'It holds keys.', reason: 'It holds keys.' },
    { what: 'a promise', condition: async () => true, reason: undefined },
    {
      what: 'an exception',
      condition: () => {
        throw new Error('no rules loaded')
      },
      reason: 'the condition failed: no rules loaded',
    },
    {
      what: 'an exception with a secret',
      condition: () => {
        throw new Error(`no access with ghp_${'aB3dE6gH9j'.repeat(4)}`)
      },
      reason: 'the condition failed: no access with [redacted]',
    },
    {
      what: 'a rejection',
      condition: () => Promise.reject(new Error('no rules loaded')),
      reason: 'the condition failed: no rules loaded',
    },
    {
      what: 'no answer in time',
      condition: () => new Promise(() => {}),
      reason: 'the condition failed: The condition did not end within 20 ms.',
    },
  ])('asks with its reason: $what', async ({ condition, reason }) => {
    const workspace = await openWith(condition, { limits: { checkMs: 20 } })
    expect(await workspace.approvals.asksAbout('read', { path: 'a' })).toBe(true)
    await workspace.callTool('read', { path: 'a' })
    expect(workspace.state.confirmations[0]?.condition?.reason).toBe(reason)
  })

  test('gets the services, the person and the call', async () => {
    const seen: unknown[] = []
    const condition: Condition = (input, { services, principal, call }) => {
      seen.push({ input, services, principal, call })
      return false
    }
    const workspace = await openWith(condition, { principal: { id: 'ann' }, session: 's' })
    await workspace.callTool('read', { path: 'a' }, { caller: 'model', call: 'c1' })
    expect(seen).toEqual([
      {
        input: { path: 'a' },
        services: { owner: 'Ann' },
        principal: { id: 'ann' },
        call: { id: 'c1', tool: 'read', owner: 'global', session: 's', caller: 'model' },
      },
    ])
  })

  test('is asked once about a call that is asked about before it is made', async () => {
    let times = 0
    const workspace = await openWith(() => {
      times += 1
      return false
    })
    expect(await workspace.approvals.asksAbout('read', { path: 'a' }, { call: 'c1' })).toBe(false)
    await workspace.callTool('read', { path: 'a' }, { caller: 'model', call: 'c1' })
    expect(times).toBe(1)
    await workspace.callTool('read', { path: 'b' }, { caller: 'model', call: 'c1' })
    expect(times).toBe(2)
  })

  test.each([
    { rule: 'allow', path: '.env', ok: true },
    { rule: 'ask', path: 'a.ts', ok: false },
  ])('a rule of the host that says $rule comes first', async ({ rule, path, ok }) => {
    const workspace = await openWith(isSecret, { policy: { permissions: { [rule]: ['read'] } } })
    expect(await workspace.callTool('read', { path })).toMatchObject({ ok })
  })

  test('a secret in its reason is not in the log', async () => {
    const workspace = await openWith(
      () => 'The token is ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.',
      {
        redact: {},
      },
    )
    await workspace.callTool('read', { path: 'a' })
    expect(JSON.stringify(await workspace.entries())).not.toContain('ghp_aaaa')
  })

  test('its stored definition asks about each call', async () => {
    const workspace = await openWith(isSecret)
    expect(workspace.tools()[0]).toMatchObject({ asks: true })
    expect(
      workspace
        .explain('read')
        .because.map(({ text }) => text)
        .join(' '),
    ).toContain('the calls that its condition names')
  })
})
