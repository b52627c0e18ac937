import { expect, test } from 'vitest'
import { createCatalog } from '../../src/catalog/create/create-catalog.ts'
import { SkillManager } from '../../src/skills/skill-manager.ts'
import { toolsFromAiSdk } from '../../src/tools/brought/tools-from-ai-sdk.ts'
import { forkSession } from '../../src/workspace/log/fork-session.ts'
import { VirtualWorkspace } from '../../src/workspace/virtual-workspace.ts'

/** A call as JavaScript can make it. */
type Wrong = (workspace: VirtualWorkspace, wrong: never) => unknown

test.each<{ title: string; wrong: unknown; call: Wrong; message: string }>([
  {
    title: 'asksAbout with a misspelt option',
    wrong: { services_: 1 },
    call: (workspace, wrong) => workspace.approvals.asksAbout('read', {}, wrong),
    message: '"services_" is not an option.',
  },
  {
    title: 'calls.waitFor with a misspelt option',
    wrong: { singal: AbortSignal.abort() },
    call: (workspace, wrong) => workspace.calls.waitFor('call', wrong),
    message: '"singal" is not an option.',
  },
  {
    title: 'calls.waitFor with null for its options',
    wrong: null,
    call: (workspace, wrong) => workspace.calls.waitFor('call', wrong),
    message: 'The options are not an object.',
  },
  {
    title: 'renderToolSection with a misspelt option',
    wrong: { signature: true },
    call: (workspace, wrong) => workspace.renderToolSection(wrong),
    message: '"signature" is not an option.',
  },
  {
    title: 'renderSkillsSection with an unknown format',
    wrong: { format: 'html' },
    call: (workspace, wrong) => workspace.renderSkillsSection(wrong),
    message: '"format" cannot be "html".',
  },
  {
    title: 'previewStep with a conversation as text',
    wrong: { history: 'hello' },
    call: (workspace, wrong) => workspace.previewStep(wrong),
    message: '"history" must be a list.',
  },
  {
    title: 'previewStep with a misspelt limit',
    wrong: { trim: { abov: 1 } },
    call: (workspace, wrong) => workspace.previewStep(wrong),
    message: '"trim.abov" is not an option.',
  },
  {
    title: 'previewStep with null for its options',
    wrong: null,
    call: (workspace, wrong) => workspace.previewStep(wrong),
    message: 'The options are not an object.',
  },
  {
    title: 'previewStep with an unknown provider',
    wrong: { provider: 'open-ai' },
    call: (workspace, wrong) => workspace.previewStep(wrong),
    message: '"provider" cannot be "open-ai".',
  },
  {
    title: 'beginStep with null for its options',
    wrong: null,
    call: (workspace, wrong) => workspace.beginStep(wrong),
    message: 'The options are not an object.',
  },
  {
    title: 'beginStep with a conversation as text',
    wrong: { history: 'hello' },
    call: (workspace, wrong) => workspace.beginStep(wrong),
    message: '"history" must be a list.',
  },
  {
    title: 'beginTurn with null for its options',
    wrong: null,
    call: (workspace, wrong) => workspace.beginTurn(wrong),
    message: 'The options are not an object.',
  },
  {
    title: 'SkillManager with a catalog for its sources',
    wrong: await createCatalog({}),
    call: (_, wrong) => new SkillManager(wrong),
    message: '"hash" is not an option.',
  },
  {
    title: 'SkillManager without the active skills',
    wrong: { commands: {}, skills: () => {}, toolsOf: () => {}, available: () => {} },
    call: (_, wrong) => new SkillManager(wrong),
    message: '"active" is missing.',
  },
  {
    title: 'recordIntent without a command',
    wrong: undefined,
    call: (workspace, wrong) => workspace.calls.recordIntent(wrong),
    message: 'The options are not an object.',
  },
  {
    title: 'syncTools with tools that were not awaited',
    wrong: Promise.resolve([]),
    call: (workspace, wrong) => workspace.syncTools('server', wrong),
    message: '"tools" must be a list.',
  },
  {
    title: 'sentName with an unknown provider',
    wrong: 'open-ai',
    call: (workspace, wrong) => workspace.calls.sentName('read', wrong),
    message: 'There is no provider "open-ai".',
  },
  {
    title: 'toolsFromAiSdk without tools',
    wrong: undefined,
    call: (_, wrong) => toolsFromAiSdk(wrong),
    message: '"record" must be an object.',
  },
  {
    title: 'forkSession without a log',
    wrong: undefined,
    call: (_, wrong) => forkSession(wrong, { from: 'a' }),
    message: '"log" must be an object.',
  },
])('$title is refused: $message', async ({ wrong, call, message }) => {
  const workspace = await VirtualWorkspace.open({ catalog: await createCatalog({}) })
  const refused = { code: 'OPTIONS_INVALID', message }
  await expect(async () => call(workspace, wrong as never)).rejects.toMatchObject(refused)
})
