import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cutChangelog } from './cut-changelog.ts'

/** Texts of files, by path. */
export type ChangedFiles = Readonly<Record<string, string>>

/** The places of the version in the lock file: of the project, and of its first package. */
const IN_LOCK = /(?<=^(?: {2}| {6})"version": ")[^"]+(?=")/gm

/** Returns the files of a project that a version changes, with their new text. Writes nothing. */
export function versionedFiles(root: string, version: string, date: string): ChangedFiles {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  let places = 0
  return {
    'package.json': read('package.json').replace(/(?<=^ {2}"version": ")[^"]+(?=")/m, version),
    'package-lock.json': read('package-lock.json').replace(IN_LOCK, (other) => {
      places += 1
      return places > 2 ? other : version
    }),
    'CHANGELOG.md': cutChangelog(read('CHANGELOG.md'), { version, date }),
  }
}
