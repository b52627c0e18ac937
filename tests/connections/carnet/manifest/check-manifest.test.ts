import { Carnet, ValidationError, type Manifest } from 'loadout/carnet'
import { expect, test } from 'vitest'
import { aManifest } from '../a-manifest.ts'

/** The issues a manifest is refused with. */
function issuesOf(given: unknown): readonly { code: string; path: readonly unknown[] }[] {
  try {
    expect(new Carnet(given as Manifest)).toBeInstanceOf(Carnet)
  } catch (error) {
    expect(error).toBeInstanceOf(ValidationError)
    expect(error).toMatchObject({
      message: 'Invalid manifest format',
      entityType: 'manifest',
      entityName: 'root',
    })
    return JSON.parse((error as ValidationError).context?.['error'] as string)
  }
  return []
}

type Members = Record<string, unknown>

/** The manifest with one member set, or left out when there is no value; the path has `/` between keys. */
function withMember(path: string, value?: unknown): Manifest {
  const manifest = structuredClone(aManifest())
  const keys = path.split('/')
  const last = keys.pop() ?? ''
  const parent = keys.reduce((at, key) => at[key] as Members, manifest as unknown as Members)
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return manifest
}

test('version, app and lists have defaults', () => {
  const bare = {
    agents: { a: { name: 'a', description: 'd', prompt: 'Hello.' } },
    skills: { s: { name: 's', description: 'd', content: 'c' } },
    toolsets: {},
    tools: {},
  }
  const carnet = new Carnet(bare as unknown as Manifest)
  expect(carnet.getAgent('a')).toMatchObject({ initialSkills: [], skills: [] })
  expect(carnet.getSkill('s')).toMatchObject({ toolsets: [], files: [] })
  expect(carnet.getSystemPrompt('a')).toBe('Hello.')
})

test('members that are not known are left out', () => {
  const carnet = new Carnet(withMember('skills/webSearch/x', 1))
  expect(carnet.getSkill('webSearch')).not.toHaveProperty('x')
})

test.each<{ what: string; given: unknown; issues: readonly (readonly [string, string])[] }>([
  {
    what: 'text',
    given: 'manifest.json',
    issues: [
      ['invalid_type', ''],
      ...['agents', 'skills', 'toolsets', 'tools'].map((kind) => ['invalid_type', kind] as const),
    ],
  },
  {
    what: 'tools that are null',
    given: withMember('tools', null),
    issues: [['invalid_type', 'tools']],
  },
  {
    what: 'a list of skills',
    given: withMember('skills', []),
    issues: [['invalid_type', 'skills']],
  },
  {
    what: 'a version in words',
    given: withMember('version', 'one'),
    issues: [['invalid_type', 'version']],
  },
  { what: 'an app that is text', given: withMember('app', 'x'), issues: [['invalid_type', 'app']] },
  {
    what: 'an empty name',
    given: withMember('agents/writer/name', ''),
    issues: [['too_small', 'agents.writer.name']],
  },
  {
    what: 'no prompt',
    given: withMember('agents/writer/prompt'),
    issues: [['invalid_type', 'agents.writer.prompt']],
  },
  {
    what: 'a number among skills',
    given: withMember('agents/writer/skills/1', 7),
    issues: [['invalid_type', 'agents.writer.skills.1']],
  },
  {
    what: 'a file without text',
    given: withMember('skills/webSearch/files/0/content'),
    issues: [['invalid_type', 'skills.webSearch.files.0.content']],
  },
  {
    what: 'a toolset without tools',
    given: withMember('toolsets/filter-tools/tools'),
    issues: [['invalid_type', 'toolsets.filter-tools.tools']],
  },
  {
    what: 'a tool with a bad name',
    given: withMember('tools/1x', { name: '1x', description: 'd', content: '' }),
    issues: [
      ['invalid_key', 'tools.1x'],
      ['invalid_format', 'tools.1x.name'],
    ],
  },
  {
    what: 'an entry that is null',
    given: withMember('tools/basicSearch', null),
    issues: ['', '.name', '.description', '.content'].map(
      (member) => ['invalid_type', `tools.basicSearch${member}`] as const,
    ),
  },
])('a manifest with $what is refused with each place', ({ given, issues }) => {
  expect(issuesOf(given).map(({ code, path }) => [code, path.join('.')])).toEqual(issues)
})

test('changing what was given to the constructor changes nothing', () => {
  const manifest = aManifest()
  const carnet = new Carnet(manifest)
  const skill = manifest.skills['webSearch']
  if (skill) skill.content = 'changed'
  skill?.toolsets.splice(0)
  expect(carnet.getSkillContent('webSearch')).toContain('# Web search')
  expect(carnet.getSkillMetadata('webSearch').toolsets).toEqual(['search-tools', 'filter-tools'])
})

test('what is handed out cannot change the instance', () => {
  const carnet = new Carnet(aManifest())
  expect(() => carnet.getAgent('writer')?.skills.push('secrets')).toThrow(TypeError)
})
