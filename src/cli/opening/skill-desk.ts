import { realpath } from 'node:fs/promises'
import type { CliContext } from '../shell/cli-context.ts'
import type { SkillDesk } from '../../playground/context/skill-desk.ts'
import { type SkillScope, skillScope } from '../../project/config/skill-switches.ts'
import type { ProjectOptions } from '../../project/folders/open-project.ts'

/** Returns the desk that turns off skills of the project of a command: that of the current folder. */
export async function skillDesk(
  { switches }: Pick<ProjectOptions, 'switches'>,
  { cwd, home }: Pick<CliContext, 'cwd' | 'home'>,
): Promise<SkillDesk | undefined> {
  if (switches === undefined) return undefined
  const real = (folder: string) => realpath(folder).catch(() => folder)
  const folders = { project: await real(cwd), home: home === null ? null : await real(home) }
  const scopes = new Map<string | undefined, SkillScope>()
  return {
    scopeOf(skill) {
      const path = skill?.path
      const known = scopes.get(path) ?? skillScope(path, folders)
      scopes.set(path, known)
      return known
    },
    async turn(skills, off) {
      await switches.turn(cwd, skills, off)
      return switches.read(cwd)
    },
  }
}
