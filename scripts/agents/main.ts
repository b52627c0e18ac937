import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { outsideEnvironment, PROJECT, runCommand } from '../run-command.ts'
import { packProject } from '../try-package.ts'
import { githubTools } from './github-tools.ts'
import { openAgents } from './open-agents.ts'
import { playAgent } from './play-agent.ts'
import type { Played, PortedAgent } from './ported-agent.ts'

/**
 * `npm run agents`: moves agents of others onto a workspace, and compares what their model and their UI get.
 *
 * npm run agents -- --only github-tools --from folder-with-clones
 */
const AGENTS: readonly PortedAgent[] = [githubTools, openAgents]

interface Results {
  readonly agents: readonly { readonly name: string }[]
}

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    /** A folder with clones, named like the agents; otherwise they are cloned. */
    from: { type: 'string' },
    out: { type: 'string', default: join(PROJECT, 'bench', 'results', 'agents.json') },
  },
})

const folder = mkdtempSync(join(tmpdir(), 'loadout-agents-'))

const { tarball } = packProject(folder)

/** The lines that the patch of an agent may change. */
const MOST_LINES = 40

/** An added line of code that goes around the types. */
const CAST = /^\+(?!\s*(?:\/\*|\*|\/\/)).*(\bas (?!const\b)|\bany\b|@ts-)/

const ADD = ['npm', 'install', '--no-audit', '--no-fund', '--no-save', '--ignore-scripts'] as const

/** The tools that a workspace adds. */
const ADDED = new Set(['loadSkill', 'loadSkillFile', 'unloadSkill'])

const chosen = AGENTS.filter(({ name }) => name.startsWith(values.only))

// A run of some agents keeps the earlier results of the others.
const records = new Map<string, object>(
  existsSync(values.out)
    ? (JSON.parse(readFileSync(values.out, 'utf8')) as Results).agents.map((one) => [one.name, one])
    : [],
)

let isGood = chosen.length > 0

for (const agent of chosen) {
  const clone = fetchAgent(agent)
  const home = join(clone, agent.folder)
  if (agent.upgrade !== undefined) must(['git', 'apply', beside(agent.upgrade)], clone)
  for (const command of agent.install) must(command, home)
  const before = testsOf(agent, home)
  const plain = await playAgent(agent, await importAgent(agent, home, 'plain'), false)
  must([...(agent.add ?? ADD), tarball], home)
  const patch = beside(agent.patch)
  must(['git', 'apply', patch], clone)
  const after = testsOf(agent, home)
  const moved = await playAgent(agent, await importAgent(agent, home, 'moved'), true)
  const record = {
    name: agent.name,
    commit: agent.commit,
    tools: agent.tools,
    tests: { before, after },
    lines: changedLines(readFileSync(patch, 'utf8')).length,
    casts: changedLines(readFileSync(patch, 'utf8')).filter((line) => CAST.test(line)).length,
    compared: { results: Object.keys(plain.results).length, parts: plain.parts.length },
    listed: agent.listed,
    differences: differences(plain, moved).filter((one) => !agent.listed.includes(one)),
    characters: { plain: plain.characters, moved: moved.characters },
    requests: { plain: plain.requests, moved: moved.requests },
  }
  console.log(JSON.stringify(record, null, 2))
  records.set(agent.name, record)
  const { tests, compared, differences: left, lines, casts } = record
  isGood &&=
    tests.before > 0 &&
    tests.after === tests.before &&
    compared.results > 0 &&
    left.length === 0 &&
    lines <= MOST_LINES &&
    casts === 0
}

const agents = AGENTS.flatMap(({ name }) => records.get(name) ?? [])
writeFileSync(values.out, `${JSON.stringify({ node: process.version, agents }, null, 2)}\n`)

process.exitCode = isGood ? 0 : 1

/** Clones an agent at its commit, or copies a clone. Returns the folder of the repository. */
function fetchAgent({ name, repository, commit }: PortedAgent): string {
  const clone = join(folder, name)
  if (values.from === undefined) {
    must(['git', 'clone', '--quiet', repository, clone], folder)
  } else {
    const source = join(values.from, name)
    if (!existsSync(source)) throw new Error(`There is no clone in ${source}.`)
    cpSync(source, clone, { recursive: true, verbatimSymlinks: true })
  }
  must(['git', 'checkout', '--quiet', '--force', commit], clone)
  return clone
}

function must([program, ...args]: readonly [string, ...string[]], cwd: string): string {
  const { passed, output } = runCommand(program, args, { cwd, env: outsideEnvironment() })
  if (!passed) throw new Error(`${program} ${args.join(' ')} failed in ${cwd}:\n${output}`)
  return output
}

/** Returns how many of its own tests pass; all of them, because otherwise the command fails. */
function testsOf({ tests, passed }: PortedAgent, home: string): number {
  const all = must(tests, home).matchAll(passed)
  return Array.from(all, ([, number]) => Number(number)).reduce((sum, number) => sum + number, 0)
}

/** Bundles the files of the agent, without packages, so that Node can import them, and imports them. */
async function importAgent(
  { entry, replaced = {} }: PortedAgent,
  home: string,
  name: string,
): Promise<Readonly<Record<string, unknown>>> {
  const bundle = await rolldown({
    input: join(home, entry),
    platform: 'node',
    resolve: {
      alias: Object.fromEntries(
        Object.entries(replaced).map(([module, file]) => [module, beside(file)]),
      ),
    },
    external: (id) => /^[^./]/.test(id) && !Object.hasOwn(replaced, id),
  })
  const out = join(home, '.loadout')
  mkdirSync(out, { recursive: true })
  await bundle.write({ file: join(out, `${name}.mjs`), format: 'esm' })
  await bundle.close()
  return import(pathToFileURL(join(out, `${name}.mjs`)).href)
}

function beside(file: string): string {
  return join(import.meta.dirname, file)
}

/** Returns the added and removed lines of a patch. */
function changedLines(patch: string): readonly string[] {
  return patch.split('\n').filter((line) => /^[+-](?![+-]{2} )/.test(line))
}

/** Returns the differences between two runs: of results as the model reads them, and of members of parts. */
function differences(plain: Played, moved: Played): readonly string[] {
  const results = Object.entries(plain.results).flatMap(([call, output]) =>
    JSON.stringify(moved.results[call]) === JSON.stringify(output) ? [] : `${call} result`,
  )
  const isAdded = (part: Part | undefined) => ADDED.has(nameOf(part))
  const own = moved.parts.filter(
    (part, index) =>
      !isAdded(part) && !(part.type === 'step-start' && isAdded(moved.parts[index + 1])),
  )
  const length = Math.max(own.length, plain.parts.length)
  const parts = Array.from({ length }, (_, index) => {
    const [one, other] = [members(plain.parts[index]), members(own[index])]
    const names = new Set([...Object.keys(one), ...Object.keys(other)])
    return [...names]
      .filter((name) => !isDeepStrictEqual(one[name], other[name]))
      .map((name) => `${String(one['toolCallId'] ?? index)} ${name}`)
  })
  return [...results, ...parts.flat()]
}

type Part = Played['parts'][number]

function nameOf(part: Part | undefined): string {
  if (part === undefined || !('toolCallId' in part)) return ''
  return part.type === 'dynamic-tool' ? part.toolName : part.type.replace('tool-', '')
}

/** The members of a part as JSON, which is what a UI gets, without the random id of a question. */
function members(part: Part | undefined): Readonly<Record<string, unknown>> {
  const sent = JSON.parse(JSON.stringify(part ?? {})) as Readonly<Record<string, unknown>>
  const { approval } = sent
  return isObject(approval) ? { ...sent, approval: { ...approval, id: '' } } : sent
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
