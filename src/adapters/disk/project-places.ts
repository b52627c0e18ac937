import { homedir } from 'node:os'
import { join } from 'node:path'
import { usualPlaces } from './usual-places.ts'

/**
 * The folders that are read when no path is given, by precedence: the project's, then those of
 * the home (the user's when absent, none when null). Whether they exist is not looked at.
 */
export function projectPlaces(project: string, home: string | null | undefined): readonly string[] {
  return [
    ...usualPlaces({ project }),
    join(project, 'tools'),
    join(project, 'toolsets'),
    ...(home === null ? [] : usualPlaces({ home: home ?? homedir() })),
  ]
}
