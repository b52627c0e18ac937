import { expect, test } from 'vitest'
import { isWatched, watchRoots } from '../../../src/project/watch-project.ts'

const places = {
  folders: ['/p/.agents/skills', '/p/skills', '/p/node_modules/shop/skills', '/h/.agents/skills'],
  configFolders: ['/p', '/p/skills'],
  maxDepth: 2,
}

test.each([
  ['/', true],
  ['/p', true],
  ['/p/.agents', true],
  ['/p/.agents/skills', true],
  ['/p/.agents/cache', false],
  ['/p/skills', true],
  ['/p/skills/a/SKILL.md', true],
  ['/p/skills/a/tools/b', true],
  ['/p/skills/a/b/c/d', false],
  ['/p/skills-old', false],
  ['/p/skills/.git/HEAD', false],
  ['/p/skills/a/node_modules', false],
  ['/p/node_modules', true],
  ['/p/node_modules/other', false],
  ['/p/node_modules/shop/skills/x', true],
  ['/p/loadout.config.ts', true],
  ['/p/carnet.config.json', true],
  ['/p/carnet.manifest.json', true],
  ['/p/carnet.config.yaml', false],
  ['/p/package.json', false],
  ['/p/src', false],
  ['/h/.agents/skills/a', true],
  ['/h/notes.md', false],
])('%s is watched: %s', (path, expected) => {
  expect(isWatched(path, places)).toBe(expected)
})

test('the outermost folders above the places are watched, so that a place may appear', () => {
  expect(watchRoots(places)).toEqual(['/p', '/h/.agents'])
  expect(watchRoots({ folders: ['/a/skills'], configFolders: ['/a/skills'], maxDepth: 1 })).toEqual(
    ['/a'],
  )
})
