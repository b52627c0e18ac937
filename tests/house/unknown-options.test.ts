import { globSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT, runCommand } from '../../scripts/run-command.ts'
import { WorkspaceError } from '../../src/kernel/workspace-error.ts'

type Called = (...given: readonly unknown[]) => unknown

/** A function of an entry, by `entry.name`, with the members of its last parameter when that is a record. */
interface PublicFunction {
  readonly name: string
  readonly call: Called
  readonly members: readonly string[]
}

/** Entries whose functions are components, with the props of React, or get what their caller has read or made. */
const WITHOUT_OPTIONS = new Set(['ink', 'ink-views', 'react', 'kit'])

/** What a function gets before its options, and members of them without which it has other options. */
const BEFORE: Readonly<Record<string, readonly unknown[]>> = {
  'adapter.conversation': [{}],
  'log.sessionPage': [[]],
  'ai-sdk.embedderFromAiSdk': ['openai/text-embedding-3-small'],
  'ai-sdk.taskTool': [{}],
  'anthropic.forAnthropic': [{}],
  'index.forkSession': [{}],
  'index.toolsFrom': [[]],
  'index.toolsFromAiSdk': [{}],
  'langchain.toolsFromLangChain': [[]],
  'manifest.catalogFromManifest': [{}],
  'mcp.behindLoadout': [{}],
  'mcp.readServerSkills': [{}],
  'node.bindHandlers': [{}],
  'node.buildProject': ['skills'],
  'node.exportCarnet': [{}, 'out'],
  'node.exportLines': [{}, 'session'],
  'node.exportLog': [{}, 'session'],
  'node.importClaude': ['from', 'to'],
  'node.importSession': [{}, ''],
  'node.lintProject': ['skills'],
  'node.loadCarnet': ['skills'],
  'node.loadConfig': ['skills'],
  'node.loadSkills': ['skills'],
  'node.openEmbeddingFile': ['file'],
  'node.openManifest': ['file'],
  'node.openProject': ['skills'],
  'node.readServers': ['file'],
  'node.repairJsonlLog': ['file'],
  'node.watchProject': ['skills'],
  'node.writeCarnetManifest': [{}, 'out'],
  'gemini.forGemini': [{}],
  'openai-agents.loadoutAgent': [{}],
  'openai.forChatCompletions': [{}],
  'openai.forOpenAI': [{}],
  'otel.traceWorkspace': [{}],
  'plan.planSkills': [{}],
  'postgres.openPostgresLog': ['postgres://localhost/none'],
  'sqlite.openCallBudget': ['file'],
  'sqlite.openSqliteLog': ['file'],
  'sqlite.repairSqliteLog': ['file'],
}

const WITH: Readonly<Record<string, object>> = {
  'ai-sdk.forAiSdk': { open: () => {} },
  'index.defineAgent': { name: 'a', prompt: '' },
  'index.defineComponent': { key: 'a', initialState: {} },
  'index.defineSkill': { name: 'a', description: '', instructions: '' },
  'index.defineTool': { name: 'a', description: '', inputSchema: { type: 'object' } },
  'index.defineToolset': { name: 'a', tools: [] },
  'langchain.loadoutMiddleware': { open: () => {} },
  'openai-agents.loadoutAgent': { open: () => {} },
}

/** Definitions have codes of their own. */
const CODES: Readonly<Record<string, string>> = {
  'index.createCatalog': 'CATALOG_INVALID',
  'index.defineAgent': 'AGENT_INVALID',
  'index.defineComponent': 'COMPONENT_INVALID',
  'index.defineIntent': 'INTENT_INVALID',
  'index.defineRules': 'RULES_INVALID',
  'index.defineSkill': 'SKILL_INVALID',
  'index.defineTool': 'TOOL_INVALID',
  'index.defineToolset': 'TOOLSET_INVALID',
}

/** Functions whose last parameter is a record that a person does not write as options, by the reason. */
const NOT_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  'what Loadout or a provider made': [
    'adapter.argumentsFromStrict',
    'adapter.describePart',
    'adapter.entryHash',
    'adapter.matchesDefinitionHash',
    'adapter.partText',
    'adapter.planExposure',
    'adapter.predictChange',
    'adapter.providerTool',
    'adapter.redactDraft',
    'adapter.skillInResult',
    'adapter.toolsInResult',
    'ai-sdk.workspacePart',
    'index.recordedOptions',
    'log.entryHash',
    'log.storedEntry',
    'manifest.buildManifest',
    'manifest.changedSince',
    'definitions.checkSpecification',
    'manifest.diffCatalogs',
    'manifest.isBound',
    'manifest.isListedOnly',
    'definitions.lintCatalog',
    'manifest.listingOf',
    'manifest.lockDrift',
    'manifest.lockText',
    'manifest.manifestText',
    'manifest.manifestTools',
    'definitions.parseFrontMatter',
    'definitions.parseToolFolder',
    'manifest.toolDefinition',
    'plan.diffDocuments',
    'plan.itemTokens',
    'plan.keptText',
    'plan.knownSkillTokens',
    'plan.ledgerRows',
    'plan.nextRequest',
    'plan.priceChange',
    'plan.providerFacts',
    'plan.reachWord',
    'plan.requestPartsText',
    'plan.requestText',
    'plan.requestTokens',
    'plan.sentWithText',
    'plan.sessionUsage',
    'plan.skillTextTokens',
    'plan.skillTokens',
    'plan.strategyOf',
    'plan.toolReach',
    'search.catalogIndex',
    'search.documentsOf',
    'search.layeredIndex',
  ],
  'what a log was given, and knows': ['log.checkAppend', 'log.planPruning', 'log.readEntry'],
  'a set of the caller': ['adapter.referencedDefinitions'],
  'an implementation of a port': [
    'ai-sdk.searchForAiSdk',
    'manifest.manifestCounter',
    'testing.adapterContract',
    'testing.eventLogContract',
    'testing.runScenario',
  ],
  'any iterable': ['index.collectMetrics', 'index.replaySession', 'search.createToolIndex'],
  'any record': ['node.secretsFromEnvironment'],
  'the environment of a configuration, which has more': ['node.environmentVariables'],
  'reported when the file is read, with its line': ['node.defineConfig'],
  'called within handlers, after their effects: an error would report a failure that did not happen':
    ['index.fail', 'index.succeed'],
  'any value': [
    'carnet.formatError',
    'carnet.isBuildError',
    'carnet.isCarnetError',
    'carnet.isConfigError',
    'carnet.isParseError',
    'carnet.isValidationError',
    'definitions.describePresuppositions',
    'manifest.diffFields',
    'definitions.isTool',
    'manifest.readLock',
    'manifest.readManifest',
    'plan.argumentFacts',
  ],
}

const excepted = Object.values(NOT_OPTIONS).flat()

/** Gives the names of the members of a function's last parameter; undefined when that is no record. */
const OPTIONS_OF = `
type Last<F> = F extends (...given: infer P) => any
  ? Required<P> extends [...any[], infer L] ? Exclude<L, undefined> : undefined
  : undefined
type Members<L> = L extends undefined | string | number | boolean | Function | readonly any[] ? undefined : [\`\${keyof L & string}\`]
export declare function membersOf<F>(given: F): Members<Last<F>>`

const functions = await publicFunctions()

const taking = functions.filter(({ name }) => !excepted.includes(name))

test.each(taking)(
  '$name refuses a misspelt option, and names the nearest',
  async ({ name, call, members }) => {
    for (const member of members) {
      const misspelt = `${member}x`
      const options = { ...WITH[name], [misspelt]: 1 }
      const error = await errorOf(call, [...(BEFORE[name] ?? []), options])
      expect(error).toMatchObject({
        code: CODES[name] ?? 'OPTIONS_INVALID',
        message: expect.stringContaining(`"${misspelt}" is not `),
        hint: expect.stringContaining(`"${member}"`),
      })
    }
  },
)

test('the functions without options are functions that take a record', () => {
  const names = new Set(functions.map(({ name }) => name))
  expect(taking.length).toBeGreaterThan(50)
  expect(taking.filter(({ members }) => members.length === 0)).toEqual([])
  expect(excepted.filter((name) => !names.has(name))).toEqual([])
  expect(Object.keys({ ...BEFORE, ...WITH, ...CODES }).filter((one) => !names.has(one))).toEqual([])
})

const byName = new Map(functions.map((one) => [one.name, one]))

test.each([
  ['sqlite.openSqliteLog', ['f', { durability: 'never' }], '"durability" cannot be "never".'],
  ['sqlite.openSqliteLog', ['f', { durability: true }], '"durability" cannot have this value.'],
  ['sqlite.openSqliteLog', ['f', null], 'The options are not an object.'],
  ['sqlite.openSqliteLog', ['f', { readOnly: 'false' }], '"readOnly" must be true or false.'],
  ['sqlite.openSqliteLog', ['f', { lockWaitMs: '5' }], '"lockWaitMs" must be a number.'],
  ['sqlite.openSqliteLog', [undefined], '"path" must be text.'],
  ['node.loadSkills', ['p', { limits: { maxDept: 1 } }], '"limits.maxDept" is not an option.'],
  ['node.loadSkills', [5], '"paths" must be a list of texts.'],
  ['node.openProject', [['p', 5]], '"paths" must be a list of texts.'],
  ['node.openProject', [[], { home: 5 }], '"home" must be text or null.'],
  ['node.lintProject', [5], '"paths" must be a list of texts.'],
  ['node.lintProject', [[], { level: 'nativ' }], '"level" cannot be "nativ".'],
  ['node.buildProject', [{ counter: {} }, {}], '"counter" is missing.'],
  ['node.bindHandlers', [{}, {}], '"trusted" is missing.'],
  ['node.loadConfig', ['p', { trusted: 'false' }], '"trusted" must be true or false.'],
  ['node.openFolderSandbox', [{}], '"folder" is missing.'],
  [
    'node.openFolderSandbox',
    [{ folder: 'p', environment: { pas: [] } }],
    '"environment.pas" is not an option.',
  ],
  ['node.fileTools', [{ names: { reed: 'Read' } }], '"names.reed" is not an option.'],
  ['node.openScriptRunner', [{ cwd: 'p' }], '"trust" is missing.'],
  ...(
    [
      ['node.importClaude', ['f', 't'], 'onFolder'],
      ['node.importSession', [{}, ''], 'keepConsent'],
      ['node.lintProject', ['p'], 'onCompared'],
      ['node.loadSkills', ['p'], 'onFolder'],
      ['node.openMemorySandbox', [], 'maxFileBytes'],
      ['node.openProject', ['p'], 'listServers'],
      ['node.openScriptRunner', [], 'interpreters'],
      ['node.openScriptRunner', [], 'skillTimeoutsMs'],
      ['postgres.openPostgresLog', ['p'], 'maxConnections'],
      ['postgres.openPostgresLog', ['p'], 'retryMs'],
      ['postgres.openPostgresLog', ['p'], 'statementTimeoutMs'],
      ['search.createHybridSearch', [], 'leastLift'],
    ] as const
  ).map(
    ([name, before, gone]) =>
      [name, [...before, { [gone]: 1 }], `"${gone}" is not an option.`] as const,
  ),
  ...['maxFiles', 'maxSkillBytes', 'maxTextBytes'].map(
    (gone) =>
      [
        'node.loadSkills',
        ['p', { limits: { [gone]: 1 } }],
        `"limits.${gone}" is not an option.`,
      ] as const,
  ),
  ['index.createRedactor', [{ keys: 'password' }], '"keys" must be a list of texts.'],
  ['index.createRedactor', [{ secrets: [undefined] }], '"secrets" must be a list of texts.'],
  ['node.exportLog', [{}, 's', { redact: { kees: [] } }], '"redact.kees" is not an option.'],
  ['anthropic.forAnthropic', [{}, { cache: 'never' }], '"cache" cannot be "never".'],
  ['gemini.forGemini', [{}, { config: 'brief' }], '"config" must be an object.'],
  ['openai.forOpenAI', [{}, { trim: { abov: 1 } }], '"trim.abov" is not an option.'],
  ['ai-sdk.forAiSdk', [{}, { prepare: 1 }], '"prepare" is not an option.'],
  ['ai-sdk.forAiSdk', [undefined], '"workspace" must be an object.'],
  ['mcp.serveMcp', [{}], '"workspace" is missing.'],
  ['mcp.serveMcp', [{ workspace: { catlog: {} } }], '"catlog" is not an option.'],
  ['search.createHybridSearch', [{ documents: 1 }], '"documents" must be a list.'],
  ['index.collectMetrics', [{}], '"workspaces" must be a list.'],
  ['testing.runScenario', ['name: a', {}], '"scenario" is not a scenario that was read.'],
] as const)('%s refuses %j: %s', async (name, given, message) => {
  const call = byName.get(name)?.call ?? (() => {})
  expect(await errorOf(call, given)).toMatchObject({ code: 'OPTIONS_INVALID', message })
})

test('one path is a list of one', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'loadout-paths-'))
  const { openProject } = await import('../../src/entries/node.ts')
  const { roots } = await openProject(folder.path, { home: null })
  expect(roots).toEqual((await openProject([folder.path], { home: null })).roots)
})

/** Calls a function as JavaScript can, and returns the error that it throws or rejects with. */
async function errorOf(call: Called, given: readonly unknown[]): Promise<WorkspaceError | null> {
  try {
    const result = await call(...given)
    if (isAsyncIterator(result)) await result.next()
  } catch (error) {
    if (WorkspaceError.is(error)) return error
    throw error
  }
  return null
}

function isAsyncIterator(value: unknown): value is AsyncIterator<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** Returns the functions whose last parameter is a record, as the built declarations have them. */
async function publicFunctions(): Promise<readonly PublicFunction[]> {
  const called = new Map<string, Called>()
  const lines = [OPTIONS_OF]
  using folder = mkdtempDisposableSync(join(tmpdir(), 'loadout-options-'))
  for (const file of globSync('src/entries/*.ts', { cwd: PROJECT }).toSorted()) {
    const entry = basename(file, '.ts')
    if (WITHOUT_OPTIONS.has(entry)) continue
    const module = (await import(`../../src/entries/${entry}.ts`)) as Record<string, unknown>
    const built = join(PROJECT, 'dist/entries', `${entry}.js`)
    for (const [name, value] of Object.entries(module)) {
      if (typeof value !== 'function' || /^class\b/u.test(String(value))) continue
      const id = `f${called.size}`
      called.set(`${entry}.${name}`, value as Called)
      lines.push(`import { ${name} as ${id} } from '${built}'`)
      lines.push(`export const ${id}_members = membersOf(${id})`)
    }
  }
  writeFileSync(join(folder.path, 'user.ts'), lines.join('\n'))
  const options =
    '--declaration --emitDeclarationOnly --outDir out --strict --skipLibCheck --noErrorTruncation --module nodenext --target es2024 --lib es2024,esnext.disposable --types node'
  const { output } = runCommand(
    'tsc',
    ['user.ts', ...options.split(' '), '--typeRoots', join(PROJECT, 'node_modules/@types')],
    { cwd: folder.path },
  )
  expect(output).toBe('')
  const declared = readFileSync(join(folder.path, 'out/user.d.ts'), 'utf8')
  const names = [...called.keys()]
  return [...declared.matchAll(/^export declare const f(\d+)_members: (.*);$/gmu)].flatMap(
    ([, index, members = '']) => {
      const name = names[Number(index)] ?? ''
      if (members === 'undefined') return []
      const keys = [...members.matchAll(/"([^"]+)"/gu)].map(([, key = '']) => key)
      return [{ name, call: called.get(name) as Called, members: keys }]
    },
  )
}
