import type { Entry, Verdict, WorkspaceReader } from '../../../entries/index.ts'
import type { NameHistory } from '../../../entries/plan.ts'
import { didYouMean, nearestNames } from '../../../entries/kit.ts'
import type { Project, ProjectOptions } from '../../project/folders/open-project.ts'
import type { InventoryEntry } from '../../project/inventory/inventory-entry.ts'
import { historyReport } from '../facts/history-report.ts'
import type { ReadObserved } from '../facts/observed-names.ts'
import { type ObservedAnswer, verdictReport } from '../facts/verdict-report.ts'
import type { Report } from '../report.ts'

/** The parts of a session that the explanation of a name is read from. */
export interface NameSource {
  readonly workspace: WorkspaceReader
  /** Reads its entries up to the moment that is asked about. */
  entries(): readonly Entry[] | Promise<readonly Entry[]>
  /** Returns the function that reads outcomes in a session of another agent; absent where its folders are not read. */
  readonly observe?: ((entries: readonly Entry[]) => Promise<ReadObserved>) | undefined
  /** The folders of the definitions; null where they are not those of a project. */
  readonly disk: ProjectFolders | null
}

/** A project, and the paths and options that it was read with. */
export interface ProjectFolders {
  readonly project: Project
  readonly paths: readonly string[]
  readonly reading: Pick<ProjectOptions, 'project' | 'home'>
}

/** The explanation of a name. */
interface ExplainedName {
  readonly verdict: Verdict & {
    readonly onDisk?: readonly InventoryEntry[]
    readonly observed?: ObservedAnswer
  }
  readonly history: NameHistory
}

/**
 * Explains a name: its status by the verdict, what is on disk under it, the needs of its scripts, and its history.
 *
 * @param only searches one kind; null searches both
 */
export function explainName(
  name: string,
  only: Verdict['kind'] | null,
  source: NameSource,
): Promise<ExplainedName> {
  return explainVerdict(findVerdict(name, only, source.workspace), only, source)
}

/** Adds to the verdict of a name what is on disk under it, the needs of its scripts, and its history. */
export async function explainVerdict(
  found: Verdict,
  only: Verdict['kind'] | null,
  source: NameSource,
): Promise<ExplainedName> {
  const placed = only === 'tool' ? found : await withPlaces(found, source)
  const verdict = await withScripts(placed, source)
  const named = await source.workspace.history(verdict.name)
  const observed = await inObservedSession(verdict, named, only, source)
  // That of a name which no tool has is about a skill.
  const isOther = verdict.status === 'unknown' && observed?.kind === 'tool'
  const history = isOther ? { ...named, requests: 0 } : named
  if (observed === null) return { verdict, history }
  return { verdict: { ...verdict, observed, fix: observed.fix }, history }
}

/** Writes the explanation of a name, as `loadout why` prints it. */
export function explanationReport(
  { verdict, history }: ExplainedName,
  { catalog }: Pick<WorkspaceReader, 'catalog'>,
): Report {
  return [...verdictReport(verdict), ...historyReport(verdict.name, history, catalog)]
}

/** Returns the outcome in a session of another agent; null in other sessions. */
async function inObservedSession(
  verdict: Verdict,
  history: NameHistory,
  only: Verdict['kind'] | null,
  { workspace, entries, observe }: NameSource,
): Promise<ObservedAnswer | null> {
  if (workspace.state.opening?.observed === undefined || observe === undefined) return null
  const read = await observe(await entries())
  return read(verdict, history, only)
}

/** Adds the needs of a skill's scripts, with those that this machine does not have. */
async function withScripts<Explained extends Verdict>(
  verdict: Explained,
  { workspace, disk }: NameSource,
): Promise<Explained> {
  const skill =
    verdict.kind === 'skill' && disk !== null
      ? workspace.catalog.skills.get(verdict.name)
      : undefined
  if (skill === undefined || skill.files.length === 0) return verdict
  const { describeScriptNeeds } = await import('../../project/inventory/describe-script-needs.ts')
  const seq = verdict.because.at(-1)?.seq ?? 0
  const needs = (await describeScriptNeeds(skill)).map((text) => ({ seq, text }))
  return { ...verdict, because: [...verdict.because, ...needs] }
}

/** Adds what is on disk under a name that no tool or skill has, and what another skill of the name shadows. */
async function withPlaces(
  verdict: Verdict,
  { workspace, disk }: NameSource,
): Promise<Verdict & { readonly onDisk?: readonly InventoryEntry[] }> {
  const { name, status, owner, kind, because } = verdict
  const isUnknown = status === 'unknown'
  const isShadowing =
    kind === 'skill' && workspace.catalog.shadowedSkills.some((skill) => skill.name === owner)
  if (disk === null || !(isUnknown || isShadowing)) return verdict
  const [{ isNamed }, { takeInventory }] = await Promise.all([
    import('../../project/inventory/inventory-entry.ts'),
    import('../../project/inventory/take-inventory.ts'),
  ])
  const { entries } = await takeInventory(disk.project, disk.paths, disk.reading, name)
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
 * Finds the verdict of a name: of a tool, else of a skill by its id, alias or display name. For a name that neither has,
 * it names the nearest of both.
 *
 * @param only searches one kind; null searches both
 */
export function findVerdict(
  name: string,
  only: Verdict['kind'] | null,
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
