import { realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { type Findings, quotedPath } from '../../../entries/kit.ts'
import { isInside } from '../walk/is-inside.ts'
import { userHome } from '../walk/user-home.ts'

/** Returns paths of a configuration as absolute ones, and the values between them; without trust, those in its folder. */
export function readPaths<Value extends object>(
  given: readonly (string | Value)[],
  file: string,
  isTrusted: boolean,
  findings: Findings,
): readonly (string | Value)[] {
  const folder = dirname(file)
  return given.flatMap((path): readonly (string | Value)[] => {
    if (typeof path !== 'string') return [path]
    const home = path.startsWith('~/') ? userHome() : null
    const full = home === null ? resolve(folder, path) : join(home, path.slice(2))
    if (isTrusted || isInside(folder, full)) return [full]
    reportPathOutside(path, folder, findings)
    return []
  })
}

/** Returns the hint for what has no effect in a configuration whose folder is not trusted. */
export function trustIf(condition: string, folder: string): string {
  return `If ${condition}, trust the folder: loadout trust ${quotedPath(folder)} (or --trust for one run).`
}

function reportPathOutside(path: string, folder: string, findings: Findings): void {
  findings.add(
    'warning',
    'path-outside',
    `The configuration names "${path}", which is outside its folder; it is not read.`,
    `Give the path yourself. ${trustIf('the configuration may name it', folder)}`,
  )
}

/** Leaves out paths that lead out of a folder (its real path) through links. */
export async function insideOnly(
  root: string,
  paths: readonly unknown[],
  findings: Findings,
): Promise<readonly string[]> {
  const inside: string[] = []
  for (const path of paths) {
    // JSON has no values of code.
    if (typeof path !== 'string') continue
    const real = await realpath(path).catch(() => path)
    if (isInside(root, real)) inside.push(path)
    else reportPathOutside(path, root, findings)
  }
  return inside
}
