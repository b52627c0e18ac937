import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { format } from 'prettier'
import { expect, test } from 'vitest'
import { PROJECT } from '../../scripts/run-command.ts'
import { besideVersions } from './installed.ts'

const USES = join(PROJECT, 'scripts/matrix/uses')

/** The programs of users. */
const PROGRAMS = Object.fromEntries(
  globSync('*.ts', { cwd: USES }).map((name) => [name, readFileSync(join(USES, name), 'utf8')]),
)

/** A package in several versions, by their names in `scripts/matrix/package.json`, and the program that uses it. */
interface Column {
  readonly use: string
  readonly name: string
  readonly versions: readonly string[]
  /** What the program prints. */
  readonly prints: unknown
  /** For versions that cannot be used, the error, which the program prints. Their types are not checked. */
  readonly refused?: Readonly<Record<string, string>>
  readonly printsRefused?: (error: string) => unknown
}

const NO_INK =
  'The playground needs version 7 or newer of the package "ink", and version 6 or older is installed.'

const CALLED = [true, [{ type: 'text', text: '42' }]]

const COLUMNS: readonly Column[] = [
  {
    use: 'openai',
    name: 'openai',
    versions: ['openai-4', 'openai-5', 'openai-6', 'openai-7'],
    prints: [
      ['done', 1, true, 0],
      ['done', 1, true, 3],
      ['done', 'It is 42.', true, 0],
      ['done', 'It is 42.', true, 6],
    ],
  },
  {
    use: 'anthropic',
    name: '@anthropic-ai/sdk',
    versions: ['0.37', '0.60', '0.80', '0.137', '1'].map((version) => `anthropic-${version}`),
    prints: [0, 3, 0, 3].map((events) => ['done', 'end_turn', true, events]),
  },
  {
    use: 'ai',
    name: 'ai',
    versions: ['ai-5', 'ai-6', 'ai-7.0', 'ai-7'],
    prints: [{ twice: 42 }, 'It is 42.'],
    refused: {
      'ai-5': 'forAiSdk needs version 7 of the package "ai", and version 5 or older is installed.',
      'ai-6': 'forAiSdk needs version 7 of the package "ai", and version 6 is installed.',
    },
  },
  {
    use: 'ink',
    name: 'ink',
    versions: ['ink-6.0', 'ink-6', 'ink-7', 'ink-8'],
    prints: ['Sums', 'sums'],
    refused: { 'ink-6.0': NO_INK, 'ink-6': NO_INK },
    // The components draw.
    printsRefused: (error) => ['Sums', error],
  },
  // Ink needs the later one.
  {
    use: 'react',
    name: 'react',
    versions: ['react', 'react', 'react', 'react', 'react-18'],
    prints: 'sums: active',
  },
  {
    use: 'zod',
    name: 'zod',
    versions: ['zod-3.25', 'zod-4.0', 'zod'],
    prints: [42, 'VALIDATION', true],
  },
  { use: 'otel', name: '@opentelemetry/api', versions: ['otel-1.0', 'otel-1'], prints: true },
  {
    use: 'mcp',
    name: '@modelcontextprotocol/client',
    versions: ['mcp-client-2.0', 'mcp-client-2'],
    prints: CALLED,
  },
  {
    use: 'mcp',
    name: '@modelcontextprotocol/sdk',
    versions: ['mcp-sdk-1.10', 'mcp-sdk-1'],
    prints: CALLED,
  },
  {
    use: 'mcp-server',
    name: '@modelcontextprotocol/server',
    versions: ['mcp-server-2.0', 'mcp-server-2'],
    prints: true,
    refused: {
      'mcp-server-2.0':
        'Serving MCP needs version 2.4 or newer of the package "@modelcontextprotocol/server", and an earlier one, without "ext/skills", is installed.',
    },
  },
]

/** Projects that have one version of each package: the first of all, the second, and so on. */
const PROJECTS = Array.from({ length: 5 }, (_, index) => index)

const COMPILER = [
  '--ignoreConfig --noEmit --strict --skipLibCheck false --preserveSymlinks --target es2024 --module nodenext',
  '--lib es2024,esnext.disposable,dom --types node --allowImportingTsExtensions',
].flatMap((options) => options.split(' '))

test.each(PROJECTS)('programs run, and compile, with versions in column %i', async (index) => {
  const versions = COLUMNS.map((column) => [column.name, column.versions.at(index)] as const)
  const react = versions.find(([name]) => name === 'react')?.[1]
  const named = Object.fromEntries(
    [...versions, ['react-dom', react?.replace('react', 'react-dom')] as const].map(
      ([name, version]) => [name, version ?? lastVersion(name)],
    ),
  )
  const { node, run } = await besideVersions(named, PROGRAMS)
  const tried = COLUMNS.flatMap(({ versions: all, refused = {}, ...column }) => {
    const version = all[index]
    const isNew = version !== undefined && all.indexOf(version) === index
    return isNew ? [{ ...column, version, error: refused[version] }] : []
  })
  const printed = await Promise.all(
    tried.map(async ({ use, version }) => {
      const options = ['--preserve-symlinks', '--preserve-symlinks-main']
      const { stdout, stderr } = await node(...options, `${use}.ts`)
      return { version, stderr, printed: stdout === '' ? null : JSON.parse(stdout) }
    }),
  )
  const same = (error: string): unknown => error
  expect(printed).toEqual(
    tried.map(({ version, prints, error, printsRefused = same }) => ({
      version,
      stderr: '',
      printed: error === undefined ? prints : printsRefused(`WorkspaceError: ${error}`),
    })),
  )
  const uses = tried.filter(({ error }) => error === undefined).map(({ use }) => `${use}.ts`)
  const compiled = await run(join(PROJECT, 'node_modules/.bin/tsc'), ...COMPILER, ...uses)
  // The types of some packages need others that are not installed.
  const own = /^(?:[^/(]+\.ts|node_modules\/loadout\/[^(]+)\(|^error/
  expect(compiled.stdout.split('\n').filter((line) => own.test(line))).toEqual([])
})

test('every program has a row', () => {
  const names = Object.keys(PROGRAMS).map((name) => basename(name, '.ts'))
  expect(new Set(['loopback', ...COLUMNS.map(({ use }) => use)])).toEqual(new Set(names))
})

test('the page has the versions', async () => {
  const path = join(PROJECT, 'docs/where-it-runs.md')
  const page = readFileSync(path, 'utf8')
  const [before = '', after = ''] = page.split(/(?<=\n)\| package[^]*?\n(?=\n)/)
  const lines = COLUMNS.map(({ name, versions, refused = {} }) => {
    const unique = [...new Set(versions)]
    const runs = unique.filter((version) => !(version in refused)).map(installedVersion)
    const errors = Object.keys(refused).map(installedVersion)
    return `| \`${name}\` | ${runs.join(', ')} | ${errors.join(', ')} |`
  })
  const table = ['| package | runs | says that it cannot |', '| --- | --- | --- |', ...lines]
  const text = await format(table.join('\n'), { parser: 'markdown' })
  await expect(`${before}${text}${after}`).toMatchFileSnapshot(path)
})

function lastVersion(name: string): string {
  return COLUMNS.find((column) => column.name === name)?.versions.at(-1) ?? name
}

/** Returns the version of a package of `scripts/matrix`. */
function installedVersion(version: string): string {
  const { dependencies } = JSON.parse(
    readFileSync(join(PROJECT, 'scripts/matrix/package.json'), 'utf8'),
  ) as { readonly dependencies: Readonly<Record<string, string>> }
  return dependencies[version]?.replace(/^.*@/, '') ?? ''
}
