import { realpath } from 'node:fs/promises'
import type { OpenSession } from './open-session.ts'
import type { SkillDesk } from '../../playground/context/skill-desk.ts'
import { type SkillScope, skillScope } from '../../project/config/skill-scope.ts'

/** Returns the desk that turns off skills of the project of a command: that of the current folder. */
export async function skillDesk({
  switches,
  project = process.cwd(),
  home = null,
}: OpenSession['reading']): Promise<SkillDesk> {
  const real = (folder: string) => realpath(folder).catch(() => folder)
  const folders = { project: await real(project), home: home === null ? null : await real(home) }
  const scopes = new Map<string | undefined, SkillScope>()
  return {
    scopeOf(skill) {
      const path = skill?.path
      const known = scopes.get(path) ?? skillScope(path, folders)
      scopes.set(path, known)
      return known
    },
    async turn(skills, off) {
      await switches.turn(project, skills, off)
      return switches.read(project)
    },
  }
}
