import { Option } from 'commander'
import { sanitiseLine } from '../../../entries/kit.ts'
import type { SkillUpdate } from '../../project/add/update-skills.ts'
import { askPerson } from '../shell/ask-person.ts'
import { CHANGE_MARKS, CHANGE_PAINTS, unifiedDiffLines } from '../../report/writers/change-line.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { type ReadingOptions, readingOptions } from '../shell/opening-options.ts'
import { paint } from '../../report/writers/paint.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'
import { readProject, writeAdded } from './add-command.ts'

interface UpdateCommandOptions extends ReadingOptions {
  readonly yes?: true
  readonly force?: true
}

/** `loadout update`: compare added skills with their origins, and replace them after a question. */
export const updateCommand: CliCommand<UpdateCommandOptions> = {
  name: 'update',
  summary: 'Show what changed in the origins of added skills, and take it after a question',
  description:
    'Compare the skills that "loadout add" copied with their origins, and print the difference of each file. A ' +
    'person at the terminal is asked before anything is replaced; without a terminal, nothing is, unless --yes is ' +
    'given. Files that are no longer here are restored in the same way. A skill that was changed here is replaced only with --force. Nothing that is copied runs.\n\n' +
    'The exit code is 1 if a difference was not taken.',
  arguments: '[skills...]',
  options: () => [
    new Option('--yes', 'Take the changes without asking'),
    new Option('--force', 'Also replace skills that were changed here'),
    ...readingOptions(),
  ],
  examples: ['loadout update', 'loadout update pdf --yes'],
  async run({ words, options, context }) {
    const { lock } = await readProject(options, context)
    const all = lock?.added ?? []
    const unknown = words.find((word) => all.every(({ name }) => name !== word))
    if (all.length === 0 || unknown !== undefined) {
      const what = unknown === undefined ? 'No skill was' : `No skill "${unknown}" was`
      throw wrongUsage(`${what} added here.`, 'Add skills with "loadout add".')
    }
    const chosen = words.length === 0 ? all : all.filter(({ name }) => words.includes(name))
    const { updateSkills } = await import('../../project/add/update-skills.ts')
    let shown: readonly SkillUpdate[] = []
    const records = await updateSkills(chosen, context.cwd, async (updates) => {
      shown = updates
      if (options.json !== true) for (const update of updates) writeUpdate(update, context)
      const open = updates.filter(
        (update) =>
          isOpen(update) &&
          !update.isGone &&
          (update.changedHere.length === 0 || options.force === true),
      )
      const agreed = open.length > 0 && (options.yes === true || (await isAgreed(options, context)))
      return agreed ? open.map(({ folder }) => folder) : []
    })
    const taken = new Set(records.map(({ folder }) => folder))
    if (records.length > 0) await writeAdded(records, lock, options, context)
    const skills = shown.map((update) => ({ ...update, taken: taken.has(update.folder) }))
    const rest = skills.filter((one) => !one.taken && (isOpen(one) || one.isGone))
    if (options.json === true) context.stdout.write(jsonText({ skills }))
    else if (taken.size === 0 && rest.length === 0) {
      context.stdout.write('All added skills are those of their origins.\n')
    } else {
      const notTaken = rest.length === 0 ? '' : ` ${rest.length} not taken.`
      context.stdout.write(`${taken.size} updated.${notTaken}\n`)
    }
    return rest.length === 0 ? 0 : 1
  },
}

/** Returns true for a skill that differs from its origin, or is not complete here. */
function isOpen({ changes, missing }: SkillUpdate): boolean {
  return changes.length > 0 || missing.length > 0
}

/** Asks the person at the terminal; without one, nothing is agreed to. */
async function isAgreed(
  { json }: UpdateCommandOptions,
  { terminal, stderr }: CliContext,
): Promise<boolean> {
  if (terminal === undefined || json === true) {
    if (json !== true) stderr.write('loadout: nothing was replaced. To take the changes: --yes.\n')
    return false
  }
  return askPerson('Replace these skills? [y/N] ', terminal)
}

function writeUpdate(update: SkillUpdate, context: CliContext): void {
  const { name, folder, origin, from, to, changes, changedHere, missing, isGone } = update
  const say = (line: string) => context.stdout.write(`${line}\n`)
  const commits = from === to ? '' : ` ${from?.slice(0, 12)} -> ${to?.slice(0, 12)}`
  if (!isOpen(update) && !isGone && changedHere.length === 0) return
  const place = `${sanitiseLine(folder)}: ${sanitiseLine(origin)}`
  say(paint(`skill ${sanitiseLine(name)} in ${place}${commits}`, 'bold', context))
  if (isGone) say('  Its origin no longer has it; nothing is changed here.')
  for (const path of missing) say(`  not here: ${sanitiseLine(path)}`)
  for (const path of changedHere) say(`  changed here: ${sanitiseLine(path)}`)
  for (const { path, what, diff } of changes) {
    say(paint(`  ${CHANGE_MARKS[what]} ${sanitiseLine(path)}`, CHANGE_PAINTS[what], context))
    if (diff === null) say('      (no text)')
    else for (const line of unifiedDiffLines(diff, context)) say(line)
  }
  if (isOpen(update) && changedHere.length > 0) {
    say('  It was changed here, and is replaced only with --force.')
  }
}
