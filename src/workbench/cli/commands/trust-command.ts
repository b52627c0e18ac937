import { WorkspaceError } from '../../../entries/index.ts'
import { counted } from '../../../entries/plan.ts'
import { didYouMean, isScript, nearestNames, sanitiseLine } from '../../../entries/kit.ts'
import { stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { Option } from 'commander'
import type { TrustRecord } from '../../project/trust/trust-store.ts'
import { isYes, openQuestions } from '../shell/ask-person.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import { jsonOption } from '../shell/opening-options.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

interface TrustCommandOptions {
  readonly list?: true
  readonly remove?: true
  readonly plugin?: string
  readonly skill?: readonly string[]
  readonly all?: true
  readonly yes?: true
  readonly json?: true
}

/** `loadout trust`: allow the code of folders to run, bound to the digests of their files. */
export const trustCommand: CliCommand<TrustCommandOptions> = {
  name: 'trust',
  summary: 'Allow the code in a folder to run: configuration, tools, handlers',
  description:
    'Allow the code in folders to run. Read the code first. Trust is bound to the digests of all files in the folder: ' +
    'if one of them changes, no code in the folder runs until you trust it again. The files that "build" and "lock" write ' +
    'into a trusted folder are no change.\n\n' +
    'A person at the terminal reads how much of each skill is code, and is asked. In a folder with several skills, ' +
    'the question is about one skill after another. Without a terminal, name the skills with --skill, or trust all ' +
    'of the folder with --all.',
  arguments: '[paths...]',
  options: () => [
    new Option('--list', 'List the trusted folders').conflicts('remove'),
    new Option('--remove', 'Stop trusting the folders'),
    new Option('--skill <names...>', 'Trust only these skills in the folder'),
    new Option('--plugin <name>', 'Trust only this plugin of the marketplace in the folder'),
    new Option('--all', 'Trust all of a folder with several skills').conflicts(['skill', 'plugin']),
    new Option('--yes', 'Do not ask'),
    jsonOption(),
  ],
  examples: [
    'loadout trust examples/workbench --all',
    'loadout trust examples/workbench --skill data-analysis',
    'loadout trust --remove examples/workbench',
  ],
  async run({ words, options, context }) {
    const { openTrustStore } = await import('../../project/trust/trust-store.ts')
    const { cwd, trustFile, stdout } = context
    const store = openTrustStore(trustFile === undefined ? {} : { file: trustFile })
    const say = (line: string) => stdout.write(`${sanitiseLine(line)}\n`)
    const given = words.map((word) => resolve(cwd, word))
    const folders = options.plugin === undefined ? given : await pluginIn(given, options.plugin)
    if (options.list) {
      if (words.length > 0) throw wrongUsage('--list takes no paths.', 'Leave out the paths.')
      const trusted = (await store.list()).map(report)
      if (options.json) stdout.write(jsonText({ trusted }))
      else if (trusted.length === 0) say('No folder is trusted.')
      else
        for (const { folder, files } of trusted) say(`${folder} (${counted(files.length, 'file')})`)
      return 0
    }
    if (words.length === 0) {
      throw wrongUsage(
        '"trust" needs a folder.',
        'Give one, or use --list to see the trusted folders.',
      )
    }
    if (options.remove) {
      for (const folder of folders) {
        if (await store.untrust(folder)) continue
        throw new WorkspaceError('NOT_TRUSTED', `"${folder}" is not trusted.`, {
          facts: { folder },
          hint: 'List the trusted folders: loadout trust --list.',
        })
      }
      if (options.json) stdout.write(jsonText({ removed: folders }))
      else for (const folder of folders) say(`No longer trusted: ${folder}`)
      return 0
    }
    for (const folder of folders) await checkFolder(folder)
    const asks = context.terminal !== undefined && options.json !== true && options.yes !== true
    const questions = asks && context.terminal ? openQuestions(context.terminal) : null
    const trusted = []
    let left = 0
    for (const given of folders) {
      const read = await store.read(given)
      if (options.json !== true) stdout.write(describe(read))
      for (const folder of chooseIn(read, options, questions !== null)) {
        const before = await store.check(folder)
        const changed = before.status === 'changed' ? before.files : []
        if (before.status === 'trusted' && questions !== null) {
          say(`Trusted already: ${folder}`)
          continue
        }
        if (changed.length > 0 && options.json !== true) {
          say(`Changed since it was trusted before: ${changed.slice(0, SHOWN_FILES).join(', ')}`)
        }
        const record = folder === read.folder ? read : await store.read(folder)
        const question = `${sanitiseLine(`Trust ${folder}? [y/N]`)} `
        if (questions !== null && !isYes(await questions.ask(question))) {
          left += 1
          continue
        }
        trusted.push({ ...report(await store.trust(folder, record)), changed })
        if (options.json !== true) say(`Trusted ${folder} until one of its files changes.`)
      }
    }
    questions?.close()
    if (options.json) stdout.write(jsonText({ trusted }))
    return left === 0 ? 0 : 1
  },
}

/**
 * Returns the folders that trust is given to: those of skills with code, one by one, or the folder itself, when it has
 * one skill at most, or all of it is meant.
 */
function chooseIn(
  { folder, files }: TrustRecord,
  { all, plugin, skill }: TrustCommandOptions,
  asks: boolean,
): readonly string[] {
  const paths = files.map(([path]) => path)
  const skills = skillFolders(paths)
  if (skill !== undefined)
    return skill.map((name) => join(folder, skillNamed(name, skills, folder)))
  if (all === true || plugin !== undefined || skills.length <= 1) return [folder]
  if (!asks) {
    throw wrongUsage(
      `"${folder}" has ${skills.length} skills.`,
      'Name those to trust with --skill, or trust all of the folder with --all.',
    )
  }
  return skills
    .filter((inner) => paths.some((path) => path.startsWith(`${inner}/`) && toKind(path) === CODE))
    .map((inner) => join(folder, inner))
}

/** Returns the outermost folders with a `SKILL.md`, by path from the folder; empty for the folder itself. */
function skillFolders(paths: readonly string[]): readonly string[] {
  const all = paths
    .filter((path) => !path.split('/').includes('node_modules'))
    .flatMap((path) => /^(?:(.*)\/)?SKILL\.md$/iu.exec(path)?.slice(1) ?? [])
    .map((inner = '') => inner)
  return [...new Set(all)].filter(
    (inner) =>
      !all.some((other) => other !== inner && (other === '' || inner.startsWith(`${other}/`))),
  )
}

function skillNamed(name: string, skills: readonly string[], folder: string): string {
  const fitting = skills.filter((inner) => inner === name || basename(inner) === name)
  const [found, second] = fitting
  if (found !== undefined && second === undefined) return found
  const names = skills.map((inner) => inner || basename(folder))
  throw new WorkspaceError('SKILL_UNKNOWN', `"${folder}" has no one skill "${name}".`, {
    facts: { name, known: names },
    hint:
      second === undefined
        ? didYouMean(nearestNames(name, names), 'List its skills: loadout list.')
        : `Give the path of one: ${fitting.join(', ')}.`,
  })
}

/** Describes a folder before trust is given: how much of each skill is code, and its files. */
function describe({ folder, files }: TrustRecord): string {
  const paths = files.map(([path]) => path)
  const shown = paths.slice(0, SHOWN_FILES)
  const indented = (lines: readonly string[]) => lines.map((line) => `  ${sanitiseLine(line)}`)
  const lines = [
    sanitiseLine(`${folder} (${counted(paths.length, 'file')}):`),
    ...indented(summariseFiles(paths)),
    'Files:',
    ...indented(shown),
    ...(shown.length < paths.length
      ? [`  and ${paths.length - shown.length} more (--json lists all)`]
      : []),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

/** Returns one line for each skill, and one for what is in none: how many files are code, text or something else. */
function summariseFiles(files: readonly string[]): readonly string[] {
  const folders = skillFolders(files)
  const bySkill = [
    ...Map.groupBy(files, (path) =>
      folders.find((inner) => inner === '' || path.startsWith(`${inner}/`)),
    ),
  ]
  const lines = bySkill.slice(0, SHOWN_FILES).map(([skill, own]) => {
    const kinds = [...Map.groupBy(own, toKind)].map(([kind, some]) => `${some.length} ${kind}`)
    const name =
      skill === undefined ? 'in no skill' : skill === '' ? 'this skill' : `skill ${skill}`
    return `${name}: ${kinds.join(', ')}`
  })
  const rest = bySkill.length - lines.length
  return rest === 0 ? lines : [...lines, `and ${counted(rest, 'skill')} more`]
}

const CODE = 'code or configuration'

function toKind(path: string): string {
  if (isScript({ path, size: 0, hash: 'sha256:' }) || /\.json$/iu.test(path)) return CODE
  return /\.(?:md|txt)$/iu.test(path) ? 'text' : 'other'
}

/** Files listed without `--json`. */
const SHOWN_FILES = 100

function report({ folder, digest, files }: TrustRecord) {
  return { folder, digest, files: files.map(([path]) => path) }
}

/** Returns the folder of a plugin of a marketplace. */
async function pluginIn(folders: readonly string[], name: string): Promise<readonly string[]> {
  const [folder, second] = folders
  if (folder === undefined || second !== undefined) {
    throw wrongUsage('--plugin needs one folder.', 'Give the folder of the marketplace.')
  }
  await checkFolder(folder)
  const { pluginNamed, readPlugins } = await import('../../project/folders/read-plugins.ts')
  return [pluginNamed(name, await readPlugins(folder)).folder]
}

async function checkFolder(folder: string): Promise<void> {
  const stats = await stat(folder).catch(() => null)
  if (stats?.isDirectory()) return
  throw wrongUsage(
    `"${folder}" is not a folder.`,
    'Give the folder that contains the skills or the configuration.',
  )
}
