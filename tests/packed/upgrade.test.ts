import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT, runProgram } from '../../scripts/run-command.ts'
import { homeAt, installed } from './installed.ts'

const SOURCE = `import { createCatalog, type Explanation, VirtualWorkspace } from 'loadout'
const workspace = await VirtualWorkspace.open({ catalog: await createCatalog({}) })
const explanation: Explanation = workspace.explain('refund')
console.log(explanation.status)
`

const UPGRADED = SOURCE.replaceAll('Explanation', 'Verdict')

const files = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      types: [],
      skipLibCheck: true,
    },
  }),
  'src/refund.ts': SOURCE,
  'src/node_modules/other/index.ts': SOURCE,
}

const UPGRADE = '../node_modules/loadout/dist/upgrade.js'

test('the program that replaces old names is in the package, and what it writes compiles and runs', async () => {
  const { folder, node } = await installed([], files)
  const read = (path: string) => readFile(join(folder, path), 'utf8')

  const dry = await node(UPGRADE, '--dry-run', 'src')
  expect(dry.stderr).toBe('')
  expect(dry.stdout).toContain('1 files read, 1 to change, 2 names replaced, 0 places to look at')
  expect(await read('src/refund.ts')).toBe(SOURCE)

  const done = await node(UPGRADE, 'src')
  expect(done).toMatchObject({ code: 0, stderr: '' })
  expect(await read('src/refund.ts')).toBe(UPGRADED)
  expect(await read('src/node_modules/other/index.ts')).toBe(SOURCE)

  const compiler = join(PROJECT, 'node_modules/.bin/tsc')
  const options = { cwd: folder, env: homeAt(folder) }
  expect(await runProgram(compiler, ['-p', '.'], options)).toMatchObject({ code: 0, stdout: '' })
  expect(await node('src/refund.ts')).toMatchObject({ code: 0, stdout: 'unknown\n' })
})

test.each([
  [[], 'Name the folders with your sources.'],
  [['--write', 'src'], "Unknown option '--write'"],
  [['nowhere'], 'no such file or directory'],
])('called with %j it says what is wrong, and changes nothing', async (args, message) => {
  const { folder, node } = await installed([], files)
  const { code, stdout, stderr } = await node(UPGRADE, ...args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(message)
  expect(stderr).toContain('Usage: node node_modules/loadout/dist/upgrade.js')
  expect(await readFile(join(folder, 'src/refund.ts'), 'utf8')).toBe(SOURCE)
})
