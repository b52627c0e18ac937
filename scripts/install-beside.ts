import { mkdtempDisposableSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { outsideEnvironment, PROJECT, runCommand } from './run-command.ts'
import { packProject } from './try-package.ts'

/** A public repository with an agent. */
interface Repository {
  readonly repository: string
  readonly commit: string
  /** Its `package.json`. */
  readonly path: string
  /** The packages in it that could conflict with others: clients, frameworks, screens, and what they need. */
  readonly dependencies: Readonly<Record<string, string>>
}

/** Lets npm resolve the packed package together with the packages of public repositories. */
const repositories: readonly Repository[] = JSON.parse(
  readFileSync(join(PROJECT, 'scripts/matrix/repositories.json'), 'utf8'),
)

const OPTIONS = ['--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund']

using folder = mkdtempDisposableSync(join(tmpdir(), 'loadout-beside-'))

const { tarball } = packProject(folder.path)

const results = repositories.map(({ repository, commit, path, dependencies }) => {
  const cwd = mkdtempSync(join(folder.path, 'user-'))
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ private: true, dependencies }))
  const install = (...more: readonly string[]) =>
    runCommand('npm', ['install', ...OPTIONS, ...more], { cwd, env: outsideEnvironment() })
  const alone = install()
  const beside = install(tarball)
  const result = beside.passed ? 'resolved' : alone.passed ? 'STOPPED' : 'stopped without it, too'
  console.log(`${repository}@${commit.slice(0, 8)} ${path}: ${result}`)
  if (!beside.passed) console.error(beside.output)
  return beside.passed
})

const resolved = results.filter(Boolean).length

console.log(`${resolved} of ${results.length} repositories resolve with the package`)

if (resolved < results.length || results.length < 10) process.exitCode = 1
