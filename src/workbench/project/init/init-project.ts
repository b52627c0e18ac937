import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { checkedText, tryOrUndefined } from '../../../entries/kit.ts'
import { STARTER_FILES } from './starter-files.ts'
import { createFiles, type NewFiles } from '../walk/create-files.ts'

/** The result of `initProject`. */
export interface InitialisedProject {
  readonly folder: string
  /** Absolute paths, sorted. */
  readonly files: readonly string[]
  /** A step that is needed before its code can run; null when none is. */
  readonly remark: string | null
}

/**
 * Writes a working skill, its agent and its scenario into a folder. In a package of another module
 * type the folder gets a `package.json` of its own. Throws `FILES_EXIST`, and then writes nothing.
 */
export async function initProject(path: string): Promise<InitialisedProject> {
  const folder = resolve(checkedText(path, 'path'))
  const owner = await nearestPackage(folder)
  const isForeign = owner !== null && !owner.isModule
  const files: NewFiles =
    isForeign && owner.folder !== folder
      ? new Map([...STARTER_FILES, ['package.json', OWN_PACKAGE]])
      : STARTER_FILES
  return {
    folder,
    files: await createFiles(folder, files),
    remark:
      isForeign && owner.folder === folder
        ? 'Add "type": "module" to the package.json there. Without it the code cannot be imported.'
        : null,
  }
}

const OWN_PACKAGE = '{ "private": true, "type": "module" }\n'

/**
 * Returns the `package.json` in a folder or its nearest parent; the folder need not exist. Null
 * without one.
 */
async function nearestPackage(
  folder: string,
): Promise<{ readonly folder: string; readonly isModule: boolean } | null> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null)
  if (text !== null) {
    // Otherwise an `import` in a `.ts` file fails or causes a warning.
    const own = tryOrUndefined(() => JSON.parse(text) as { readonly type?: unknown } | null)
    return { folder, isModule: own?.type === 'module' }
  }
  const above = dirname(folder)
  return above === folder ? null : nearestPackage(above)
}
