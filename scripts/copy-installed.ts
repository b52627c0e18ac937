import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { renameInto } from './try-package.ts'

/** The part of an entry of npm's lock file that says what a package needs. */
interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/**
 * Copies some of the packages that npm installed in a folder, with all that npm installs for them and nothing else.
 * The files are hard links, so a copy takes less than a second.
 *
 * @param to a folder in the same file system. When it exists, it is used.
 */
export function copyInstalled(from: string, to: string, names: readonly string[]): void {
  if (existsSync(to)) return
  const lock = JSON.parse(
    readFileSync(join(from, 'node_modules', '.package-lock.json'), 'utf8'),
  ) as { readonly packages: Readonly<Record<string, LockedPackage>> }
  const chosen = new Set<string>()
  /** Chooses the package that a module of another one gets by this name, and what that package needs. */
  const choose = (name: string, importer: string): void => {
    const place = [...foldersAbove(importer)]
      .map((folder) => join(folder, 'node_modules', name))
      .find((folder) => folder in lock.packages)
    // A dependency for another operating system, say.
    if (place === undefined || chosen.has(place)) return
    chosen.add(place)
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } =
      lock.packages[place] ?? {}
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (peer) => peerDependenciesMeta?.[peer]?.optional !== true,
    )
    const needed = { ...dependencies, ...optionalDependencies }
    for (const needs of [...Object.keys(needed), ...peers]) choose(needs, place)
  }
  for (const name of names) {
    choose(name, '')
    if (!chosen.has(`node_modules/${name}`)) throw new Error(`${name} is not installed in ${from}.`)
  }
  const fresh = mkdtempSync(`${to}-copying-`)
  for (const place of chosen) linkFiles(join(from, place), join(fresh, place), ['node_modules'])
  // A project has one: Deno looks for it.
  writeFileSync(join(fresh, 'package.json'), '{ "private": true }\n')
  renameInto(fresh, to)
}

/** Returns the folder of a package and those of the packages around it, as Node looks for modules. */
function* foldersAbove(place: string): Iterable<string> {
  for (
    let folder = place;
    folder !== '';
    folder = folder.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, '')
  ) {
    yield folder
  }
  yield ''
}

/** Makes the same folder with hard links to the files. */
function linkFiles(from: string, to: string, without: readonly string[]): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (without.includes(entry.name)) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) linkFiles(source, target, [])
    else linkSync(source, target)
  }
}
