import { posix } from 'node:path'

/**
 * The rooms of `src` and the line of each, by building.
 *
 * A file imports from its own room and from rooms on an earlier line. Rooms on one line are neighbours and
 * do not import each other. `entries` is outside of the order: it may import any room, and no room imports it.
 */
const BUILDINGS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  core: {
    kernel: 0,
    schema: 1,
    tools: 2,
    skills: 3,
    components: 3,
    catalog: 4,
    engine: 5,
    search: 5,
    render: 6,
    workspace: 7,
  },
  connections: { connections: 8 },
  workbench: {
    'workbench/project': 9,
    'workbench/report': 10,
    'workbench/playground': 11,
    'workbench/cli': 12,
  },
}

const LINES = new Map(Object.values(BUILDINGS).flatMap((rooms) => Object.entries(rooms)))

/** Returns the building of a room, or undefined for a folder that is no room. */
export function findBuilding(room: string): string | undefined {
  return Object.keys(BUILDINGS).find((building) => BUILDINGS[building]?.[room] !== undefined)
}

/** In a list of floors: the files of the folder itself. */
export const FILES = '(files)'

/**
 * The floors of each folder that has folders, lowest first. A floor imports from lower floors only.
 * Folders in one inner list are on the same floor and do not import each other.
 */
export const FLOORS: Readonly<Record<string, readonly (string | readonly string[])[]>> = {
  'src/connections/carnet': ['format', 'manifest', 'session', FILES],
  'src/connections/logs': [FILES, 'rows', ['contract', 'jsonl', 'sqlite', 'postgres']],
  // Neighbours that translate for one other program each. All may start programs of this machine, and know what clients read.
  'src/connections': [
    ['processes', 'clients'],
    ['wires', 'mcp', 'logs', 'carnet', 'observed'],
  ],
  'src/connections/observed': [FILES, 'content', 'recorder', ['transcripts', 'proxy'], 'recording'],
  'src/connections/clients': [FILES],
  'src/connections/mcp': [['client', 'server']],
  'src/connections/wires': [
    [
      'ai-sdk',
      'anthropic',
      'contract',
      'embeddings',
      'gemini',
      'langchain',
      'mastra',
      'openai',
      'openai-agents',
      'otel',
      'react',
    ],
  ],
  'src/catalog': ['create', 'lint', 'manifest', FILES],
  'src/catalog/lint': ['codes', 'checks', FILES],
  'src/workbench/cli': ['shell', 'opening', 'commands', FILES],
  'src/workbench/cli/commands': [
    ['build', 'diff', 'eval', 'report', 'scenarios', 'sessions'],
    'play',
    FILES,
    'mcp',
  ],
  'src/engine': ['model', 'standing', 'evolve', 'explain', 'decide'],
  'src/workbench/playground': [
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
  'src/workbench/report': [FILES, 'facts', 'answers', 'usage', 'writers'],
  'src/workbench/project': [
    'walk',
    'trust',
    'config',
    'servers',
    'folders',
    'inventory',
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
  'src/skills': ['definition', 'activation', 'parse', 'named', FILES],
  'src/schema': ['interpreter', 'provider-forms'],
  'src/tools': ['intents', 'response', 'definition', FILES, 'brought'],
  'src/workspace': [
    'log',
    'commands',
    'servers',
    'calls',
    'offer',
    'conversation',
    'open',
    'groups',
    FILES,
    'plan',
  ],
  'src/workspace/calls': ['handlers', 'intents', 'request', FILES],
  'src/workspace/offer': ['exposure', 'conversation', 'discovery', 'meta-tools', FILES],
}

const LAST_PURE_LINE = 5

const PURE_FOLDERS = ['src/render/prompt/']

export const ENTRIES = 'entries'

/** The room of a path relative to the project, such as `engine` of `src/engine/decide/decide.ts`. */
export function roomOf(path: string): string {
  const [, first = '', second = ''] = path.split('/')
  return first === 'workbench' ? `${first}/${second}` : first
}

/** The line of a room, or undefined for a folder that is no room. */
export function lineOf(room: string): number | undefined {
  return LINES.get(room)
}

/** Returns true for a folder that counts as a room, and for one connection. */
export function isRoom(folder: string): boolean {
  const room = folder.replace(/^src\//, '')
  return (
    LINES.has(room) || ['src/connections', 'src/connections/wires'].includes(posix.dirname(folder))
  )
}

/** Folders whose folders are rooms. */
export const STREETS: ReadonlySet<string> = new Set(['src', 'src/workbench'])

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
  const between = !STREETS.has(step.folder) && step.from !== step.to
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
