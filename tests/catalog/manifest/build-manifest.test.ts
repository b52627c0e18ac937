import { expect, test } from 'vitest'
import { createCatalog } from '../../../src/catalog/create/create-catalog.ts'
import { catalogFromManifest } from '../../../src/catalog/manifest/catalog-from-manifest.ts'
import { manifestCounter } from '../../../src/catalog/manifest/manifest-counter.ts'
import { manifestText } from '../../../src/catalog/manifest/manifest-text.ts'
import { defineTool } from '../../../src/tools/define-tool.ts'
import { defineSkill } from '../../../src/skills/definition/define-skill.ts'
import { characters, manifestOf, readBack } from './a-manifest.ts'

const tool = (documentation: string, properties: object = { a: { type: 'string' }, b: {} }) =>
  defineTool({
    name: 'find',
    description: 'Finds.',
    documentation,
    inputSchema: { type: 'object', properties },
  })
const catalogWith = (one: ReturnType<typeof tool>) =>
  createCatalog({
    skills: [
      defineSkill({
        name: 'finding',
        description: 'Finds.',
        tools: [one],
        path: '/built/finding/SKILL.md',
      }),
    ],
  })

test('one character of the documentation makes another version', async () => {
  const [one, other] = [await catalogWith(tool('Doc.')), await catalogWith(tool('Doc!'))]
  expect(manifestOf(one).version).not.toBe(manifestOf(other).version)
})

test('the order of keywords makes no difference, to the byte', async () => {
  const one = await catalogWith(tool('Doc.', { a: { type: 'string', minLength: 1 }, b: {} }))
  const other = await catalogWith(tool('Doc.', { a: { minLength: 1, type: 'string' }, b: {} }))
  expect(manifestText(manifestOf(one))).toBe(manifestText(manifestOf(other)))
})

test('models read arguments in the order of their author, which does not change the version', async () => {
  const [one, other] = await Promise.all([
    catalogWith(tool('Doc.', { reason: { type: 'string' }, answer: { type: 'string' } })),
    catalogWith(tool('Doc.', { answer: { type: 'string' }, reason: { type: 'string' } })),
  ])
  expect(manifestOf(one).version).toBe(manifestOf(other).version)
  const read = await catalogFromManifest(readBack(manifestOf(one)))
  const [found] = [...read.toolsByHash.values()]
  expect(Object.keys(found?.inputSchema['properties'] ?? {})).toEqual(['reason', 'answer'])
  const [strict] = manifestOf(one).skills.flatMap(({ tools }) =>
    tools.map((each) => (typeof each === 'string' ? null : each.providers['openai-strict'])),
  )
  expect(strict?.schema?.['required']).toEqual(['reason', 'answer'])
})

test('the file has one definition per line, with keys in order and paths from the built folder', async () => {
  const text = manifestText(manifestOf(await catalogWith(tool('Doc.'))))
  expect(text.replaceAll(/sha256:[0-9a-f]{64}/g, 'sha256:…').replaceAll(/"[0-9a-f]{32}"/g, '"…"'))
    .toMatchInlineSnapshot(`
      "{
      "agents":[],
      "components":[],
      "digest":"sha256:…",
      "format":1,
      "globalTools":[],
      "rules":[],
      "skills":[
      {"aliases":[],"capabilities":[],"conflicts":[],"description":"Finds.","displayName":"Finding","exclusive":false,"extends":[],"files":[],"hash":"sha256:…","lifetime":"session","metadata":{},"name":"finding","onConflict":"refuse","path":"finding/SKILL.md","permissions":[],"requires":[],"tags":[],"tokens":{"texts":{"…":6},"total":6},"tools":[{"byDefault":["category","risk","idempotent"],"category":"utility","description":"Finds.","documentation":"Doc.","hash":"sha256:…","idempotent":true,"inputSchema":{"additionalProperties":false,"properties":{"a":{"type":"string"},"b":{}},"type":"object"},"name":"find","phrases":[],"providers":{"gemini":{"losses":[{"keyword":"additionalProperties","message":"\\"additionalProperties\\" is left out, so the model is not told.","path":"","what":"dropped"},{"keyword":"type","message":"\\"type\\" is told more narrowly than it is meant: any value.","path":"/properties/b","what":"narrowed"}],"schema":{"properties":{"a":{"type":"STRING"},"b":{"anyOf":[{"type":"STRING"},{"type":"NUMBER"},{"type":"BOOLEAN"},{"type":"OBJECT"}]}},"type":"OBJECT"}},"openai-strict":{"losses":[{"keyword":"type","message":"\\"type\\" is told more narrowly than it is meant: any value.","path":"/properties/b","what":"narrowed"}],"schema":{"additionalProperties":false,"properties":{"a":{"type":["string","null"]},"b":{"anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"},{"type":"null"}]}},"required":["a","b"],"type":"object"}}},"related":[],"requiresConfirmation":false,"risk":"safe","summary":"Finds.","tokens":{"texts":{"…":6},"total":6},"version":"1.0.0"}],"toolsets":[],"triggers":[],"version":"1.0.0","whenToUse":"","workDirection":""}
      ],
      "tokenizer":"characters",
      "tools":[],
      "toolsets":[],
      "version":"sha256:…"
      }
      "
    `)
  expect(text).not.toContain('/built')
})

test('texts that were counted are looked up, others are counted', async () => {
  const manifest = manifestOf(await catalogWith(tool('Doc.')))
  const counted: string[] = []
  const counter = manifestCounter(manifest, {
    name: characters.name,
    count: (text) => (counted.push(text), -1),
  })
  expect([counter.count('Finds.'), counter.count('Other.')]).toEqual(['Finds.'.length, -1])
  expect(counted).toEqual(['Other.'])
})

test('counts of another tokenizer are refused', async () => {
  const manifest = manifestOf(await catalogWith(tool('Doc.')))
  expect(() => manifestCounter(manifest, { name: 'words', count: () => 0 })).toThrowError(
    expect.objectContaining({ code: 'TOKENIZER_OTHER' }),
  )
})
