import { sanitiseLine } from '../../../entries/kit.ts'
import { counted } from '../../../entries/plan.ts'
import type { InventoryEntry, InventoryState } from '../../project/inventory/inventory-entry.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { paint } from '../../report/writers/paint.ts'
import { resolveReading } from '../opening/open-catalog.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { type ReadingOptions, readingOptions } from '../shell/opening-options.ts'
import { shownPath } from '../shell/report-diagnostics.ts'

/** `loadout doctor`: list the skills on disk, read or not, with reasons. */
export const doctorCommand: CliCommand<ReadingOptions> = {
  name: 'doctor',
  summary: 'List the skills on disk, and why some of them are not loaded',
  description:
    'List the folders that are searched, the skills that were read, and the skills on disk that were not, with the reason and one command or change of a file after which each is loaded. It looks at the repository of the current folder, at the folders of skills of clients in the home, and at installed packages. Commands and agents of Claude Code are listed too.\n\n' +
    'The exit code is 1 if something is not loaded because of a mistake: a file that cannot be read or has the wrong name, a skill in one file, a link that is not followed, or a search that was cut.',
  arguments: '[paths...]',
  options: readingOptions,
  examples: ['loadout doctor', 'loadout doctor examples/workbench --json'],
  async run({ words, options, context }) {
    const findings = await examine(words, options, context)
    if (options.json === true) context.stdout.write(jsonText(findings))
    else for (const line of findingLines(findings, context)) context.stdout.write(`${line}\n`)
    return findings.ok ? 0 : 1
  },
}

/** Reads a project, and compares what was read with what is on disk. */
async function examine(words: readonly string[], options: ReadingOptions, context: CliContext) {
  const { paths, reading: withoutHome } = await resolveReading(words, options, context)
  const [
    { MISTAKES },
    { takeInventory },
    { openDefinitions },
    { existingFolders },
    { configName },
  ] = await Promise.all([
    import('../../project/inventory/inventory-entry.ts'),
    import('../../project/inventory/take-inventory.ts'),
    import('../../project/open-definitions.ts'),
    import('../../project/folders/load-skills.ts'),
    import('../../project/config/load-config.ts'),
  ])
  const reading = { ...withoutHome, home: context.home, parents: true }
  const project = await openDefinitions(paths, reading)
  const { entries, limits } = await takeInventory(project, paths, reading)
  const existing = new Set(await existingFolders(project.searched))
  const isRead = ({ state }: InventoryEntry) => state === 'read' || state === 'linked'
  const unread = entries.filter((entry) => !isRead(entry))
  const file = project.config.file ?? (await configName(context.cwd))
  const { status } = await reading.trustStore.check(context.cwd)
  return {
    ok: !unread.some(({ state }) => MISTAKES.has(state)),
    folders: project.searched.map((path) => ({ path, exists: existing.has(path) })),
    read: entries.filter(isRead),
    unread,
    configuration: { file, read: project.config.file !== null, trust: status },
    limits,
  }
}

function findingLines(
  { folders, read, unread, configuration, limits }: Awaited<ReturnType<typeof examine>>,
  context: CliContext,
): readonly string[] {
  const title = (text: string) => paint(text, 'bold', context)
  const at = (path: string) => sanitiseLine(shownPath(path, context))
  const { file, trust } = configuration
  return [
    title('Folders, in the order in which they are read'),
    ...folders.map(({ path, exists }) => {
      const inside = read.filter((one) => one.path.startsWith(`${path}/`)).length
      return `  ${at(path)}  ${exists ? counted(inside, 'skill') : 'not there'}`
    }),
    '',
    title(`${counted(read.length, 'skill')} read`),
    ...read.map(({ name, path, reason }) =>
      `  ${sanitiseLine(name)}  ${at(path)}  ${sanitiseLine(reason)}`.trimEnd(),
    ),
    ...[...Map.groupBy(unread, ({ state }) => state)].flatMap(([state, group]) => [
      '',
      title(`${HEADINGS[state]} (${group.length})`),
      ...group.flatMap(({ name, path, reason, fix }) => [
        `  ${sanitiseLine(name)}  ${at(path)}`,
        `    ${sanitiseLine(reason)}`,
        `    fix: ${sanitiseLine(fix)}`,
      ]),
    ]),
    '',
    `Configuration: ${file === null ? 'none' : at(file)}. The folder is ${TRUST[trust]}.`,
    ...limits.map(sanitiseLine),
  ]
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
