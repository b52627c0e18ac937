import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { loadSkills } from '../../../src/workbench/project/folders/load-skills.ts'

const CORPUS = join(import.meta.dirname, '../../corpus')

interface Listed {
  readonly repo: string
  readonly path: string
  readonly name: string
  readonly skillMdBytes: number
  readonly refErrors: readonly string[]
}

const manifest: readonly Listed[] = JSON.parse(
  await readFile(join(CORPUS, 'manifest.json'), 'utf8'),
)

const fileOf = ({ repo, path }: Listed) => join(repo.replace('/', '+'), path)

test('all forty public skills load, each under its own name', async () => {
  const { skills, diagnostics } = await loadSkills(CORPUS)
  expect(manifest).toHaveLength(40)
  expect(skills.map(({ path, name }) => `${relative(CORPUS, path ?? '')} ${name}`).sort()).toEqual(
    manifest.map((one) => `${fileOf(one)} ${one.name}`).sort(),
  )
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
})

test('exactly the four skills that the reference validator refuses have findings', async () => {
  const { skills } = await loadSkills(CORPUS)
  const found = skills.filter(({ diagnostics }) => diagnostics.length > 0)
  expect(found.map(({ path }) => relative(CORPUS, path ?? '')).sort()).toEqual(
    manifest
      .filter(({ refErrors }) => refErrors.length > 0)
      .map(fileOf)
      .sort(),
  )
})

test.each([
  { repo: 'antfu+skills', count: 5 },
  { repo: 'anthropics+skills', count: 9 },
  { repo: 'callstackincubator+agent-skills', count: 2 },
  { repo: 'google-gemini+gemini-skills', count: 3 },
  { repo: 'neondatabase+agent-skills', count: 1 },
  { repo: 'obra+superpowers', count: 8 },
  { repo: 'openai+skills', count: 8 },
  { repo: 'supabase+agent-skills', count: 1 },
  { repo: 'upstart-gg+carnet', count: 3 },
])('$repo has $count skills', async ({ repo, count }) => {
  expect((await loadSkills(join(CORPUS, repo))).skills).toHaveLength(count)
})

test('every file of every skill is listed, and reads the same as on disk', async () => {
  const { skills } = await loadSkills(CORPUS)
  let read = 0
  for (const skill of skills) {
    const folder = skill.baseDirectory ?? ''
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    const there = entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    expect([...skill.files.map(({ path }) => path), 'SKILL.md'].sort()).toEqual(there.sort())
    for (const { path } of skill.files) {
      expect(await skill.readFile?.(path)).toBe(await readFile(join(folder, path), 'utf8'))
      read += 1
    }
  }
  expect(read).toBeGreaterThan(250)
})

test('a body is the text of its file', async () => {
  for (const { path, instructions } of (await loadSkills(CORPUS)).skills) {
    expect(await readFile(path ?? '', 'utf8')).toContain(instructions)
  }
})

test('loading twice gives the same hashes in the same order', async () => {
  const [one, two] = await Promise.all([loadSkills(CORPUS), loadSkills([`${CORPUS}/`])])
  expect(two.skills.map(({ name, hash }) => [name, hash])).toEqual(
    one.skills.map(({ name, hash }) => [name, hash]),
  )
})
