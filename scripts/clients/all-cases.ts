import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from '../run-command.ts'
import type { ClientCase } from './case-folder.ts'
import { casesOfKinds } from './kinds.ts'

/** Returns all cases by id: those that were written by hand, then three of each kind. */
export function allCases(): readonly (readonly [id: string, ClientCase])[] {
  const file = join(PROJECT, 'tests', 'connections', 'clients', 'given-cases.json')
  const given = JSON.parse(readFileSync(file, 'utf8')) as Record<string, ClientCase>
  return [...Object.entries(given), ...casesOfKinds()]
}
