const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules'])

/**
 * Names that are neither listed, searched nor read at any depth: `.git` may hold credentials,
 * `node_modules` is other people's. In any case, because some disks ignore case.
 */
export function isSkipped(name: string): boolean {
  return SKIPPED.has(name.toLowerCase())
}
