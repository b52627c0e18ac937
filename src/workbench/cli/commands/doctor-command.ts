import { sanitiseLine } from '../../../entries/kit.ts'
import { counted } from '../../../entries/plan.ts'
import { openDefinitions } from '../../project/open-definitions.ts'
import type { InventoryEntry, InventoryState } from '../../project/take-inventory.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { paint } from '../../report/writers/paint.ts'
import { resolveReading } from '../opening/open-catalog.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import { type ReadingOptions, readingOptions } from '../shell/opening-options.ts'
import { shownPath } from '../shell/report-diagnostics.ts'

/** `loadout doctor`: list what is on disk, read or not, with reasons. */
export const doctorCommand: CliCommand<ReadingOptions> = {
  name: 'doctor',
  summary: 'List the skills on disk, and why some of them are not loaded',
  description:
    'List the folders that are searched, the skills that were read, and the skills on disk that were not, with the reason and one command or change of a file after which each is loaded. It looks at the repository of the current folder, at the folders of skills of clients in the home, and at installed packages. Commands and agents of Claude Code are listed too.\n\n' +
    'The exit code is 1 if something is not loaded because of a mistake: a file that cannot be read or has the wrong name, a skill in one file, a link that is not followed, or a search that was cut.',
  arguments: '[paths...]',
  options: () => readingOptions(),
  examples: ['loadout doctor', 'loadout doctor examples/workbench --json'],
  async run({ words, options, context }) {
    const { paths, reading: withoutHome } = await resolveReading(words, options, context)
    const reading = { ...withoutHome, home: context.home, parents: true }
    const [{ MISTAKES, takeInventory }, { existingFolders }, { configName }] = await Promise.all([
      import('../../project/take-inventory.ts'),
      import('../../project/folders/load-skills.ts'),
      import('../../project/config/load-config.ts'),
    ])
    const project = await openDefinitions(paths, reading)
    const { entries, limits } = await takeInventory(project, paths, reading)
    const existing = new Set(await existingFolders(project.searched))
    const folders = project.searched.map((path) => ({ path, exists: existing.has(path) }))
    const isRead = ({ state }: InventoryEntry) => state === 'read' || state === 'linked'
    const read = entries.filter(isRead)
    const unread = entries.filter((entry) => !isRead(entry))
    const ok = !unread.some(({ state }) => MISTAKES.has(state))
    const file = project.config.file ?? (await configName(context.cwd))
    const trust = await reading.trustStore.check(context.cwd)
    const configuration = { file, read: project.config.file !== null, trust: trust.status }
    if (options.json === true) {
      context.stdout.write(jsonText({ ok, folders, read, unread, configuration, limits }))
      return ok ? 0 : 1
    }
    const say = (line: string) => context.stdout.write(`${line}\n`)
    const at = (path: string) => sanitiseLine(shownPath(path, context))
    say(paint('Folders, in the order in which they are read', 'bold', context))
    for (const { path, exists } of folders) {
      const inside = read.filter((one) => one.path.startsWith(`${path}/`)).length
      say(`  ${at(path)}  ${exists ? counted(inside, 'skill') : 'not there'}`)
    }
    say('')
    say(paint(`${counted(read.length, 'skill')} read`, 'bold', context))
    for (const { name, path, reason } of read) {
      say(`  ${sanitiseLine(name)}  ${at(path)}${reason === '' ? '' : `  ${sanitiseLine(reason)}`}`)
    }
    for (const [state, group] of Map.groupBy(unread, (one) => one.state)) {
      say('')
      say(paint(`${HEADINGS[state]} (${group.length})`, 'bold', context))
      for (const { name, path, reason, fix } of group) {
        say(`  ${sanitiseLine(name)}  ${at(path)}`)
        say(`    ${sanitiseLine(reason)}`)
        if (fix !== '') say(`    fix: ${sanitiseLine(fix)}`)
      }
    }
    say('')
    say(
      `Configuration: ${file === null ? 'none' : at(file)}. The folder is ${TRUST[trust.status]}.`,
    )
    for (const limit of limits) say(sanitiseLine(limit))
    return ok ? 0 : 1
  },
}

const TRUST = {
  trusted: 'trusted: its code may run',
  untrusted: 'not trusted: none of its code runs',
  changed: 'trusted and has changed since: none of its code runs',
} as const

const HEADINGS: Readonly<Record<InventoryState, string>> = {
  read: 'Read',
  linked: 'Read through links',
  broken: 'Could not be loaded',
  misspelt: 'Wrong name of the file',
  'one-file': 'Skills in one file',
  'link-out': 'Links that lead out',
  'link-broken': 'Links that lead to nothing',
  cut: 'Not reached by the search',
  shadowed: 'Shadowed by a skill of the same name',
  nested: 'Inside another skill',
  'other-client': 'In folders of other clients',
  plugin: 'In plugins',
  command: 'Commands of Claude Code',
  agent: 'Agents of Claude Code',
  above: 'Above the current folder',
  below: 'Below the current folder',
  package: 'In installed packages',
  elsewhere: 'In folders that are not searched',
}
