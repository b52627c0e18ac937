import { isInside } from '../walk/is-inside.ts'
import { defaultPaths } from './default-paths.ts'

/** The places that a skill can be read from: the project, the home of the user, another folder, or no file. */
export const SKILL_SCOPES = ['project', 'user', 'elsewhere', 'code'] as const

export type SkillScope = (typeof SKILL_SCOPES)[number]

/** Returns the scope of a skill by its file. Folders of skills in the home are the user's, also if the home is the project. */
export function skillScope(
  path: string | undefined,
  { project, home }: { readonly project: string; readonly home: string | null },
): SkillScope {
  if (path === undefined) return 'code'
  const ofUser = home === null ? [] : defaultPaths({ home })
  if (ofUser.some((folder) => isInside(folder, path))) return 'user'
  return isInside(project, path) ? 'project' : 'elsewhere'
}
