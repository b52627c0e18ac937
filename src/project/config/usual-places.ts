import { join } from 'node:path'

/** Where skills usually are: below a project's folder, and below the user's home. */
export interface UsualPlaces {
  readonly project?: string
  readonly home?: string
}

/** Folders of skills, by precedence. */
const FOLDERS = ['.agents/skills', '.claude/skills', '.loadout/skills']

/**
 * The folders skills are looked for in when none is given, by precedence: a project's before
 * the home's, `.agents` first. The `skills` folder of a project comes after its dotted ones. Whether they exist is not looked at.
 */
export function usualPlaces({ project, home }: UsualPlaces): readonly string[] {
  return [
    ...(project === undefined ? [] : [...FOLDERS, 'skills'].map((path) => join(project, path))),
    ...(home === undefined ? [] : FOLDERS.map((path) => join(home, path))),
  ]
}
