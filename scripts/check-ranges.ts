import { mkdtempDisposableSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { minVersion } from 'semver'
import { outsideEnvironment, runCommand } from './run-command.ts'
import { packProject, readManifest } from './try-package.ts'

/**
 * `node scripts/check-ranges.ts [--peers]`: installs the packed package with the lowest and with the highest version that
 * its ranges allow, and uses it. Without `--peers` only its dependencies, all at once.
 */
const { values } = parseArgs({ options: { peers: { type: 'boolean', default: false } } })

/** The entry that uses a peer, and the packages that the entry or the peer needs as well. */
const PEERS: Readonly<
  Record<string, { readonly entry: string; readonly more?: readonly string[] }>
> = {
  '@ai-sdk/provider': { entry: 'ai-sdk', more: ['ai'] },
  '@anthropic-ai/sandbox-runtime': { entry: 'node' },
  '@anthropic-ai/sdk': { entry: 'anthropic' },
  '@langchain/core': { entry: 'langchain' },
  '@modelcontextprotocol/client': { entry: 'mcp' },
  '@modelcontextprotocol/node': { entry: 'mcp' },
  '@modelcontextprotocol/server': { entry: 'mcp' },
  '@openai/agents': { entry: 'openai-agents' },
  '@opentelemetry/api': { entry: 'otel' },
  ai: { entry: 'ai-sdk' },
  ink: { entry: 'ink', more: ['react'] },
  'just-bash': { entry: 'node' },
  openai: { entry: 'openai' },
  pg: { entry: 'postgres' },
  react: { entry: 'react' },
}

/** Commands of a new project. */
const COMMANDS = [
  'init agent',
  'lint agent --trust',
  'list agent --trust',
  'search length agent --trust',
  'build agent --trust',
  'call measure_text agent --trust --activate text-length --args-json {"text":"abc"}',
]

/** A session with a tool whose arguments zod checks. */
const SESSION = `
  import { createCatalog, defineTool, VirtualWorkspace } from 'loadout'
  import { z } from 'zod'
  const double = defineTool({ name: 'double', description: 'Doubles.', inputSchema: z.object({ n: z.number() }), execute: ({ n }) => n * 2 })
  const workspace = await VirtualWorkspace.open({ catalog: await createCatalog({ tools: [double] }) })
  const good = await workspace.callTool('double', { n: 21 })
  const bad = await workspace.callTool('double', { n: 'x' })
  if (good.data !== 42 || bad.error?.type !== 'VALIDATION') throw new Error(JSON.stringify([good, bad]))
  await workspace.close()
`

const manifest = readManifest()

using folder = mkdtempDisposableSync(join(tmpdir(), 'loadout-ranges-'))

const { tarball } = packProject(folder.path)

const problems: string[] = []

let uses = 0

for (const end of ['lowest', 'highest'] as const) {
  const versions = Object.entries(manifest.dependencies).map(([name, range]) =>
    packageAt(end, name, range),
  )
  use(`the ${end} dependencies`, versions, [
    ['--input-type=module', '--eval', SESSION],
    ...COMMANDS.map((line) => ['node_modules/loadout/bin/loadout.js', ...line.split(' ')]),
  ])
}

const peers = values.peers ? Object.entries(manifest.peerDependencies) : []

for (const [name, range] of peers) {
  const { entry, more = [] } = PEERS[name] ?? {}
  if (entry === undefined) problems.push(`${name} has no row in scripts/check-ranges.ts.`)
  for (const end of ['lowest', 'highest'] as const) {
    const peer = packageAt(end, name, range)
    const program = `
      await import('${name}')
      if (Object.keys(await import('loadout/${entry}')).length === 0) throw new Error('It has no names.')`
    use(peer, [peer, ...more], [['--input-type=module', '--eval', program]])
  }
}

for (const problem of problems) console.error(problem)

console.log(
  `${uses} uses with the lowest and the highest versions of ${Object.keys(manifest.dependencies).length} dependencies and ${peers.length} peers, ${problems.length} problems`,
)

if (uses === 0 || problems.length > 0) process.exitCode = 1

/** Returns a package with its lowest version in a range, or with the highest one, which npm takes. */
function packageAt(end: 'lowest' | 'highest', name: string, range: string): string {
  return `${name}@${end === 'lowest' ? minVersion(range) : range}`
}

/** Installs the package with these versions in an empty folder, and runs Node there with each list of arguments. */
function use(
  what: string,
  versions: readonly string[],
  runs: readonly (readonly string[])[],
): void {
  const user = mkdtempSync(join(folder.path, 'user-'))
  writeFileSync(join(user, 'package.json'), '{ "private": true, "type": "module" }\n')
  const options = { cwd: user, env: { ...outsideEnvironment(), HOME: user } }
  const install = ['install', '--no-audit', '--no-fund', '--prefer-offline', tarball, ...versions]
  const { passed, output } = runCommand('npm', install, {
    cwd: user,
    env: outsideEnvironment(),
  })
  if (!passed) return void problems.push(`${what}: npm install failed:\n${output}`)
  for (const args of runs) {
    const ended = runCommand(process.execPath, args, options)
    if (ended.passed) uses += 1
    else problems.push(`${what}: node ${args.slice(0, 3).join(' ')} failed:\n${ended.output}`)
  }
}
