import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The package a folder belongs to, for Node: that says how its `.ts` and `.js` files are read. */
interface NearestPackage {
  readonly folder: string
  /** Its modules are ES modules; without that an `import` in a `.ts` file fails, or is warned of. */
  readonly isModule: boolean
}

/** The `package.json` in, or nearest above, a folder that may not be there yet; null without one. */
export async function nearestPackage(folder: string): Promise<NearestPackage | null> {
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
