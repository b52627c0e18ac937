import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROJECT, runCommand } from '../run-command.ts'
import type { ConformanceResult } from './conformance-part.ts'

const RUNNER = join(PROJECT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

const HOST = join(PROJECT, 'scripts/conformance/client-host.ts')

const START = join(PROJECT, 'scripts/conformance/start-scenario.ts')

const SKILLS_PROGRAM = join(PROJECT, 'scripts/conformance/skills-program.ts')

const SKILL_SCENARIOS = ['no-prefetch', 'verify-digest', 'verify-size', 'verify-frontmatter'].map(
  (name) => `sep-2640-client-${name}`,
)

/** The revisions that a client is tested for. */
const REVISIONS = ['2025-11-25', '2026-07-28'] as const

/** The scenarios of one suite: those that count, and those of them that failed. */
interface ClientSuite {
  readonly revision: string
  readonly scored: number
  readonly failed: readonly string[]
  /** Extensions and scenarios that were added later. They are run, and do not count. */
  readonly unscored: number
}

/**
 * Runs the scenarios for clients of both revisions, each by a program that only uses `loadout/mcp`. Needs the build of
 * the package.
 */
export async function runClientSuites(): Promise<readonly ClientSuite[]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'loadout-conformance-'))
  const socket = join(folder.path, 'socket')
  // Results are those of the suite. The output of the programs, and lines of the SDK, say nothing more.
  const host = fork(HOST, [socket], { stdio: 'ignore' })
  await Promise.race([once(host, 'message'), once(host, 'exit')])
  try {
    const suites: ClientSuite[] = []
    for (const revision of REVISIONS) suites.push(await runSuite(revision, socket))
    return suites
  } finally {
    host.kill()
  }
}

/** Runs the scenarios of the Skills extension for clients, by another program that only uses `loadout/mcp`. */
export function runSkillScenarios(): readonly ConformanceResult[] {
  const command = `${process.execPath} ${SKILLS_PROGRAM}`
  return SKILL_SCENARIOS.map((name) => {
    const given = ['client', '--command', command, '--scenario', name, ...PATIENT]
    const { passed, output } = runCommand('conformance', given)
    const [, found = 'no result'] = /Passed: (.*)/u.exec(output) ?? []
    return { name: `client: ${name}`, found, passed, output }
  })
}

/** The suite starts all scenarios at once, and ends a command after 30 s: too early on a busy machine. */
const PATIENT = ['--timeout', '300000']

async function runSuite(revision: string, socket: string): Promise<ClientSuite> {
  const command = `${process.execPath} ${START} ${socket}`
  const given = ['client', '--command', command, '--requirements', revision, ...PATIENT]
  const runner = spawn(process.execPath, [RUNNER, ...given])
  let output = ''
  for (const stream of [runner.stdout, runner.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  }
  await new Promise((resolve) => runner.once('close', resolve))
  return readSummary(revision, output)
}

/** Reads the summary at the end of the output: a line for each scenario, then those that do not count. */
function readSummary(revision: string, output: string): ClientSuite {
  const summary = output.split('=== SUITE SUMMARY ===').at(1) ?? ''
  const [counted = '', rest = ''] = summary.split('\nTotal: ')
  const unscored = new Set(
    [...rest.matchAll(/^ {2}[✓✗] (\S+) \(/gmu)].flatMap(([, scenario]) => scenario ?? []),
  )
  const scenarios = [...counted.matchAll(/^([✓✗]) (\S+):/gmu)].filter(
    ([, , scenario]) => !unscored.has(scenario ?? ''),
  )
  const failed = scenarios.flatMap(([, mark, scenario]) => (mark === '✗' ? (scenario ?? '') : []))
  if (scenarios.length === 0)
    throw new Error(`The suite reported nothing:\n${output.slice(-2_000)}`)
  return { revision, scored: scenarios.length, failed, unscored: unscored.size }
}
