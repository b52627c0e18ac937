import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Carnet, formatError } from 'loadout/carnet'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { aManifest } from './a-manifest.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-carnet-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

function written(text: string): string {
  const path = join(folder, 'carnet.manifest.json')
  writeFileSync(path, text)
  return path
}

test('an instance is made of a manifest’s path, URL or value', async () => {
  const path = written(`\uFEFF${JSON.stringify(aManifest())}`)
  for (const source of [path, pathToFileURL(path), aManifest()]) {
    const carnet = await Carnet.fromManifest(source, { variables: { COMPANY: 'Acme' } })
    expect(carnet.getSkillContent('webSearch')).toContain('Acme')
  }
})

test.each([
  { what: 'is not there', path: () => join(folder, 'no.json'), name: 'ConfigError' },
  { what: 'is a folder', path: () => folder, name: 'ConfigError' },
  { what: 'is a device', path: () => '/dev/null', name: 'ConfigError' },
  { what: 'is no JSON', path: () => written('{\n  "version": 1,\n  oops\n}'), name: 'ParseError' },
  { what: 'is no manifest', path: () => written('[]'), name: 'ValidationError' },
])('a file that $what is a $name', async ({ path, name }) => {
  await expect(Carnet.fromManifest(path())).rejects.toMatchObject({ name })
})

test('a JSON error is reported with file and line', async () => {
  const path = written('{\n  "version": 1,\n  oops\n}')
  const error: unknown = await Carnet.fromManifest(path).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ filePath: path, lineNumber: 3 })
  expect(formatError(error)).toContain('Line: 3')
})
