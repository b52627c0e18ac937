import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT, projectFiles, runCommand } from '../../scripts/run-command.ts'

/** Pages about a framework, whose code compiles with the types of it: see tests/packed/framework-pages.test.ts. */
const FRAMEWORKS = /^docs\/(?:langchain|mastra|openai-agents)\.md$/

/** Text of others. */
const FOREIGN = /^tests\/(?:corpus|corpus-evals|recorded\/projects)\/|public-skills\//

/**
 * The names that code in a document may use without a declaration: those that its page introduced before, and
 * those that only the reader has. Other names must be imported or declared where they are used.
 */
const GIVEN = `
  import type * as Sdk from 'ai'
  import type * as Disk from 'loadout/node'
  import type * as Search from 'loadout/search'
  import type * as Loadout from 'loadout'
  declare global {
    ${names('loadout', ['createCatalog', 'defineTool', 'defineIntent', 'succeed', 'VirtualWorkspace', 'defineComponent'])}
    ${names('loadout/adapter', ['providerTool'])}
    ${names('loadout', ['StateController', 'collectMetrics', 'replaySession', 'createRedactor'])}
    ${names('loadout/search', ['evaluate'])}
    ${names('loadout/node', ['openScriptRunner'])}
    ${names('loadout/ai-sdk', ['forAiSdk'])}
    ${names('loadout/carnet', ['Carnet'])}
    ${names('ai', ['ToolLoopAgent'])}
    ${names('zod', ['z'])}
    ${names('vitest', ['expect'])}
    ${names(`${PROJECT}/tests/wires/server/open-wire-server.ts`, ['openWireServer'])}
    ${names(`${PROJECT}/tests/wires/compare/compare-bodies.ts`, ['compareBodies'])}
    const wireServer: import('${PROJECT}/tests/wires/server/open-wire-server.ts').WireServer
    type ApprovalStore = Loadout.ApprovalStore
    type ToolContext<Services> = Loadout.ToolContext<Services>
    interface Services { readonly shop: { stock(item: string): number } }
    const catalog: Loadout.Catalog
    const workspace: Loadout.VirtualWorkspace
    const workspaces: readonly Loadout.VirtualWorkspace[]
    const carnet: import('loadout/carnet').Carnet
    const skills: readonly Loadout.Skill[]
    const tools: readonly Loadout.Tool[]
    const rules: readonly Loadout.TopicRules[]
    const log: Loadout.EventLog
    const other: Loadout.EventLog
    const redact: Loadout.RedactionRules
    const trust: Disk.TrustStore
    const index: Search.ToolIndex
    const documents: readonly Search.ToolDocument[]
    const tool: Loadout.Tool
    const sent: Loadout.JsonValue
    const hash: Loadout.ContentHash
    const id: string
    const cwd: string
    const text: string
    const model: Sdk.LanguageModel
    const agent: Sdk.ToolLoopAgent
    const result: Awaited<ReturnType<Sdk.ToolLoopAgent['generate']>>
    let messages: Sdk.ModelMessage[]
    const ask: (request: object) => Promise<{
      message: Sdk.ModelMessage
      calls: readonly { id: string; name: string; input: unknown }[]
      result(id: string, answer: unknown): Sdk.ModelMessage
    }>
    const summary: Sdk.ModelMessage
    const deferred: Sdk.ToolSet
    const openai: { embeddingModel(id: string): Sdk.EmbeddingModel }
    const table: Record<'has' | 'delete' | 'insert', (tool: object) => Promise<any>>
    const workspaceOf: (chat: string) => Promise<Loadout.VirtualWorkspace>
    const show: (entries: readonly Loadout.Entry[]) => void
    const cms: { pages(): readonly { title: string; slug: string }[] }
    const line: { hangUp(): void }
    const client: import('openai').OpenAI
    const conversation: import('loadout/openai').OpenAIConversation
    const input: import('openai').OpenAI.Responses.ResponseInputItem[]
    const response: import('openai').OpenAI.Responses.Response
    const claude: import('@anthropic-ai/sdk').Anthropic
    const anthropic: import('loadout/anthropic').AnthropicConversation
    const history: import('@anthropic-ai/sdk').Anthropic.Beta.BetaMessageParam[]
    const google: import('loadout/gemini').GeminiClient
    const gemini: import('loadout/gemini').GeminiConversation
    const contents: import('loadout/gemini').GeminiContent[]
    const desk: { take(payload: unknown, options: { signal: AbortSignal }): Promise<void> }
    const shop: Services['shop']
    const stock: Loadout.Tool<{ item: string }, number>
    const offer: Loadout.Tool<{ items: string[] }, { lines: string[] }>
    const print: Loadout.Tool<{ pages: number }, Loadout.RunningCall>
  }
`

function names(module: string, exported: readonly string[]): string {
  return exported
    .map((name) => `const ${name}: typeof import('${module}')['${name}']`)
    .join('\n    ')
}

/** The client of Google is not installed here: tests/packed/gemini-client.test.ts compiles with its own types. */
const GENAI = `
  declare module '@google/genai' {
    export type Content = import('loadout/gemini').GeminiContent
    export class GoogleGenAI {
      constructor(options: { readonly apiKey: string })
      readonly models: import('loadout/gemini').GeminiClient['models']
    }
  }
`

/** Returns each piece of TypeScript in the documents, with a file name that shows its place. */
const pieces = projectFiles(PROJECT)
  .filter((path) => path.endsWith('.md') && !FOREIGN.test(path) && !FRAMEWORKS.test(path))
  .flatMap((path) => {
    const page = readFileSync(join(PROJECT, path), 'utf8').replace(/\r/g, '')
    return [...page.matchAll(/^ *```ts\n([^]*?)^ *```$/gm)].map(({ 1: code = '', index }) => {
      const start = page.slice(0, index).split('\n').length + 1
      return { name: `${path.replace(/\W+/g, '-')}-line-${start}.ts`, code }
    })
  })

test('every piece of TypeScript in the documents compiles', () => {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-snippets-'))
  try {
    symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'given.d.ts'), GIVEN)
    writeFileSync(join(folder, 'genai.d.ts'), GENAI)
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configuration()))
    // The runbook is checked in the folder of its example.
    writeFileSync(
      join(folder, 'cms-catalog.ts'),
      `export declare function cmsCatalog(): Promise<import('loadout').Catalog>`,
    )
    // The files of the first hour import each other.
    for (const name of ['count-stock.ts', 'shop.ts', 'scripted-model.ts']) {
      cpSync(join(PROJECT, 'examples/first-hour', name), join(folder, name))
    }
    for (const { name, code } of pieces) {
      writeFileSync(join(folder, name), `${code}\nexport {}\n`)
    }
    const { output } = runCommand('tsc', ['--project', folder, '--pretty', 'false'], {
      cwd: folder,
    })
    // The check of types reports errors in sources.
    expect(output.split('\n').filter((finding) => !finding.startsWith('..'))).toEqual([''])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  expect(pieces.length).toBeGreaterThan(30)
})

function configuration(): unknown {
  const { paths } = JSON.parse(readFileSync(join(PROJECT, 'tsconfig.json'), 'utf8')).compilerOptions
  return {
    extends: join(PROJECT, 'tsconfig.json'),
    compilerOptions: {
      typeRoots: [join(PROJECT, 'node_modules', '@types')],
      paths: Object.fromEntries(
        Object.entries<string[]>(paths).map(([name, [file = '']]) => [name, [join(PROJECT, file)]]),
      ),
    },
    include: ['*.ts'],
  }
}
