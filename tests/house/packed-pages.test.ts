import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { deadLinks, showsStill } from '../../scripts/pack/dead-links.ts'
import { packedPage } from '../../scripts/pack/packed-pages.ts'
import { repositoryFiles } from '../../scripts/pack/repository-files.ts'
import { PROJECT } from '../../scripts/run-command.ts'

const FILES = ['README.md', 'docs/search.md', 'docs/screen.svg', 'examples/embed/main.ts']

const address = repositoryFiles({
  version: '1.2.3',
  repository: { url: 'git+https://github.com/ada/engine.git' },
})

const AT = 'https://github.com/ada/engine'

describe('without a repository', () => {
  test.each([
    ['a page of the package', '[search](docs/search.md#words)', '[search](docs/search.md#words)'],
    ['a folder of the package', '[embed](examples/embed)', '[embed](examples/embed)'],
    ['a picture of the package', '![screen](docs/screen.svg)', '![screen](docs/screen.svg)'],
    ['a file outside of it', 'See [the `tests`](tests/a.test.ts), too.', 'See the `tests`, too.'],
    ['a picture outside of it', '![a screen](bench/a.svg)', 'a screen'],
    ['another site', '[npm](https://npmjs.com)', '[npm](https://npmjs.com)'],
    ['a heading of the page', '[below](#below)', '[below](#below)'],
    ['code', '`[a](b.md)`', '`[a](b.md)`'],
    ['a fence', '```md\n[a](b.md)\n```\n', '```md\n[a](b.md)\n```\n'],
  ])('a link to %s: %s becomes %s', (_, text, packed) => {
    expect(packedPage('README.md', text, FILES, undefined)).toBe(packed)
  })
})

describe('with a repository', () => {
  test.each([
    ['README.md', '[s](docs/search.md#words)', `[s](${AT}/blob/v1.2.3/docs/search.md#words)`],
    ['README.md', '[embed](examples/embed)', `[embed](${AT}/tree/v1.2.3/examples/embed)`],
    ['README.md', '![screen](docs/screen.svg)', `![screen](${AT}/raw/v1.2.3/docs/screen.svg)`],
    ['README.md', '<img src="docs/screen.svg">', `<img src="${AT}/raw/v1.2.3/docs/screen.svg">`],
    ['docs/search.md', '[embed](../examples/embed)', '[embed](../examples/embed)'],
    ['docs/search.md', '[a](../tests/a.md)', `[a](${AT}/blob/v1.2.3/tests/a.md)`],
  ])('in %s, %s becomes %s', (page, text, packed) => {
    expect(packedPage(page, text, FILES, address)).toBe(packed)
  })
})

test.each([
  ['ada/engine', `${AT}/blob/v1.0.0/a.md`],
  ['github:ada/engine', `${AT}/blob/v1.0.0/a.md`],
  [`${AT}/`, `${AT}/blob/v1.0.0/a.md`],
  ['gitlab:ada/engine', 'https://gitlab.com/ada/engine/-/blob/v1.0.0/a.md'],
])('the repository %s has its files at %s', (repository, expected) => {
  expect(repositoryFiles({ version: '1.0.0', repository })?.('a.md', 'page')).toBe(expected)
})

test('a repository at a host whose addresses are not known is an error', () => {
  const repository = 'https://git.example.org/ada/engine'
  expect(() => repositoryFiles({ version: '1.0.0', repository })).toThrow(
    /not known\. Hosts: github/,
  )
})

const SHOWN = '<svg><rect width="1"/></svg>'

const HIDDEN = '<svg><style>g{visibility:hidden}</style><g id="a"><rect width="1"/></g></svg>'

test.each<{ text: string; problems: readonly string[] }>([
  { text: '[a](docs/search.md#words) [b](#top)\n\n# Top', problems: [] },
  { text: '[a](docs/none.md)', problems: ['docs/none.md leads to no file of the package.'] },
  { text: '![a](docs/none.svg)', problems: ['docs/none.svg leads to no file of the package.'] },
  {
    text: '[a](docs/search.md#word)',
    problems: ['docs/search.md#word names no heading of its page.'],
  },
  { text: '[a]: docs/none.md', problems: ['docs/none.md leads to no file of the package.'] },
  { text: '<a href="none.md">', problems: ['none.md leads to no file of the package.'] },
  {
    text: '![a](docs/hidden.svg)',
    problems: ['docs/hidden.svg shows nothing where pictures do not move.'],
  },
  {
    text: `[a](${AT}/blob/v1.2.3/tests/none.ts)`,
    problems: [`${AT}/blob/v1.2.3/tests/none.ts leads to no file of the repository.`],
  },
  { text: `[a](${AT}/blob/v1.2.3/tests/a.test.ts) [b](https://example.org)`, problems: [] },
])('$text has the problems $problems', ({ text, problems }) => {
  const texts = new Map([
    ['README.md', text],
    ['docs/search.md', '# Words'],
    ['docs/screen.svg', SHOWN],
    ['docs/hidden.svg', HIDDEN],
  ])
  const read = (path: string) => texts.get(path) ?? null
  const files = [...texts.keys()]
  const repository = { files: [...files, 'tests/a.test.ts'], read }
  expect(deadLinks(['README.md'], { files, read, repository, address }).problems).toEqual(
    problems.map((problem) => `README.md: ${problem}`),
  )
})

const pictures = globSync('docs/*.svg', { cwd: PROJECT })

test.each(pictures)('%s shows something where pictures do not move', (picture) => {
  expect(pictures.length).toBeGreaterThan(1)
  expect(showsStill(readFileSync(join(PROJECT, picture), 'utf8'))).toBe(true)
})
