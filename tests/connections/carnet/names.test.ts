import { Carnet } from 'loadout/carnet'
import { expect, test } from 'vitest'
import { aManifest } from './a-manifest.ts'
import { answering } from './host-tools.ts'
import { runTool } from './run-tool.ts'

const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'web search',
  'web-search',
  'Suche & Fund',
  '検索',
  '🔍',
  '!!!',
  'a'.repeat(200),
]

test.each(NAMES)(
  '%j works as the name of an agent, a skill, a toolset and a tool of the host',
  async (name) => {
    const manifest = aManifest()
    const own = <T>(value: T): Record<string, T> =>
      Object.defineProperty({}, name, { value, enumerable: true })
    manifest.agents = own({
      name,
      description: 'a',
      initialSkills: [],
      skills: [name],
      prompt: 'p',
    })
    manifest.skills = own({ name, description: 's', toolsets: [name], content: 'c' })
    manifest.toolsets = own({ name, description: 't', tools: [name], content: 'c' })
    const carnet = new Carnet(manifest)
    const given = own(answering('x')) as never
    const answer = await runTool(carnet.getTools(name), 'loadSkill', { skillName: name })
    expect(answer).toMatchObject({ success: true, metadata: { name } })
    expect(carnet.getDiscoveredSkills(name)).toEqual([name])
    expect(carnet.getAvailableTools(name)).toEqual([name])
    const tools = carnet.getTools(name, { tools: given })
    expect(Object.keys(tools)).toEqual(['loadSkill', 'loadSkillFile', name])
    expect(carnet.getSystemPrompt(name)).toContain(`- **${name}**: x of the host`)
    expect(carnet.getToolFilteringDiagnostics(name)?.exposedTools).toEqual([name])
  },
)

test('names that go by one id here stay apart', async () => {
  const manifest = aManifest()
  const names = ['web search', 'web-search', 'web  search']
  for (const name of names) {
    manifest.skills[name] = { name, description: name, toolsets: [name], content: `of ${name}` }
    manifest.toolsets[name] = { name, description: name, tools: [`tool of ${name}`], content: '' }
    manifest.agents['writer']?.skills.push(name)
  }
  const carnet = new Carnet(manifest)
  for (const name of names) {
    const answer = await runTool(carnet.getTools('writer'), 'loadSkill', { skillName: name })
    expect(answer).toMatchObject({ success: true, content: `of ${name}` })
  }
  expect(carnet.getDiscoveredSkills('writer')).toEqual(names)
  expect(carnet.getAvailableTools('writer')).toEqual(names.map((name) => `tool of ${name}`))
})
