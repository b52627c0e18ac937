import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createCatalog, withSkills } from '../../../src/catalog/create/create-catalog.ts'
import type { Diagnostic } from '../../../src/kernel/diagnostic.ts'
import { defineRules } from '../../../src/tools/define-rules.ts'
import { defineTool } from '../../../src/tools/define-tool.ts'
import { defineToolset } from '../../../src/tools/define-toolset.ts'
import { defineAgent } from '../../../src/skills/definition/define-agent.ts'
import { defineSkill, type SkillDefinition } from '../../../src/skills/definition/define-skill.ts'
import type { Skill } from '../../../src/skills/definition/skill.ts'
import { toolNamed } from '../../skills/tool-named.ts'
import { componentNamed } from '../component-named.ts'

const skill = (name: string, rest: Partial<SkillDefinition> = {}): Skill =>
  defineSkill({ description: 'Any.', ...rest, name })

const search1 = toolNamed('search', { version: '1.0.0' })
const search14 = toolNamed('search', { version: '1.4.0' })
const search2 = toolNamed('search', { version: '2.0.0' })
const fetchPage = toolNamed('fetch_page')
const clock = toolNamed('clock')

const codes = (diagnostics: readonly Diagnostic[]) => diagnostics.map(({ code }) => code)

test('a catalog may be empty', async () => {
  const catalog = await createCatalog({})
  expect(catalog.hash).toMatch(/^sha256:/)
  expect(catalog.skills.size + catalog.toolsByHash.size + catalog.diagnostics.length).toBe(0)
})

test('everything is found by its name, in the order of names', async () => {
  const notes = componentNamed('notes')
  const pages = defineToolset({ name: 'pages', description: 'Any.', tools: [fetchPage] })
  const agent = defineAgent({ name: 'support' })
  const catalog = await createCatalog({
    skills: [skill('zeta'), skill('alpha'), skill('constructor'), skill('__proto__')],
    toolsets: [pages],
    tools: [search1, search2, clock, search14],
    components: [notes],
    agents: [agent],
  })
  expect([...catalog.skills.keys()]).toEqual(['__proto__', 'alpha', 'constructor', 'zeta'])
  expect(catalog.toolsets.get('pages')).toBe(pages)
  expect(catalog.agents.get('support')).toBe(agent)
  expect(catalog.components.get('notes')).toBe(notes)
  expect([...catalog.sharedTools]).toEqual([
    ['clock', [clock]],
    ['search', [search2, search14, search1]],
  ])
  expect(catalog.toolsByHash.get(fetchPage.hash)).toBe(fetchPage)
  expect(notes.tools.every(({ hash }) => catalog.toolsByHash.has(hash))).toBe(true)
  expect(catalog.diagnostics).toEqual([])
})

test('the hash and everything else are the same whatever the order of the input', async () => {
  const skills = [
    skill('a', { tools: ['search@^1', clock], extends: ['b'] }),
    skill('b', { toolsets: ['pages'], requires: ['gone'] }),
    skill('c', { extends: ['a', 'd'] }),
    skill('d', { extends: ['c'], tools: ['serch'] }),
    skill('D', { tools: [fetchPage] }),
  ]
  const toolsets = [
    defineToolset({ name: 'pages', description: 'Any.', tools: ['fetch_page'] }),
    defineToolset({ name: 'other', description: 'Any.', tools: ['fetch_page@^9'] }),
  ]
  const tools = [search1, search14, search2, fetchPage]
  const expected = await createCatalog({ skills, toolsets, tools })
  const shuffled = <T>(list: readonly T[]) =>
    fc.shuffledSubarray([...list], { minLength: list.length })
  await fc.assert(
    fc.asyncProperty(
      fc.record({ skills: shuffled(skills), toolsets: shuffled(toolsets), tools: shuffled(tools) }),
      async (input) => {
        const { diagnostics, toolsByHash, ...rest } = await createCatalog(input)
        const { diagnostics: wanted, toolsByHash: index, ...others } = expected
        expect(rest).toEqual(others)
        expect(diagnostics).toEqual(wanted)
        expect([...toolsByHash.keys()].sort()).toEqual([...index.keys()].sort())
      },
    ),
    { numRuns: 50 },
  )
})

test('the hash follows every kind of definition', async () => {
  const inputs = [
    {},
    { skills: [skill('a')] },
    { skills: [skill('a', { instructions: 'Other.' })] },
    { agents: [defineAgent({ name: 'a' })] },
    { tools: [search1] },
    { tools: [search2] },
    { toolsets: [defineToolset({ name: 'a', description: 'Any.', tools: [] })] },
    { components: [componentNamed('a')] },
    { components: [componentNamed('a', { description: 'Other.' })] },
  ]
  const catalogs = await Promise.all(inputs.map(createCatalog))
  expect(new Set(catalogs.map(({ hash }) => hash)).size).toBe(inputs.length)
})

test('nothing in a catalog can be changed', async () => {
  const catalog = await createCatalog({
    skills: [skill('a', { tools: ['search'] }), skill('a', { tools: ['clock'] })],
    tools: [search1, clock],
  })
  const maps = Object.values(catalog).filter((value) => value instanceof Map)
  expect(maps).toHaveLength(10)
  for (const map of maps) {
    for (const change of [() => map.set('x', 1), () => map.delete('a'), () => map.clear()]) {
      expect(change).toThrow(expect.objectContaining({ code: 'CATALOG_FROZEN' }))
    }
    for (const value of map.values()) expect(Object.isFrozen(value)).toBe(true)
  }
  const lists = Object.values(catalog).filter(Array.isArray)
  expect(lists).toHaveLength(4)
  for (const list of lists) {
    expect(Object.isFrozen(list) && list.every(Object.isFrozen)).toBe(true)
  }
  expect(Object.isFrozen(catalog)).toBe(true)
  expect(catalog.skillTools.get('a')?.every(Object.isFrozen)).toBe(true)
})

describe('what a skill brings', () => {
  test('its own tools, those of its toolsets, and those of the skills it extends', async () => {
    const pages = defineToolset({ name: 'pages', description: 'Any.', tools: ['fetch_page'] })
    const catalog = await createCatalog({
      skills: [
        skill('reader', { toolsets: ['pages'] }),
        skill('scholar', { extends: ['reader'], tools: [search1] }),
        skill('writer', { extends: ['scholar'], tools: ['clock@^1.0.0'] }),
      ],
      toolsets: [pages],
      tools: [fetchPage, clock],
    })
    expect(catalog.skillTools.get('reader')).toEqual([
      { tool: fetchPage, toolset: 'pages', picked: true },
    ])
    expect(catalog.skillTools.get('writer')).toEqual([
      { tool: clock, picked: true },
      { tool: search1, picked: false, extendedFrom: 'scholar' },
      { tool: fetchPage, toolset: 'pages', picked: true, extendedFrom: 'reader' },
    ])
    expect([...catalog.bringers]).toEqual([
      ['fetch_page', ['reader', 'scholar', 'writer']],
      ['search', ['scholar', 'writer']],
      ['clock', ['writer']],
    ])
    expect(catalog.diagnostics).toEqual([])
  })

  test('a version by range, else the highest stable one', async () => {
    const beta = toolNamed('search', { version: '3.0.0-beta.1' })
    const catalog = await createCatalog({
      skills: [
        skill('any', { tools: ['search'] }),
        skill('first', { tools: ['search@^1'] }),
        skill('exact', { tools: ['search@1.0.0'] }),
        skill('preview', { tools: ['search@^3.0.0-beta'] }),
      ],
      tools: [search1, beta, search2, search14],
    })
    const versions = [...catalog.skillTools].map(([name, tools]) => [name, tools[0]?.tool.version])
    expect(versions).toEqual([
      ['any', '2.0.0'],
      ['exact', '1.0.0'],
      ['first', '1.4.0'],
      ['preview', '3.0.0-beta.1'],
    ])
  })

  test('the same tool counts once, however it is reached', async () => {
    const pages = defineToolset({ name: 'pages', description: 'Any.', tools: [search1] })
    const catalog = await createCatalog({
      skills: [skill('a', { tools: [search1, 'search@1.0.0'], toolsets: [pages, 'pages'] })],
      tools: [search1],
    })
    expect(catalog.skillTools.get('a')).toEqual([{ tool: search1, picked: false }])
    expect(catalog.diagnostics).toEqual([])
  })

  test('the first of two different tools of one name', async () => {
    const pages = defineToolset({ name: 'pages', description: 'Any.', tools: ['search@^2'] })
    const catalog = await createCatalog({
      skills: [
        skill('base', { tools: [search14] }),
        skill('a', {
          tools: [search1],
          toolsets: ['pages'],
          extends: ['base'],
          path: 'a/SKILL.md',
        }),
      ],
      toolsets: [pages],
      tools: [search2],
    })
    expect(catalog.skillTools.get('a')?.map(({ tool }) => tool)).toEqual([search1])
    expect(catalog.diagnostics).toMatchObject([
      {
        code: 'tool-clash',
        severity: 'warning',
        file: 'a/SKILL.md',
        message:
          'The skill "a" has two different tools named "search": the one of its own (1.0.0) is used, the one through the toolset "pages" (2.0.0) is not.',
      },
      { code: 'tool-clash', severity: 'info' },
    ])
  })

  test('skills that extend each other in a circle still have tools', async () => {
    const catalog = await createCatalog({
      skills: [
        skill('a', { extends: ['b'], tools: [search1] }),
        skill('b', { extends: ['a'], tools: [clock] }),
        skill('self', { extends: ['self'] }),
      ],
    })
    expect(catalog.skillTools.get('a')?.map(({ tool }) => tool)).toEqual([search1, clock])
    expect(catalog.skillTools.get('b')?.map(({ tool }) => tool)).toEqual([clock])
    expect(codes(catalog.diagnostics)).toEqual(['extends-cycle', 'extends-cycle'])
  })
})

test('a pattern that is not checked is reported with its tool, unless zod checks it', async () => {
  const inputSchema = { properties: { a: { pattern: '(a)\\1' }, b: { pattern: '^(?=b)' } } }
  const outputSchema = { patternProperties: { '(': true } }
  const plain = defineTool({ name: 'plain', description: 'Any.', inputSchema, outputSchema })
  const zod = defineTool({
    name: 'zod',
    description: 'Any.',
    inputSchema: z.object({ a: z.string().regex(/(a)\1/u) }),
  })
  const catalog = await createCatalog({ tools: [plain, zod] })
  expect(catalog.diagnostics.map(({ code, message }) => [code, message])).toEqual([
    [
      'pattern-unchecked',
      'The tool "plain" has the pattern "(a)\\1", which is not checked, because it refers back to a group.',
    ],
    [
      'pattern-unchecked',
      'The tool "plain" has the pattern "(", which is not checked, because it is not a regular expression of ECMAScript with the flag "u".',
    ],
  ])
})

describe('global tools', () => {
  test.each<[title: string, skills: Skill[], global: unknown[]]>([
    ['all that nobody names', [skill('a')], [clock, search2]],
    ['not those a skill names, in any version', [skill('a', { tools: ['search'] })], [clock]],
    [
      'another version than those a range takes in',
      [skill('a', { tools: ['search@^1'] })],
      [clock, search2],
    ],
    ['not those a skill has by value', [skill('a', { tools: [clock, search2] })], [search14]],
    [
      'not those a toolset of a skill names',
      [
        skill('a', {
          toolsets: [defineToolset({ name: 't', description: 'Any.', tools: ['clock'] })],
        }),
      ],
      [search2],
    ],
  ])('%s', async (_, skills, global) => {
    const catalog = await createCatalog({ skills, tools: [search1, search14, search2, clock] })
    expect(catalog.globalTools).toEqual(global)
  })

  test('not those a toolset names that no skill has', async () => {
    const lone = defineToolset({ name: 'lone', description: 'Any.', tools: ['clock'] })
    const catalog = await createCatalog({ toolsets: [lone], tools: [clock] })
    expect(catalog.globalTools).toEqual([])
    expect(catalog.toolsByHash.get(clock.hash)).toBe(clock)
  })

  test('also those with a version that an agent picks', async () => {
    const catalog = await createCatalog({
      agents: [defineAgent({ name: 'a', versions: ['search@^1'] })],
      tools: [search1, search2],
    })
    expect(catalog.globalTools).toEqual([search2])
  })
})

describe('of two definitions of one name the first given is used', () => {
  test('skills: the other is listed and explained, and adds nothing', async () => {
    const near = skill('pdf', { path: 'project/pdf/SKILL.md', tools: [search1] })
    const far = skill('pdf', { path: 'home/pdf/SKILL.md', tools: [clock] })
    const catalog = await createCatalog({ skills: [near, far] })
    expect(catalog.skills.get('pdf')).toBe(near)
    expect(catalog.shadowedSkills).toEqual([far])
    expect([...catalog.bringers.keys()]).toEqual(['search'])
    expect(catalog.diagnostics).toMatchInlineSnapshot(`
      [
        {
          "code": "duplicate-skill",
          "file": "home/pdf/SKILL.md",
          "hint": "Rename one of the two, or remove the skill that is not used.",
          "message": "Two skills are named "pdf": the one from project/pdf/SKILL.md is used, the one from home/pdf/SKILL.md is not.",
          "severity": "warning",
        },
      ]
    `)
  })

  test('a skill loaded twice from one file is no duplicate', async () => {
    const twice = () => skill('pdf', { path: 'project/pdf/SKILL.md' })
    const catalog = await createCatalog({ skills: [twice(), twice()] })
    expect(catalog.shadowedSkills).toEqual([])
    expect(catalog.diagnostics).toEqual([])
  })

  test('toolsets, agents, components and shared tools', async () => {
    const toolset = (description: string) => defineToolset({ name: 't', description, tools: [] })
    const other = toolNamed('search', { version: '1.0.0', description: 'Other.' })
    const catalog = await createCatalog({
      skills: [skill('a', { toolsets: [toolset('Held.')] })],
      toolsets: [toolset('One.'), toolset('Two.')],
      agents: [
        defineAgent({ name: 'a', prompt: 'One.' }),
        defineAgent({ name: 'a', prompt: 'Two.' }),
      ],
      components: [
        componentNamed('c', { description: 'One.' }),
        componentNamed('c', { description: 'Two.' }),
      ],
      tools: [search1, other, search1],
    })
    expect(catalog.toolsets.get('t')?.description).toBe('One.')
    expect(catalog.agents.get('a')?.prompt).toBe('One.')
    expect(catalog.components.get('c')?.description).toBe('One.')
    expect(catalog.sharedTools.get('search')).toEqual([search1])
    expect(codes(catalog.diagnostics)).toEqual([
      'duplicate-toolset',
      'duplicate-toolset',
      'duplicate-agent',
      'duplicate-component',
      'duplicate-tool',
    ])
  })
})

test('a toolset that one skill contains by value can be named by another', async () => {
  const held = defineToolset({ name: 'held', description: 'Any.', tools: [clock] })
  const catalog = await createCatalog({
    skills: [skill('b', { toolsets: [held] }), skill('a', { toolsets: ['held'] })],
  })
  expect(catalog.toolsets.get('held')).toBe(held)
  expect([...catalog.bringers]).toEqual([['clock', ['a', 'b']]])
})

test('a skill that its loader could not load is not in the catalog, but its findings are, once', async () => {
  const finding: Diagnostic = { code: 'x', severity: 'error', message: 'Bad.', hint: 'Fix it.' }
  const note: Diagnostic = { code: 'y', severity: 'info', message: 'So so.', hint: 'Look.' }
  const catalog = await createCatalog({
    skills: [skill('bad', { diagnostics: [finding] }), skill('good', { diagnostics: [note] })],
    diagnostics: [{ ...finding }],
  })
  expect([...catalog.skills.keys()]).toEqual(['good'])
  expect(catalog.diagnostics).toEqual([finding, note])
})

describe('handlers by hash', () => {
  const run = () => 'done'
  const bound = toolNamed('clock', { execute: run })

  test('a tool with a handler replaces an equal one without', async () => {
    const catalog = await createCatalog({
      skills: [skill('a', { tools: [clock] }), skill('b', { tools: [bound] })],
    })
    expect(catalog.toolsByHash.get(clock.hash)).toBe(bound)
    expect(catalog.diagnostics).toEqual([])
  })

  test('two handlers of equal definitions are reported', async () => {
    const other = toolNamed('clock', { execute: () => 'other' })
    const catalog = await createCatalog({
      skills: [skill('a', { tools: [bound] }), skill('b', { tools: [other] })],
    })
    expect(catalog.toolsByHash.get(clock.hash)).toBe(bound)
    expect(codes(catalog.diagnostics)).toEqual(['ambiguous-handler'])
  })
})

test('unknown names are reported with the nearest ones, and the rest is used', async () => {
  const catalog = await createCatalog({
    skills: [
      skill('web-research', {
        path: 'web/SKILL.md',
        tools: ['serch', 'search@^7', 'not a name', 'clock'],
        toolsets: ['page'],
        requires: ['Data Analysis'],
        extends: ['nowhere-near'],
        conflicts: ['absent'],
      }),
      skill('data-analysis'),
    ],
    toolsets: [defineToolset({ name: 'pages', description: 'Any.', tools: ['fetch'] })],
    tools: [search1, search2, clock],
    agents: [
      defineAgent({
        name: 'support',
        initialSkills: ['web-reserch'],
        skills: ['gone'],
        versions: ['search@^7', 'lock'],
      }),
    ],
  })
  expect(catalog.skillTools.get('web-research')?.map(({ tool }) => tool)).toEqual([clock])
  const texts = catalog.diagnostics.map(
    ({ code, severity, message, hint, file }) =>
      `${severity} ${code} ${file ?? '-'}: ${message} ${hint}`,
  )
  expect(texts.join('\n')).toMatchInlineSnapshot(`
    "warning unknown-toolset web/SKILL.md: The skill "web-research" names the toolset "page" in its toolsets, but there is no such toolset. Did you mean "pages"?
    warning unknown-tool web/SKILL.md: The skill "web-research" names the tool "serch" in its tools, but there is no such tool. Did you mean "search"?
    warning unknown-tool web/SKILL.md: The skill "web-research" names "search@^7", but no version of that tool matches. The catalog has 2.0.0, 1.0.0.
    warning invalid-tool-reference web/SKILL.md: In the tools of the skill "web-research": "not a name" does not name a tool. Write a name, or a name and a range of versions: search, search@^1, search@2.1.0.
    warning unknown-tool -: The toolset "pages" names the tool "fetch" in its tools, but there is no such tool. Add the tool to the catalog, or remove its name.
    warning unknown-tool -: The agent "support" names "search@^7", but no version of that tool matches. The catalog has 2.0.0, 1.0.0.
    warning unknown-tool -: The agent "support" names the tool "lock" in its versions, but there is no such tool. Did you mean "clock"?
    warning unknown-skill web/SKILL.md: The skill "web-research" names the skill "Data Analysis" in its requires, but there is no such skill. Did you mean "data-analysis"?
    warning unknown-skill web/SKILL.md: The skill "web-research" names the skill "nowhere-near" in its extends, but there is no such skill. Add the skill to the catalog, or remove its name.
    info unknown-skill web/SKILL.md: The skill "web-research" names the skill "absent" in its conflicts, but there is no such skill. Add the skill to the catalog, or remove its name.
    warning unknown-skill -: The agent "support" names the skill "web-reserch" in its initialSkills, but there is no such skill. Did you mean "web-research"?
    warning unknown-skill -: The agent "support" names the skill "gone" in its skills, but there is no such skill. Add the skill to the catalog, or remove its name."
  `)
})

test('skills that can never be activated are reported', async () => {
  const catalog = await createCatalog({
    skills: [
      skill('a', { requires: ['b'] }),
      skill('b', { requires: ['c'] }),
      skill('c', { requires: ['a'] }),
      skill('self', { requires: ['self'] }),
      skill('torn', { requires: ['foe', 'hermit'] }),
      skill('foe', { conflicts: ['torn'] }),
      skill('hermit', { exclusive: true }),
    ],
  })
  const texts = catalog.diagnostics.map(({ code, message }) => `${code}: ${message}`)
  expect(texts.join('\n')).toMatchInlineSnapshot(`
    "impossible-requirement: The skill "torn" can never be activated: it requires "foe", which conflicts with it.
    impossible-requirement: The skill "torn" can never be activated: it requires "hermit", which is exclusive and can only be active together with its own requirements.
    requirement-cycle: The skill "c" requires "a", which in the end requires "c". Neither can be activated.
    requirement-cycle: The skill "self" requires itself."
  `)
})

test('near names are searched a few times only, even if the names of 10,000 skills are wrong', async () => {
  const skills = Array.from({ length: 10_000 }, (_, n) =>
    skill(`skill-${n}`, {
      tools: [`tool-${n}`],
      requires: [`skill-${n + 1}`, `wrong-${n}`],
      extends: [`skill-${(n * 7) % 10_000}`],
    }),
  )
  const catalog = await createCatalog({ skills })
  expect(catalog.skills.size).toBe(10_000)
  expect(catalog.diagnostics.filter(({ code }) => code === 'unknown-tool')).toHaveLength(10_000)
  const searched = catalog.diagnostics.filter(({ hint }) => hint.startsWith('Did you mean'))
  expect(searched.length).toBeLessThan(30)
})

describe('rules', () => {
  const pages = defineRules({ topic: 'pages', text: 'Look first.', path: 'a/rules/pages.md' })
  const other = defineRules({ topic: 'pages', text: 'Ask first.', path: 'b/rules/pages.md' })
  const proto = defineRules({ topic: '__proto__', text: 'Any.' })

  test('are found by their topic, and a catalog with others is another one', async () => {
    const catalog = await createCatalog({ rules: [pages, proto] })
    expect([...catalog.rules]).toEqual([
      ['__proto__', proto],
      ['pages', pages],
    ])
    const hashes = await Promise.all(
      [[], [pages], [other], [pages, proto]].map((rules) => createCatalog({ rules })),
    )
    expect(new Set(hashes.map(({ hash }) => hash)).size).toBe(4)
  })

  test('that differ for one topic are reported, and the first are used', async () => {
    const { rules, diagnostics } = await createCatalog({ rules: [pages, other, pages] })
    expect(rules.get('pages')).toBe(pages)
    expect(diagnostics).toMatchInlineSnapshot(`
      [
        {
          "code": "duplicate-rules",
          "file": "b/rules/pages.md",
          "hint": "Merge both into one text, or remove the one that is not used.",
          "message": "There are two sets of rules for the topic "pages": those from a/rules/pages.md are used, those from b/rules/pages.md are not.",
          "severity": "warning",
        },
      ]
    `)
  })

  test('stay when skills are replaced', async () => {
    const catalog = await createCatalog({ rules: [pages], skills: [skill('a')] })
    const changed = await withSkills(catalog, [skill('a', { whenToUse: 'Always.' })])
    expect([...changed.rules.values()]).toEqual([pages])
  })

  test('of a toolset are part of it', () => {
    const plain = { name: 'pages', description: 'Any.', tools: [fetchPage] }
    const toolset = defineToolset({ ...plain, rules: 'Look first.' })
    expect(toolset.rules).toBe('Look first.')
    expect(toolset.hash).not.toBe(defineToolset(plain).hash)
  })
})
