import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMCPClient } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio'
import { PROJECT, runCommand } from '../run-command.ts'
import type { ConformanceResult } from './conformance-part.ts'

/** A name of a tool with arguments, and a text that its result contains. */
interface Tried {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly expected: string
}

/** Searches, loads a skill and calls a tool of it. */
const TRIED: readonly Tried[] = [
  { tool: 'tool_search', input: { query: 'query a table with SQL' }, expected: 'query_table' },
  {
    tool: 'loadSkill',
    input: { skillName: 'data-analysis' },
    expected: 'SKILL TOOLS: Data analysis',
  },
  {
    tool: 'call_tool',
    input: { name: 'open_table', arguments: { text: 'a,b\n1,2', table: 't' } },
    expected: 'rows',
  },
]

/** Lets clients of others list, search, load and call, over standard input and output. */
export async function foreignClients(): Promise<readonly ConformanceResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-clients-'))
  const log = join(folder, 'sessions.sqlite')
  const serve = ['bin/loadout.js', 'mcp', 'serve', 'examples/workbench', '--trust', '--log', log]
  try {
    return [...inspect(serve), ...(await useAiSdk(serve))]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A busy machine starts processes slowly. */
const WAIT = ['--connect-timeout', '120000']

/** Each run of the Inspector's command line is a session of its own, named so that the next one continues it. */
function inspect(serve: readonly string[]): readonly ConformanceResult[] {
  const run = (words: readonly string[], expected: string): ConformanceResult => {
    const server = ['node', ...serve, '--session', 'inspector']
    const { passed, output } = runCommand('mcp-inspector', ['--cli', ...server, ...words, ...WAIT])
    const name = `Inspector: ${words
      .filter((word) => !word.startsWith('--'))
      .slice(0, 2)
      .join(' ')}`
    const found = output.includes(expected)
    return { name, found: found ? 'as expected' : 'other', passed: passed && found, output }
  }
  const calls = TRIED.map(({ tool, input, expected }) => {
    const given = Object.entries(input).flatMap(([key, value]) => [
      '--tool-arg',
      `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ])
    return run(['--method', 'tools/call', '--tool-name', tool, ...given], expected)
  })
  return [run(['--method', 'tools/list'], 'call_tool'), ...calls]
}

async function useAiSdk(serve: readonly string[]): Promise<readonly ConformanceResult[]> {
  const transport = new StdioTransport({
    command: process.execPath,
    args: [...serve],
    cwd: PROJECT,
  })
  const client = await createMCPClient({ transport })
  try {
    const tools = await client.tools()
    const names = Object.keys(tools)
    const results: ConformanceResult[] = [
      {
        name: '@ai-sdk/mcp: tools',
        found: `${names.length} tools`,
        passed: TRIED.every(({ tool }) => names.includes(tool)),
      },
    ]
    for (const { tool, input, expected } of TRIED) {
      const options = { toolCallId: tool, messages: [], context: undefined } as never
      const result: unknown = await tools[tool]?.execute(input, options)
      const output = JSON.stringify(result)
      const passed = output.includes(expected)
      results.push({
        name: `@ai-sdk/mcp: ${tool}`,
        found: passed ? 'as expected' : 'other',
        passed,
        output,
      })
    }
    return results
  } finally {
    await client.close()
  }
}
