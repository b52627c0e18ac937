import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { PROJECT } from '../run-command.ts'
import { type ClientCase, makeCase, removeCase, skillsIn } from './case-folder.ts'
import type { ScriptedCall } from './conversations/scripted-answers.ts'
import type { ModelServer } from './model-server.ts'
import { PATH_PATTERNS, READ_FILES } from './path-patterns.ts'
import { runClient } from './run-client.ts'

/** A call of a tool that reads or writes files. */
type PathCall = Pick<ScriptedCall, 'name' | 'input'>

/** Observations of `paths` in Claude Code. */
export interface ObservedPaths {
  readonly version: string
  /** For a value of `paths`: the files after which the skill was listed, or `from the start`. */
  readonly patterns: Readonly<Record<string, readonly string[] | 'from the start'>>
  /** For a call: the values of `paths` whose skill was listed after it. */
  readonly calls: Readonly<Record<string, readonly string[]>>
}

const FILE = join(PROJECT, 'tests', 'connections', 'clients', 'observed', 'claude-paths.json')

/** Reads what was stored. */
export function readObservedPaths(): ObservedPaths {
  return JSON.parse(readFileSync(FILE, 'utf8')) as ObservedPaths
}

function isStored(version: string): boolean {
  if (!existsSync(FILE)) return false
  const stored = readObservedPaths()
  const isSame = isDeepStrictEqual(Object.keys(stored.patterns), PATH_PATTERNS)
  return stored.version === version && isSame
}

/** Calls in the folder `apps`, and the values of `paths` that they are tried with. */
export const PATH_CALLS: readonly (PathCall & { readonly what: string })[] = [
  {
    what: 'reads an absolute path',
    name: 'Read',
    input: { file_path: '{{project}}/apps/src/a.ts' },
  },
  { what: 'reads a relative path', name: 'Read', input: { file_path: './x/../src/a.ts' } },
  { what: 'reads a file that is not there', name: 'Read', input: { file_path: 'src/none.ts' } },
  { what: 'writes a new file', name: 'Write', input: { file_path: 'src/new.ts', content: 'a' } },
  {
    what: 'edits a file',
    name: 'Edit',
    input: { file_path: 'src/a.ts', old_string: 'a', new_string: 'b' },
  },
  {
    what: 'reads a file above its folder',
    name: 'Read',
    input: { file_path: '{{project}}/src/a.ts' },
  },
  { what: 'reads a file of the home', name: 'Read', input: { file_path: '{{home}}/src/a.ts' } },
  { what: 'reads a link', name: 'Read', input: { file_path: '{{project}}/apps/link.md' } },
  { what: 'finds files', name: 'Glob', input: { pattern: 'src/*.ts' } },
  { what: 'searches in files', name: 'Grep', input: { pattern: 'a', path: 'src' } },
  { what: 'runs a command', name: 'Bash', input: { command: 'cat src/a.ts', description: 'Read' } },
]

export const CALL_PATTERNS: readonly string[] = ['src/*.ts', 'apps/src/*.ts', '"*.ts"', 'link.md']

/** Runs Claude Code over skills with `paths`, lets the model read one file in each run, and stores which were listed. */
export async function observePaths(
  version: string,
  start: {
    readonly server: ModelServer
    readonly installed: string
    readonly workers: number
    readonly again: boolean
  },
): Promise<void> {
  if (!start.again && isStored(version)) return
  const after = async (patterns: readonly string[], more: Partial<ClientCase>, call: PathCall) => {
    const name = (at: number) => `p${at + 1}`
    const texts = patterns.map(
      (one, at) =>
        [name(at), `---\nname: ${name(at)}\ndescription: A.\npaths: ${one}\n---\nB.\n`] as const,
    )
    const files = { ...skillsIn(['.claude/skills'], Object.fromEntries(texts)), ...more.files }
    const one = { what: 'Patterns of files.', ...more, files }
    const id = `paths-${(runs += 1)}`
    const folders = makeCase(one, id)
    try {
      const input = JSON.stringify(call.input)
        .replaceAll('{{project}}', folders.project)
        .replaceAll('{{home}}', folders.home)
      const { server, installed } = start
      const filled = { id: 'toolu_1', name: call.name, input: JSON.parse(input) as unknown }
      const run = { one, folders, server, id, installed, cache: '', call: filled }
      const { listed, atEnd } = await runClient('claude-code', run)
      const shown = (list: typeof listed) =>
        patterns.filter((_, at) => list.some(([skill]) => skill === name(at)))
      return { before: shown(listed), after: shown(atEnd) }
    } finally {
      removeCase(folders)
    }
  }
  let runs = 0
  const files = Object.fromEntries(READ_FILES.map((file) => [file, 'a\n']))
  const found = await inTurn(start.workers, READ_FILES, (file) =>
    after(PATH_PATTERNS, { files }, { name: 'Read', input: { file_path: `{{project}}/${file}` } }),
  )
  const apart = {
    cwd: 'apps',
    files: { 'src/a.ts': 'a\n', 'apps/src/a.ts': 'a\n' },
    links: { 'apps/link.md': 'src/a.ts' },
    home: { files: { 'src/a.ts': 'a\n' } },
  }
  const called = await inTurn(start.workers, PATH_CALLS, (call) =>
    after(CALL_PATTERNS, apart, call),
  )
  const patterns = PATH_PATTERNS.map((one) => {
    const isFirst = found[0]?.before.includes(one) === true
    const shown = READ_FILES.filter((_, at) => found[at]?.after.includes(one))
    return [one, isFirst ? ('from the start' as const) : shown] as const
  })
  const calls = PATH_CALLS.map(({ what }, at) => [what, called[at]?.after ?? []] as const)
  const lines = (entries: readonly (readonly [string, unknown])[]) =>
    entries.map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(',\n')
  writeFileSync(
    FILE,
    `{\n "version": "${version}",\n "patterns": {\n${lines(patterns)}\n },\n "calls": {\n${lines(calls)}\n }\n}\n`,
  )
  console.log(`claude-code ${version}: ${runs} runs with "paths" observed`)
}

/** Runs work over a list with a number of workers. Returns the results in the order of the list. */
async function inTurn<Item, Result>(
  workers: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  const queue = [...items].entries()
  const one = async () => {
    for (const [at, item] of queue) results[at] = await work(item)
  }
  await Promise.all(Array.from({ length: workers }, one))
  return results
}
