import type { Project } from '../../project/folders/open-project.ts'
import { brokenSkills } from '../../project/folders/broken-skills.ts'
import { counted } from '../shell/counted.ts'

/**
 * What keeps a screen from showing what its folders hold. What is told on stderr is behind the
 * screen by then, and comes to light when it is left.
 */
export function openingRemark({
  catalog,
  diagnostics,
}: Pick<Project, 'catalog' | 'diagnostics'>): string {
  const modules = diagnostics.filter(({ code }) => UNTRUSTED.has(code)).length
  const loaded = new Set([...catalog.skills.values()].map(({ path }) => path))
  const broken = brokenSkills(diagnostics, loaded).length
  const isCut = diagnostics.some(({ code }) => code === 'scan-cut')
  return [
    ...(isCut ? ['Not every folder was looked into: too many, or too deep.'] : []),
    ...(modules === 0
      ? []
      : [`${counted(modules, 'module')} not run: not trusted (--trust, or loadout trust).`]),
    ...(broken === 0 ? [] : [`${counted(broken, 'skill')} could not be loaded.`]),
  ].join(' ')
}

const UNTRUSTED: ReadonlySet<string> = new Set(['handler-untrusted', 'config-untrusted'])
