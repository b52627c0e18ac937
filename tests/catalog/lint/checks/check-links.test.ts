import { expect, test } from 'vitest'
import { markdownLinks } from '../../../../src/catalog/lint/checks/check-links.ts'

const targets = (text: string) =>
  markdownLinks(text).map(({ target, kind }) => (kind === 'link' ? target : `\`${target}\``))

test.each([
  ['[a](guide.md)', ['guide.md']],
  [
    '[a](./references/guide.md#part) and ![b](assets/b.png "title")',
    ['./references/guide.md', 'assets/b.png'],
  ],
  ['[a](<my guide (1).md>)', ['my guide (1).md']],
  ['[a](my%20guide.md)', ['my guide.md']],
  ['[a](100%.md)', ['100%.md']],
  ['[a][b]\n\n[b]: guide.md "title"', ['guide.md']],
  ['see `scripts/run.py` and `./references/a.md`', ['`scripts/run.py`', '`references/a.md`']],
  ['the folder `scripts/`, `src/run.py`', []],
  ['[a](https://example.com) [b](mailto:a@b.c) [c](#part) [d](/etc/passwd) [e]()', []],
  ['[a]({{ file }}) [b](${path}) [c](references/*.md) [d](...)', []],
  ['code `[a](guide.md)` here', []],
  ['```md\n[a](guide.md)\n```\n[b](after.md)', ['after.md']],
  ['~~~~\n```\n[a](guide.md)\n~~~\n~~~~\n[b](after.md)', ['after.md']],
  ['    ```\n[a](guide.md)', ['guide.md']],
])('the links of %j are %j', (text, expected) => {
  expect(targets(text)).toEqual(expected)
})

test('a link has the place of its target', () => {
  expect(markdownLinks('one\n\nsee [a](b.md), `scripts/c.sh`')).toEqual([
    { target: 'scripts/c.sh', line: 3, column: 17, kind: 'mention' },
    { target: 'b.md', line: 3, column: 9, kind: 'link' },
  ])
})

test('the start of many links is read once', () => {
  const hostile = ['](', '[', '`', '`scripts/', '[a]: ', '](<'].map((part) => part.repeat(20_000))
  for (const text of hostile) expect(markdownLinks(text).length).toBeLessThanOrEqual(20_000)
})
