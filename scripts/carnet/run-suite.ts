import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LEFT_OUT } from './carnet-versions.ts'
import { PROJECT, runCommand } from '../run-command.ts'

/** The results of Carnet's own tests of one version. */
interface SuiteResults {
  readonly passed: number
  /** Failed tests, as `file: name`, with the path of the file in `tests`. A file without any test is one. */
  readonly failed: readonly string[]
  readonly leftOut: readonly string[]
}

/** The part of a report of the test runner that is read here. */
interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

/** Runs the tests in a clone of Carnet against `loadout/carnet` and the command `loadout`. */
export function runSuite(clone: string): SuiteResults {
  const command = pathToFileURL(join(import.meta.dirname, 'carnet-command.ts'))
  mkdirSync(join(clone, 'dist', 'cli'), { recursive: true })
  writeFileSync(join(clone, 'dist', 'cli', 'index.js'), `import ${JSON.stringify(command.href)}\n`)
  const made = mkdtempSync(join(tmpdir(), 'loadout-carnet-'))
  const file = join(made, 'report.json')
  const config = join(PROJECT, 'scripts', 'carnet', 'vitest.config.ts')
  const { output } = runCommand(
    'vitest',
    ['run', '--config', config, '--reporter=json', `--outputFile=${file}`],
    { cwd: clone },
  )
  let report: Report
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as Report
  } catch (cause) {
    throw new Error(`The tests in ${clone} did not run:\n${output}`, { cause })
  } finally {
    rmSync(made, { recursive: true })
  }
  const pathOf = (name: string) => relative(join(clone, 'tests'), name).replaceAll(sep, '/')
  const tests = report.testResults.flatMap(({ name, assertionResults }) => {
    const path = pathOf(name)
    if (Object.hasOwn(LEFT_OUT, path)) return []
    if (assertionResults.length === 0) return { test: `${path}: it cannot be loaded`, ok: false }
    return assertionResults.map(({ fullName, status }) => {
      return { test: `${path}: ${fullName}`, ok: status === 'passed' }
    })
  })
  const files = report.testResults.map(({ name }) => pathOf(name))
  return {
    passed: tests.filter(({ ok }) => ok).length,
    failed: tests.flatMap(({ test, ok }) => (ok ? [] : test)).toSorted(),
    leftOut: files.filter((path) => Object.hasOwn(LEFT_OUT, path)).toSorted(),
  }
}
