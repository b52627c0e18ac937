import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Catalog, componentHash } from '../../../src/catalog/create/catalog.ts'
import { type CatalogInput, createCatalog } from '../../../src/catalog/create/create-catalog.ts'
import {
  catalogFromManifest,
  checkComponents,
} from '../../../src/catalog/manifest/catalog-from-manifest.ts'
import type { Manifest } from '../../../src/catalog/manifest/manifest.ts'
import { defineAgent } from '../../../src/skills/definition/define-agent.ts'
import { defineSkill } from '../../../src/skills/definition/define-skill.ts'
import { defineRules } from '../../../src/tools/define-rules.ts'
import { defineTool } from '../../../src/tools/define-tool.ts'
import { defineToolset } from '../../../src/tools/define-toolset.ts'
import type { Tool } from '../../../src/tools/definition/tool.ts'
import { VirtualWorkspace } from '../../../src/workspace/virtual-workspace.ts'
import { componentNamed } from '../component-named.ts'
import { manifestOf, readBack } from './a-manifest.ts'
import { toolNamed } from '../../skills/tool-named.ts'

describe('catalog from manifest', () => {
  const refund = defineTool({
    name: 'refund',
    description: 'Pays back.',
    documentation: '# refund\n',
    guidance: { before: 'Look the order up.' },
    extraction: { path: 'orders', type: 'order', nameField: 'name' },
    inputSchema: z.object({ order: z.string(), amount: z.number().optional() }),
    execute: ({ order }) => ({ paid: order }),
  })

  const search = toolNamed('search', { version: '1.0.0' })

  const newSearch = toolNamed('search', { version: '2.0.0' })

  const clock = toolNamed('clock')

  const pages = defineToolset({
    name: 'pages',
    description: 'Pages.',
    tools: ['search@^1', refund],
  })

  const input: CatalogInput = {
    skills: [
      defineSkill({
        name: 'refunds',
        description: 'Pays orders back.',
        instructions: 'Ask for the order.',
        tools: [refund, 'search@^2'],
        files: [{ path: 'references/rules.md', text: 'Never twice.' }],
        metadata: { author: 'Ann' },
        lifetime: { uses: 3 },
        path: '/built/refunds/SKILL.md',
      }),
      defineSkill({ name: 'browsing', description: 'Reads pages.', toolsets: [pages] }),
      defineSkill({ name: 'heir', description: 'Both.', extends: ['refunds', 'browsing'] }),
      defineSkill({ name: 'circle', description: 'Odd.', extends: ['circle', 'heir'] }),
      defineSkill({
        name: 'constructor',
        description: 'Odd name.',
        tools: [toolNamed('toString')],
      }),
    ],
    toolsets: [defineToolset({ name: 'shared', description: 'Shared.', tools: ['search'] })],
    tools: [search, newSearch, clock],
    agents: [defineAgent({ name: 'support', initialSkills: ['refunds'] })],
    rules: [defineRules({ topic: 'orders', text: 'Be careful.' })],
  }

  /** All that a catalog answers, by value: definitions by hash, maps in their order. */
  function answersOf(catalog: Catalog) {
    const hashes = (map: ReadonlyMap<string, { readonly hash: string }>) =>
      Array.from(map, ([name, { hash }]) => [name, hash])
    return {
      hash: catalog.hash,
      skills: hashes(catalog.skills),
      toolsets: hashes(catalog.toolsets),
      agents: hashes(catalog.agents),
      rules: hashes(catalog.rules),
      components: [...catalog.components.keys()],
      shared: Array.from(catalog.sharedTools, ([name, all]) => [name, all.map(({ hash }) => hash)]),
      global: catalog.globalTools.map(({ hash }) => hash),
      brings: Array.from(catalog.skillTools, ([name, all]) => [
        name,
        all.map(({ tool, ...rest }) => [tool.hash, rest]),
      ]),
      bringers: [...catalog.bringers].sort(),
      tools: [...catalog.toolsByHash.keys()].sort(),
      sizes: [catalog.skills.size, catalog.toolsByHash.size, catalog.bringers.size],
    }
  }

  test('a catalog from a manifest gives the same answers as the catalog that the manifest was built from', async () => {
    const catalog = await createCatalog(input)
    const loaded = await catalogFromManifest(readBack(manifestOf(catalog)))
    expect(answersOf(loaded)).toEqual(answersOf(catalog))
    for (const [name, skill] of catalog.skills) {
      const { path: _, readFile: __, ...built } = skill
      expect(loaded.skills.get(name)).toMatchObject({
        ...built,
        tools: skill.tools.map((tool) => (typeof tool === 'string' ? tool : { hash: tool.hash })),
        toolsets: skill.toolsets.map((one) => (typeof one === 'string' ? one : { hash: one.hash })),
      })
    }
  })

  test('what is asked for one by one is the same as what is asked for all at once', async () => {
    const manifest = manifestOf(await createCatalog(input))
    const [one, all] = [
      await catalogFromManifest(readBack(manifest), { verify: false }),
      await catalogFromManifest(readBack(manifest), { verify: false }),
    ]
    const brought = [...all.skillTools]
    for (const [name, tools] of brought.toReversed()) {
      expect(one.skillTools.get(name)?.map(({ tool }) => tool.hash)).toEqual(
        tools.map(({ tool }) => tool.hash),
      )
      for (const { tool } of one.skillTools.get(name) ?? []) {
        expect(one.toolsByHash.get(tool.hash)).toBe(tool)
      }
    }
    expect(one.skills.get('nobody')).toBeUndefined()
    expect(one.skills.has('nobody')).toBe(false)
    expect(one.skills.get('refunds')).toBe(one.skills.get('refunds'))
  })

  test('definitions are frozen, and a catalog cannot be changed', async () => {
    const catalog = await catalogFromManifest(readBack(manifestOf(await createCatalog(input))))
    const skill = catalog.skills.get('refunds')
    const [tool] = skill?.tools ?? []
    for (const value of [
      catalog,
      skill,
      skill?.files,
      skill?.metadata,
      tool,
      (tool as Tool).inputSchema,
    ]) {
      expect(Object.isFrozen(value)).toBe(true)
    }
    expect(catalog.skills).not.toHaveProperty('set')
  })

  test('a session works on it, with handlers that are bound by hash', async () => {
    const catalog = await createCatalog(input)
    const loaded = await catalogFromManifest(readBack(manifestOf(catalog)), {
      handlerOf: ({ hash }) => catalog.toolsByHash.get(hash)?.execute,
    })
    const workspace = await VirtualWorkspace.open({ catalog: loaded, agent: 'support' })
    expect(await workspace.callTool('refund', { order: '7' })).toMatchObject({
      ok: true,
      data: { paid: '7' },
    })
    const refused = await workspace.callTool('refund', { order: '7', secret: true })
    expect(refused).toMatchObject({ ok: false, error: { type: 'VALIDATION' } })
    await workspace.close()
  })

  test.each([{}, { provider: 'openai' as const, discovery: {} }])(
    'a session with %j makes the tools of the skills that it activates, and no others',
    async (options) => {
      const names = Array.from({ length: 40 }, (_, index) => `skill-${index}`)
      const skills = names.map((name) =>
        defineSkill({ name, description: 'Any.', tools: [toolNamed(`${name}-tool`)] }),
      )
      const made = new Set<string>()
      const loaded = await catalogFromManifest(
        readBack(manifestOf(await createCatalog({ skills }))),
        {
          verify: false,
          handlerOf: ({ name }) => {
            made.add(name)
            return undefined
          },
        },
      )
      const workspace = await VirtualWorkspace.open({ catalog: loaded, ...options })
      expect(made).toEqual(new Set())
      await workspace.activateSkill('skill-7')
      expect(made).toEqual(new Set(['skill-7-tool']))
      await workspace.close()
    },
  )

  test('a first session and its first skill look at each other skill once, for its name', async () => {
    const all = Array.from({ length: 50 }, (_, at) =>
      defineSkill({ name: `s${at}`, description: `For s${at}.`, tools: [toolNamed(`t${at}`)] }),
    )
    const manifest = readBack(manifestOf(await createCatalog({ skills: all }))) as Manifest
    const read: string[] = []
    const noted = <R extends { readonly name: string }>(record: R): R =>
      new Proxy(record, {
        get: (target, key, receiver) => {
          if (target.name !== 's3') read.push(String(key))
          return Reflect.get(target, key, receiver)
        },
      })
    const skills = manifest.skills.map(noted)
    const options = { verify: false, handlerOf: () => () => 'done' }
    const catalog = await catalogFromManifest({ ...manifest, skills }, options)
    read.length = 0
    const workspace = await VirtualWorkspace.open({ catalog })
    expect(await workspace.activateSkill('s3')).toMatchObject({ ok: true })
    expect(workspace.getAvailableTools().map(({ name }) => name)).toContain('t3')
    expect(read).toEqual(Array.from({ length: 49 }, () => 'name'))
    await workspace.close()
  })

  test('without handlers its tools are unbound', async () => {
    const catalog = await catalogFromManifest(readBack(manifestOf(await createCatalog(input))))
    const workspace = await VirtualWorkspace.open({ catalog, agent: 'support' })
    expect(workspace.explain('refund').status).toBe('unbound')
    await workspace.close()
  })

  describe('components', () => {
    const built = async () =>
      manifestOf(await createCatalog({ ...input, components: [componentNamed('notes')] }))
    const codes = ({ diagnostics }: Catalog) => diagnostics.map(({ code }) => code)

    test('given again they are the same catalog', async () => {
      const given = [componentNamed('notes')]
      const catalog = await catalogFromManifest(readBack(await built()), { components: given })
      expect(codes(catalog)).toEqual([])
      expect([...catalog.components.keys()]).toEqual(['notes'])
    })

    test('missing and new ones are reported', async () => {
      expect(codes(await catalogFromManifest(readBack(await built())))).toEqual([
        'component-missing',
      ])
      const components = [componentNamed('notes'), componentNamed('clock')]
      const catalog = await catalogFromManifest(readBack(await built()), { components })
      expect(codes(catalog)).toEqual(['component-added'])
    })
  })

  /** Put a value at a path of parsed JSON; undefined takes out what is there. */
  function change(parsed: unknown, path: readonly (string | number)[], value: unknown): void {
    const [last = '', ...above] = path.toReversed()
    const place = above
      .toReversed()
      .reduce((one, step) => (one as Record<string, unknown>)[step], parsed) as Record<
      string,
      unknown
    >
    place[last] = value
  }

  const nested = (levels: number): unknown =>
    JSON.parse('{"a":'.repeat(levels) + '1' + '}'.repeat(levels))

  describe('a manifest that was changed by hand is refused', () => {
    test.each<[string, string, (string | number)[], unknown]>([
      ['instructions', 'MANIFEST_CHANGED', ['skills', 4, 'workDirection'], 'Pay twice.'],
      ['a tool description', 'MANIFEST_CHANGED', ['tools', 0, 'description'], 'Other.'],
      ['documentation', 'MANIFEST_CHANGED', ['tools', 0, 'documentation'], '# Other'],
      ['a hash', 'MANIFEST_CHANGED', ['tools', 0, 'hash'], `sha256:${'0'.repeat(64)}`],
      ['a provider schema', 'MANIFEST_CHANGED', ['tools', 0, 'providers'], {}],
      ['a count', 'MANIFEST_CHANGED', ['tools', 0, 'tokens', 'total'], 0],
      ['a path', 'MANIFEST_CHANGED', ['skills', 4, 'path'], '../../etc/SKILL.md'],
      ['no skills', 'MANIFEST_CHANGED', ['skills'], []],
      ['a rule', 'MANIFEST_CHANGED', ['rules', 0, 'text'], 'Anything goes.'],
      ['a global tool', 'MANIFEST_CHANGED', ['globalTools'], []],
      ['a skill that is none', 'MANIFEST_INVALID', ['skills', 0], { name: 7 }],
      ['null for a skill', 'MANIFEST_INVALID', ['skills', 0], null],
      ['null for a tool', 'MANIFEST_INVALID', ['tools', 0], null],
      ['another format', 'MANIFEST_FORMAT', ['format'], 2],
      ['an unknown member', 'MANIFEST_CHANGED', ['more'], 1],
      ['a member nested without end', 'MANIFEST_CHANGED', ['more'], nested(100_000)],
      [
        'a schema nested without end',
        'MANIFEST_INVALID',
        ['tools', 0, 'inputSchema'],
        nested(9_000),
      ],
      ['no version', 'MANIFEST_INVALID', ['version'], undefined],
      ['a list that is none', 'MANIFEST_INVALID', ['agents'], {}],
    ])('%s: %s', async (_, code, path, value) => {
      const parsed = readBack(manifestOf(await createCatalog(input)))
      change(parsed, path, value)
      await expect(catalogFromManifest(parsed)).rejects.toMatchObject({ code })
    })

    test('and names what differs from what was built', async () => {
      const parsed = readBack(manifestOf(await createCatalog(input)))
      change(parsed, ['tools', 0, 'description'], 'Other.')
      await expect(catalogFromManifest(parsed)).rejects.toThrowErrorMatchingInlineSnapshot(
        `[WorkspaceError: The manifest was changed. The tool "clock" is not the one that was built: its hash differs.]`,
      )
    })
  })

  test.each([null, 7, 'text', [], {}, { format: 1 }])('%j is no manifest', async (parsed) => {
    await expect(catalogFromManifest(parsed)).rejects.toMatchObject({ code: 'MANIFEST_INVALID' })
  })

  test('any catalog of skills that name each other comes back the same', async () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    const some = fc.subarray(names)
    const skills = fc.record({ extends: some, tools: fc.subarray(['x', 'y', 'z', 'y@^1']) })
    await fc.assert(
      fc.asyncProperty(fc.array(skills, { maxLength: 5 }), async (given) => {
        const catalog = await createCatalog({
          skills: given.map((one, index) =>
            defineSkill({ ...one, name: names[index] ?? '', description: 'Any.' }),
          ),
          tools: [toolNamed('x'), toolNamed('y'), toolNamed('y', { version: '2.0.0' })],
        })
        const loaded = await catalogFromManifest(readBack(manifestOf(catalog)))
        expect(answersOf(loaded)).toEqual(answersOf(catalog))
      }),
      { numRuns: 60 },
    )
  })
})

describe('given components', () => {
  const component = componentNamed('cart')

  const built = (hash: string) => ({ components: [{ key: 'cart', hash }] }) as never

  test.each([
    [built(componentHash(component)), [component], []],
    [built(componentHash(component)), [], ['component-missing']],
    [built('sha256:0'), [component], ['component-changed']],
    [{ components: [] }, [component], ['component-added']],
  ])('for components in %j and given ones %# the findings are: %j', (manifest, given, codes) => {
    expect(checkComponents(manifest, given).map(({ code }) => code)).toEqual(codes)
  })
})
