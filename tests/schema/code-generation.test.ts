import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { PROJECT } from '../../scripts/run-command.ts'

/** Some edge runtimes and browsers have this rule. */
const FORBIDDEN = '--disallow-code-generation-from-strings'

async function run(...args: readonly string[]): Promise<string> {
  const options = { cwd: PROJECT, maxBuffer: 2 ** 26 }
  return (await promisify(execFile)(process.execPath, [...args], options)).stdout
}

test('the program of the README runs where code cannot be generated', async () => {
  const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8')
  const [, program = ''] = /```ts\n([^]*?)```/u.exec(readme) ?? []
  const [, output] = /```text\n([^]*?)```/u.exec(readme) ?? []
  const entry = pathToFileURL(join(PROJECT, 'src/entries/index.ts')).href
  const source = program.replace("'loadout'", JSON.stringify(entry))
  expect(source).not.toBe(program)
  const args = [FORBIDDEN, '--input-type=module-typescript', '--eval', source]
  expect(await run(...args)).toBe(output)
})

test('schemas of the suite have the same verdicts and issues there', async () => {
  const program = join(import.meta.dirname, 'suite-verdicts.ts')
  const [forbidden, allowed] = await Promise.all([run(FORBIDDEN, program), run(program)])
  expect(forbidden).toBe(allowed)
  expect(forbidden.match(/^\{/gmu)?.length).toBeGreaterThan(1_000)
})
