import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { spawnSync } from 'node:child_process'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkRooms } from '../../scripts/rooms/check-rooms.ts'
import type { Rule } from '../../scripts/rooms/check-source.ts'

const project = `${import.meta.dirname}/../..`
const command = join(project, 'scripts/check-rooms.ts')

/** A project of a few files in which nothing is wrong. */
const CLEAN: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "loadout", "exports": { ".": {}, "./node": {} } }',
  'src/kernel/name.ts': 'export const name = "n"\n',
  'src/registry/tool.ts':
    "import { name } from '../kernel/name.ts'\nexport const tool = { name }\n",
  'src/skills/skill.ts':
    "import type { tool } from '../registry/tool.ts'\nexport type S = typeof tool\n",
  'src/components/part.ts': 'export const part = 1\n',
  'src/catalog/catalog.ts': 'export const catalog = new Map()\n',
  'src/engine/decide.ts':
    "import { createHash } from 'node:crypto'\nexport const at = (ms: number) => [new Date(ms), createHash('md5'), Math.max(1, 2), ms instanceof Date]\n",
  'src/render/prompt/text.ts': 'export const text = { process: 1 }.process\n',
  'src/render/ink/panel.tsx': "import { Box } from 'ink'\nexport const panel = <Box />\n",
  'src/session/clock.ts': 'export const now = () => Date.now()\n',
  'src/adapters/disk/read.ts':
    "import { readFileSync } from 'node:fs'\nexport const read = readFileSync\n",
  'src/adapters/jsonl/log.ts': 'export const log = 1\n',
  'src/cli/main.ts':
    "import { read } from '../adapters/disk/read.ts'\nexport const main = async () => [read, await import('../session/clock.ts')]\n",
  'src/entries/index.ts': "export { tool } from '../registry/tool.ts'\n",
  'examples/embed/main.ts':
    "import { tool } from 'loadout'\nimport './own.ts'\nconsole.log(tool)\n",
  'examples/embed/own.ts': 'export const own = 1\n',
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

test('a clean project has no violation, and every file and import of it was looked at', () => {
  plant(CLEAN)
  expect(checkRooms(root)).toEqual({ sources: 13, outsiders: 2, imports: 10, violations: [] })
})

test.each<{ rule: Rule; path: string; text: string; line?: number }>([
  { rule: 'later-room', path: 'src/kernel/a.ts', text: "import '../registry/tool.ts'" },
  {
    rule: 'later-room',
    path: 'src/skills/a.ts',
    text: "\nimport '../catalog/catalog.ts'",
    line: 2,
  },
  {
    rule: 'later-room',
    path: 'src/kernel/a.ts',
    text: "import type { S } from '../skills/skill.ts'",
  },
  { rule: 'later-room', path: 'src/session/a.ts', text: "await import('../cli/main.ts')" },
  { rule: 'later-room', path: 'src/kernel/a.ts', text: "type T = import('../skills/skill.ts').S" },
  { rule: 'later-room', path: 'src/session/a.ts', text: 'await import(`../cli/main.ts`)' },
  { rule: 'neighbour-room', path: 'src/skills/a.ts', text: "import '../components/part.ts'" },
  { rule: 'neighbour-room', path: 'src/search/a.ts', text: "import '../engine/decide.ts'" },
  { rule: 'other-adapter', path: 'src/adapters/disk/a.ts', text: "import '../jsonl/log.ts'" },
  { rule: 'imports-entries', path: 'src/cli/a.ts', text: "import '../entries/index.ts'" },
  { rule: 'imports-entries', path: 'src/cli/a.ts', text: "import 'loadout/node'" },
  { rule: 'outside-src', path: 'src/cli/a.ts', text: "import '../../examples/embed/own.ts'" },
  { rule: 'unknown-room', path: 'src/misc/a.ts', text: '' },
  { rule: 'unknown-room', path: 'src/a.ts', text: '' },
  { rule: 'file-name', path: 'src/kernel/utils.ts', text: '' },
  { rule: 'file-name', path: 'src/kernel/index.ts', text: '' },
  {
    rule: 're-export',
    path: 'src/cli/a.ts',
    text: "export { read } from '../adapters/disk/read.ts'",
  },
  { rule: 're-export', path: 'src/cli/a.ts', text: "export * from '../adapters/disk/read.ts'" },
  {
    rule: 're-export',
    path: 'src/skills/a.ts',
    text: "import { tool } from '../registry/tool.ts'\n\nexport { tool }",
    line: 3,
  },
  { rule: 'impure-import', path: 'src/engine/a.ts', text: "import 'node:fs'" },
  {
    rule: 'impure-import',
    path: 'src/engine/a.ts',
    text: "import { readFile } from 'fs/promises'",
  },
  {
    rule: 'impure-import',
    path: 'src/engine/a.ts',
    text: "import { randomUUID } from 'node:crypto'",
  },
  {
    rule: 'impure-import',
    path: 'src/engine/a.ts',
    text: "import * as crypto2 from 'node:crypto'",
  },
  { rule: 'impure-import', path: 'src/render/prompt/a.ts', text: "import 'react'" },
  { rule: 'impure-import', path: 'src/render/prompt/a.ts', text: "import '../ink/panel.tsx'" },
  { rule: 'impure-import', path: 'src/engine/a.ts', text: 'const m = "zod"; await import(m)' },
  { rule: 'impure-use', path: 'src/engine/a.ts', text: 'export const now = Date.now()' },
  {
    rule: 'impure-use',
    path: 'src/engine/a.ts',
    text: '\n\nexport const now = new Date()',
    line: 3,
  },
  { rule: 'impure-use', path: 'src/engine/a.ts', text: 'export const now = Date()' },
  { rule: 'impure-use', path: 'src/engine/a.ts', text: 'export const { now } = Date' },
  { rule: 'impure-use', path: 'src/engine/a.ts', text: 'export const { random } = Math' },
  { rule: 'impure-use', path: 'src/engine/a.ts', text: 'export const dice = Math.random()' },
  { rule: 'impure-use', path: 'src/engine/a.ts', text: "export const dice = Math['random']()" },
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
  { rule: 'private-import', path: 'examples/embed/a.ts', text: "import '../../src/cli/main.ts'" },
  { rule: 'private-import', path: 'examples/embed/a.ts', text: "import '../other/b.ts'" },
  {
    rule: 'private-import',
    path: 'examples/embed/a.ts',
    text: "import 'loadout/dist/cli/main.js'",
  },
  { rule: 'private-import', path: 'bench/a.ts', text: "import '../src/cli/main.ts'" },
  { rule: 'syntax', path: 'src/kernel/a.ts', text: 'export const = 1' },
])('$path is reported as $rule for: $text', ({ rule, path, text, line = 1 }) => {
  plant({ ...CLEAN, [path]: text })
  expect(checkRooms(root).violations).toMatchObject([{ file: path, rule, line }])
})

test('words in comments, texts, types and property names are no impure use', () => {
  plant({
    ...CLEAN,
    'src/kernel/a.ts': `
      /** Date.now, process, console.log */
      export interface Clock { process: string; console(fetch: string): void; now: typeof Date.now }
      export const text = 'Math.random() and process.exit()'
      export const read = (it: { process: { fetch: number } }, at: Date) => [it.process.fetch, at as typeof at]
      export const all = <T>(fetch2: (fetch: T) => void) => fetch2
    `,
  })
  expect(checkRooms(root).violations).toEqual([])
})

test('a cycle is reported once, with the whole way round, also when it is made of types', () => {
  plant({
    ...CLEAN,
    'src/kernel/a.ts': "import './b.ts'",
    'src/kernel/b.ts': "import type { C } from './c.ts'",
    'src/kernel/c.ts': "import './a.ts'\nexport type C = 1",
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
  { title: 'passes a clean project', files: CLEAN, status: 0, says: /^13 source files/ },
  { title: 'fails an empty project', files: {}, status: 1, says: /^0 source files/ },
  {
    title: 'fails a project with a violation',
    files: { ...CLEAN, 'src/kernel/a.ts': 'console.log(1)' },
    status: 1,
    says: /1 violations/,
  },
])('the command $title and says how much it looked at', ({ files, status, says }) => {
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
