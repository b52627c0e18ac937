import { applyPatch, parsePatch } from 'diff'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../../scripts/run-command.ts'

function read(path: string): string {
  return readFileSync(join(PROJECT, path), 'utf8')
}

const published = globSync('dist/**/*.js', { cwd: PROJECT }).map(read)

/** Returns the modules of these paths that published files have the code of, as the bundler names them. */
function joinedModules(path: RegExp): readonly string[] {
  return published.flatMap((text) => [...text.matchAll(path)].map(([, found = '']) => found))
}

test.each(parsePatch(read('scripts/bundle/ink.patch')))(
  '$oldFileName has the lines of the patch',
  (patch) => {
    const path = patch.oldFileName?.replace('a/', 'node_modules/ink/') ?? ''
    expect(applyPatch(read(path), patch)).not.toBe(false)
  },
)

test('the command draws with its own module, loads no code by fetch, and has no tools for debugging', () => {
  expect(joinedModules(/^\/\/ (.*output\.[jt]s)$/gm)).toContain(
    'src/workbench/playground/terminal/ink-output.ts',
  )
  expect(joinedModules(/^\/\/ (.*ink\/build\/output\.js)$/gm)).toEqual([])
  const screens = published.filter((text) => text.includes('// node_modules/yoga-layout/'))
  expect(screens).toHaveLength(1)
  for (const text of screens) {
    expect(text).not.toContain('typeof fetch')
    expect(text).not.toContain('react-devtools-core')
  }
})

test('THIRD-PARTY.md has each package that published files have code of, with its licence', () => {
  const joined = joinedModules(/^\/\/ (?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\/.*$/gm)
  const sections = [...read('THIRD-PARTY.md').matchAll(/^## (\S+) \S+ \(\S+\)$/gm)]
  const named = new Set(sections.map(([, name = '']) => name))
  expect(joined.length).toBeGreaterThan(100)
  expect(joined.filter((name) => !named.has(name))).toEqual([])
  expect(read('THIRD-PARTY.md')).toContain('Copyright (c) Vadym Demedes')
})
