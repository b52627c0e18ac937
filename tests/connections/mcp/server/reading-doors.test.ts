import { expect, test } from 'vitest'
import { createCatalog, defineSkill, type PolicyOptions, VirtualWorkspace } from 'loadout'
import { connected, endpointFor, type Revision } from './served.ts'

const BOTH: readonly Revision[] = ['2025-11-25', '2026-07-28']

type Permissions = NonNullable<PolicyOptions['permissions']>

const isAlways = () => true

const catalog = () =>
  createCatalog({
    skills: [
      defineSkill({
        name: 'vault',
        displayName: 'The vault',
        description: 'Keeps secrets.',
        instructions: 'The text of the vault, about $ARGUMENTS.',
        files: [
          { path: 'keys/a.md', text: 'Key a.' },
          { path: 'b.md', text: 'Key b.' },
        ],
      }),
      defineSkill({ name: 'open', description: 'Says hello.', instructions: 'Hello.' }),
      defineSkill({ name: 'above', description: 'Needs the vault.', requires: ['vault'] }),
    ],
  })

const RULES: readonly Permissions[] = [
  {},
  ...(['deny', 'ask'] as const).flatMap((list) =>
    [
      'loadSkill',
      'loadSkillFile',
      'load*',
      '*',
      { tool: 'loadSkill' },
      { tool: 'loadSkill', where: { skillName: 'vault' } },
      { tool: 'loadSkill', where: { skillName: 'The vault' } },
      { tool: 'loadSkill', when: isAlways },
      { tool: 'load*', where: { skillName: 'v*' } },
      { tool: 'loadSkillFile', where: { path: 'keys/*' } },
      { tool: 'loadSkillFile', where: { path: { path: '**/a.md' } } },
      { tool: 'loadSkillFile', where: { skillName: 'vault', path: 'b.md' } },
      { tool: 'loadSkillFile', when: isAlways },
      { risk: 'safe' as const },
      { source: 'global' as const },
    ].map((rule): Permissions => ({ [list]: [rule] })),
  ),
]

const FILES = [
  { skill: 'vault', path: 'keys/a.md' },
  { skill: 'vault', path: 'b.md' },
] as const

/** Returns what the gate answers to a call of the model. */
async function called(tool: string, input: object, permissions: Permissions, active?: string) {
  const workspace = await VirtualWorkspace.open({
    catalog: await catalog(),
    policy: { permissions },
  })
  if (active !== undefined) await workspace.activateSkill(active)
  await workspace.beginTurn()
  const response = await workspace.callTool(tool, input, { caller: 'model' })
  await workspace.close()
  if (response.ok) return 'read'
  return response.error.type === 'CONFIRMATION_REQUIRED' ? 'ask' : 'refuse'
}

test.each(BOTH.flatMap((revision) => RULES.map((permissions) => ({ revision, permissions }))))(
  '$revision: each way to read a skill answers as the gate does under $permissions',
  async ({ revision, permissions }) => {
    const endpoint = await endpointFor({
      workspace: { catalog: await catalog(), policy: { permissions } },
    })
    const client = await connected(endpoint, revision)
    const read = (uri: string) =>
      client.readResource({ uri }).then(
        () => 'read',
        ({ message }: Error) => (message.includes('has to confirm') ? 'ask' : 'refuse'),
      )
    const listed = new Set((await client.listResources()).resources.map(({ uri }) => uri))
    const prompts = (await client.listPrompts()).prompts.map(({ name }) => name)
    for (const skill of ['vault', 'open', 'above']) {
      const gate = await called('loadSkill', { skillName: skill }, permissions)
      const isFunction = [permissions.deny, permissions.ask].some((rules) =>
        rules?.some((rule) => typeof rule !== 'string' && rule.when !== undefined),
      )
      const uri = `skill://${skill}/SKILL.md`
      const door = await read(uri)
      // A function is asked about calls alone, so another way leads to the call.
      expect({ uri, door }).toEqual({ uri, door: isFunction && gate !== 'read' ? 'ask' : gate })
      expect({ uri, isListed: listed.has(uri) }).toEqual({ uri, isListed: door !== 'refuse' })
      if (door === 'refuse') expect(prompts).not.toContain(skill)
      if (skill !== 'vault') continue
      const prompt = client.getPrompt({ name: skill, arguments: {} }).then(
        () => 'read',
        ({ message }: Error) => (message.includes('has to confirm') ? 'ask' : 'refuse'),
      )
      expect({ prompt: await prompt }).toEqual({ prompt: door })
    }
    for (const { skill, path } of FILES) {
      const ofSkill = await called('loadSkill', { skillName: skill }, permissions)
      const ofFile = await called('loadSkillFile', { skillName: skill, path }, permissions, skill)
      const door = await read(`skill://${skill}/${path}`)
      const gates = new Set([ofSkill, ofFile])
      const strictest = gates.has('refuse') ? 'refuse' : gates.has('ask') ? 'ask' : 'read'
      if (door !== 'ask') expect({ path, door }).toEqual({ path, door: strictest })
      else expect(strictest).not.toBe('read')
    }
  },
)
