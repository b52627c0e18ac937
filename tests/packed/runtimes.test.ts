import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { readManifest } from '../../scripts/try-package.ts'
import { skillText, toolTree, type Tree } from '../workbench/project/temporary-folder.ts'
import { type Installed, installed } from './installed.ts'
import { bundle, installRuntimes, type Runtimes } from './install-runtimes.ts'

/** A use of an entry. A row of the table below. */
interface Use {
  /** The packages that the entry is named after. It loads without any other. */
  readonly peers: readonly string[]
  /** The packages that a bundler must find as well, because the entry loads them later. */
  readonly later?: readonly string[]
  /** A module of a framework that it loads later, which its users leave out of their bundle. */
  readonly framework?: string
  /** True when it runs in workerd and in a browser, too. */
  readonly edge: boolean
  /** A module whose default export uses the entry, and returns what it got. By default it returns true for an entry with names. */
  readonly use?: string
  readonly expected?: unknown
}

/** A session whose tools have a zod schema and a JSON Schema, and one of which is denied. It takes a log. */
const SESSION = `
  import { createCatalog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
  import { z } from 'zod'

  export async function session(options = {}) {
    const add = defineTool({
      name: 'add', description: 'Adds.', inputSchema: z.object({ a: z.number(), b: z.number() }),
      execute: ({ a, b }) => a + b,
    })
    const greet = defineTool({
      name: 'greet', description: 'Greets.',
      inputSchema: { type: 'object', properties: { name: { type: 'string', pattern: '^[A-Z]' } }, required: ['name'] },
      execute: ({ name }) => 'Hello ' + name,
    })
    const purge = defineTool({ name: 'purge', description: 'Purges.', execute: () => 'gone' })
    const sums = defineSkill({ name: 'sums', description: 'Sums.', instructions: 'Add.', tools: [add, greet, purge] })
    const workspace = await VirtualWorkspace.open({
      catalog: await createCatalog({ skills: [sums] }), policy: { permissions: { deny: ['purge'] } }, ...options,
    })
    await workspace.activateSkill('sums')
    const calls = []
    for (const [name, input] of [['add', { a: 1, b: 2 }], ['add', { a: 'x' }], ['greet', { name: 'Ada' }], ['greet', { name: 'ada' }], ['purge', {}]]) {
      const { ok, data, error } = await workspace.callTool(name, input)
      calls.push(ok ? data : error.type)
    }
    const { status } = workspace.explain('purge')
    const { tools } = await workspace.beginStep()
    const entries = (await workspace.entries()).length
    await workspace.close()
    return { calls, status, offered: tools.map(({ name }) => name).includes('add'), entries: entries > 8 }
  }
`

const SESSION_RAN = {
  calls: [3, 'VALIDATION', 'Hello Ada', 'VALIDATION', 'DENIED'],
  status: 'denied',
  offered: true,
  entries: true,
}

/** A tool for models, and a client whose `create` gives one answer after the other. */
const WIRE = `
  import { createCatalog, defineTool, VirtualWorkspace } from 'loadout'

  export async function open() {
    const double = defineTool({
      name: 'double', description: 'Doubles.',
      inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      execute: ({ n }) => ({ twice: n * 2 }),
    })
    return VirtualWorkspace.open({ catalog: await createCatalog({ tools: [double] }) })
  }

  export const one = (...answers) => async () => answers.shift()
`

/** A trusted folder with a handler, and with three that import Git's own data, one through a link. */
const AGENT: Tree = {
  'agent/.git/x.js': 'globalThis.ran = true',
  ...toolTree('agent/tools/echo'),
  ...toolTree('agent/tools/link', 'import "../../linked/x.js"; export const execute = () => 1'),
  ...toolTree('agent/tools/import', 'import "../../.git/x.js"; export const execute = () => 1'),
  ...toolTree(
    'agent/tools/load',
    'await import("../../.git/x.js"); export const execute = () => 1',
  ),
}

/** Each entry of `package.json`. */
const ENTRIES: Readonly<Record<string, Use>> = {
  '.': {
    peers: [],
    edge: true,
    use: `import { session } from './session.mjs'
      export default () => session()`,
    expected: SESSION_RAN,
  },
  './node': {
    peers: [],
    // Connects the servers of `.mcp.json`.
    later: ['@modelcontextprotocol/client'],
    edge: false,
    use: `
      import { symlink, writeFile } from 'node:fs/promises'
      import { bindHandlers, loadSkills } from 'loadout/node'

      export default async () => {
        await symlink('.git', 'agent/linked')
        const loaded = await loadSkills('agent')
        const handlers = async () => {
          const { tools, diagnostics } = await bindHandlers(loaded, { trusted: true })
          const echo = tools.find(({ name }) => name === 'echo')
          const ofCode = diagnostics.filter(({ code }) => code !== 'link-outside')
          return [await echo.execute({ text: 'hi' }), ...ofCode.map(({ message }) => /which no trust covers/.test(message))]
        }
        const first = await handlers()
        await writeFile('agent/tools/echo/handler.js', 'export const execute = () => "changed"')
        return { first, second: await handlers(), ran: 'ran' in globalThis }
      }`,
    expected: {
      first: [{ echoed: 'hi' }, true, true, true],
      second: ['changed', true, true, true],
      ran: false,
    },
  },
  './adapter': { peers: [], edge: true },
  './log': { peers: [], edge: true },
  './manifest': { peers: [], edge: true },
  './definitions': { peers: [], edge: true },
  './kit': { peers: [], edge: true },
  './ink-views': { peers: ['ink', 'react'], edge: false },
  // The playground loads its chat later.
  './ink': { peers: ['ink', 'react'], later: ['ai', '@modelcontextprotocol/client'], edge: false },
  './search': { peers: [], edge: true },
  './ai-sdk': {
    peers: ['ai'],
    edge: true,
    use: `
      import { generateText, isStepCount } from 'ai'
      import { forAiSdk } from 'loadout/ai-sdk'
      import { one, open } from './wire.mjs'

      const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
      const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'double', input: '{"n":21}' }
      export default async () => {
        const doGenerate = one(
          { content: [call], finishReason: { unified: 'tool-calls' }, usage, warnings: [] },
          { content: [{ type: 'text', text: 'Done.' }], finishReason: { unified: 'stop' }, usage, warnings: [] },
        )
        const model = { specificationVersion: 'v4', provider: 'none', modelId: 'none', supportedUrls: {}, doGenerate }
        const workspace = await open()
        const { steps, text } = await generateText({ model, prompt: 'Double 21.', stopWhen: isStepCount(3), ...forAiSdk(workspace) })
        await workspace.close()
        return [steps[0].toolResults[0].output, text]
      }`,
    expected: [{ twice: 42 }, 'Done.'],
  },
  './openai': {
    peers: [],
    edge: true,
    use: `
      import { forChatCompletions, forOpenAI } from 'loadout/openai'
      import { one, open } from './wire.mjs'

      export default async () => {
        const create = one(
          { id: 'r', status: 'completed', output: [{ type: 'function_call', id: 'f1', call_id: 'c1', name: 'double', arguments: '{"n":21}' }] },
          { id: 'r', status: 'completed', output: [{ type: 'message', id: 'm', role: 'assistant', content: [] }] },
        )
        const input = [{ role: 'user', content: 'Double 21.' }]
        await forOpenAI(await open(), { model: 'gpt-5.4' }).run({ responses: { create } }, { input })
        const calls = [{ id: 'c1', type: 'function', function: { name: 'double', arguments: '{"n":21}' } }]
        const completions = { create: one(
          { choices: [{ message: { role: 'assistant', content: null, tool_calls: calls }, finish_reason: 'tool_calls' }] },
          { choices: [{ message: { role: 'assistant', content: 'Done.' }, finish_reason: 'stop' }] },
        ) }
        const messages = [{ role: 'user', content: 'Double 21.' }]
        await forChatCompletions(await open()).run({ chat: { completions } }, { model: 'gpt-5.4', messages })
        return [input, messages].map((items) => items.flatMap((item) => (item.call_id ?? item.tool_call_id) ? item.output ?? item.content ?? [] : []))
      }`,
    expected: [['{"twice":42}'], ['{"twice":42}']],
  },
  './gemini': {
    peers: [],
    edge: true,
    use: `
      import { forGemini } from 'loadout/gemini'
      import { one, open } from './wire.mjs'

      export default async () => {
        const answer = (part) => ({ candidates: [{ finishReason: 'STOP', content: { parts: [part] } }] })
        const generateContent = one(
          answer({ functionCall: { name: 'double', args: { n: 21 } } }),
          answer({ text: 'Done.' }),
        )
        const contents = [{ role: 'user', parts: [{ text: 'Double 21.' }] }]
        const workspace = await open()
        const { status } = await forGemini(workspace).run({ models: { generateContent } }, { model: 'm', contents })
        await workspace.close()
        return { status, result: contents[2].parts[0].functionResponse.response.output.twice }
      }`,
    expected: { status: 'done', result: 42 },
  },
  './anthropic': {
    peers: [],
    edge: true,
    use: `
      import { forAnthropic } from 'loadout/anthropic'
      import { one, open } from './wire.mjs'

      export default async () => {
        const usage = { input_tokens: 1, output_tokens: 1 }
        const create = one(
          { role: 'assistant', stop_reason: 'tool_use', content: [{ type: 'tool_use', id: 'c1', name: 'double', input: { n: 21 } }], usage },
          { role: 'assistant', stop_reason: 'end_turn', content: [{ type: 'text', text: 'Done.' }], usage },
        )
        const messages = [{ role: 'user', content: 'Double 21.' }]
        const anthropic = forAnthropic(await open(), { model: 'claude-opus-4-8' })
        await anthropic.run({ beta: { messages: { create } } }, { messages, max_tokens: 99 })
        return messages.at(-2).content
      }`,
    expected: [{ type: 'tool_result', tool_use_id: 'c1', content: '{"twice":42}' }],
  },
  './langchain': { peers: [], framework: '@langchain/core/messages', edge: false },
  './openai-agents': { peers: [], framework: '@openai/agents', edge: false },
  './mastra': { peers: [], edge: true },
  './mcp': {
    peers: [],
    later: ['@modelcontextprotocol/client', '@modelcontextprotocol/server'],
    edge: false,
  },
  './plan': { peers: [], edge: true },
  './testing': { peers: [], edge: false },
  './react': { peers: ['react'], edge: true },
  './otel': { peers: ['@opentelemetry/api'], edge: true },
  './carnet': { peers: [], edge: false },
  './sqlite': {
    peers: [],
    edge: false,
    use: `
      import { rmSync } from 'node:fs'
      import { openSqliteLog } from 'loadout/sqlite'
      import { session } from './session.mjs'

      export default async () => {
        for (const end of ['', '-wal', '-shm']) rmSync('sessions.sqlite' + end, { force: true })
        const first = await openSqliteLog('sessions.sqlite')
        const ran = await session({ log: first, session: 's' })
        await first.close()
        const second = await openSqliteLog('sessions.sqlite')
        const kept = (await second.read('s')).length
        await second.close()
        return { ...ran, kept: kept > 8 }
      }`,
    expected: { ...SESSION_RAN, kept: true },
  },
  './postgres': { peers: ['pg'], edge: false },
}

const rows = Object.entries(ENTRIES).map(([entry, row]) => ({ entry, ...row }))

let runtimes: Runtimes

beforeAll(() => {
  runtimes = installRuntimes()
})

test('every entry has a row', () => {
  const entries = Object.keys(readManifest().exports).filter((entry) => !entry.endsWith('.json'))
  expect(Object.keys(ENTRIES).toSorted()).toEqual(entries.toSorted())
})

/** A program that is run with the arguments before the path of a module. */
const PROGRAMS: Readonly<Record<string, () => readonly [string, ...string[]]>> = {
  Node: () => [process.execPath],
  'Node without code from strings': () => [
    process.execPath,
    '--disallow-code-generation-from-strings',
  ],
  Bun: () => [runtimes.bun, '--no-install'],
  Deno: () => [runtimes.deno, 'run', '--allow-all', '--no-remote'],
}

const command = (program: string) => PROGRAMS[program]?.() ?? [program]

/** Returns what a program printed as JSON. */
async function printed(ended: ReturnType<Installed['run']>): Promise<unknown> {
  const { code, stdout, stderr } = await ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

/** Names that a browser has besides those of the language. */
const OF_BROWSERS = [
  'AbortController',
  'AbortSignal',
  'Blob',
  'Event',
  'EventTarget',
  'FormData',
  'Headers',
  'MessageChannel',
  'ReadableStream',
  'Request',
  'Response',
  'TextDecoder',
  'TextEncoder',
  'TransformStream',
  'TextDecoderStream',
  'URL',
  'URLSearchParams',
  'WritableStream',
  'atob',
  'btoa',
  'clearTimeout',
  'console',
  'crypto',
  'fetch',
  'performance',
  'queueMicrotask',
  'setTimeout',
  'structuredClone',
] as const

/** Returns a global object with nothing of Node. */
function browserGlobals(): object {
  const page = Object.fromEntries(OF_BROWSERS.map((name) => [name, globalThis[name]]))
  return Object.assign(page, { self: page, window: page })
}

describe.each(rows)('$entry', (row) => {
  const { entry, peers, later = [], framework = 'none', edge, use, expected = true } = row
  const name = entry.replace('.', 'loadout')
  const source =
    use ?? `import * as entry from '${name}'; export default () => Object.keys(entry).length > 0`
  const tree: Tree = {
    'use.mjs': source,
    'main.mjs': 'import use from "./use.mjs"; console.log(JSON.stringify(await use()))',
    'session.mjs': SESSION,
    'wire.mjs': WIRE,
    ...AGENT,
  }

  test.each(Object.keys(PROGRAMS))('runs in %s with no peer but its own', async (program) => {
    const { run } = await installed(peers, tree)
    const [first, ...before] = command(program)
    expect(await printed(run(first, ...before, 'main.mjs'))).toEqual(expected)
  })

  test('is bundled with no peer but its own', async () => {
    const { folder, node } = await installed([...peers, ...later], tree)
    const target = { platform: 'node', external: ['node:*', framework] } as const
    await writeFile(join(folder, 'bundle.mjs'), await bundle(runtimes, folder, 'main.mjs', target))
    expect(await printed(node('bundle.mjs'))).toEqual(expected)
  })

  test.runIf(edge)('runs in a browser, where no code comes from strings', async () => {
    const { folder } = await installed(peers, {
      ...tree,
      'page.mjs': 'import use from "./use.mjs"; globalThis.used = use()',
    })
    const { outputFiles } = await runtimes.esbuild.build({
      absWorkingDir: folder,
      entryPoints: ['page.mjs'],
      bundle: true,
      write: false,
      format: 'iife',
      platform: 'browser',
      logLevel: 'silent',
    })
    const page = createContext(browserGlobals(), { codeGeneration: { strings: false } })
    runInContext(outputFiles[0]?.text ?? '', page)
    expect(JSON.parse(JSON.stringify(await runInContext('used', page)))).toEqual(expected)
  })

  test.runIf(edge)('runs in workerd, with nodejs_compat and without', async () => {
    const { folder } = await installed(peers, {
      ...tree,
      'worker.mjs':
        'import use from "./use.mjs"; export default { fetch: async () => Response.json(await use()) }',
    })
    const script = await bundle(runtimes, folder, 'worker.mjs', 'browser')
    const answers = [['nodejs_compat'], []].map(async (compatibilityFlags) => {
      const date = { compatibilityDate: '2026-07-01', compatibilityFlags }
      const worker = new runtimes.Miniflare({ modules: true, script, ...date })
      try {
        const response = await worker.dispatchFetch('http://localhost/')
        return await response.json()
      } finally {
        await worker.dispose()
      }
    })
    expect(await Promise.all(answers)).toEqual([expected, expected])
  })
})

test('the core is loaded by a page in few bytes, and a vocabulary only to count tokens', async () => {
  const { folder } = await installed([], {
    'page.mjs': `
      import { createCatalog, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
      import * as z from 'zod'
      globalThis.used = [createCatalog, defineSkill, defineTool, VirtualWorkspace, z.object, z.string]`,
  })
  const { outputFiles } = await runtimes.esbuild.build({
    absWorkingDir: folder,
    entryPoints: ['page.mjs'],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    minify: true,
    splitting: true,
    outdir: 'out',
    logLevel: 'silent',
  })
  const texts = outputFiles.filter(({ path }) => !path.includes('vocabulary'))
  const bytes = texts.reduce((sum, { text }) => sum + gzipSync(text).length, 0)
  console.log(`The core in a page: ${Math.round(bytes / 1000)} kB (gzip)`)
  expect(texts.length).toBe(outputFiles.length - 1)
  expect(bytes).toBeLessThan(295_000)
})

test.each(['Node', 'Bun', 'Deno'])('the command runs in %s', async (program) => {
  const { bin, run } = await installed([], {
    ...AGENT,
    'agent/loadout.config.ts':
      "import { defineConfig } from 'loadout/node'\nexport default defineConfig({ skills: ['./skills'] })\n",
    'agent/skills/sums/SKILL.md': skillText('sums'),
    'agent/skills/sums/tools/add.ts': `
      import { defineTool } from 'loadout'
      import { z } from 'zod'
      export default defineTool({
        name: 'add', description: 'Adds.', inputSchema: z.object({ a: z.number() }), execute: ({ a }: { a: number }) => a + 1,
      })`,
  })
  const [first, ...before] = command(program)
  const loadout = (...args: readonly string[]) => run(first, ...before, bin, ...args)
  expect((await loadout('--version')).stdout.trim()).toBe(readManifest().version)
  const listed = await loadout('list', 'agent', '--trust')
  expect(listed).toMatchObject({ code: 0 })
  expect(listed.stdout).toMatch(/^tool +add /m)
  const add = ['--trust', '--activate', 'sums', '--args-json', '{"a":1}']
  expect(await loadout('call', 'add', 'agent', ...add)).toMatchObject({ code: 0, stdout: '2\n' })
  const linted = await loadout('lint', 'agent', '--trust')
  expect(linted.code).toBe(1)
  expect(
    linted.stdout.match(/it imports "agent\/.git\/x.js", which is in Git's own data/g),
  ).toHaveLength(2)
})
