import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CARNET_VERSIONS, LEFT_OUT } from './carnet-versions.ts'
import { deliberateDifferences } from './deliberate-differences.ts'
import { runSuite } from './run-suite.ts'
import { outsideEnvironment, PROJECT, runCommand } from '../run-command.ts'

/**
 * `npm run carnet`: fetches two versions of Carnet into `.fetched`, and runs their own tests against `loadout/carnet`
 * and the command. Fails on a test that fails and is not in docs/migrating-from-carnet.md, and on one that is and passes.
 *
 * npm run carnet -- --from folder-with-clones
 */
const { values } = parseArgs({
  options: {
    /** A folder with a clone, named `upstart-gg+carnet`; otherwise it is cloned. */
    from: { type: 'string' },
    out: { type: 'string', default: join(PROJECT, 'bench', 'results', 'carnet-suites.json') },
  },
})

const source =
  values.from === undefined
    ? 'https://github.com/upstart-gg/carnet.git'
    : join(values.from, 'upstart-gg+carnet')

const page = readFileSync(join(PROJECT, 'docs', 'migrating-from-carnet.md'), 'utf8')

const listed = deliberateDifferences(page)

const versions = CARNET_VERSIONS.map(({ version, commit }) => {
  const { passed, failed, leftOut } = runSuite(fetchVersion(version, commit))
  const expected = listed.filter((one) => one.versions.includes(version)).map(({ test }) => test)
  const unexpected = failed.filter((test) => !expected.includes(test))
  const outdated = expected.filter((test) => !failed.includes(test))
  console.log(
    `Carnet ${version}: ${passed} passed, ${failed.length} failed, ${leftOut.length} files left out`,
  )
  for (const test of failed)
    console.log(`  failed${unexpected.includes(test) ? '' : ' on purpose'}: ${test}`)
  for (const test of outdated) console.log(`  passed, and is listed as a difference: ${test}`)
  for (const file of leftOut) console.log(`  left out: ${file} ${LEFT_OUT[file]}`)
  if (passed === 0 || unexpected.length + outdated.length > 0) process.exitCode = 1
  return { version, commit, passed, failed, leftOut }
})

if (process.exitCode !== 1) {
  writeFileSync(values.out, `${JSON.stringify({ node: process.version, versions }, null, 2)}\n`)
}

/** Returns the clone of a version, fetched if it is not there. What its tests wrote last time is removed. */
function fetchVersion(version: string, commit: string): string {
  const clone = join(PROJECT, '.fetched', 'carnet', version)
  if (!existsSync(join(clone, '.git'))) {
    rmSync(clone, { recursive: true, force: true })
    mkdirSync(clone, { recursive: true })
    must(['clone', '--quiet', source, clone])
  }
  must(['-C', clone, 'checkout', '--quiet', '--force', commit])
  must(['-C', clone, 'clean', '-dfxq'])
  return clone
}

function must(words: readonly string[]): void {
  const { passed, output } = runCommand('git', words, { env: outsideEnvironment() })
  if (!passed) throw new Error(`git ${words.join(' ')} failed:\n${output}`)
}
