import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PAST_THE_DOOR } from '../../scripts/rooms/door.ts'
import { readModule } from '../../scripts/rooms/read-module.ts'
import {
  compareWeight,
  lowerWeight,
  type WeightLedger,
} from '../../scripts/weight/compare-weight.ts'
import { measureWeight } from '../../scripts/weight/measure-weight.ts'
import { readFunctions } from '../../scripts/weight/read-functions.ts'
import { type FunctionTrace, startTrace } from '../../scripts/weight/trace-functions.ts'

const FILES: Readonly<Record<string, string>> = {
  'src/entered.mjs': `
    import { called } from './called.mjs'
    import { loaded } from './loaded.mjs'
    export const run = () => called(() => 1)
    export const other = () => loaded()
    export const late = () => import('./late.mjs')
  `,
  'src/called.mjs': 'export const called = (run) => run()',
  'src/loaded.mjs': 'export const loaded = () => 1',
  'src/late.mjs': 'export const late = () => 1',
  'outside/called.mjs': 'export const outside = () => 1',
}

let root = ''
let trace: FunctionTrace

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'loadout-weight-'))
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  trace = await startTrace(root)
})

afterEach(() => {
  trace.close()
  rmSync(root, { recursive: true })
})

/** Loads a file as Node does, without the test runner's changes to its code. */
function load(path: string) {
  return createRequire(import.meta.url)(join(root, path))
}

test('a function counts once with its calls, one without a name as well', async () => {
  const { run } = load('src/entered.mjs')
  expect(await trace.trace(() => [run(), run()])).toEqual([
    { path: 'src/called.mjs', name: 'called', calls: 2 },
    { path: 'src/entered.mjs', name: '', calls: 2 },
    { path: 'src/entered.mjs', name: 'run', calls: 2 },
  ])
})

test('what ran before the operation does not count', async () => {
  const { run, other } = load('src/entered.mjs')
  run()
  expect(await trace.trace(() => other())).toMatchObject([
    { path: 'src/entered.mjs', name: 'other' },
    { path: 'src/loaded.mjs', name: 'loaded' },
  ])
})

test('a module that the operation only loads does not count', async () => {
  const { late } = load('src/entered.mjs')
  expect(await trace.trace(() => late())).toMatchObject([
    { path: 'src/entered.mjs', name: 'late', calls: 1 },
  ])
})

test('functions outside of src do not count', async () => {
  const { outside } = load('outside/called.mjs')
  expect(await trace.trace(() => outside())).toEqual([])
})

test('an operation that is refused is an error: its flow would be short', async () => {
  await expect(trace.trace(() => ({ ok: false, code: 'skill-unknown' }))).rejects.toThrow(
    'A traced operation failed: {"ok":false,"code":"skill-unknown"}',
  )
})

const SOURCES: Readonly<Record<string, string>> = {
  'src/engine/model/command.ts': "export type Command = { type: 'skill.activate' }",
  'src/engine/model/workspace-event.ts':
    "export type Event = { type: 'a.b' | 'a.c' } | { type: 'x' }",
  'src/kernel/one.ts': `
    import { other } from './other.ts'
    /** Has a comment, which is no code. */
    export function caller(): number {
      // One caller in this file, one in the other.
      return onlyHere() + other(1) + other(2)
    }
    function onlyHere(): number {
      return 1
    }
    export const textOf = () => '1'
    export interface SomeOptions { readonly a: { readonly deep: 1 }; b(): void }
    export class Box {
      #hidden() { return this.open() }
      open() { return this.#hidden() }
    }
  `,
  'src/kernel/other.ts': `
    export const other = (n: number) => n
    throw new WorkspaceError('ONE', 'text')
  `,
  'src/workbench/cli/commands/a-command.ts':
    "import { caller } from '../../../kernel/one.ts'\nexport const a = caller",
  'src/entries/index.ts': "export { other, textOf } from '../kernel/other.ts'",
}

const modules = Object.entries(SOURCES).map(([path, text]) => readModule(path, text))

test('functions are read with the lines of their bodies and the places that mention them', () => {
  expect(readFunctions(modules)).toEqual([
    { path: 'src/kernel/one.ts', name: 'caller', lines: 1, mentions: 1 },
    { path: 'src/kernel/one.ts', name: 'onlyHere', lines: 1, mentions: 1 },
    { path: 'src/kernel/one.ts', name: 'textOf', lines: 1, mentions: 0 },
    { path: 'src/kernel/one.ts', name: '#hidden', lines: 1, mentions: 1 },
    { path: 'src/kernel/one.ts', name: 'open', lines: 1 },
    { path: 'src/kernel/other.ts', name: 'other', lines: 1, mentions: 3 },
  ])
})

test('each figure is measured', () => {
  const entered = new Map([['activate', [{ path: 'src/a.ts', name: 'a', calls: 3 }]]])
  const measured = Object.entries(measureWeight(modules, entered))
  const past = measured.filter(([figure]) => figure.startsWith('names past the door, '))
  expect(past).toHaveLength(PAST_THE_DOOR.size)
  expect(Object.fromEntries(measured.filter((one) => !past.includes(one)))).toMatchInlineSnapshot(`
    {
      "arrows between rooms": 1,
      "code lines": 20,
      "code lines, core": 17,
      "code lines, core, engine": 2,
      "code lines, core, kernel": 15,
      "code lines, entries": 1,
      "code lines, workbench": 2,
      "code lines, workbench, cli": 2,
      "commands": 1,
      "error codes": 1,
      "events": 2,
      "exported names": 8,
      "files over 285 lines": 0,
      "functions entered, activate": 1,
      "functions over 50 lines": 0,
      "functions that end in Of": 1,
      "functions under 6 lines with one caller": 3,
      "lines of functions over 60 lines": 0,
      "option members": 2,
      "public names": 2,
      "public names, index": 2,
      "shell commands": 1,
    }
  `)
})

const LEDGER: WeightLedger = {
  figures: { 'code lines': 100, 'code lines, core': 60, events: 5 },
  raises: [{ figure: 'events', by: 2, issue: 7, row: 'a row' }],
}
const SAME = { 'code lines': 100, 'code lines, core': 60, events: 7 }

test.each([
  { title: 'at its line passes', measured: SAME, problem: undefined },
  {
    title: 'above its line fails',
    measured: { ...SAME, 'code lines': 101 },
    problem: '"code lines" is 101, at most 100 are allowed.',
  },
  {
    title: 'above its line and its raise fails',
    measured: { ...SAME, events: 8 },
    problem: '"events" is 8, at most 7 are allowed.',
  },
  {
    title: 'without a line fails',
    measured: { ...SAME, commands: 1 },
    problem: '"commands" has no line.',
  },
  {
    title: 'that is measured no longer fails',
    measured: { 'code lines': 100, events: 7 },
    problem: '"code lines, core" is measured no longer.',
  },
])('a figure $title', ({ measured, problem }) => {
  const { problems, raised } = compareWeight(measured, LEDGER)
  expect(problems.map((text) => text.slice(0, problem?.length))).toEqual(problem ? [problem] : [])
  expect(raised).toEqual(['issue 7: 1 raises, +0 code lines'])
})

test.each([
  { raise: { figure: 'none', by: 1, issue: 7, row: 'a row' }, problem: 'A raise names "none"' },
  { raise: { figure: 'events', by: 0, issue: 7, row: 'a row' }, problem: 'The raise of "events"' },
  { raise: { figure: 'events', by: 1, issue: 7, row: ' ' }, problem: 'The raise of "events"' },
])('a raise that names no figure, amount or row fails', ({ raise, problem }) => {
  const { problems } = compareWeight({ events: 1 }, { figures: { events: 1 }, raises: [raise] })
  expect(problems).toEqual([expect.stringContaining(problem)])
})

test('lines are lowered to what was measured, and none rises', () => {
  const measured = { 'code lines': 90, 'code lines, core': 61, events: 6, 'code lines, shop': 9 }
  expect(lowerWeight(measured, LEDGER)).toEqual({
    figures: { 'code lines': 90, 'code lines, core': 60, events: 4, 'code lines, shop': 9 },
    raises: LEDGER.raises,
  })
  expect(lowerWeight({ ...measured, 'code lines': 101 }, LEDGER).figures).toEqual({
    'code lines': 100,
    'code lines, core': 60,
    events: 4,
  })
})
