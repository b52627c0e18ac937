import { readFileSync } from 'node:fs'
import type { Environment, InstalledPackage } from './open-installed.ts'
import type { Recording } from './record-file.ts'

/** Commands that are run one after another in one project, which they may change. */
export interface CommandGroup {
  readonly title: string
  /** Files and folders of the repository that are copied into the project first: from, to. */
  readonly copies: readonly (readonly [string, string])[]
  readonly lines: readonly string[]
}

/**
 * Reads a list of commands. `[title]` begins a group, `copy <from> <to>` copies from the repository, `#` is a comment,
 * and every other line is run by a shell and recorded.
 */
export function readCommands(file: string): readonly CommandGroup[] {
  const groups: { title: string; copies: [string, string][]; lines: string[] }[] = []
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, title] = /^\[(.+)\]$/.exec(line) ?? []
    const [, from = '', to] = /^copy (\S+) (\S+)$/.exec(line) ?? []
    const group = groups.at(-1)
    if (title !== undefined) groups.push({ title, copies: [], lines: [] })
    else if (line === '' || line.startsWith('#')) continue
    else if (group === undefined) throw new Error(`${file}: "${line}" is before the first group.`)
    else if (to !== undefined) group.copies.push([from, to])
    else group.lines.push(line)
  }
  return groups
}

/**
 * Runs the commands of a group in a new project. A record has the exit code and what was printed.
 *
 * @param more variables of the environment, in addition to those of the run
 */
export async function recordGroup(
  { title, copies, lines }: CommandGroup,
  { startRun }: InstalledPackage,
  more: Environment = {},
): Promise<readonly Recording[]> {
  using run = startRun(title, more)
  for (const [from, to] of copies) run.copy(from, to)
  const recordings: Recording[] = []
  for (const [index, line] of lines.entries()) {
    const { code, stdout, stderr } = await run.shell(line)
    const printed = `exit ${code}\n${stdout}${stderr === '' ? '' : `--- stderr\n${stderr}`}`
    const before = lines.slice(0, index).filter((one) => one === line).length
    const name = `[${title}] ${line}${before === 0 ? '' : ` (again ${before})`}`
    recordings.push({ name, text: run.normalise(printed) })
  }
  return recordings
}

/** Returns the commands that `loadout --help` names, those of groups such as `sessions list` as two words. */
export async function namedCommands({ startRun }: InstalledPackage): Promise<readonly string[]> {
  using run = startRun('help')
  const below = async (words: string): Promise<readonly string[]> => {
    const { stdout } = await run.shell(`loadout ${words} --help`)
    const names = [...stdout.matchAll(/^ {2}([a-z]+) {2,}\S/gm)].map(([, name = '']) => name)
    const found = names.filter((name) => name !== 'help')
    if (found.length === 0) return [words]
    const deeper = found.map((name) => below(`${words} ${name}`.trim()))
    return (await Promise.all(deeper)).flat()
  }
  return await below('')
}

/** Returns what is missing in the lists: every command is recorded as text, and as JSON. */
export async function missingCommands(
  groups: readonly CommandGroup[],
  installed: InstalledPackage,
): Promise<readonly string[]> {
  const lines = groups.flatMap((group) => group.lines)
  const named = await namedCommands(installed)
  if (named.length < 30) throw new Error(`Only ${named.length} commands are named by --help.`)
  return named.flatMap((name) => {
    const found = lines.filter((line) => new RegExp(`\\bloadout ${name}(?: |$)`).test(line))
    return [
      ...(found.some((line) => line.includes('--json')) ? [] : [`loadout ${name} --json`]),
      ...(found.some((line) => !line.includes('--json')) ? [] : [`loadout ${name}`]),
    ]
  })
}
