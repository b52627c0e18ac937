import { describe, expect, test } from 'vitest'
import { codeSpan, isPlainMarkdown } from '../../../../src/render/prompt/forms/write-markdown.ts'

describe('code span', () => {
  test.each([
    ['pdf', '`pdf`'],
    ['a`b', '``a`b``'],
    ['``a', '``` ``a ```'],
    ['`', '`` ` ``'],
  ])('the name %j is written %s', (name, span) => {
    expect(codeSpan(name)).toBe(span)
  })
})

describe('plain markdown', () => {
  test.each([
    'You are a careful assistant.',
    '# Role\n\nHelp.\n\n## Skills I like\n',
    'Use the skill catalog when in doubt.',
    '```js\nconst a = 1\n```\n\n~~~\n```\n~~~\n',
    '- item\n  ```\n  code\n  ```\n',
    '```sh\n## Not ours\n```',
    '<!-- remark -->',
    '<pre>a</pre>',
    '',
  ])('%j needs no fence', (body) => {
    expect(isPlainMarkdown(body)).toBe(true)
  })

  test.each([
    '## SKILL TOOLS: My Skill',
    '##   skill tools : anything   ##',
    'text\nSKILL TOOLS: My Skill\n---\ntext',
    'Skill catalog\n===',
    '**Loaded skills**',
    '> ## Available tools',
    '## Ａvailable　tools',
    '### Agent prompt',
    '`Initial skills`',
    'PANEL: Notes',
    '```\nopen',
    '~~~\n```\nopen',
    '````\n```\n',
    '> ```\n> open',
    '- ```\n  open',
    '      ```\nopen for a careless reader',
    '```\na\n    ```\n',
    'swallows the rest <!-- from here',
    '--> <!--',
    '<PRE>\nnever closed',
    '<? never closed',
  ])('%j needs a fence', (body) => {
    expect(isPlainMarkdown(body)).toBe(false)
  })
})
