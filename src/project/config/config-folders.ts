import { realpath } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isInside } from '../walk/is-inside.ts'

/**
 * The folders in which a configuration is looked for, in order: each given path, then those above
 * it up to the project's. A path outside the project stands for itself; one that is not there, for
 * nothing.
 */
export async function configFolders(
  given: readonly string[],
  project: string,
): Promise<readonly string[]> {
  const top = await realpath(project).catch(() => project)
  const folders = new Set<string>()
  for (const path of given) {
    const start = await realpath(path).catch(() => null)
    if (start === null) continue
    for (let folder = start; ; folder = dirname(folder)) {
      folders.add(folder)
      if (folder === top || !isInside(top, folder)) break
    }
  }
  return [...folders]
}
