import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const room = import.meta.dirname

const files = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
)

/** The modules that a file imports, as it writes them. */
function importsOf(name: string): readonly string[] {
  const text = readFileSync(join(room, name), 'utf8')
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'([^']+)'/g)].map(([, path = '']) => path)
}

test('the checker of the wires imports nothing of the library that it checks', () => {
  const foreign = files.flatMap((name) =>
    importsOf(name).filter((path) =>
      path.startsWith('.')
        ? !resolve(room, dirname(name), path).startsWith(room)
        : /^loadout(\/|$)/.test(path),
    ),
  )
  expect(foreign).toEqual([])
  expect(files.length).toBeGreaterThan(10)
  expect(files.flatMap(importsOf)).toContain('./open-wire-server.ts')
})
