import { convertToModelMessages, ToolLoopAgent, type UIMessage } from 'ai'
import type { VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { officeCatalog, openOffice } from './an-office.ts'
import { requestsOf, scriptedModel } from './scripted-model.ts'

test('one agent serves many conversations at once, each with its own tools', async () => {
  const catalog = await officeCatalog()
  const chats = new Map<string, VirtualWorkspace>()
  const open = async ({ chat }: { chat: string }) => {
    const workspace = chats.get(chat) ?? (await openOffice([], { catalog, session: chat }))
    chats.set(chat, workspace)
    return workspace
  }
  const model = scriptedModel([
    [{ id: 'a1', tool: 'loadSkill', input: { skillName: 'pdf' } }],
    'Loaded.',
    'Nothing to load.',
    [{ id: 'a2', tool: 'readPdf', input: { file: 'a.pdf' } }],
    'Read.',
  ])
  const agent = new ToolLoopAgent({ model, ...forAiSdk({ open }) })
  await agent.generate({ prompt: 'Load pdf.', options: { chat: 'ann' } })
  await agent.generate({ prompt: 'Load nothing.', options: { chat: 'bob' } })
  await agent.generate({ prompt: 'Read a.pdf.', options: { chat: 'ann' } })
  const offered = requestsOf(model).map(({ tools }) => (tools ?? []).some(isReadPdf))
  expect(offered).toEqual([false, true, false, true, true])
  expect([...chats.values()].map(({ state }) => state.turn)).toEqual([2, 1])
})

function isReadPdf({ name }: { name: string }): boolean {
  return name === 'readPdf'
}

test('a stored history is converted to the bytes that were sent, whichever user had its tools', async () => {
  const workspace = await openOffice()
  await workspace.activateSkill('pdf')
  const model = scriptedModel([
    [
      { id: 'c1', tool: 'readPdf', input: { file: 'a.pdf' } },
      { id: 'c2', tool: 'shred', input: { file: 'a.pdf' } },
    ],
    'Well.',
  ])
  const settings = forAiSdk(workspace)
  const result = await new ToolLoopAgent({ model, ...settings }).stream({ prompt: 'Go on.' })
  const stored: UIMessage[] = []
  const parts = result.toUIMessageStream({ onEnd: ({ messages }) => void stored.push(...messages) })
  for await (const _ of parts) continue
  const live = await result.responseMessages
  const answers = (messages: readonly { role: string; content: unknown }[]) =>
    JSON.stringify(messages.filter(({ role }) => role === 'tool').map(({ content }) => content))
  const { tools } = forAiSdk({ open: () => workspace })
  for (const known of [settings.tools, tools]) {
    const converted = await convertToModelMessages(stored, { tools: known })
    expect(answers(converted)).toBe(answers(live))
  }
  await workspace.deactivateSkill('pdf')
  const later = await convertToModelMessages(stored, { tools: forAiSdk(workspace).tools })
  expect(answers(later)).toContain('"pages":3')
})
