import { closeSync, constants, copyFileSync, existsSync, fsyncSync, openSync } from 'node:fs'
import { WorkspaceError } from '../../entries/index.ts'

/**
 * Copies a damaged log to `<file>.damaged-1`, or the next free number, and returns the name of the
 * copy. The copy is on the disk when this returns. The caller keeps other writers out.
 *
 * @param suffixes the files that belong to the log, as suffixes of its name, in the order in which
 *   they are copied; one that does not exist is skipped
 */
export function backUpFile(file: string, suffixes: readonly string[] = ['']): string {
  for (let number = 1; ; number += 1) {
    const copy = `${file}.damaged-${number}`
    if (suffixes.some((suffix) => existsSync(`${copy}${suffix}`))) continue
    try {
      for (const suffix of suffixes) {
        if (!existsSync(`${file}${suffix}`)) continue
        copyFileSync(`${file}${suffix}`, `${copy}${suffix}`, constants.COPYFILE_EXCL)
        syncFile(`${copy}${suffix}`)
      }
    } catch (cause) {
      throw new WorkspaceError('LOG_WRITE_FAILED', `${file} could not be copied to ${copy}.`, {
        facts: { file, copy },
        hint: 'Nothing was changed. Check that the disk has room for a copy.',
        cause,
      })
    }
    return copy
  }
}

function syncFile(file: string): void {
  const descriptor = openSync(file, 'r+')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
