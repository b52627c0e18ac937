import { createCatalog, defineRules, defineTool, defineToolset, type Tool } from 'loadout'
import { describe, expect, test } from 'vitest'
import { rulesFor, withRelated } from '../../src/search/rules-for.ts'

describe('related', () => {
  const RELATED = new Map([
    ['a', ['x', 'b', 'y']],
    ['b', ['x', 'z']],
    ['y', ['w']],
  ])

  const related = (found: readonly string[], limit: number) =>
    withRelated(
      found,
      limit,
      (one) => RELATED.get(one) ?? [],
      (one) => one,
    )

  test.each<[readonly string[], number, readonly string[]]>([
    [['a', 'b'], 2, ['a', 'b']],
    [['a', 'b'], 3, ['a', 'b', 'x']],
    [['a', 'b'], 9, ['a', 'b', 'x', 'y', 'z']],
    [['a', 'b'], 1, ['a', 'b']],
    [['c'], 9, ['c']],
    [[], 9, []],
  ])('%j with what goes with them, up to %d, is %j', (found, limit, all) => {
    expect(related(found, limit)).toEqual(all)
  })
})

describe('rules', async () => {
  type Spec = Partial<Pick<Tool, 'topic' | 'guidance'>>

  const aTool = (name: string, spec: Spec = {}): Tool =>
    defineTool({ name, description: `Does ${name}.`, ...spec }) as Tool

  const findImage = aTool('findImage', { topic: 'images' })

  const deleteImage = aTool('deleteImage', {
    topic: 'images',
    guidance: {
      before: 'Ask which\npages show it.',
      after: 'Say so.',
      pitfalls: ['It is gone for good.', 'Pages keep a hole.'],
    },
  })

  const plain = aTool('plain', { topic: 'nothing' })

  const given = {
    tools: [findImage, deleteImage, plain],
    rules: [
      defineRules({ topic: 'images', text: '**Images:** look first.\n' }),
      defineRules({ topic: 'unused', text: 'Never sent.' }),
    ],
    toolsets: [
      defineToolset({
        name: 'media',
        description: 'Media.',
        tools: ['findImage', 'deleteImage'],
        rules: 'Name the files.',
      }),
      defineToolset({ name: 'quiet', description: 'Quiet.', tools: ['plain'] }),
    ],
  }

  const catalog = await createCatalog(given)

  test('rules of topics, toolsets and tools are returned once, in the order of the tools', () => {
    expect(rulesFor(catalog, [deleteImage, findImage, plain], []).text).toMatchInlineSnapshot(`
    "**Images:** look first.

    Name the files.

    **deleteImage**
    - Before: Ask which pages show it.
    - After: Say so.
    - Beware: It is gone for good.
    - Beware: Pages keep a hole."
  `)
  })

  test('rules that were sent are not sent again', () => {
    const { topics } = rulesFor(catalog, [findImage], [])
    expect(topics.map(({ topic }) => topic)).toEqual(['images', 'toolset:media'])
    expect(rulesFor(catalog, [findImage], topics)).toEqual({ text: '', topics: [] })
    expect(rulesFor(catalog, [deleteImage], topics).topics.map(({ topic }) => topic)).toEqual([
      'tool:deleteImage',
    ])
  })

  test('only changed rules are sent again', async () => {
    const { topics } = rulesFor(catalog, [findImage], [])
    const rules = [defineRules({ topic: 'images', text: '**Images:** never.' })]
    const changed = await createCatalog({ ...given, rules })
    expect(rulesFor(changed, [findImage], topics)).toEqual({
      text: '**Images:** never.',
      topics: [{ topic: 'images', hash: rules[0]?.hash }],
    })
  })

  test('a tool without rules has none, also one outside of the catalog', () => {
    expect(rulesFor(catalog, [plain, aTool('stranger')], [])).toEqual({ text: '', topics: [] })
  })

  test('invisible characters are shown', async () => {
    const rules = [defineRules({ topic: 'images', text: 'Look\u202E first.' })]
    const hostile = await createCatalog({ ...given, rules })
    expect(rulesFor(hostile, [findImage], []).text).toContain('Look<U+202E> first.')
  })
})
