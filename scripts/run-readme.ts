import { mkdirSync, mkdtempDisposableSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { outsideEnvironment, PROJECT, runCommand } from './run-command.ts'

/**
 * `node scripts/run-readme.ts [node version]`: runs the TypeScript of the README as one program, on the lowest
 * Node that the package supports, and compares what it prints with the first block of text.
 *
 * It uses the built package. The README takes a model for granted: here it is the mock model of the AI SDK.
 */
const MODEL = `
import { MockLanguageModelV4 } from 'ai/test'
const model = new MockLanguageModelV4({
  doGenerate: async () => ({
    content: [{ type: 'text', text: 'Done.' }],
    finishReason: { unified: 'stop', raw: 'stop' },
    usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
    warnings: [],
  }),
} as never)
`

const readme = readFileSync(join(PROJECT, 'README.md'), 'utf8')
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block,
  )
const snippets = blocks('ts')
const expected = blocks('text')[0] ?? ''

const { engines } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
const [major, minor = '0'] = engines.node.replace('>=', '').split('.')
const version = process.argv[2] ?? `${major}.${minor}.0`

using folder = mkdtempDisposableSync(join(tmpdir(), 'loadout-readme-'))
mkdirSync(join(folder.path, 'node_modules'))
for (const name of ['ai', 'zod']) {
  symlinkSync(join(PROJECT, 'node_modules', name), join(folder.path, 'node_modules', name))
}
symlinkSync(PROJECT, join(folder.path, 'node_modules/loadout'))
writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }')
writeFileSync(join(folder.path, 'readme.ts'), [MODEL, ...snippets].join('\n'))

const { passed, stdout, output } = runCommand(
  'npx',
  ['--yes', '--package', `node@${version}`, '--', 'node', 'readme.ts'],
  { cwd: folder.path, env: outsideEnvironment() },
)
if (!passed || stdout !== expected) {
  console.error(`The README prints this on node@${version}:\n${output}\nIt says:\n${expected}`)
  process.exitCode = 1
}
const lines = readme.split('\n').length - 1
console.log(
  `${snippets.length} snippets of the README ran on node@${version}, ${lines} lines in all`,
)
if (snippets.length === 0) process.exitCode = 1
