import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkRooms, readModules } from '../../scripts/rooms/check-rooms.ts'
import type { Rule } from '../../scripts/rooms/check-source.ts'
import { PAST_THE_DOOR } from '../../scripts/rooms/door.ts'
import { FILES, FLOORS, resolveImport } from '../../scripts/rooms/room-of.ts'

const project = `${import.meta.dirname}/../..`
const command = join(project, 'scripts/check-rooms.ts')

/** A project of a few files in which nothing is wrong. */
const CLEAN: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "loadout", "exports": { ".": {}, "./node": {} } }',
  'src/kernel/name.ts': file('export const name = "n"'),
  'src/tools/definition/shape.ts': file(
    "import { name } from '../../kernel/name.ts'\nexport const shape = { name }",
  ),
  'src/tools/tool.ts': file(
    "import { shape } from './definition/shape.ts'\nexport const tool = { shape }",
  ),
  'src/skills/skill.ts': file(
    "import type { tool } from '../tools/tool.ts'\nexport type Skill = typeof tool",
  ),
  'src/components/part.ts': file('export const part = 1'),
  'src/catalog/catalog.ts': file('export const catalog = new Map()'),
  'src/engine/decide/decide.ts': file(
    "import { createHash } from 'node:crypto'\nexport const decide = (ms: number) => [new Date(ms), createHash('md5'), Math.max(1, 2), ms instanceof Date]",
  ),
  'src/engine/model/state.ts': file('export interface State { on: true }'),
  'src/engine/evolve/evolve.ts': file(
    "import type { State } from '../model/state.ts'\nexport const evolve = (state: State) => state",
  ),
  'src/render/prompt/text.ts': file('export const text = { process: 1 }.process'),
  'src/render/ink/views/panel.tsx': file("import { Box } from 'ink'\nexport const panel = <Box />"),
  'src/workspace/log/clock.ts': file('export const clock = () => Date.now()'),
  'src/connections/logs/jsonl/log-file.ts': file('export const logFile = 1'),
  'src/connections/logs/sqlite/log-tables.ts': file('export const LOG_TABLES = 1'),
  'src/connections/carnet/carnet.ts': file('export class Carnet {}'),
  'src/workbench/project/walk/read.ts': file(
    "import { readFileSync } from 'node:fs'\nimport '../../../connections/carnet/carnet.ts'\nexport const read = readFileSync",
  ),
  'src/workbench/cli/main.ts':
    "import { read } from '../project/walk/read.ts'\nconsole.log(read, await import('../../entries/index.ts'))\n",
  'src/entries/index.ts': "export { tool } from '../tools/tool.ts'\n",
  'examples/embed/main.ts':
    "import { tool } from 'loadout'\nimport './own.ts'\nconsole.log(tool)\n",
  'examples/embed/own.ts': 'export const own = 1\n',
}

/** Returns a file of `src` that is long enough to have one importer, or none. */
function file(text: string): string {
  return `${text}\n${'\n// A line of the file.'.repeat(60)}\n`
}

/** Returns the same with an export that has the name of the file. */
function whole(path: string, text: string): string {
  const stem = path.split('/').at(-1)?.split('.')[0] ?? ''
  const name = stem.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  return file(`${text}\nexport const ${name} = 1`)
}

/** Returns that many complete files, in one folder. */
function many(folder: string, count: number): Readonly<Record<string, string>> {
  const names = Array.from({ length: count }, (_, index) => `part${index}`)
  return Object.fromEntries(
    names.map((name) => [`${folder}/${name}.ts`, file(`export const ${name} = 1`)]),
  )
}

let root = ''

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'loadout-rooms-'))
})

afterEach(() => {
  rmSync(root, { recursive: true })
})

function plant(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

test('a clean project has no violation, and every file and import of it was checked', () => {
  plant(CLEAN)
  expect(checkRooms(root)).toMatchObject({ sources: 18, outsiders: 2, imports: 13, violations: [] })
})

test.each<{ rule: Rule; path: string; text: string; line?: number }>([
  { rule: 'later-room', path: 'src/kernel/a.ts', text: "import '../tools/tool.ts'" },
  {
    rule: 'later-room',
    path: 'src/skills/a.ts',
    text: "\nimport '../catalog/catalog.ts'",
    line: 2,
  },
  {
    rule: 'later-room',
    path: 'src/kernel/a.ts',
    text: "import type { Skill } from '../skills/skill.ts'",
  },
  {
    rule: 'later-room',
    path: 'src/workspace/open/a.ts',
    text: "await import('../../workbench/cli/main.ts')",
  },
  {
    rule: 'later-room',
    path: 'src/kernel/a.ts',
    text: "type T = import('../skills/skill.ts').Skill",
  },
  {
    rule: 'later-room',
    path: 'src/workspace/open/a.ts',
    text: 'await import(`../../workbench/cli/main.ts`)',
  },
  { rule: 'neighbour-room', path: 'src/skills/a.ts', text: "import '../components/part.ts'" },
  { rule: 'neighbour-room', path: 'src/search/a.ts', text: "import '../engine/decide/decide.ts'" },
  {
    rule: 'neighbour-floor',
    path: 'src/connections/carnet/a.ts',
    text: "import '../logs/jsonl/log-file.ts'",
  },
  {
    rule: 'imports-entries',
    path: 'src/workbench/cli/a.ts',
    text: "import '../../entries/node.ts'",
  },
  { rule: 'imports-entries', path: 'src/workbench/cli/a.ts', text: "import 'loadout/node'" },
  {
    rule: 'outside-src',
    path: 'src/workbench/cli/a.ts',
    text: "import '../../../examples/embed/own.ts'",
  },
  { rule: 'unknown-room', path: 'src/workbench/a.ts', text: '' },
  { rule: 'unknown-room', path: 'src/misc/a.ts', text: '' },
  { rule: 'unknown-room', path: 'src/a.ts', text: '' },
  { rule: 'file-name', path: 'src/kernel/utils.ts', text: '' },
  { rule: 'file-name', path: 'src/kernel/index.ts', text: '' },
  {
    rule: 're-export',
    path: 'src/workbench/cli/a.ts',
    text: "export { read } from '../project/walk/read.ts'",
  },
  {
    rule: 're-export',
    path: 'src/workbench/cli/a.ts',
    text: "export * from '../project/walk/read.ts'",
  },
  {
    rule: 're-export',
    path: 'src/skills/a.ts',
    text: "import { tool } from '../tools/tool.ts'\n\nexport { tool }",
    line: 3,
  },
  { rule: 'impure-import', path: 'src/engine/decide/a.ts', text: "import 'node:fs'" },
  {
    rule: 'impure-import',
    path: 'src/engine/decide/a.ts',
    text: "import { readFile } from 'fs/promises'",
  },
  {
    rule: 'impure-import',
    path: 'src/engine/decide/a.ts',
    text: "import { randomUUID } from 'node:crypto'",
  },
  {
    rule: 'impure-import',
    path: 'src/engine/decide/a.ts',
    text: "import * as crypto2 from 'node:crypto'",
  },
  { rule: 'impure-import', path: 'src/render/prompt/a.ts', text: "import 'react'" },
  {
    rule: 'impure-import',
    path: 'src/render/prompt/a.ts',
    text: "import '../ink/views/panel.tsx'",
  },
  {
    rule: 'impure-import',
    path: 'src/engine/decide/a.ts',
    text: 'const m = "zod"; await import(m)',
  },
  { rule: 'impure-use', path: 'src/engine/decide/a.ts', text: 'export const now = Date.now()' },
  {
    rule: 'impure-use',
    path: 'src/engine/decide/a.ts',
    text: '\n\nexport const now = new Date()',
    line: 3,
  },
  { rule: 'impure-use', path: 'src/engine/decide/a.ts', text: 'export const now = Date()' },
  { rule: 'impure-use', path: 'src/engine/decide/a.ts', text: 'export const { now } = Date' },
  { rule: 'impure-use', path: 'src/engine/decide/a.ts', text: 'export const { random } = Math' },
  { rule: 'impure-use', path: 'src/engine/decide/a.ts', text: 'export const dice = Math.random()' },
  {
    rule: 'impure-use',
    path: 'src/engine/decide/a.ts',
    text: "export const dice = Math['random']()",
  },
  { rule: 'impure-use', path: 'src/kernel/a.ts', text: 'export const home = process.env.HOME' },
  { rule: 'impure-use', path: 'src/kernel/a.ts', text: 'export const all = { process }' },
  { rule: 'impure-use', path: 'src/kernel/a.ts', text: 'console.log(1)' },
  { rule: 'impure-use', path: 'src/kernel/a.ts', text: 'setTimeout(() => {}, 1)' },
  { rule: 'impure-use', path: 'src/kernel/a.ts', text: "await fetch('https://example.org')" },
  { rule: 'impure-use', path: 'src/kernel/a.ts', text: 'export const id = crypto.randomUUID()' },
  { rule: 'impure-use', path: 'src/kernel/a.ts', text: 'export const t = performance.now()' },
  { rule: 'impure-use', path: 'src/kernel/a.ts', text: 'export const g = globalThis' },
  { rule: 'impure-use', path: 'src/kernel/a.ts', text: 'export const here = import.meta.dirname' },
  { rule: 'impure-use', path: 'src/kernel/a.ts', text: "export const o = 'a'.localeCompare('b')" },
  {
    rule: 'impure-use',
    path: 'src/render/prompt/a.ts',
    text: 'export const s = AbortSignal.timeout(5)',
  },
  { rule: 'impure-use', path: 'src/kernel/a.ts', text: 'export const p = process as unknown' },
  {
    rule: 'private-import',
    path: 'examples/embed/a.ts',
    text: "import '../../src/workbench/cli/main.ts'",
  },
  { rule: 'private-import', path: 'examples/embed/a.ts', text: "import '../other/b.ts'" },
  {
    rule: 'private-import',
    path: 'examples/embed/a.ts',
    text: "import 'loadout/dist/cli/main.js'",
  },
  { rule: 'private-import', path: 'bench/a.ts', text: "import '../src/workbench/cli/main.ts'" },
  { rule: 'syntax', path: 'src/kernel/a.ts', text: 'export const = 1' },
  {
    rule: 'past-the-door',
    path: 'src/workbench/project/walk/a.ts',
    text: "import { tool } from '../../../tools/tool.ts'",
  },
  {
    rule: 'past-the-door',
    path: 'src/connections/carnet/a.ts',
    text: "import type { Skill } from '../../skills/skill.ts'",
  },
  {
    rule: 'imports-entries',
    path: 'src/workbench/cli/a.ts',
    text: "import { Line } from '../../entries/ink-views.ts'",
  },
  {
    rule: 'imports-entries',
    path: 'src/workspace/log/a.ts',
    text: "import { tool } from '../../entries/index.ts'",
  },
])('$path is reported as $rule for: $text', ({ rule, path, text, line = 1 }) => {
  plant({ ...CLEAN, [path]: whole(path, text) })
  expect(checkRooms(root).violations).toMatchObject([{ file: path, rule, line }])
})

test.each<{ rule: Rule; title: string; files: Readonly<Record<string, string>>; at?: string }>([
  {
    rule: 'later-floor',
    title: 'a floor imports a higher one',
    files: { 'src/engine/evolve/a.ts': "import '../decide/decide.ts'" },
  },
  {
    rule: 'later-floor',
    title: 'a floor imports a type of a higher one',
    files: { 'src/engine/model/a.ts': "import type { evolve } from '../evolve/evolve.ts'" },
  },
  {
    rule: 'later-floor',
    title: 'a folder below the loose files of its room imports one of them',
    files: { 'src/tools/definition/a.ts': "import '../tool.ts'" },
  },
  {
    rule: 'later-floor',
    title: 'two folders of a room import each other, one of them a type only',
    files: {
      'src/engine/model/a.ts': "import type { b } from '../evolve/b.ts'",
      'src/engine/evolve/b.ts': "import type { State } from '../model/state.ts'",
    },
  },
  {
    rule: 'neighbour-floor',
    title: 'two folders of one floor import each other',
    files: { 'src/connections/logs/jsonl/a.ts': "import '../sqlite/log-tables.ts'" },
  },
  {
    rule: 'unknown-floor',
    title: 'a folder has no floor',
    files: { 'src/engine/guess/a.ts': '' },
    at: 'src/engine/guess',
  },
  {
    rule: 'unknown-floor',
    title: 'a file is in a room that has floors and no loose files',
    files: { 'src/engine/a.ts': '' },
    at: 'src/engine',
  },
  {
    rule: 'folder-size',
    title: 'a folder has 21 entries',
    files: many('src/search/words', 21),
    at: 'src/search/words',
  },
  {
    rule: 'folder-size',
    title: 'the folder of commands has 41 entries',
    files: many('src/workbench/cli/commands', 41),
    at: 'src/workbench/cli/commands',
  },
  {
    rule: 'loose-files',
    title: 'a room with folders has six loose files',
    files: many('src/tools', 5),
    at: 'src/tools',
  },
  {
    rule: 'loose-files',
    title: 'an adapter with folders has six loose files',
    files: { 'src/connections/carnet/format/a.ts': '', ...many('src/connections/carnet', 5) },
    at: 'src/connections/carnet',
  },
  {
    rule: 'duplicate-export',
    title: 'two files export one name',
    files: { 'src/search/words/a.ts': 'export type State = 1' },
    at: 'src/search/words/a.ts',
  },
])('$rule is reported when $title', ({ rule, files, at = Object.keys(files)[0] }) => {
  const planted = Object.entries(files).map(([path, text]) => [path, whole(path, text)])
  plant({ ...CLEAN, ...Object.fromEntries(planted) })
  expect(checkRooms(root).violations).toMatchObject([{ file: at, rule }])
})

test.each<{ rule: Rule; title: string; files: Readonly<Record<string, string>> }>([
  {
    rule: 'small-file',
    title: 'has 59 lines of its own and one importer',
    files: {
      'src/kernel/a.ts': `import './name.ts'\n\nexport const a = 1\n${'// A line.\n'.repeat(58)}`,
      'src/tools/b.ts': file("import '../kernel/a.ts'\nexport const b = 1"),
    },
  },
  {
    rule: 'small-file',
    title: 'has two imports in one importer',
    files: {
      'src/kernel/a.ts': 'export const a = 1\n',
      'src/tools/b.ts': file(
        "import '../kernel/a.ts'\nimport type { a } from '../kernel/a.ts'\nexport const b = 1",
      ),
    },
  },
  {
    rule: 'named-after-export',
    title: 'has the name of a word of its export',
    files: { 'src/kernel/a.ts': file('export const aText = 1') },
  },
  {
    rule: 'named-after-export',
    title: 'exports nothing',
    files: { 'src/kernel/a.ts': file('console').replace('console', 'const a = 1') },
  },
])('$rule is reported for a file that $title', ({ rule, files }) => {
  plant({ ...CLEAN, ...files })
  expect(checkRooms(root).violations).toMatchObject([{ file: 'src/kernel/a.ts', rule }])
})

test.each<{ title: string; files: Readonly<Record<string, string>> }>([
  {
    title: 'two files import it',
    files: {
      'src/kernel/a.ts': 'export const a = 1',
      'src/tools/b.ts': file("import '../kernel/a.ts'\nexport const b = 1"),
      'src/tools/c.ts': file("import type { a } from '../kernel/a.ts'\nexport const c = 1"),
    },
  },
  {
    title: 'it has 60 lines of its own',
    files: {
      'src/kernel/a.ts': `import './name.ts'\n\nexport const a = 1\n${'// A line.\n'.repeat(59)}`,
    },
  },
  {
    title: 'an entry exports it',
    files: {
      'src/kernel/a.ts': 'export const a = 1',
      'src/entries/node.ts': "export { a } from '../kernel/a.ts'",
    },
  },
  {
    title: 'it is loaded when it is needed',
    files: {
      'src/kernel/a.ts': 'export const a = 1',
      'src/tools/b.ts': file("export const b = () => import('../kernel/a.ts')"),
    },
  },
  {
    title: 'it is a command',
    files: { 'src/workbench/cli/commands/why-command.ts': 'export const whyCommand = 1' },
  },
])('a short file is kept when $title', ({ files }) => {
  plant({ ...CLEAN, ...files })
  expect(checkRooms(root).violations).toEqual([])
})

test('a file may have the name of any of its exports, also in capitals or of one word', () => {
  plant({
    ...CLEAN,
    'src/kernel/read-html-text.ts': file('export const one = 1\nexport class ReadHTMLText {}'),
    'src/kernel/max-size.ts': file('export const MAX_SIZE = 1'),
  })
  expect(checkRooms(root).violations).toEqual([])
})

test('the figures count rings, arrows up, large folders, and names', () => {
  plant({
    ...CLEAN,
    ...many('src/search/words', 21),
    'src/engine/model/a.ts': "import type { b } from '../evolve/b.ts'",
    'src/engine/evolve/b.ts': "import type { a } from '../model/a.ts'\nexport type State = a",
  })
  expect(checkRooms(root).figures).toMatchObject({
    files: 41,
    folderRings: [['evolve', 'model']],
    arrowsUp: ['src/engine: model -> evolve'],
    largeFolders: ['src/search/words'],
    duplicateExports: ['State'],
    otherNames: [
      'src/workbench/cli/main.ts',
      'src/engine/model/a.ts',
      'src/engine/evolve/b.ts',
    ].sort(),
  })
})

test('words in comments, texts, types and property names are no impure use', () => {
  plant({
    ...CLEAN,
    'src/kernel/a.ts': whole(
      'src/kernel/a.ts',
      `
      /** Date.now, process, console.log */
      export interface Clock { process: string; console(fetch: string): void; now: typeof Date.now }
      export const label = 'Math.random() and process.exit()'
      export const look = (it: { process: { fetch: number } }, at: Date) => [it.process.fetch, at as typeof at]
      export const all = <T>(fetch2: (fetch: T) => void) => fetch2
    `,
    ),
  })
  expect(checkRooms(root).violations).toEqual([])
})

test('a cycle is reported once, with all of its files, also when it is made of types', () => {
  plant({
    ...CLEAN,
    'src/kernel/a.ts': file("import './b.ts'\nexport const a = 1"),
    'src/kernel/b.ts': file("import type { C } from './c.ts'\nexport type B = C"),
    'src/kernel/c.ts': file("import './a.ts'\nexport type C = 1"),
  })
  expect(checkRooms(root).violations).toMatchObject([
    {
      rule: 'cycle',
      message: expect.stringContaining(
        'src/kernel/a.ts -> src/kernel/b.ts -> src/kernel/c.ts -> src/kernel/a.ts',
      ),
    },
  ])
})

test.each([
  {
    title: 'passes a clean project',
    files: CLEAN,
    status: 0,
    says: /^\d+ arrows between rooms: .* -> .*\n18 source files/,
  },
  {
    title: 'fails an empty project',
    files: {},
    status: 1,
    says: /^0 arrows between rooms: \n0 source files/,
  },
  {
    title: 'fails a project with a violation',
    files: { ...CLEAN, 'src/kernel/a.ts': whole('src/kernel/a.ts', 'console.log(1)') },
    status: 1,
    says: /^ +1 impure-use\n.* 1 violations$/m,
  },
])('the command $title and prints how much it checked', ({ files, status, says }) => {
  plant(files)
  const ended = spawnSync(process.execPath, [command, root], { encoding: 'utf8' })
  expect(ended.stdout).toMatch(says)
  expect(ended.status).toBe(status)
})

test('this project keeps its rooms', () => {
  const { sources, violations } = checkRooms(project)
  expect(sources).toBeGreaterThan(30)
  expect(violations).toEqual([])
})

test('every floor of the table is a folder of this project', () => {
  const missing = Object.entries(FLOORS).flatMap(([folder, floors]) =>
    floors
      .flat()
      .filter((part) => part !== FILES && !existsSync(join(project, folder, part)))
      .map((part) => `${folder}/${part}`),
  )
  expect(missing).toEqual([])
})

test.each([...PAST_THE_DOOR])(
  'each name that %s may import by a path into the core is imported so',
  (building, names) => {
    const imported = new Set(
      readModules(project, `src/${building}/**/*.{ts,tsx}`).flatMap(({ path, imports }) =>
        imports.flatMap(({ specifier, names: taken }) => {
          const target = resolveImport(path, specifier)?.replace('src/', '')
          return taken.map((name) => `${target} ${name}`)
        }),
      ),
    )
    expect(imported.size).toBeGreaterThan(100)
    expect([...names].filter((name) => !imported.has(name))).toEqual([])
  },
)
