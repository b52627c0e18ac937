import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parse } from 'yaml'
import { PROJECT, runCommand } from '../run-command.ts'
import type { ConformanceResult } from './conformance-part.ts'

/** The server that the suites talk to: definitions alone, served by the command. */
const SERVED = join(PROJECT, 'scripts', 'conformance', 'project')

const REVISIONS = ['2025-11-25', '2026-07-28'] as const

const SKILL_SCENARIOS = ['enumeration', 'manifest', 'directory'].map(
  (name) => `sep-2640-skills-${name}`,
)

/** Runs the suites of both revisions and of the Skills extension against `loadout mcp serve`. */
export async function serverSuites(): Promise<readonly ConformanceResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-conformance-'))
  const { url, end } = await startServer(join(folder, 'sessions.sqlite'))
  try {
    return [
      withoutSdk(),
      ...REVISIONS.map((revision) => scoredScenarios(url, revision)),
      ...SKILL_SCENARIOS.map((name) => oneScenario(url, name)),
    ]
  } finally {
    await end()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Checks that the served project uses the public interface alone. */
function withoutSdk(): ConformanceResult {
  const files = globSync('**/*.ts', { cwd: SERVED })
  const foreign = files.filter((file) =>
    /from '(?!loadout|node:|\.\/)/u.test(readFileSync(join(SERVED, file), 'utf8')),
  )
  const found = `${files.length - foreign.length} of ${files.length} files`
  const passed = files.length > 0 && foreign.length === 0
  return { name: 'server: public names only', found, passed, output: foreign.join('\n') }
}

/** A process of the command. */
interface ServerProcess {
  readonly url: string
  end(signal?: NodeJS.Signals): Promise<void>
}

/** Starts the command at a free port, with a log. */
export async function startServer(log: string): Promise<ServerProcess> {
  const args = [join('bin', 'loadout.js'), 'mcp', 'serve', SERVED, '--trust', '--json']
  const child = spawn(process.execPath, [...args, '--http', '0', '--log', log], {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let text = ''
  for await (const line of createInterface({ input: child.stdout })) {
    text += line
    if (line === '}') break
  }
  const { url } = JSON.parse(text) as { url: string }
  return {
    url,
    async end(signal = 'SIGINT') {
      child.kill(signal)
      await ended
    },
  }
}

/** A limit for a scenario that never ends, not for one on a busy machine. */
const PATIENT = ['--timeout', '300000']

/** Runs the scenarios that a revision requires. Those that it does not score do not count. */
function scoredScenarios(url: string, revision: string): ConformanceResult {
  const file = `node_modules/@modelcontextprotocol/conformance/requirements/${revision}.yaml`
  const { server } = parse(readFileSync(join(PROJECT, file), 'utf8')) as { server: string[] }
  const given = ['server', '--url', url, '--requirements', revision, ...PATIENT]
  const { output } = runCommand('conformance', given)
  const passed = server.filter((name) => output.includes(`✓ ${name}: `))
  return {
    name: `server: ${revision}`,
    found: `${passed.length} of ${server.length} scored scenarios`,
    passed: passed.length === server.length && server.length > 0,
    output: output.slice(output.indexOf('=== SUMMARY')),
  }
}

function oneScenario(url: string, name: string): ConformanceResult {
  const given = ['server', '--url', url, '--scenario', name, ...PATIENT]
  const { passed, output } = runCommand('conformance', given)
  const [, found = 'no result'] = /Passed: (.*)/u.exec(output) ?? []
  return { name: `server: ${name}`, found, passed, output }
}
