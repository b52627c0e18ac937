import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const MAIN = join(import.meta.dirname, '../../../src/workbench/cli/main.ts')

/** Slow to load, so commands load them when they run. */
const LOADED_LATER = ['zod', 'semver', 'diff', 'yaml', 'stemmer', 'zustand', 'react', 'ink']

const IMPORT = /^(?:import|export) (?!type )(?:[^'"()]*? from )?'([^']+)'/gms

/** The files and the packages that are loaded before a command runs. */
function loadedAtStart(): { readonly files: readonly string[]; readonly packages: Set<string> } {
  const files = [MAIN]
  const packages = new Set<string>()
  for (const file of files) {
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      if (!name.startsWith('.')) packages.add(name.split('/')[0] ?? name)
      else {
        const imported = join(dirname(file), name)
        if (!files.includes(imported)) files.push(imported)
      }
    }
  }
  return { files, packages }
}

test('loadout starts without the packages that are slow to load', () => {
  const { files, packages } = loadedAtStart()
  expect([...packages]).toContain('commander')
  expect(LOADED_LATER.filter((name) => packages.has(name))).toEqual([])
  expect(files.length).toBeGreaterThan(50)
  expect(files.length).toBeLessThan(100)
})
