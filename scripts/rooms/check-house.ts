import type { Rule, Violation } from './check-source.ts'
import type { Module } from './read-module.ts'
import { ENTRIES, FILES, floorOf, isRoom, resolveImport, roomOf, STREETS } from './room-of.ts'

/** Checks the size of folders and files, and the names of files and exports, over all of `src`. */
export function checkHouse(all: readonly Module[]): readonly Violation[] {
  const modules = all.filter(({ syntaxError }) => syntaxError === undefined)
  return [
    ...folderViolations(modules),
    ...smallFileViolations(modules),
    ...modules.flatMap((module) => fileNameViolation(module) ?? []),
    ...duplicateExportViolations(modules),
  ]
}

const MAX_ENTRIES = 20

/** Folders of like things that are looked up by name. */
const LARGE_FOLDERS: Readonly<Record<string, { readonly max: number; readonly why: string }>> = {
  'src/entries': { max: 30, why: 'One file per entry, found by the name of the entry.' },
  'src/workbench/cli/commands': {
    max: 40,
    why: 'One file per command, found by the name of the command.',
  },
}

const MAX_LOOSE_FILES = 5

/** Returns the entries of each folder of `src`: names of files and of folders. */
export function readFolders(
  modules: readonly Module[],
): ReadonlyMap<string, { readonly files: readonly string[]; readonly folders: readonly string[] }> {
  const entries = new Map<string, { files: Set<string>; folders: Set<string> }>()
  for (const { path } of modules) {
    const parts = path.split('/')
    for (let depth = 1; depth < parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/')
      const found = entries.get(folder) ?? { files: new Set(), folders: new Set() }
      entries.set(folder, found)
      const name = parts[depth] ?? ''
      if (depth === parts.length - 1) found.files.add(name)
      else found.folders.add(name)
    }
  }
  return new Map(
    [...entries].map(([folder, { files, folders }]) => [
      folder,
      { files: [...files], folders: [...folders] },
    ]),
  )
}

/** Returns true for a folder with more entries than any folder outside of the list may have. */
export function isLarge(folder: string, entries: number): boolean {
  return entries > (LARGE_FOLDERS[folder]?.max ?? MAX_ENTRIES)
}

function folderViolations(modules: readonly Module[]): readonly Violation[] {
  return [...readFolders(modules)].flatMap(([folder, { files, folders }]) => {
    const found: Violation[] = []
    if (isLarge(folder, files.length + folders.length)) {
      const max = LARGE_FOLDERS[folder]?.max ?? MAX_ENTRIES
      found.push(
        violation(
          folder,
          'folder-size',
          `${folder} has ${files.length + folders.length} entries, at most ${max} are allowed. Divide it by concept.`,
        ),
      )
    }
    if (STREETS.has(folder) || folders.length === 0) return found
    if (isRoom(folder) && files.length > MAX_LOOSE_FILES) {
      found.push(
        violation(
          folder,
          'loose-files',
          `${folder} has folders and ${files.length} files outside of them, at most ${MAX_LOOSE_FILES} are allowed.`,
        ),
      )
    }
    const unknown = [...folders, ...(files.length > 0 ? [FILES] : [])].filter(
      (part) => floorOf(folder, part) === undefined,
    )
    return [
      ...found,
      ...unknown.map((part) =>
        violation(
          part === FILES ? folder : `${folder}/${part}`,
          'unknown-floor',
          `${part} has no floor in ${folder}. Give it one in FLOORS of scripts/rooms/room-of.ts.`,
        ),
      ),
    ]
  })
}

/** A file with one importer must have this many lines of its own; a shorter one belongs in its importer. */
const MIN_OWN_LINES = 60

/** Kinds of files that may be short: what an entry exports, commands, and what `import()` loads on demand. */
function mayBeSmall({ path }: Module, importers: readonly Importer[]): boolean {
  return (
    roomOf(path) === ENTRIES ||
    path === PROGRAM ||
    /^src\/workbench\/cli\/commands\/((sessions|mcp)\/)?[a-z-]+-command\.ts$/.test(path) ||
    importers.some(({ from, lazy }) => lazy || roomOf(from) === ENTRIES)
  )
}

/** The file that the command starts. It exports nothing, and nothing imports it. */
const PROGRAM = 'src/workbench/cli/main.ts'

interface Importer {
  readonly from: string
  readonly lazy: boolean
}

function smallFileViolations(modules: readonly Module[]): readonly Violation[] {
  const importers = readImporters(modules)
  return modules.flatMap((module) => {
    const { path, ownLines } = module
    const known = importers.get(path) ?? []
    const isSmall = new Set(known.map(({ from }) => from)).size < 2 && ownLines < MIN_OWN_LINES
    if (!isSmall || mayBeSmall(module, known)) return []
    const importer = known[0]?.from ?? 'no file'
    return [
      violation(
        path,
        'small-file',
        `It has ${ownLines} lines of its own, and only ${importer} imports it. Merge them.`,
      ),
    ]
  })
}

function readImporters(modules: readonly Module[]): ReadonlyMap<string, readonly Importer[]> {
  const importers = new Map<string, Importer[]>()
  for (const { path, imports } of modules) {
    for (const { specifier, lazy } of imports) {
      const target = resolveImport(path, specifier)
      if (target === undefined) continue
      const known = importers.get(target) ?? []
      importers.set(target, known)
      known.push({ from: path, lazy })
    }
  }
  return importers
}

/** Returns true for a file with an export that the file is named after. */
export function isNamedAfterExport({ path, exports }: Module): boolean {
  const stem = path
    .split('/')
    .at(-1)
    ?.replace(/\.tsx?$/, '')
  return exports.some(({ name }) => kebabCase(name) === stem)
}

function kebabCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
}

function fileNameViolation(module: Module): Violation | undefined {
  const { path, exports } = module
  if (roomOf(path) === ENTRIES || path === PROGRAM || isNamedAfterExport(module)) return undefined
  const names = exports.map(({ name }) => kebabCase(name)).join(', ')
  return violation(
    path,
    'named-after-export',
    `No export has the name of the file. ${names === '' ? 'It exports nothing.' : `Exports: ${names}.`}`,
  )
}

/** Returns the files of each name that more than one file outside of entries exports. */
export function duplicateExports(
  modules: readonly Module[],
): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, Set<string>>()
  for (const { path, exports } of modules) {
    if (roomOf(path) === ENTRIES) continue
    for (const { name, passedOn } of exports) {
      if (passedOn) continue
      const known = files.get(name) ?? new Set()
      files.set(name, known.add(path))
    }
  }
  const many = [...files].filter(([, paths]) => paths.size > 1)
  return new Map(many.map(([name, paths]) => [name, [...paths]]))
}

function duplicateExportViolations(modules: readonly Module[]): readonly Violation[] {
  return [...duplicateExports(modules)].map(([name, [first = '', ...others]]) =>
    violation(
      others.at(-1) ?? first,
      'duplicate-export',
      `"${name}" is also an export of ${[first, ...others.slice(0, -1)].join(' and ')}. Rename one of them.`,
    ),
  )
}

function violation(file: string, rule: Rule, message: string): Violation {
  return { file, line: 1, rule, message }
}
