import { Option } from 'commander'
import type { Verdict, WorkspaceReader } from '../../../entries/index.ts'
import type { NameHistory } from '../../../entries/plan.ts'
import { didYouMean, nearestNames } from '../../../entries/kit.ts'
import { openSession, type OpenSession } from '../opening/open-session.ts'
import type { InventoryEntry } from '../../project/inventory/inventory-entry.ts'
import {
  type AsClientOptions,
  asClientOptions,
  clientListings,
} from '../opening/client-listings.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { type OpeningOptions, openingOptions } from '../shell/opening-options.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import { printReport } from '../../report/writers/print-report.ts'

/** `loadout why`: explain the status of a tool or skill, and what would change it. */
export const whyCommand: CliCommand<
  OpeningOptions & AsClientOptions & { readonly skill?: true; readonly tool?: true }
> = {
  name: 'why',
  summary: 'Explain why a tool or a skill can or cannot be used',
  description:
    'Explain the status of a tool, given by its name or as owner/name, or of a skill, given by its id, alias or display name. "#3" refers to entry 3 of the session log, which the reason comes from. For a name that only something on disk has, such as a skill in a folder that is not searched, it says where, why it is not loaded, and what to do. With --as it says what other clients make of the skill, in one column each. The exit code is 1 if no tool or skill has the name.',
  arguments: '<name> [paths...]',
  options: () => [
    ...openingOptions(),
    new Option('--skill', 'Take the name as a skill').conflicts('tool'),
    new Option('--tool', 'Take the name as a tool'),
    ...asClientOptions(),
  ],
  examples: ['loadout why query_table examples/workbench', 'loadout why init --as all'],
  async run({ words: [name = '', ...paths], options, context }) {
    if (options.as !== undefined) {
      const listings = await clientListings(paths[0], options.as, options, context)
      const { skillInClients, skillInClientsReport } =
        await import('../../report/facts/skill-in-clients.ts')
      const found = skillInClients(name, listings)
      if (options.json) context.stdout.write(jsonText(found))
      else printReport(skillInClientsReport(name, found), context)
      return found.every(({ outcome }) => outcome === 'not found') ? 1 : 0
    }
    const session = await openSession(paths, options, context)
    const only = options.skill ? 'skill' : options.tool ? 'tool' : null
    const verdict = whyReport(name, only, session.workspace)
    const explained = only === 'tool' ? verdict : await withPlaces(verdict, session)
    const report = await withScripts(explained, session)
    const named = await session.workspace.history(report.name)
    const observed = await inObservedSession(report, named, only, session, context)
    // That of a name which no tool has is about a skill.
    const isOther = report.status === 'unknown' && observed?.observed.kind === 'tool'
    const history = isOther ? { ...named, requests: 0 } : named
    if (options.json) {
      const about = { ...report, ...observed }
      context.stdout.write(jsonText(history.requests > 0 ? { ...about, history } : about))
    } else {
      const [{ verdictReport }, { historyReport }] = await Promise.all([
        import('../../report/facts/verdict-report.ts'),
        import('../../report/facts/history-report.ts'),
      ])
      printReport(
        [
          ...verdictReport({ ...report, ...observed }),
          ...historyReport(report.name, history, session.workspace.catalog),
        ],
        context,
      )
    }
    const { outcome } = observed?.observed ?? { outcome: 'not found' }
    const isNowhere = outcome === 'not found' || outcome === 'not sent'
    return report.status === 'unknown' && isNowhere ? 1 : 0
  },
}

/** Returns the outcome in a session of another agent, and the fix in the words of that agent; else null. */
async function inObservedSession(
  verdict: Verdict,
  history: NameHistory,
  only: Verdict['kind'] | null,
  { workspace }: OpenSession,
  { home }: CliContext,
) {
  if (workspace.state.opening?.observed === undefined) return null
  const { observedNames } = await import('../../report/facts/observed-names.ts')
  const observed = await observedNames(await workspace.entries(), home)(verdict, history, only)
  return observed && { observed, fix: observed.fix }
}

/** Adds the needs of a skill's scripts, with those that this machine does not have. */
async function withScripts<Explained extends Verdict>(
  verdict: Explained,
  { workspace, fromLog }: OpenSession,
): Promise<Explained> {
  const skill =
    verdict.kind === 'skill' && !fromLog ? workspace.catalog.skills.get(verdict.name) : undefined
  if (skill === undefined || skill.files.length === 0) return verdict
  const { describeScriptNeeds } = await import('../../project/inventory/describe-script-needs.ts')
  const seq = verdict.because.at(-1)?.seq ?? 0
  const needs = (await describeScriptNeeds(skill)).map((text) => ({ seq, text }))
  return { ...verdict, because: [...verdict.because, ...needs] }
}

/** Adds what is on disk under a name that no tool or skill has, and what another skill of the name shadows. */
async function withPlaces(
  verdict: Verdict,
  { project, workspace, reading, fromLog, paths }: OpenSession,
): Promise<Verdict & { readonly onDisk?: readonly InventoryEntry[] }> {
  const { name, status, owner, kind, because } = verdict
  const isUnknown = status === 'unknown'
  const isShadowing =
    kind === 'skill' && workspace.catalog.shadowedSkills.some((skill) => skill.name === owner)
  if (fromLog || !(isUnknown || isShadowing)) return verdict
  const [{ isNamed }, { takeInventory }] = await Promise.all([
    import('../../project/inventory/inventory-entry.ts'),
    import('../../project/inventory/take-inventory.ts'),
  ])
  const { entries } = await takeInventory(project, paths, reading, name)
  const onDisk = entries.filter(
    (entry) => (isUnknown || entry.state === 'shadowed') && isNamed(entry, name),
  )
  const [first] = onDisk
  if (first === undefined) return verdict
  const seq = because.at(-1)?.seq ?? 0
  const reasons = onDisk.map(({ path, reason, fix }) => {
    const more = isUnknown && fix === first.fix ? '' : ` ${fix}`
    return { seq, text: `Not loaded: ${path}. ${reason}${more}` }
  })
  const fix = isUnknown ? first.fix : verdict.fix
  return { ...verdict, because: [...because, ...reasons], fix, onDisk }
}

/**
 * Explains a name: of a tool, else of a skill by its id, alias or display name. For a name that neither has, names the
 * nearest of both.
 *
 * @param only searches one kind; null searches both
 */
export function whyReport(
  name: string,
  only: 'tool' | 'skill' | null,
  workspace: WorkspaceReader,
): Verdict {
  const tool = workspace.explain(name)
  if (only === 'tool' || (only === null && tool.status !== 'unknown')) return tool
  const skill = workspace.explainSkill(name)
  if (only === 'skill' || skill.status !== 'unknown') return skill
  // The owner of the name has left.
  if (tool.owner !== null) return tool
  const known = [...workspace.tools(), ...workspace.skills()]
  const nearest = nearestNames(
    name,
    known.map((one) => one.name),
  )
  const seq = Math.max(0, workspace.state.seq)
  return {
    ...tool,
    because: [{ seq, text: `No tool or skill is named "${name}".` }],
    fix: didYouMean(nearest, 'List the names with loadout tools and loadout skills.'),
    nearest,
  }
}
