import { posix } from 'node:path'

/**
 * The rooms of `src` and the line of each.
 *
 * A file imports from its own room and from rooms on an earlier line. Rooms on one line are neighbours and
 * do not import each other. `entries` is outside of the order: it may import any room, and no room imports it.
 */
const LINES = new Map<string, number>([
  ['kernel', 0],
  ['tools', 1],
  ['skills', 2],
  ['components', 2],
  ['catalog', 3],
  ['engine', 4],
  ['search', 4],
  ['render', 5],
  ['processes', 6],
  ['workspace', 6],
  ['adapters', 7],
  ['project', 8],
  ['playground', 9],
  ['cli', 10],
])

/** The buildings, each with its rooms. The workbench is built on connections, and both on the core. */
const BUILDINGS: Readonly<Record<string, readonly string[]>> = {
  core: [
    'kernel',
    'tools',
    'skills',
    'components',
    'catalog',
    'engine',
    'search',
    'render',
    'workspace',
  ],
  connections: ['adapters', 'processes'],
  workbench: ['project', 'playground', 'cli'],
}

/** Returns the building of a room, or undefined for a folder that is no room. */
export function findBuilding(room: string): string | undefined {
  return Object.keys(BUILDINGS).find((building) => BUILDINGS[building]?.includes(room))
}

/** In a list of floors: the files of the folder itself. */
export const FILES = '(files)'

/**
 * The floors of each folder that has folders, lowest first. A floor imports from lower floors only.
 * Folders in one inner list are on the same floor and do not import each other.
 */
export const FLOORS: Readonly<Record<string, readonly (string | readonly string[])[]>> = {
  'src/adapters/carnet': ['format', 'manifest', 'session', FILES],
  'src/adapters/logs': [FILES, ['jsonl', 'sqlite', 'postgres']],
  'src/adapters/mcp': [['client', 'server']],
  'src/catalog': ['create', 'lint', 'manifest', FILES],
  'src/catalog/lint': ['codes', 'checks', FILES],
  'src/cli': ['shell', 'opening', 'commands', FILES],
  'src/cli/commands': [['eval', 'mcp', 'scenarios', 'sessions'], 'play', FILES],
  'src/engine': ['model', 'standing', 'evolve', 'explain', 'decide'],
  'src/playground': [
    'chat',
    'text',
    'rows',
    'terminal',
    'context',
    'keys',
    'changes',
    'session',
    'dialogs',
    'panes',
    'screen',
    'bound',
    'snapshot',
    'page',
    FILES,
  ],
  'src/playground/chat': ['scripted', FILES],
  'src/project': [
    'walk',
    'trust',
    'config',
    'servers',
    'folders',
    'manifest',
    'lock',
    'lint',
    'export',
    'sandbox',
    'add',
    'import',
    'init',
    'scripts',
    'scenarios',
    FILES,
  ],
  'src/render': ['prompt', 'ink'],
  'src/render/ink': ['parts', 'views'],
  'src/render/prompt': ['document', 'forms', 'sections', 'ledger', FILES],
  'src/search': ['words', 'index', 'rank', 'vectors', FILES],
  'src/skills': ['definition', 'activation', 'parse', FILES],
  'src/tools': ['schema', 'intents', 'response', 'definition', 'provider-schema', FILES],
  'src/workspace': ['log', 'commands', 'servers', 'calls', 'offer', 'open', FILES, 'plan'],
  'src/workspace/calls': ['handlers', 'intents', 'request', FILES],
  'src/workspace/offer': ['exposure', 'conversation', 'discovery', 'meta-tools', FILES],
}

const LAST_PURE_LINE = 4

const PURE_FOLDERS = ['src/render/prompt/']

export const ENTRIES = 'entries'

/** The room of a path relative to the project, such as `src/engine/decide.ts`. */
export function roomOf(path: string): string {
  return path.split('/')[1] ?? ''
}

/** The line of a room, or undefined for a folder that is no room. */
export function lineOf(room: string): number | undefined {
  return LINES.get(room)
}

/** The adapter of a path, such as `logs`: a folder directly below `src/adapters`. */
export function adapterOf(path: string): string | undefined {
  return roomOf(path) === 'adapters' ? path.split('/')[2] : undefined
}

/** Returns true for a folder that counts as a room: one of the table, or one adapter. */
export function isRoom(folder: string): boolean {
  const [, room = '', adapter, ...rest] = folder.split('/')
  if (room === 'adapters') return adapter !== undefined && rest.length === 0
  return adapter === undefined && LINES.has(room)
}

/** Two files of one room that are in different parts of the same folder. */
export interface FloorStep {
  /** The folder that has both parts. */
  readonly folder: string
  /** The part of the first file: the name of a folder, or `(files)`. */
  readonly from: string
  /** The part of the second file. */
  readonly to: string
}

/** Returns the step between two files, or undefined when no floors are between them. */
export function floorStep(from: string, to: string): FloorStep | undefined {
  const here = from.split('/')
  const there = to.split('/')
  let depth = 0
  while (depth < here.length - 1 && here[depth] === there[depth]) depth += 1
  const step = {
    folder: here.slice(0, depth).join('/'),
    from: partOf(here, depth),
    to: partOf(there, depth),
  }
  const between = step.folder !== 'src' && step.folder !== 'src/adapters' && step.from !== step.to
  return between ? step : undefined
}

function partOf(path: readonly string[], depth: number): string {
  return depth < path.length - 1 ? (path[depth] ?? '') : FILES
}

/** The floor of a part of a folder, from 0, or undefined when the table does not have it. */
export function floorOf(folder: string, part: string): number | undefined {
  const floor = (FLOORS[folder] ?? []).findIndex((parts) => [parts].flat().includes(part))
  return floor === -1 ? undefined : floor
}

/** Pure files reach no disk, network, clock, randomness, console or environment. */
export function isPure(path: string): boolean {
  const line = lineOf(roomOf(path))
  if (line === undefined) return false
  return line <= LAST_PURE_LINE || PURE_FOLDERS.some((folder) => path.startsWith(folder))
}

/** The project file that a relative import names, or undefined for a package. */
export function resolveImport(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith('.') && !specifier.startsWith('/')) return undefined
  return posix.normalize(posix.join(posix.dirname(from), specifier))
}

/** The package that an import names: `diff` of `diff/lib/index.js`, `@a/b` of `@a/b/c`. */
export function packageName(specifier: string): string {
  const parts = specifier.split('/')
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')
}
