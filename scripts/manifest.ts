import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from './run-command.ts'

/** What the scripts need of `package.json`. */
export interface PackageManifest {
  readonly name: string
  readonly version: string
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly devDependencies: Readonly<Record<string, string>>
}

export function readManifest(): PackageManifest {
  return JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
}

/** What a user may import: `loadout`, `loadout/node`, and so on, without data files. */
export function importableNames({ name, exports }: PackageManifest): readonly string[] {
  return Object.keys(exports)
    .filter((subpath) => !subpath.endsWith('.json'))
    .map((subpath) => `${name}${subpath.slice(1)}`)
}
