import { createMemoryLog, defineTool, type ToolContext, type WorkspaceOptions } from 'loadout'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { CallPreview } from '../../src/tools/definition/tool.ts'
import { aWorkspace } from './a-workspace.ts'

const KEPT = { confirmations: { keepArguments: true } } as const

/** A tool that asks before each call, with this preview. */
function writer(preview: (input: { path: string }) => CallPreview | Promise<CallPreview>) {
  return defineTool({
    name: 'write',
    description: 'Writes a file.',
    requiresConfirmation: true,
    inputSchema: z.object({ path: z.string().trim() }),
    execute: ({ path }) => path,
    preview,
  })
}

/** Asks about a call, and returns what the question and the answer have as preview. */
async function asked(
  preview: Parameters<typeof writer>[0],
  options: Omit<WorkspaceOptions, 'catalog'> = KEPT,
) {
  const workspace = await aWorkspace({ tools: [writer(preview)] }, options)
  const answer = await workspace.callTool('write', { path: ' a.txt' })
  const shown = answer.ok ? 'ran' : answer.error.details['preview']
  return { shown, kept: workspace.state.confirmations[0]?.preview, workspace }
}

test('a text is kept with the question, and given to who made the call', async () => {
  const { shown, kept } = await asked(({ path }) => `Writes ${path}.`)
  expect(kept).toEqual({ kind: 'text', text: 'Writes a.txt.' })
  expect(shown).toEqual(kept)
})

test('without kept arguments, the log has no preview', async () => {
  const { shown, workspace } = await asked(() => 'All of it.', {})
  expect(shown).toEqual({ kind: 'text', text: 'All of it.' })
  expect(workspace.state.confirmations[0]).not.toHaveProperty('preview')
  expect(JSON.stringify(await workspace.entries())).not.toContain('All of it')
})

test('the change of a file is shown as lines', async () => {
  const lines = (changed: string) => ['1', '2', '3', '4', changed, '6', '7', '8', '9'].join('\n')
  const { kept } = await asked(() => ({ path: 'a.txt', before: lines('5'), after: lines('five') }))
  expect(kept?.kind).toBe('diff')
  expect(kept?.text).toMatchInlineSnapshot(`
    "--- a.txt
    +++ a.txt
    @@ line 2 @@
     2
     3
     4
    -5
    +five
     6
     7
     8"
  `)
})

test.each<[string, CallPreview, string]>([
  [
    'a new file',
    { path: 'a', before: null, after: 'x\ny' },
    '--- (no file)\n+++ a\n@@ line 1 @@\n+x\n+y',
  ],
  [
    'a deleted file',
    { path: 'a', before: 'x', after: null },
    '--- a\n+++ (no file)\n@@ line 1 @@\n-x',
  ],
  ['no change', { path: 'a', before: 'x', after: 'x' }, '--- a\n+++ a\n@@ line 1 @@\n x'],
])('%s is shown', async (_, preview, text) => {
  expect((await asked(() => preview)).kept?.text).toBe(text)
})

test('a list has a line for each object', async () => {
  const { kept } = await asked(() => [
    { id: 7, name: 'Ada\nX' },
    { id: 8, tags: ['a'] },
  ])
  expect(kept).toEqual({ kind: 'list', text: '- id: 7, name: Ada X\n- id: 8, tags: ["a"]' })
})

test.each<[string, () => CallPreview | Promise<CallPreview>, string]>([
  [
    'throws',
    () => {
      throw new Error('no disk')
    },
    'The preview failed: no disk',
  ],
  ['rejects', () => Promise.reject(new Error('no disk')), 'The preview failed: no disk'],
  [
    'hangs',
    () => new Promise(() => undefined),
    'The preview failed: The preview did not end within 20 ms.',
  ],
  ['is too long', () => 'x'.repeat(200), 'The preview is too long to be shown: 225 bytes.'],
  [
    'is something else',
    () => 7 as never,
    'The preview is neither text, nor the change of a file, nor a list of objects.',
  ],
])('a preview that %s does not stop the question', async (_, preview, text) => {
  const limits = { checkMs: 20, keptBytes: 100 }
  const { kept, workspace } = await asked(preview, { ...KEPT, limits })
  expect(kept).toEqual({ kind: 'missing', text })
  expect(workspace.state.confirmations).toHaveLength(1)
})

test('secrets are redacted, and control characters are shown', async () => {
  const { kept } = await asked(() => [{ password: 'hunter2-hunter2', note: '\u001B[2J' }])
  expect(kept?.text).toMatchInlineSnapshot(`"- password: [redacted], note: <U+001B>[2J"`)
})

test('a preview is made only for a question, with services and a signal, and once while the question is open', async () => {
  const seen: unknown[] = []
  const tool = defineTool({
    name: 'write',
    description: 'Writes.',
    inputSchema: z.object({ path: z.string() }),
    execute: (_, context: ToolContext<{ disk: number }>) => context.services.disk,
    preview: ({ path }, { services, signal, principal, caller }) => {
      seen.push([path, services.disk, signal.aborted, principal?.id, caller])
      return 'Writes.'
    },
  })
  const ask = ({ path }: { path: string }) => path !== 'free'
  const workspace = await aWorkspace(
    { tools: [tool] },
    {
      ...KEPT,
      services: { disk: 1 },
      principal: { id: 'ada' },
      policy: { permissions: { ask: [{ when: ask }] } },
    },
  )
  const call = (path: string) => workspace.callTool('write', { path }, { caller: 'model' })
  expect((await call('free')).ok).toBe(true)
  expect(seen).toEqual([])
  await call('a')
  const again = await call('a')
  expect(seen).toEqual([['a', 1, false, 'ada', 'model']])
  expect(again).toMatchObject({ error: { details: { preview: { text: 'Writes.' } } } })
  const [question] = workspace.state.confirmations
  await workspace.approve(question?.id ?? '')
  expect((await call('a')).ok).toBe(true)
  expect(seen).toHaveLength(1)
})

test('who answers in another process sees the preview, the rule and its reason', async () => {
  const log = createMemoryLog()
  const reason = () => 'a file of somebody else'
  const tools = [writer(() => 'Writes it.')]
  const policy = { permissions: { ask: [{ tool: 'write', when: reason }] } }
  const host = await aWorkspace({ tools }, { ...KEPT, log, session: 's', policy })
  await host.callTool('write', { path: 'a' })
  const other = await aWorkspace({}, { log, session: 's', readOnly: true })
  expect(other.state.confirmations).toMatchObject([
    {
      preview: { text: 'Writes it.' },
      asks: { rule: { tool: 'write', when: 'reason' }, because: 'a file of somebody else' },
    },
  ])
})

test('a preview is a function', () => {
  expect(() => writer('Writes.' as never)).toThrow('field "preview": must be a function')
})
