import { Carnet, type Manifest } from 'loadout/carnet'
import { expect, test } from 'vitest'
import { aManifest } from '../a-manifest.ts'

const hashOf = (manifest: Manifest) => new Carnet(manifest).workspace('writer').catalog.hash

test('equal manifests have one hash, and it is what the log says the session ran on', async () => {
  expect(hashOf(aManifest())).toBe(hashOf(structuredClone(aManifest())))
  const [opening] = await new Carnet(aManifest()).workspace('writer').entries()
  expect(opening?.event).toMatchObject({ catalog: hashOf(aManifest()) })
})

test.each<{ of: string; change: (manifest: Manifest) => unknown }>([
  {
    of: 'a prompt',
    change: ({ agents }) => Object.assign(agents['writer'] ?? {}, { prompt: 'x' }),
  },
  { of: 'a list of skills', change: ({ agents }) => agents['writer']?.skills.push('webSearch') },
  {
    of: 'a skill',
    change: ({ skills }) => Object.assign(skills['secrets'] ?? {}, { content: 'x' }),
  },
  { of: 'a file', change: ({ skills }) => skills['secrets']?.files?.splice(0) },
  { of: 'a toolset', change: ({ toolsets }) => toolsets['filter-tools']?.tools.push('openSafe') },
  { of: 'a tool', change: ({ tools }) => Object.assign(tools['openSafe'] ?? {}, { content: 'x' }) },
  { of: 'the project', change: ({ app }) => app.globalSkills.push('secrets') },
])('a change of $of changes the hash', ({ change }) => {
  const manifest = aManifest()
  change(manifest)
  expect(hashOf(manifest)).not.toBe(hashOf(aManifest()))
})

test('the catalog makes every definition when it is looked through', () => {
  const { catalog } = new Carnet(aManifest()).workspace('researcher')
  expect([...catalog.skills.keys()]).toEqual(Object.keys(aManifest().skills))
  expect(Array.from(catalog.skills.values(), ({ description }) => description)).toContain(
    'For nobody.',
  )
  expect(Array.from(catalog.toolsets.values(), ({ tools }) => tools).flat()).toContain(
    'filterByDate',
  )
  expect(Array.from(catalog.agents.values(), ({ name }) => name)).toEqual(['researcher', 'writer'])
  expect([...catalog.toolsByHash.values()].map(({ name }) => name)).toContain('openSafe')
  expect(catalog.bringers.get('openSafe')).toEqual(['secrets'])
  expect(catalog.sharedTools.get('basicSearch')?.[0]?.documentation).toBe('One query.')
})
