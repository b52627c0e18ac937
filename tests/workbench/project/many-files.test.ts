import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadSkills } from '../../../src/workbench/project/folders/load-skills.ts'
import { skillText, temporaryFolder } from './temporary-folder.ts'

async function findings(root: string, options = {}) {
  const { skills, diagnostics } = await loadSkills(root, options)
  return {
    names: skills.map(({ name }) => name),
    files: skills.flatMap(({ files }) => files.map(({ path }) => path)),
    codes: diagnostics.map(({ code }) => code),
  }
}

test('ten thousand files in one skill are cut at the limit', async () => {
  const root = await temporaryFolder({ 'a/SKILL.md': skillText('a') })
  for (let index = 0; index < 10_000; index += 1) {
    writeFileSync(join(root, `a/${String(index).padStart(5, '0')}.md`), 'x')
  }
  const found = await findings(root)
  expect(found.files).toHaveLength(512)
  expect(found.files.at(-1)).toBe('00511.md')
  expect(found.codes).toEqual(['files-cut'])
})

test('ten thousand skills load when the limit allows, and are cut at it when it does not', async () => {
  const root = await temporaryFolder()
  for (let index = 0; index < 10_000; index += 1) {
    const name = `skill-${index}`
    mkdirSync(join(root, name))
    writeFileSync(join(root, name, 'SKILL.md'), skillText(name))
  }
  const all = await findings(root, { limits: { maxFolders: 20_000 } })
  expect(all.names).toHaveLength(10_000)
  expect(all.codes).toEqual([])
  const cut = await findings(root)
  expect(cut.names).toHaveLength(2_000)
  expect(cut.codes).toEqual(['scan-cut'])
})

test('10,000 agents and rules load or are cut, never in silence', async () => {
  const root = await temporaryFolder()
  mkdirSync(join(root, 'rules'))
  for (let at = 0; at < 10_000; at += 1) {
    mkdirSync(join(root, 'agents', `a${at}`), { recursive: true })
    writeFileSync(join(root, 'agents', `a${at}`, 'AGENT.md'), skillText(`a${at}`))
    if (at < 1_000) writeFileSync(join(root, 'rules', `r${at}.md`), 'Read.')
  }
  const cut = await loadSkills(root)
  expect(cut.diagnostics.map(({ code }) => code)).toContain('scan-cut')
  const all = await loadSkills(root, { limits: { maxFolders: 20_000 } })
  expect([all.agents.length, all.rules.length]).toEqual([10_000, 1_000])
})
