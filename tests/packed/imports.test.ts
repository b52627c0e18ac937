import { readdirSync, readFileSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { beforeAll, expect, test } from 'vitest'
import { PROJECT } from '../../scripts/run-command.ts'
import { installed } from './installed.ts'

const { dependencies, peerDependencies, exports } = JSON.parse(
  readFileSync(join(PROJECT, 'package.json'), 'utf8'),
) as Record<'dependencies' | 'peerDependencies' | 'exports', object>

/** Packages, each with the page that says what needs it. */
type Peers = Readonly<Record<string, string>>

/** The peers that every entry may load later: what needs one of them says how to install it. */
const LATER: Peers = {
  '@anthropic-ai/sandbox-runtime': 'scripts',
  '@modelcontextprotocol/client': 'mcp',
  'just-bash': 'scripts',
}

/** The other peers, of the entries that have any. */
const PEERS: Readonly<Record<string, { readonly atOnce?: Peers; readonly later?: Peers }>> = {
  'entries/ai-sdk.js': { atOnce: { ai: 'ai-sdk' } },
  'entries/ink.js': {
    atOnce: { ink: 'components', react: 'components' },
    later: { ai: 'components' },
  },
  'entries/ink-views.js': { atOnce: { ink: 'components', react: 'components' } },
  'entries/langchain.js': { later: { '@langchain/core': 'langchain' } },
  'entries/mcp.js': { later: { '@modelcontextprotocol/server': 'mcp-server' } },
  'entries/openai-agents.js': { later: { '@openai/agents': 'openai-agents' } },
  'entries/otel.js': { atOnce: { '@opentelemetry/api': 'telemetry' } },
  'entries/postgres.js': { atOnce: { pg: 'sessions' } },
  'entries/react.js': { atOnce: { react: 'react' } },
  'cli/main.js': {
    later: {
      '@modelcontextprotocol/node': 'mcp-server',
      '@modelcontextprotocol/server': 'mcp-server',
      pg: 'sessions',
    },
  },
}

const ENTRIES = Object.keys(exports)
  .filter((name) => !name.endsWith('.json'))
  .map((name) => `entries/${name === '.' ? 'index' : name.slice(2)}.js`)

let dist: string
beforeAll(async () => {
  const { bin } = await installed([])
  dist = join(dirname(bin), '../dist')
})

test.each([...ENTRIES, 'cli/main.js'])(
  '%s reaches no package but dependencies, and the peers that a page names',
  (entry) => {
    const { atOnce = {}, later = {} } = PEERS[entry] ?? {}
    const reached = packagesReached(entry)
    const unnamed = (packages: ReadonlySet<string>, peers: Peers) =>
      [...packages].filter(
        (name) => !isBuiltin(name) && !(name in dependencies) && !(name in peers),
      )
    expect({
      atOnce: unnamed(reached.atOnce, atOnce),
      later: unnamed(reached.later, { ...LATER, ...atOnce, ...later }),
    }).toEqual({ atOnce: [], later: [] })
    expect(Object.keys(atOnce).filter((name) => !reached.atOnce.has(name))).toEqual([])
    expect(Object.keys(later).filter((name) => !reached.later.has(name))).toEqual([])
  },
)

test('what each entry reaches is listed', async () => {
  const rows = [...ENTRIES, 'cli/main.js'].map((entry) => {
    const { atOnce, later, bytes } = packagesReached(entry)
    const named = (names: Iterable<string>) => [...new Set(names)].toSorted()
    const kilobytes = Math.ceil(bytes / 100_000) * 100
    return [
      entry,
      {
        atOnce: named(atOnce),
        later: named([...later].filter((one) => !atOnce.has(one))),
        kilobytes,
      },
    ]
  })
  const list = `${JSON.stringify(Object.fromEntries(rows), null, 1)}\n`
  await expect(list).toMatchFileSnapshot('reached.json')
})

test('every peer that is reached is declared, and its page names it', () => {
  const all = [
    LATER,
    ...Object.values(PEERS).flatMap(({ atOnce = {}, later = {} }) => [atOnce, later]),
  ]
  const named = all.flatMap((peers) => Object.entries(peers))
  const wrong = named.filter(
    ([name, page]) =>
      !(name in peerDependencies) ||
      !readFileSync(`docs/${page}.md`, 'utf8').split(/[`\s]/).includes(name),
  )
  expect(wrong).toEqual([])
})

test('no file imports a package that is neither a dependency nor a peer', () => {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.[jt]s$/.test(file),
  )
  const packages = new Set(
    files.flatMap((file) => importsOf(file).flatMap(({ name }) => name ?? [])),
  )
  const known = { ...dependencies, ...peerDependencies }
  expect(files.length).toBeGreaterThan(ENTRIES.length)
  expect([...packages].filter((name) => !isBuiltin(name) && !(name in known))).toEqual([])
})

test('what is imported by a name that is not known here are modules of users', () => {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.js'),
  )
  expect(files.flatMap((file) => importsOf(file).flatMap(({ unknown }) => unknown ?? []))).toEqual([
    expect.stringContaining('?content='),
  ])
})

/** Returns the packages and the modules of Node that a file of the package imports, with all files that it imports. */
function packagesReached(entry: string) {
  const reached = { atOnce: new Set<string>(), later: new Set<string>(), bytes: 0 }
  const seen = new Set<string>()
  const visit = (file: string, isLater: boolean) => {
    const key = `${file} ${isLater}`
    if (seen.has(key)) return
    seen.add(key)
    if (!isLater) reached.bytes += statSync(join(dist, file)).size
    for (const one of importsOf(file)) {
      const later = isLater || one.isLater
      if (one.file !== undefined) visit(one.file, later)
      if (one.name !== undefined) reached[later ? 'later' : 'atOnce'].add(one.name)
    }
  }
  visit(entry, false)
  return reached
}

/** One import: of a package by its name, of a file, or of something that only a running program knows. */
interface Import {
  readonly isLater: boolean
  readonly name?: string
  readonly file?: string
  readonly unknown?: string
}

const parsed = new Map<string, readonly Import[]>()

/** Returns the imports of a file. */
function importsOf(file: string): readonly Import[] {
  const before = parsed.get(file)
  if (before !== undefined) return before
  const text = readFileSync(join(dist, file), 'utf8')
  const { module, errors } = parseSync(file, text)
  expect(errors).toEqual([])
  const read = (specifier: string, isLater: boolean): Import[] => {
    if (isBuiltin(specifier)) return [{ isLater, name: specifier }]
    if (specifier.startsWith('.')) return [{ isLater, file: join(dirname(file), specifier) }]
    const [scope = '', name = ''] = specifier.split('/')
    return [{ isLater, name: scope.startsWith('@') ? `${scope}/${name}` : scope }]
  }
  const found = [
    ...module.staticImports.flatMap((one) => read(one.moduleRequest.value, false)),
    ...module.staticExports
      .flatMap(({ entries }) => entries)
      .flatMap(({ moduleRequest }) => (moduleRequest ? read(moduleRequest.value, false) : [])),
    ...module.dynamicImports.flatMap(({ moduleRequest: { start, end } }): Import[] => {
      const source = text.slice(start, end)
      const literal = /^(['"`])(?<specifier>[^$]*)\1$/.exec(source)?.groups?.['specifier']
      return literal === undefined ? [{ isLater: true, unknown: source }] : read(literal, true)
    }),
  ]
  parsed.set(file, found)
  return found
}
