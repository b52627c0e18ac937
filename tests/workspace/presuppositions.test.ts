import { createCatalog, defineAgent, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { describeEvent } from '../../src/engine/explain/describe-event.ts'

const deploy = defineSkill({
  name: 'deploy',
  description: 'Deploys.',
  instructions:
    'Write the version to `version.txt`.\n\n```bash\ngit push\n```\n\nUse the `docx` skill.',
})

const quiet = defineSkill({ name: 'quiet', description: 'Q.', instructions: 'Be brief.' })

const named = (name: string) => defineTool({ name, description: `${name}.`, execute: () => 'done' })

async function opened(
  tools: readonly string[],
  more: Partial<Parameters<typeof VirtualWorkspace.open>[0]> = {},
) {
  const catalog = await createCatalog({
    skills: [deploy, quiet],
    tools: tools.map(named),
    agents: [
      defineAgent({
        name: 'starter',
        description: 'S.',
        prompt: 'P.',
        initialSkills: ['deploy'],
        skills: ['deploy'],
      }),
    ],
  })
  return VirtualWorkspace.open({ catalog, ...more })
}

const opening = async (workspace: VirtualWorkspace, owner = 'deploy') => {
  const found = (await workspace.entries()).find(
    ({ event }) => event.type === 'source.opened' && event.owner === owner,
  )
  if (found === undefined) throw new Error('not activated')
  return found.event
}

test('the entry of an activation says what the skill presupposes, and what is not here', async () => {
  const workspace = await opened([])
  await workspace.activateSkill('deploy')
  expect(await opening(workspace)).toMatchObject({
    presupposes: ['shell', 'file writing', 'git', 'skill docx'],
    lacks: ['shell', 'file writing', 'skill docx'],
  })
  expect(describeEvent(await opening(workspace))).toBe(
    'skill "deploy" activated, with 0 tools; presupposes shell, file writing, git, skill docx; not here: shell, file writing, skill docx',
  )
  await workspace.activateSkill('quiet')
  expect(await opening(workspace, 'quiet')).not.toHaveProperty('presupposes')
  expect(await opening(workspace, 'quiet')).not.toHaveProperty('lacks')
})

test('tools of the catalog, and those that were registered, are here', async () => {
  const workspace = await opened(['Bash'])
  await workspace.activateSkill('deploy')
  expect(await opening(workspace)).toMatchObject({ lacks: ['skill docx'] })
  const other = await opened([])
  await other.registerTool(named('run_shell_command'))
  await other.activateSkill('deploy')
  expect(await opening(other)).toMatchObject({ lacks: ['skill docx'] })
})

const TOLD =
  'It presupposes what is not known to be here: shell, file writing, skill docx. If none of your tools gives it, do the rest, and say what you could not do.'

test('a model reads it once: in the section of the skill, or in the answer of loadSkill', async () => {
  const workspace = await opened([])
  const answer = await workspace.callTool('loadSkill', { skillName: 'deploy' }, { caller: 'model' })
  expect(answer).toMatchObject({ ok: true, data: { note: TOLD } })
  const other = await opened([])
  await other.activateSkill('deploy')
  expect(other.prompt().text.split(TOLD)).toHaveLength(2)
  expect((await opened(['Bash'])).prompt().text).not.toContain('presupposes')
  const initial = await opened([], { agent: 'starter' })
  expect(initial.prompt().text.split(TOLD)).toHaveLength(2)
})
