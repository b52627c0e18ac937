import type { VirtualWorkspace } from '../../../entries/index.ts'
import { sanitiseLine } from '../../../entries/kit.ts'
import type { SkillsReport } from '../../report/facts/skills-report.ts'
import { jsonText, rowValues } from '../../report/writers/json-text.ts'
import { printReport } from '../../report/writers/print-report.ts'
import { openSession, type OpenSession } from '../opening/open-session.ts'
import {
  type AsClientOptions,
  asClientOptions,
  clientListings,
  type AskedClients,
} from '../opening/client-listings.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { openingOptions, type OpeningOptions, repeatable } from '../shell/opening-options.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

interface SkillsOptions extends OpeningOptions, AsClientOptions {
  readonly off?: readonly string[]
  readonly on?: readonly string[]
}

/** `loadout skills`: list all skills, including those that could not be loaded. */
export const skillsCommand: CliCommand<SkillsOptions> = {
  name: 'skills',
  summary: 'List skills with their status, tools and token count',
  description:
    'List all skills. TOKENS is the number of tokens that the skill adds to a request: its text, and the definitions of its tools. The last line is the price of the next request. A SKILL.md that could not be loaded is listed as broken. If two skills have the same name, the second is listed as shadowed. With --off a skill is neither listed nor loaded for models in sessions of the project in the current folder, until --on; the choice is kept in your configuration folder. With --as it prints what another client would show its model from the current folder (or a folder that is given), the outcome of each skill and why, and how the room of the list is used; it reads no session.',
  arguments: '[paths...]',
  options: () => [
    ...openingOptions(),
    repeatable('--off <skill>', 'Turn a skill off for models in this project (repeatable)'),
    repeatable('--on <skill>', 'Turn it on again (repeatable)'),
    ...asClientOptions(),
  ],
  examples: [
    'loadout skills examples/workbench --json',
    'loadout skills examples/workbench --off data-analysis',
    'loadout skills --as codex --window 200k',
  ],
  async run({ words, options, context }) {
    const { off = [], on = [], as } = options
    if (as !== undefined) return listAs(as, words, options, context)
    const turnedOn = off.length + on.length === 0 ? [] : await turnSkills(words, options, context)
    const session = await openSession(words, options, context)
    const skills = await openSkillsReport(session)
    if (turnedOn.length > 0) await writeTurnedOn(turnedOn, session.workspace, context)
    if (options.json) context.stdout.write(jsonText(rowValues(skills)))
    else {
      const { nextRequestText } = await import('../../report/facts/request-report.ts')
      printReport([skills, await nextRequestText(session.workspace)], context)
    }
    return 0
  },
}

/** Prints what other clients would show their models. */
async function listAs(
  as: AskedClients,
  words: readonly string[],
  options: SkillsOptions,
  context: CliContext,
): Promise<0> {
  const listings = await clientListings(words[0], as, options, context)
  if (options.json) {
    const [first] = listings
    context.stdout.write(jsonText(as.isAll ? listings : first?.skills))
    return 0
  }
  const { clientReport } = await import('../../report/facts/client-report.ts')
  for (const [at, listing] of listings.entries()) {
    if (at > 0) context.stdout.write('\n')
    printReport(clientReport(listing), context)
  }
  return 0
}

/** Turns skills off, and says so on stderr, and others on. Returns the ids of these. */
async function turnSkills(
  words: readonly string[],
  { off = [], on = [], ...options }: SkillsOptions,
  context: CliContext,
): Promise<readonly string[]> {
  const [{ findSkill, didYouMean }, { skillDesk }] = await Promise.all([
    import('../../../entries/kit.ts'),
    import('../opening/skill-desk.ts'),
  ])
  const opened = await openSession(words, { ...options, json: true }, context)
  const { workspace, reading } = opened
  const desk = await skillDesk(reading)
  const { deny } = await reading.switches.read(reading.project ?? process.cwd())
  const kept = new Set(deny.map(({ where }) => where?.['skillName']))
  const named = (name: string): string => {
    const found = findSkill(name, workspace.catalog.skills)
    if (found.ok) return found.name
    // One that was removed, or is broken now, can be turned on as well.
    if (kept.has(name)) return name
    const hint = didYouMean(found.nearest, 'List the skills to see their names: loadout skills.')
    throw wrongUsage(`No skill is named "${name}".`, hint)
  }
  const [offNames, onNames] = [off.map(named), on.map(named)]
  const both = offNames.find((name) => onNames.includes(name))
  if (both !== undefined) throw wrongUsage(`"${both}" cannot be turned off and on.`, 'Choose one.')
  if (offNames.length > 0) {
    await desk.turn(offNames, true)
    const where = `(kept in ${reading.switches.file})`
    writeLine(`${are(offNames)} off for models in this project ${where}.`, context)
  }
  if (onNames.length > 0) await desk.turn(onNames, false)
  return onNames
}

/** Says which skills are on, and which of them are still off because of another rule. */
async function writeTurnedOn(
  names: readonly string[],
  { state, catalog }: VirtualWorkspace,
  context: CliContext,
): Promise<void> {
  const { refusedSkills } = await import('../../../entries/kit.ts')
  const refused = refusedSkills(state.policy, catalog)
  const on = names.filter((name) => !refused.has(name))
  const off = names.filter((name) => refused.has(name))
  if (on.length > 0) writeLine(`${are(on)} on for models in this project.`, context)
  const [first] = off
  if (first === undefined) return
  const [them, they] = off.length === 1 ? ['it', 'it requires'] : ['them', 'they require']
  const why = `a rule denies loading ${them}, or a skill that ${they}`
  writeLine(`${are(off)} still off: ${why}. loadout why ${first} shows it.`, context)
}

function are(names: readonly string[]): string {
  return `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'}`
}

function writeLine(text: string, { stderr }: CliContext): void {
  stderr.write(`${sanitiseLine(text)}\n`)
}

/** Returns all skills of a session, including shadowed ones, then those that could not be loaded. */
export async function openSkillsReport({
  project,
  workspace,
  counter,
  reading,
}: Pick<OpenSession, 'project' | 'workspace' | 'counter' | 'reading'>): Promise<SkillsReport> {
  const [{ skillsReport }, { skillDesk }] = await Promise.all([
    import('../../report/facts/skills-report.ts'),
    import('../opening/skill-desk.ts'),
  ])
  const { scopeOf } = await skillDesk(reading)
  return skillsReport(workspace, counter, { diagnostics: project.diagnostics, scopeOf })
}
