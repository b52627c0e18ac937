import { realpath, stat } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { isInside } from '../walk/is-inside.ts'

/**
 * The folder that paths in a manifest or lock are relative to, as its real path: the given one, the
 * nearest that holds all when several are given, the project's when none is. It does not depend on
 * where a command was started.
 */
export async function baseFolder(paths: readonly string[], project: string): Promise<string> {
  const given = paths.length === 0 ? [project] : paths
  const folders = await Promise.all(given.map((path) => realFolder(resolve(project, path))))
  return folders.reduce((base, folder) => {
    let common = base
    while (!isInside(common, folder)) common = dirname(common)
    return common
  })
}

/** A path below a base folder as a manifest tells it, with `/`. */
export function pathFrom(base: string, path: string): string {
  return relative(base, path).split(sep).join('/')
}

async function realFolder(path: string): Promise<string> {
  const real = await realpath(path).catch(() => path)
  const isFolder = await stat(real).then(
    (stats) => stats.isDirectory(),
    () => true,
  )
  return isFolder ? real : dirname(real)
}
