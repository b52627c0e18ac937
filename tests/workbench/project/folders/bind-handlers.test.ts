import { execFileSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bindHandlers } from '../../../../src/workbench/project/folders/bind-handlers.ts'
import { loadSkills } from '../../../../src/workbench/project/folders/load-skills.ts'
import type { Tool } from '../../../../src/tools/definition/tool.ts'
import { skillText, temporaryFolder, toolTree, writeTree } from '../temporary-folder.ts'

const own = (skill: { readonly tools: readonly (Tool | string)[] } | undefined, name: string) =>
  skill?.tools.find((tool): tool is Tool => typeof tool !== 'string' && tool.name === name)

const run = (tool: Tool | undefined, input: unknown) => tool?.execute?.(input, {} as never)

test('handlers of a trusted folder are bound, in skills and among shared tools', async () => {
  const root = await temporaryFolder({
    'a/SKILL.md': skillText('a'),
    ...toolTree('a/tools/echo'),
    ...toolTree('tools/shared', 'export const execute = async () => "shared"'),
  })
  const loaded = await loadSkills(root)
  const bound = await bindHandlers(loaded, { trusted: true })
  expect(bound.diagnostics).toEqual([])
  expect(run(own(bound.skills[0], 'echo'), { text: 'hi' })).toEqual({ echoed: 'hi' })
  expect(await run(bound.tools[0], {})).toBe('shared')
  expect(bound.skills[0]?.hash).toBe(loaded.skills[0]?.hash)
  expect(bound.tools[0]?.hash).toBe(loaded.tools[0]?.hash)
  expect(own(loaded.skills[0], 'echo')?.execute).toBeUndefined()
})

test('a handler in TypeScript is bound, with what it imports', async () => {
  const root = await temporaryFolder({
    ...toolTree('tools/t', null),
    'tools/t/handler.ts': `import { double } from './lib/double.ts'
      export async function execute({ n }: { n: number }): Promise<number> { return double(n) }`,
    'tools/t/lib/double.ts': 'export const double = (n: number): number => n * 2',
  })
  const { tools, diagnostics } = await bindHandlers(await loadSkills(root), { trusted: true })
  expect(diagnostics).toEqual([])
  expect(await run(tools[0], { n: 21 })).toBe(42)
})

test('without trust nothing runs, and the finding says how to trust', async () => {
  const root = await temporaryFolder(toolTree('tools/t', 'throw new Error("ran")'))
  const { tools, diagnostics } = await bindHandlers(await loadSkills(root), {
    trusted: (folder) => folder !== root,
  })
  expect(tools[0]?.execute).toBeUndefined()
  expect(diagnostics).toMatchObject([{ code: 'handler-untrusted', severity: 'warning' }])
  expect(diagnostics[0]?.hint).toContain(`loadout trust "${root}"`)
})

test('without trust a tool that has no handler is not explained by the lack of trust', async () => {
  const root = await temporaryFolder(toolTree('tools/draft_mail', null))
  const { diagnostics } = await bindHandlers(await loadSkills(root), { trusted: false })
  expect(diagnostics).toMatchObject([{ code: 'handler-missing' }])
  expect(diagnostics[0]?.hint).not.toMatch(/trust/i)
})

test.each([
  { name: 'missing', handler: null, code: 'handler-missing', says: 'has no handler' },
  {
    name: 'throwing',
    handler: 'throw new Error("on import")',
    code: 'handler-failed',
    says: 'on import',
  },
  { name: 'throwing a string', handler: 'throw "text"', code: 'handler-failed', says: 'text' },
  {
    name: 'throwing nothing',
    handler: 'throw undefined',
    code: 'handler-failed',
    says: 'undefined',
  },
  { name: 'no JavaScript', handler: 'const = 1', code: 'handler-failed', says: 'imported' },
  {
    name: 'importing nothing there',
    handler: 'import "./no.js"',
    code: 'handler-failed',
    says: 'no.js',
  },
  {
    name: 'without execute',
    handler: 'export const run = () => 1',
    code: 'handler-without-execute',
    says: 'execute',
  },
  {
    name: 'with execute that is no function',
    handler: 'export const execute = 1',
    code: 'handler-without-execute',
    says: 'execute',
  },
])(
  'a handler that is $name leaves its tool unbound and the others bound',
  async ({ handler, code, says }) => {
    const root = await temporaryFolder({
      ...toolTree('tools/bad', handler),
      ...toolTree('tools/good'),
    })
    const { tools, diagnostics } = await bindHandlers(await loadSkills(root), { trusted: true })
    expect(tools.map((tool) => [tool.name, tool.execute !== undefined])).toEqual([
      ['bad', false],
      ['good', true],
    ])
    expect(diagnostics).toMatchObject([{ code }])
    expect(diagnostics[0]?.message).toContain(says)
  },
)

test('a handler that is a link out, or no file, is not imported', async () => {
  const outside = await temporaryFolder({ 'handler.js': 'export const execute = () => 1' })
  const root = await temporaryFolder({
    ...toolTree('tools/link', null),
    ...toolTree('tools/pipe', null),
  })
  await symlink(join(outside, 'handler.js'), join(root, 'tools/link/handler.js'))
  execFileSync('mkfifo', [join(root, 'tools/pipe/handler.js')])
  const { diagnostics } = await bindHandlers(await loadSkills(root), { trusted: true })
  expect(diagnostics.map(({ code, message }) => `${code}: ${message}`)).toMatchInlineSnapshot(`
    [
      "handler-failed: The handler of "link" could not be imported: it is a link out of the trusted folder.",
      "handler-failed: The handler of "pipe" could not be imported: it is not a regular file.",
    ]
  `)
})

test('a changed handler is imported again', async () => {
  const root = await temporaryFolder(toolTree('tools/t', 'export const execute = () => 1'))
  const loaded = await loadSkills(root)
  await bindHandlers(loaded, { trusted: true })
  await writeTree(root, { 'tools/t/handler.js': 'export const execute = () => 2' })
  const { tools } = await bindHandlers(loaded, { trusted: true })
  expect(run(tools[0], {})).toBe(2)
})

test('of several handlers the first is used and the others named', async () => {
  const root = await temporaryFolder({
    ...toolTree('tools/t'),
    'tools/t/handler.ts': 'export const execute = (): string => "ts"',
  })
  const { tools, diagnostics } = await bindHandlers(await loadSkills(root), { trusted: true })
  expect(run(tools[0], {})).toBe('ts')
  expect(diagnostics).toMatchObject([{ code: 'handler-ambiguous', severity: 'warning' }])
})

test('a handler in TypeScript is bound in a plain process too', async () => {
  const root = await temporaryFolder({
    ...toolTree('tools/t', null),
    'tools/t/handler.ts': `import { double } from './lib/double.ts'
      export const execute = ({ n }: { n: number }): number => double(n)`,
    'tools/t/lib/double.ts': 'export const double = (n: number): number => n * 2',
  })
  const output = execFileSync(process.execPath, [
    join(import.meta.dirname, '../run-handler.ts'),
    root,
  ])
  expect(output.toString()).toBe('42\n')
})

test('a handler anywhere on disk can import loadout and zod, without an install of its own', async () => {
  const root = await temporaryFolder({
    ...toolTree('tools/t', null),
    'tools/t/handler.ts': `import { ToolError } from 'loadout'
      import { z } from 'zod'
      export const execute = (input: unknown) => {
        const { n } = z.object({ n: z.number() }).parse(input)
        if (n < 0) throw new ToolError('VALIDATION', 'too small')
        return n + 1
      }`,
  })
  const { tools, diagnostics } = await bindHandlers(await loadSkills(root), { trusted: true })
  expect(diagnostics).toEqual([])
  expect(await run(tools[0], { n: 1 })).toBe(2)
  expect(() => run(tools[0], { n: -1 })).toThrow('too small')
})
