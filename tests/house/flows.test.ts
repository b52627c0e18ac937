import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { reportFlows } from '../../scripts/flows/report-flows.ts'
import { type FileTrace, startTrace } from '../../scripts/flows/trace-files.ts'

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
let trace: FileTrace

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'loadout-flows-'))
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

test('a file counts when the body of one of its functions runs, and once', async () => {
  const { run } = load('src/entered.mjs')
  const files = await trace.trace(() => [run(), run()])
  expect(files).toEqual(['src/called.mjs', 'src/entered.mjs'])
})

test('what ran before the operation does not count', async () => {
  const { run, other } = load('src/entered.mjs')
  run()
  expect(await trace.trace(() => other())).toEqual(['src/entered.mjs', 'src/loaded.mjs'])
})

test('a file that the operation only loads does not count', async () => {
  const { late } = load('src/entered.mjs')
  expect(await trace.trace(() => late())).toEqual(['src/entered.mjs'])
})

test('files outside of src do not count', async () => {
  const { outside } = load('outside/called.mjs')
  expect(await trace.trace(() => outside())).toEqual([])
})

test('an operation that is refused is an error: its flow would be short', async () => {
  await expect(trace.trace(() => ({ ok: false, code: 'skill-unknown' }))).rejects.toThrow(
    'A traced operation failed: {"ok":false,"code":"skill-unknown"}',
  )
})

test.each([
  { title: 'at its limit passes', files: ['src/a.ts', 'src/b.ts'], passed: true },
  { title: 'over its limit fails', files: ['src/a.ts', 'src/b.ts', 'src/c.ts'], passed: false },
  { title: 'that enters no file fails', files: [], passed: false },
])('a flow $title', ({ files, passed }) => {
  const report = reportFlows(new Map([['activate', files]]), { activate: 2 }, false)
  expect(report.passed).toBe(passed)
  expect(report.lines.at(-1)).toBe(
    `1 flows traced (activate ${files.length}/2), ${passed ? 0 : 1} failed`,
  )
})

test('a flow with a limit that was not traced fails', () => {
  expect(reportFlows(new Map(), { activate: 2 }, false).passed).toBe(false)
})

test('the files of a flow are listed on request', () => {
  const { lines } = reportFlows(new Map([['explain', ['src/a.ts']]]), { explain: 22 }, true)
  expect(lines.slice(0, 2)).toEqual(['explain         1 files, at most 22', '  src/a.ts'])
})
