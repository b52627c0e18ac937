import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { cmsCatalog } from './cms-catalog.ts'
import { CMS_TOOLS } from './tools/cms-tools.ts'

const catalog = await cmsCatalog()
const names = CMS_TOOLS.map(({ name }) => name)

test('the catalog holds forty-five tools, each once, and nothing in it is wrong', () => {
  expect(names).toHaveLength(45)
  expect(new Set(names).size).toBe(45)
  expect(catalog.globalTools.map(({ name }) => name).sort()).toEqual(names.toSorted())
  expect(catalog.diagnostics).toEqual([])
})

test('every topic has its rules, and all rules have tools', () => {
  const topics = new Set(CMS_TOOLS.map(({ topic }) => topic))
  const files = readdirSync(`${import.meta.dirname}/rules`).map((file) => file.slice(0, -3))
  expect(files.sort()).toEqual([...topics].sort())
  expect([...catalog.rules.keys()].sort()).toEqual(files)
})

test('every tool that a file defines is in the list, and every one of the list in a file', async () => {
  const folder = `${import.meta.dirname}/tools`
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const modules = await Promise.all(
    files
      .filter((file) => file.includes('/') && file.endsWith('.ts'))
      .map((file) => import(`${folder}/${file}`) as Promise<Record<string, unknown>>),
  )
  const defined = modules.map((module) => Object.values(module).filter(isTool))
  expect(Math.max(...defined.map(({ length }) => length))).toBe(1)
  expect(new Set(defined.flat())).toEqual(new Set(CMS_TOOLS))
})

describe.each(CMS_TOOLS)('$name', (tool) => {
  const { phrases, related, risk, category, topic, extraction, extract, requiresConfirmation } =
    tool

  test('can be found, called, and read', () => {
    expect(phrases.length).toBeGreaterThanOrEqual(2)
    expect(topic).toBeTypeOf('string')
    expect(tool.execute).toBeTypeOf('function')
    expect(tool.outputSchema).toBeDefined()
  })

  test('says what each of its arguments is', () => {
    const properties = Object.entries(
      (tool.inputSchema['properties'] ?? {}) as Record<string, object>,
    )
    expect(properties.filter(([, schema]) => !('description' in schema))).toEqual([])
  })

  test('is related to tools that are there, and not to itself', () => {
    expect(related.filter((name) => !names.includes(name) || name === tool.name)).toEqual([])
  })

  test('asks a person when it is destructive, and only then', () => {
    expect(requiresConfirmation).toBe(risk === 'destructive')
    if (risk === 'destructive') expect(category).toBe('action')
  })

  test('says what its results are about in one way at most', () => {
    expect(extraction === undefined || extract === undefined).toBe(true)
  })
})

function isTool(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'inputSchema' in value
}
