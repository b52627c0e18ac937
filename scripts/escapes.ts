import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROJECT, runCommand } from './run-command.ts'

/**
 * `npm run escapes`: counts the attempts to leave each sandbox (tests/workbench/project/sandbox/escapes.test.ts), and those that
 * reached something outside. A fence that this machine cannot open is named with what is missing.
 */
interface Attempt {
  readonly title: string
  readonly status: 'passed' | 'failed' | 'skipped' | 'pending'
}

/** The sandboxes, by the first word of the titles of their attempts. */
const SANDBOXES = ['folder', 'fence', 'memory'] as const

const KINDS = {
  paths: /: (?!a command)\w+ .* reaches nothing outside$/s,
  commands: /: a command .* reaches nothing outside$/s,
  floods: /: a command .* is bounded$/s,
}

const folder = mkdtempSync(join(tmpdir(), 'loadout-escapes-'))

const report = join(folder, 'report.json')

const { passed, output } = runCommand('vitest', [
  'run',
  'tests/workbench/project/sandbox/escapes.test.ts',
  // The fence is not opened for root, and other users may not write below node_modules.
  '--configLoader=runner',
  '--reporter=json',
  `--outputFile=${report}`,
])

const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
  testResults: readonly { readonly assertionResults: readonly Attempt[] }[]
}

rmSync(folder, { recursive: true })

const attempts = testResults.flatMap(({ assertionResults }) => assertionResults)

const sandboxes = SANDBOXES.map((name) => {
  const own = attempts.filter(({ title }) => title.startsWith(`${name}: `))
  const { paths, commands, floods } = KINDS
  return {
    name,
    paths: count(own, paths),
    commands: count(own, commands),
    floods: count(own, floods),
  }
})

writeFileSync(
  join(PROJECT, 'bench', 'results', 'escapes.json'),
  `${JSON.stringify({ node: process.version, system: process.platform, sandboxes }, null, 2)}\n`,
)

for (const { name, ...kinds } of sandboxes) {
  for (const [kind, { tried, out, skipped }] of Object.entries(kinds)) {
    const left =
      skipped === 0
        ? ''
        : `, ${skipped} not tried: bubblewrap, socat or ripgrep is missing, or the user is root`
    console.log(`${name}: ${kind} ${tried} tried, ${out} out${left}`)
  }
}

if (!passed) console.log(output)

process.exitCode = passed && attempts.length > 0 ? 0 : 1

function count(all: readonly Attempt[], kind: RegExp) {
  const some = all.filter(({ title }) => kind.test(title))
  const tried = some.filter(({ status }) => status === 'passed' || status === 'failed').length
  const out = some.filter(({ status }) => status === 'failed').length
  return { tried, out, skipped: some.length - tried }
}
