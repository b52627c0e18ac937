import fc from 'fast-check'
import { createMemoryLog, defineComponent, VirtualWorkspace } from 'loadout'
import type { Rule } from '../../src/engine/model/policy.ts'
import { expect, test } from 'vitest'
import { brokenListLaw } from '../../scripts/torture/model/broken-list-law.ts'
import { aSkill, aTool, aWorkspace } from './a-workspace.ts'
import { deeds, hookScript, type HookStage, stagedCatalog } from './random-session.ts'

const notes = defineComponent({
  key: 'notes',
  initialState: null,
  tools: () => [aTool('note')],
  panel: () => ({ title: 'Notes', lines: [] }),
})

const mail = aSkill('mail', {
  tools: [aTool('read_mail'), aTool('send_mail'), aTool('note', { version: '2.0.0' })],
  onConflict: 'shadow',
})

test('denied, disabled and shadowed tools are in no list of what a skill adds', async () => {
  const workspace = await aWorkspace(
    { skills: [mail, aSkill('other')], components: [notes] },
    { policy: { permissions: { deny: ['send_mail', 'other_tool'] } } },
  )
  await workspace.activateSkill('mail')
  await workspace.activateSkill('other')
  const { skillManager } = workspace
  expect(skillManager.getActiveSkillToolNames()).toEqual(['note', 'read_mail'])
  expect(workspace.renderSkillToolsSection({ width: 40 })).toMatchInlineSnapshot(`
    "╔══════════════════════════════════════╗
    ║          SKILL TOOLS: Mail           ║
    ╠══════════════════════════════════════╣
    ║ note: Does note.                     ║
    ║ read_mail: Does read_mail.           ║
    ╚══════════════════════════════════════╝
    "
  `)
  await workspace.setToolEnabled('read_mail', false)
  await workspace.registerTool(aTool('note', { version: '3.0.0' }), { onConflict: 'shadow' })
  expect(skillManager.getActiveSkillTools()).toEqual([])
  expect(skillManager.isToolFromActiveSkill('send_mail')).toBe(false)
  expect(skillManager.getAllSkillToolStates()).toMatchObject([
    { skillName: 'mail', active: true, addedToolNames: [] },
    { skillName: 'other', active: true, addedToolNames: [] },
  ])
  expect(workspace.renderSkillToolsSection()).toBeNull()
})

test('a tool that two active skills share is in one box', async () => {
  const shared = aTool('shared')
  const workspace = await aWorkspace({
    skills: [
      aSkill('first', { tools: [shared] }),
      aSkill('second', { tools: [shared, aTool('own')] }),
    ],
  })
  await workspace.activateSkill('first')
  await workspace.activateSkill('second')
  expect(workspace.renderSkillToolsSection({ format: 'markdown' })).toMatchInlineSnapshot(`
    "## SKILL TOOLS: First

    - \`shared\`: Does shared.

    ## SKILL TOOLS: Second

    - \`own\`: Does own.

    "
  `)
})

test('a box without content is null', async () => {
  const workspace = await aWorkspace({})
  expect(workspace.renderSkillToolsSection()).toBeNull()
  expect(workspace.renderToolSection()).toBeNull()
  expect(workspace.renderSkillsSection()).toBeNull()
})

test('the box of a skill shows signatures when asked to', async () => {
  const find = aTool('find', {
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string' }, limit: { type: 'integer' } },
      required: ['query'],
    },
  })
  const workspace = await aWorkspace({ skills: [aSkill('web', { tools: [find] })] })
  await workspace.activateSkill('web')
  expect(workspace.renderSkillToolsSection({ signatures: true })).toMatchInlineSnapshot(`
    "╔══════════════════════════════════════════════════════════════════════════════╗
    ║                               SKILL TOOLS: Web                               ║
    ╠══════════════════════════════════════════════════════════════════════════════╣
    ║ find(query: string, limit?: integer): Does find.                             ║
    ╚══════════════════════════════════════════════════════════════════════════════╝
    "
  `)
  expect(workspace.renderSkillToolsSection({ signatures: true, format: 'markdown' })).toContain(
    '- `find(query: string, limit?: integer)`: Does find.\n',
  )
})

const rule = fc.constantFrom<Rule>(
  'shared',
  '*_tool',
  'note',
  { skill: 'base' },
  { source: 'component' },
)
const rules = fc.array(rule, { maxLength: 2 })

test('every public list is the tool table, filtered', async () => {
  await fc.assert(
    fc.asyncProperty(hookScript, deeds, rules, rules, async (script, acts, deny, ask) => {
      const stage: HookStage = { script: [...script] }
      const workspace = await VirtualWorkspace.open({
        catalog: await stagedCatalog(stage),
        agent: 'tester',
        log: createMemoryLog(),
        limits: { hookTimeoutMs: 5 },
        policy: { permissions: { deny, ask } },
      })
      stage.workspace = workspace
      expect(brokenListLaw(workspace)).toBeNull()
      for (const { deed } of acts) {
        await deed(workspace)
        expect(brokenListLaw(workspace)).toBeNull()
      }
      await workspace.close()
    }),
    { numRuns: 60 },
  )
})
