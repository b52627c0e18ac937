import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../../scripts/run-command.ts'
import { besideFrameworks } from './installed.ts'

/** The pages about frameworks of other makers. */
const PAGES = ['langchain', 'mastra', 'openai-agents']

const OPTIONS = {
  module: 'nodenext',
  target: 'esnext',
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
}

test('the code of each page about a framework compiles with the types of the framework, without a cast', async () => {
  const pieces = PAGES.flatMap((name) => {
    const page = readFileSync(join(PROJECT, 'docs', `${name}.md`), 'utf8')
    return [...page.matchAll(/^```ts\n([^]*?)^```$/gm)].map(
      ([, code = ''], at) => [`${name}-${at}.ts`, `${code}\nexport {}\n`] as const,
    )
  })
  expect(pieces.length).toBeGreaterThanOrEqual(PAGES.length)
  expect(pieces.filter(([, code]) => /\bas (?:never|any|unknown)\b/.test(code))).toEqual([])
  const project = await besideFrameworks({
    ...Object.fromEntries(pieces),
    'tsconfig.json': JSON.stringify({ compilerOptions: OPTIONS, include: ['*.ts'] }),
  })
  const tsc = join(PROJECT, 'node_modules/typescript/bin/tsc')
  const { stdout } = await project.node(tsc, '--project', '.', '--pretty', 'false')
  expect(stdout).toBe('')
}, 240_000)
