import { spawnSync } from 'node:child_process'
import {
  accessSync,
  constants,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const OLDEST = [22, 18] as const

let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadout-bin-'))
  mkdirSync(join(folder, 'bin'))
  mkdirSync(join(folder, 'dist', 'cli'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  copyFileSync(`${import.meta.dirname}/../../bin/loadout.js`, join(folder, 'bin', 'loadout.js'))
  writeFileSync(
    join(folder, 'dist', 'cli', 'main.js'),
    'export const main = async (args) => (console.log(args.join(" ")), 7)',
  )
})

afterAll(() => rmSync(folder, { recursive: true }))

/** Runs the command with a Node that reports `version`, or with the unchanged program. */
function run(program: string, version?: string) {
  const claim = join(folder, `node-${version}.cjs`)
  if (version !== undefined) {
    const value = JSON.stringify({ ...process.versions, node: version })
    writeFileSync(claim, `Object.defineProperty(process, 'versions', { value: ${value} })`)
  }
  const preload = version === undefined ? [] : ['--require', claim]
  return spawnSync(program, [...preload, join(folder, 'bin', 'loadout.js'), 'skills', '--json'], {
    encoding: 'utf8',
  })
}

test.each(['18.20.8', '20.19.5', '22.17.1'])(
  'Node %s gets one sentence about the required version',
  (old) => {
    const { status, stdout, stderr } = run(process.execPath, old)
    expect(stderr).toMatch(
      new RegExp(
        `^loadout needs Node 22\\.18 or newer; this is Node ${old.replaceAll('.', '\\.')}\\..*\\n$`,
      ),
    )
    expect(stdout).toBe('')
    expect(status).toBe(2)
  },
)

test.each(['22.18.0', '23.0.0', '24.21.0', '100.0.0'])('Node %s runs the command', (version) => {
  const { status, stdout, stderr } = run(process.execPath, version)
  expect(stderr).toBe('')
  expect(stdout).toBe('skills --json\n')
  expect(status).toBe(7)
})

test.for(nodesOnPath())(
  'the Node at %s is refused or served according to its version',
  (program) => {
    const version = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout.trim().slice(1)
    const [major = 0, minor = 0] = version.split('.').map(Number)
    const old = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
    expect(run(program).status).toBe(old ? 2 : 7)
  },
)

test('the manifest promises the same Node', async () => {
  const { default: manifest } = await import('../../package.json', { with: { type: 'json' } })
  expect(manifest.engines.node).toBe(`>=${OLDEST.join('.')}`)
})

/**
 * Returns the Nodes on PATH. An old Node of the machine is in the list, because npm only adds ours before it.
 */
function nodesOnPath(): readonly string[] {
  const found = (process.env['PATH'] ?? '').split(delimiter).map((part) => join(part, 'node'))
  return [...new Set(found), process.execPath].filter((file) => {
    try {
      accessSync(file, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
