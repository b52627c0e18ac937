import { mkdtempDisposableSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minVersion } from 'semver'
import { outsideEnvironment, runCommand } from './run-command.ts'
import { packProject, readManifest } from './try-package.ts'

/**
 * `node scripts/check-ranges.ts`: installs the packed package with the lowest and with the highest versions that the ranges
 * of its dependencies allow, and uses it.
 */

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

for (const problem of problems) console.error(problem)

console.log(
  `${uses} uses with the lowest and the highest versions of ${Object.keys(manifest.dependencies).length} dependencies, ${problems.length} problems`,
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
