import { mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { outsideEnvironment, PROJECT, runCommand } from '../run-command.ts'
import type { ConformanceResult } from './conformance-part.ts'

/** Tests that show a claim, by the beginning of their titles, with their names here. */
const SHOWN: readonly (readonly [file: string, title: string, name: string])[] = [
  ['client/everything', 'every tool of a server', 'every tool of the test server, both transports'],
  ['client/everything', 'an abort ends', 'an abort ends a call'],
  ['client/everything', 'an HTTP server that was killed', 'the call after a server is back'],
  ['client/price', 'the price of a server', 'mcp price is that of the recorded request'],
  ['client/no-orphans', 'no process of a server', '100 killed hosts leave no process'],
  ['servers/server-laws', 'after each of over 1,000', '1,000 edits of a list, 1,000 dropped tools'],
  ['servers/server-laws', '1,000 changes', '1,000 changes of a field, 1,000 other orders'],
  ['servers/server-laws', 'an activation with', '10 activations, failing at each stage'],
  ['servers/stored-servers', 'ten stored', '10 stored servers with 500 tools, no process'],
]

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly {
      readonly title: string
      readonly status: string
      readonly failureMessages?: readonly string[]
    }[]
  }[]
}

/** Runs the tests of the claims about servers in their full size. */
export async function fullTests(): Promise<readonly ConformanceResult[]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'loadout-conformance-'))
  const file = join(folder.path, 'report.json')
  const files = [...new Set(SHOWN.map(([name]) => `${name}.test.ts`))]
  const { output } = runCommand(
    join(PROJECT, 'node_modules', '.bin', 'vitest'),
    ['run', ...files, '--reporter=json', `--outputFile=${file}`],
    { env: { ...outsideEnvironment(), LOADOUT_KILLS: '100' } },
  )
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report
  return SHOWN.map(([path, title, name]) => {
    const found = testResults
      .filter((result) => result.name.endsWith(`${path}.test.ts`))
      .flatMap(({ assertionResults }) => assertionResults)
      .filter((result) => result.title.startsWith(title))
    const passed = found.filter(({ status }) => status === 'passed')
    const messages = found.flatMap(({ failureMessages = [] }) => failureMessages)
    return {
      name,
      found: `${passed.length} of ${found.length} tests`,
      passed: found.length > 0 && passed.length === found.length,
      output: messages.length === 0 ? output.slice(-2_000) : messages.join('\n'),
    }
  })
}
