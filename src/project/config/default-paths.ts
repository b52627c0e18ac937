import { homedir } from 'node:os'
import { join } from 'node:path'

/** Where skills usually are: below a project's folder, and below the user's home. */
export interface DefaultPathsOptions {
  readonly project?: string
  readonly home?: string
}

/** Folders of skills, by precedence. */
const SKILL_FOLDERS = ['.agents/skills', '.claude/skills', '.loadout/skills']

/**
 * The folders skills are looked for in when none is given, by precedence: a project's before
 * the home's, `.agents` first. The `skills` folder of a project comes after its dotted ones. Whether they exist is not looked at.
 */
export function defaultPaths({ project, home }: DefaultPathsOptions): readonly string[] {
  return [
    ...(project === undefined
      ? []
      : [...SKILL_FOLDERS, 'skills'].map((path) => join(project, path))),
    ...(home === undefined ? [] : SKILL_FOLDERS.map((path) => join(home, path))),
  ]
}

/**
 * The folders that are read when no path is given, by precedence: the project's, then those of
 * the home (the user's when absent, none when null). `carnet` are its folders that are Carnet
 * projects. Whether the others exist is not looked at.
 */
export function defaultProjectPaths(
  project: string,
  home: string | null | undefined,
  carnet: readonly string[] = [],
): readonly string[] {
  const usual = defaultPaths({ project })
  return [
    ...usual.slice(0, -1),
    ...carnet,
    ...usual.slice(-1),
    ...['tools', 'toolsets', 'agents', 'rules'].map((name) => join(project, name)),
    ...(home === null ? [] : defaultPaths({ home: home ?? homedir() })),
  ]
}
