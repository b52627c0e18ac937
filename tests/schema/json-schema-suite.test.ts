import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { schemaText } from '../../src/catalog/manifest/manifest-text.ts'
import { WorkspaceError } from '../../src/kernel/workspace-error.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import { storedTool, toolDefinition } from '../../src/tools/definition/make-tool.ts'
import type { Tool, ToolDefinition } from '../../src/tools/definition/tool.ts'

interface Case {
  readonly file: string
  readonly group: string
  readonly schema: unknown
  readonly tests: readonly {
    readonly description: string
    readonly data: unknown
    readonly valid: boolean
  }[]
}

const folder = join(import.meta.dirname, 'json-schema-test-suite', 'draft2020-12')
const cases: readonly Case[] = readdirSync(folder).flatMap((name) => {
  const groups = JSON.parse(readFileSync(join(folder, name), 'utf8')) as readonly {
    readonly description: string
    readonly schema: unknown
    readonly tests: Case['tests']
  }[]
  return groups.map(({ description, schema, tests }) => ({
    file: name.replace('.json', ''),
    group: description,
    schema,
    tests,
  }))
})

/** Returns true for a group about documents that refer to each other, which a tool's schema never does. */
function isLeftOut({ file, schema }: Case): boolean {
  if (file === 'refRemote' || file === 'vocabulary') return true
  return [...keywordsOf(schema, true)].some(
    ([keyword, value, isTop]) =>
      typeof value === 'string' &&
      ((keyword === '$id' && !isTop) ||
        (/^\$(?:ref|dynamicRef)$/u.test(keyword) && !value.startsWith('#'))),
  )
}

type Keyword = readonly [name: string, value: unknown, isTop: boolean]

/** Every member at any depth, but for values that are data. */
function* keywordsOf(schema: unknown, isTop: boolean): Generator<Keyword> {
  if (typeof schema !== 'object' || schema === null) return
  for (const [name, value] of Object.entries(schema)) {
    if (name === 'const' || name === 'enum') continue
    yield [name, value, isTop]
    yield* keywordsOf(value, false)
  }
}

/** A schema as a tool has it for its results, where nothing is closed. */
function toolOf(schema: unknown): Tool {
  const output = typeof schema === 'boolean' ? (schema ? {} : { not: {} }) : (schema as object)
  return defineTool({
    name: 'suite',
    description: 'Suite.',
    inputSchema: {},
    outputSchema: { ...output },
  })
}

/** The same tool once it went through the form a manifest keeps it in. */
function throughManifest(tool: Tool): Tool {
  const outputSchema: unknown = JSON.parse(schemaText(tool.outputSchema))
  const stored = JSON.stringify({ ...toolDefinition(tool), outputSchema })
  return storedTool({ ...(JSON.parse(stored) as ToolDefinition), hash: tool.hash })
}

const outcomes = await Promise.all(
  cases.flatMap((one) => {
    const isOut = isLeftOut(one)
    return one.tests.map(async ({ description, data, valid }) => {
      const title = `${one.file}: ${one.group}: ${description}`
      if (isOut) return { title, kind: 'documents' as const }
      let tool: Tool
      try {
        tool = toolOf(one.schema)
      } catch (error) {
        if (!WorkspaceError.is(error)) throw error
        return { title, kind: 'refused' as const }
      }
      const before = (await tool.parseOutput?.(data))?.ok
      const after = (await throughManifest(tool).parseOutput?.(data))?.ok
      return { title, kind: 'judged' as const, right: before === valid, same: before === after }
    })
  }),
)
const count = (kind: string) => outcomes.filter((one) => one.kind === kind).length
const judged = outcomes.filter((one) => one.kind === 'judged')

test('the whole suite is looked at, and what is left out is counted', () => {
  expect({
    all: outcomes.length,
    judged: judged.length,
    documents: count('documents'),
    refused: outcomes.filter(({ kind }) => kind === 'refused').map(({ title }) => title),
  }).toMatchInlineSnapshot(`
    {
      "all": 1299,
      "documents": 118,
      "judged": 1175,
      "refused": [
        "enum: empty enum: string is invalid",
        "enum: empty enum: number is invalid",
        "enum: empty enum: null is invalid",
        "enum: empty enum: object is invalid",
        "enum: empty enum: array is invalid",
        "enum: empty enum: boolean is invalid",
      ],
    }
  `)
})

test('a schema that went through a manifest gives the same verdicts as before', () => {
  expect(judged.filter(({ same }) => !same)).toEqual([])
})

test('every verdict is that of the suite', () => {
  expect(judged.filter(({ right }) => !right)).toEqual([])
})
