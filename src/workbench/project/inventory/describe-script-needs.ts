import { readdir, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import type { Skill } from '../../../entries/index.ts'
import { mapBounded } from '../walk/map-bounded.ts'
import { missingFromPath } from '../walk/missing-from-path.ts'
import { type NamedPackage, scriptNeeds } from './script-needs.ts'

/** Files of one skill that are read, and the bytes of one. */
const MOST_FILES = 100
const LONGEST_FILE = 400_000

const FILES =
  /(?:^scripts\/|\.(?:py|sh|bash|js|mjs|cjs|ts|mts|rb|pl|ps1)$|(?:^|\/)(?:requirements[\w.-]*\.txt|package\.json)$)/iu

/**
 * Returns sentences that say what the scripts of a skill need, as far as their files say, and which of these this machine
 * lacks; none for a skill without scripts. Files are read, and folders of packages listed. Nothing is run.
 */
export async function describeScriptNeeds({
  files,
  readFile,
  baseDirectory = '.',
}: Pick<Skill, 'files' | 'readFile' | 'baseDirectory'>): Promise<readonly string[]> {
  const read = files
    .filter(({ path, size }) => FILES.test(path) && size <= LONGEST_FILE)
    .slice(0, MOST_FILES)
  const texts = await mapBounded(read, 8, async ({ path }) => {
    // A file that changed or is no text says nothing.
    const text = await readFile?.(path, new AbortController().signal).catch(() => undefined)
    return [path, text ?? ''] as const
  })
  const { programs, python, node } = scriptNeeds(new Map(texts))
  const named = (list: readonly NamedPackage[]) =>
    list.map(({ name, from }) => `${name} (${from})`).join(', ')
  const needs = [
    ...(programs.length > 0 ? [`the programs ${named(programs)}`] : []),
    ...(python.length > 0 ? [`the Python packages ${named(python)}`] : []),
    ...(node.length > 0 ? [`the Node packages ${named(node)}`] : []),
  ]
  if (needs.length === 0) return []
  const lacking = [
    ...(await missingFromPath(programs.map(({ name }) => name))),
    ...(await missingPython(python, baseDirectory)),
    ...(await missingNode(node, baseDirectory)),
  ]
  return [
    `Its scripts need ${needs.join('; ')}.`,
    lacking.length === 0
      ? 'This machine has all of these.'
      : `This machine lacks: ${lacking.join(', ')}.`,
  ]
}

/** Looks for packages in `node_modules` of the skill's folder and of all above it. */
async function missingNode(
  packages: readonly NamedPackage[],
  base: string,
): Promise<readonly string[]> {
  const missing: string[] = []
  for (const { name, from } of packages) {
    let folder = dirname(join(base, from))
    while (!(await isThere(join(folder, 'node_modules', name))) && dirname(folder) !== folder) {
      folder = dirname(folder)
    }
    if (!(await isThere(join(folder, 'node_modules', name)))) missing.push(name)
  }
  return missing
}

/** Looks for packages by their folders and by the records of their distributions. */
async function missingPython(
  packages: readonly NamedPackage[],
  base: string,
): Promise<readonly string[]> {
  if (packages.length === 0) return []
  const known = new Set<string>()
  for (const folder of await sitePackages(base)) {
    for (const entry of await readdir(folder).catch((): string[] => [])) {
      const [name = ''] = /\.(?:dist|egg)-info$/u.test(entry)
        ? entry.split('-', 1)
        : entry.split('.', 1)
      known.add(plain(name))
    }
  }
  return packages.flatMap(({ name }) => (known.has(plain(name)) ? [] : [name]))
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[-_.]+/gu, '_')

/** The folders of packages of the Python on the PATH, of the user, and of a virtual environment. */
async function sitePackages(base: string): Promise<readonly string[]> {
  const { PATH = '', VIRTUAL_ENV } = process.env
  const prefixes = new Set([join(homedir(), '.local'), join(base, '.venv')])
  if (VIRTUAL_ENV !== undefined) prefixes.add(VIRTUAL_ENV)
  for (const folder of PATH.split(delimiter)) {
    const python = join(folder, 'python3')
    if (!(await isThere(python))) continue
    prefixes.add(dirname(folder))
    prefixes.add(dirname(dirname(await realpath(python).catch(() => python))))
  }
  const found: string[] = []
  for (const prefix of prefixes) {
    const lib = join(prefix, 'lib')
    for (const version of await readdir(lib).catch((): string[] => [])) {
      if (!version.startsWith('python3')) continue
      found.push(join(lib, version, 'site-packages'), join(lib, version, 'dist-packages'))
    }
  }
  return found
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null
}
