import { counted } from '../../render/ink/parts/format-count.ts'
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Option } from 'commander'
import type { TrustRecord } from '../../project/trust/trust-store.ts'
import { isScript } from '../../skills/find-skill-file.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import { jsonOption } from '../shell/opening-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

interface TrustCommandOptions {
  readonly list?: true
  readonly remove?: true
  readonly plugin?: string
  readonly json?: true
}

/** `loadout trust`: allow the code of folders to run, bound to the digests of their files. */
export const trustCommand: CliCommand<TrustCommandOptions> = {
  name: 'trust',
  summary: 'Allow the code in a folder to run: configuration, tools, handlers',
  description:
    'Allow the code in folders to run. Read the code first. Trust is bound to the digests of all files in the folder: if one of them changes, no code in the folder runs until you trust it again.',
  arguments: '[paths...]',
  options: () => [
    new Option('--list', 'List the trusted folders').conflicts('remove'),
    new Option('--remove', 'Stop trusting the folders'),
    new Option('--plugin <name>', 'Trust only this plugin of the marketplace in the folder'),
    jsonOption(),
  ],
  examples: ['loadout trust examples/workbench', 'loadout trust --remove examples/workbench'],
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
      for (const folder of folders) if (!(await store.untrust(folder))) throw notTrusted(folder)
      if (options.json) stdout.write(jsonText({ removed: folders }))
      else for (const folder of folders) say(`No longer trusted: ${folder}`)
      return 0
    }
    for (const folder of folders) await checkFolder(folder)
    const trusted = []
    for (const folder of folders) {
      const before = await store.check(folder)
      const changed = before.status === 'changed' ? before.files : []
      trusted.push({ ...report(await store.trust(folder)), changed })
    }
    if (options.json) {
      stdout.write(jsonText({ trusted }))
      return 0
    }
    for (const { folder, files, changed } of trusted) {
      say(`Trusted ${folder} until one of its files changes (${counted(files.length, 'file')}):`)
      for (const line of summaryOf(files)) say(`  ${line}`)
      if (changed.length > 0)
        say(`Changed since it was trusted before: ${changed.slice(0, SHOWN_FILES).join(', ')}`)
      if (files.length > 1) say('Files:')
      for (const file of files.slice(0, SHOWN_FILES)) stdout.write(`  ${sanitiseLine(file)}\n`)
      if (files.length > SHOWN_FILES)
        say(`  and ${files.length - SHOWN_FILES} more (--json lists all)`)
    }
    return 0
  },
}

/** Returns one line for each skill, and one for what is in none: how many files are code, text or something else. */
function summaryOf(files: readonly string[]): readonly string[] {
  const folders = files.flatMap((path) => /^(.*?)\/?SKILL\.md$/iu.exec(path)?.[1] ?? [])
  const skillOf = (path: string) =>
    folders
      .filter((one) => one === '' || path.startsWith(`${one}/`))
      .toSorted((a, b) => b.length - a.length)[0]
  const kindOf = (path: string) => {
    if (isScript({ path, size: 0, hash: 'sha256:' }) || /\.json$/iu.test(path))
      return 'code or configuration'
    return /\.(?:md|txt)$/iu.test(path) ? 'text' : 'other'
  }
  const bySkill = Map.groupBy(files, skillOf)
  return [...bySkill].slice(0, SHOWN_FILES).map(([skill, own]) => {
    const kinds = [...Map.groupBy(own, kindOf)].map(([kind, some]) => `${some.length} ${kind}`)
    const name =
      skill === undefined ? 'in no skill' : skill === '' ? 'this skill' : `skill ${skill}`
    return `${name}: ${kinds.join(', ')}`
  })
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

function notTrusted(folder: string): WorkspaceError {
  return new WorkspaceError('NOT_TRUSTED', `"${folder}" is not trusted.`, {
    facts: { folder },
    hint: 'List the trusted folders: loadout trust --list.',
  })
}
