import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { STARTER_FILES } from './starter-files.ts'
import { createFiles, type NewFiles } from '../walk/create-files.ts'

/** What `initProject` wrote. */
export interface InitialisedProject {
  readonly folder: string
  /** Absolute paths, sorted. */
  readonly files: readonly string[]
  /** What is left to do before its code can run; null when nothing is. */
  readonly remark: string | null
}

/**
 * Write a skill that works, its agent and its scenario into a folder. In a package of another module
 * type the folder gets a `package.json` of its own. Throws `FILES_EXIST`, and then wrote nothing.
 */
export async function initProject(path: string): Promise<InitialisedProject> {
  const folder = resolve(path)
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
        ? 'The package.json there does not say "type": "module": add it, or the code cannot be imported.'
        : null,
  }
}

const OWN_PACKAGE = '{ "private": true, "type": "module" }\n'

/** The package a folder belongs to, for Node: that says how its `.ts` and `.js` files are read. */
interface NearestPackage {
  readonly folder: string
  /** Its modules are ES modules; without that an `import` in a `.ts` file fails, or is warned of. */
  readonly isModule: boolean
}

/** The `package.json` in, or nearest above, a folder that may not be there yet; null without one. */
async function nearestPackage(folder: string): Promise<NearestPackage | null> {
  const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null)
  if (text !== null) return { folder, isModule: typeOf(text) === 'module' }
  const above = dirname(folder)
  return above === folder ? null : nearestPackage(above)
}

function typeOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { readonly type?: unknown } | null)?.type
  } catch {
    return undefined
  }
}
