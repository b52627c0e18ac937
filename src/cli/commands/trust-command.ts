import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Option } from 'commander'
import type { TrustRecord } from '../../project/trust/trust-store.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import { jsonOption } from '../shell/common-options.ts'
import { jsonText } from '../shell/json-text.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

interface TrustCommandOptions {
  readonly list?: true
  readonly remove?: true
  readonly json?: true
}

/** `loadout trust`: whose code may run, bound to the files as they are now. */
export const trustCommand: CliCommand<TrustCommandOptions> = {
  name: 'trust',
  summary: 'let the code of a folder run: its configuration and its handlers',
  description:
    'Trust folders as they are now. Trust is bound to every file that an import could run, by digest: when one changes, nothing of the folder runs until it is trusted again. Read the code first.',
  arguments: '[paths...]',
  options: () => [
    new Option('--list', 'print what is trusted').conflicts('remove'),
    new Option('--remove', 'take the trust back'),
    jsonOption(),
  ],
  examples: ['loadout trust examples/workbench', 'loadout trust --remove examples/workbench'],
  async run({ words, options, context }) {
    const { openTrustStore } = await import('../../project/trust/trust-store.ts')
    const { cwd, trustFile, stdout } = context
    const store = openTrustStore(trustFile === undefined ? {} : { file: trustFile })
    const say = (line: string) => stdout.write(`${sanitiseLine(line)}\n`)
    const folders = words.map((word) => resolve(cwd, word))
    if (options.list) {
      if (words.length > 0) throw wrongUsage('--list takes no paths.', 'Leave the paths out.')
      const trusted = (await store.list()).map(report)
      if (options.json) stdout.write(jsonText({ trusted }))
      else if (trusted.length === 0) say('Nothing is trusted.')
      else for (const { folder, files } of trusted) say(`${folder} (${filesOf(files)})`)
      return 0
    }
    if (words.length === 0) {
      throw wrongUsage('"trust" needs a folder.', 'Give one, or --list to see what is trusted.')
    }
    if (options.remove) {
      for (const folder of folders) if (!(await store.untrust(folder))) throw notTrusted(folder)
      if (options.json) stdout.write(jsonText({ removed: folders }))
      else for (const folder of folders) say(`No longer trusted: ${folder}`)
      return 0
    }
    for (const folder of folders) await checkFolder(folder)
    const trusted = []
    for (const folder of folders) trusted.push(report(await store.trust(folder)))
    if (options.json) {
      stdout.write(jsonText({ trusted }))
      return 0
    }
    for (const { folder, files } of trusted) {
      say(`Trusted: ${folder}, until one of ${filesOf(files)} changes:`)
      for (const file of files) stdout.write(`  ${sanitiseLine(file)}\n`)
    }
    return 0
  },
}

function report({ folder, digest, files }: TrustRecord) {
  return { folder, digest, files: files.map(([path]) => path) }
}

function filesOf(files: readonly string[]): string {
  return files.length === 1 ? '1 file' : `${files.length} files`
}

async function checkFolder(folder: string): Promise<void> {
  const stats = await stat(folder).catch(() => null)
  if (stats?.isDirectory()) return
  throw wrongUsage(
    `"${folder}" is not a folder.`,
    'Give the folder that holds the skills or the configuration.',
  )
}

function notTrusted(folder: string): WorkspaceError {
  return new WorkspaceError('NOT_TRUSTED', `"${folder}" was not trusted.`, {
    facts: { folder },
    hint: 'List what is trusted: loadout trust --list.',
  })
}
