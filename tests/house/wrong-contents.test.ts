import { expect, test } from 'vitest'
import { wrongContents } from '../../scripts/try-package.ts'

const manifest = {
  name: 'loadout',
  version: '1.0.0',
  bin: { loadout: 'bin/loadout.js' },
  exports: {
    '.': { types: './dist/entries/index.d.ts', default: './dist/entries/index.js' },
    './package.json': './package.json',
  },
  dependencies: {},
  peerDependencies: {},
  devDependencies: {},
}
const GOOD = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'THIRD-PARTY.md',
  'bin/loadout.js',
  'dist/entries/index.d.ts',
  'dist/entries/index.js',
  'dist/scenario.schema.json',
  'package.json',
]

test('the package of a library and its command is accepted', () => {
  expect(wrongContents(GOOD, manifest)).toEqual([])
})

test.each([
  'src/kernel/json.ts',
  'dist/kernel/json.ts',
  'tests/house/rooms.test.ts',
  'examples/server/server.test.ts',
  'docs/decisions/README.md',
  'dist/tsconfig.tsbuildinfo',
  'dist/parts/notes.txt',
  '.env',
])('%s in the package is refused', (file) => {
  expect(wrongContents([...GOOD, file], manifest)).toEqual([
    `${file} has no place in the package. Leave it out of "files".`,
  ])
})

test.each(GOOD)('a package without %s is refused', (file) => {
  const rest = GOOD.filter((other) => other !== file)
  expect(wrongContents(rest, manifest)).toEqual([`${file} is missing from the package.`])
})
