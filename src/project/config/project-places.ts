import { homedir } from 'node:os'
import { join } from 'node:path'
import { usualPlaces } from './usual-places.ts'

/**
 * The folders that are read when no path is given, by precedence: the project's, then those of
 * the home (the user's when absent, none when null). `carnet` are its folders that are Carnet
 * projects. Whether the others exist is not looked at.
 */
export function projectPlaces(
  project: string,
  home: string | null | undefined,
  carnet: readonly string[] = [],
): readonly string[] {
  const usual = usualPlaces({ project })
  return [
    ...usual.slice(0, -1),
    ...carnet,
    ...usual.slice(-1),
    ...['tools', 'toolsets', 'agents', 'rules'].map((name) => join(project, name)),
    ...(home === null ? [] : usualPlaces({ home: home ?? homedir() })),
  ]
}
