import { isDeepStrictEqual } from 'node:util'
import {
  type Catalog,
  type Diagnostic,
  type VirtualWorkspace,
  WorkspaceError,
} from '../../../entries/index.ts'
import { activeSkills, serialQueue, thrownMessage } from '../../../entries/kit.ts'
import { keepSkills } from '../../../entries/manifest.ts'
import { screenQueue } from '../changes/change-session.ts'
import { type DiskChange, note, type ScreenBanner, type UiStore } from '../context/ui-state.ts'
import {
  acceptFromDisk,
  applyChanges,
  changesOnDisk,
  type SessionOptions,
  waitForCalls,
} from './apply-changes.ts'
import { describeDiskChanges } from './diff-skills.ts'
import type { Project } from '../../project/folders/open-project.ts'
import { type ProjectUpdate, type WatchOptions, watchProject } from '../../project/watch-project.ts'

/** The parts of a screen that watches its skills. */
export interface SkillWatchParts {
  /** The paths and options with which the project was read, and the project. */
  readonly paths: readonly string[]
  readonly reading: Omit<WatchOptions, 'known'>
  readonly project: Project
  /** The session, and the options with which it was opened. */
  readonly workspace: VirtualWorkspace
  readonly options: SessionOptions
  readonly ui: UiStore
  /**
   * Shows another workspace from now on; the previous one is already closed.
   *
   * @param since the last entry of the session before the new workspace was opened
   */
  replace(workspace: VirtualWorkspace, since: number): Promise<void>
  /** Trusts the folders again that were trusted on this screen, and returns their skills; absent where nobody is asked. */
  trustAgain?(catalog: Catalog): Promise<readonly string[]>
  /** Called when a change on disk was read, and applied or refused. */
  onRead?(): void
}

/** The skills of a screen, watched on disk. */
export interface SkillWatch {
  /**
   * Accepts the change of one active skill, or all waiting changes. Rejects if the session refuses it,
   * which changes nothing, or if the skill on disk is broken.
   */
  accept(skill: string | null): Promise<void>
  /** Lets code run whose folder has been trusted since the skills were read. Calls and turns go on. */
  bind(): Promise<void>
  close(): Promise<void>
}

/**
 * Watches the skills on disk. Changes of inactive skills are applied at once and reported in a banner;
 * those of active skills wait in `ui.changes` until they are accepted, broken skills until they are
 * fixed. Rules of the configuration are applied at once. The agent's profile and variables stay those with
 * which the session was opened.
 */
export async function watchSkills(parts: SkillWatchParts): Promise<SkillWatch> {
  const { ui, options } = parts
  const abandoned = new Set(parts.workspace.state.calls.map(({ call }) => call))
  const updates = serialQueue()
  let { workspace } = parts
  let good = parts.project
  let isClosed = false
  const session = () => ({ workspace, disk: good.catalog, options, abandoned })
  const report = (tone: ScreenBanner['tone'], text: string) =>
    ui.setState({ banner: note(tone, text) })

  const show = async (next: VirtualWorkspace, waiting: readonly DiskChange[], since: number) => {
    if (next !== workspace) {
      workspace = next
      unsubscribe = followDeactivations()
      await parts.replace(next, since)
    }
    ui.setState({ changes: waiting })
  }
  const apply = async () => {
    if (isClosed) return
    const known = new Set(ui.getState().changes.map(({ text }) => text))
    const { seq } = workspace.state
    const { workspace: next, waiting, applied } = await applyChanges(session())
    await show(next, waiting, seq)
    const news = [...waiting, ...applied].filter(({ text }) => !known.has(text))
    if (news.length > 0) report('note', describeDiskChanges(news))
  }
  let lastSeq = workspace.state.seq
  /** Trusts again what a person saves. What was saved while a tool ran may be of the tool. */
  const trustAgain = async (update: ProjectUpdate) => {
    const since = await workspace.entries(lastSeq + 1)
    lastSeq = workspace.state.seq
    const hasCalls = since.some(({ event }) => event.type === 'call.started')
    if (!update.ok || hasCalls) return []
    return (await parts.trustAgain?.(update.project.catalog)) ?? []
  }
  const onUpdate = async (first: ProjectUpdate) => {
    const trusted = await trustAgain(first)
    const update = trusted.length === 0 ? first : await watch.read()
    await takeUpdate(update)
    parts.onRead?.()
    if (trusted.length === 0) return
    const { banner } = ui.getState()
    const stays = `Trusted as saved, since you trusted it on this screen: ${trusted.join(', ')}.`
    report('note', [banner?.text ?? '', stays].filter((text) => text !== '').join(' '))
  }
  const takeUpdate = async (update: ProjectUpdate) => {
    const problem = update.ok ? brokenConfig(good, update.project) : update.problem
    if (problem !== null) {
      report('refused', `${problem.message} ${problem.hint} Nothing was changed.`)
    } else if (update.ok) {
      const { permissions } = update.project.config
      const isSame = isDeepStrictEqual(permissions, good.config.permissions)
      good = update.project
      await apply()
      if (isSame || isClosed) return
      const { policySince } = workspace.state
      await workspace.takeCatalog(workspace.catalog, { permissions, by: 'user' })
      // Otherwise only lines changed, or this screen has changed the rules before.
      if (workspace.state.policySince === policySince) return
      report('note', 'The rules of the configuration changed.')
    }
  }
  const accept = async (skill: string | null) => {
    const { waiting } = changesOnDisk(workspace, good.catalog)
    const meant = waiting.filter((one) => skill === null || one.skill === skill)
    const acceptable = meant.filter(({ what }) => what !== 'broken')
    const [broken] = meant
    if (acceptable.length === 0 && broken !== undefined) {
      const hint = 'Fix its files; they are read again when they change.'
      throw new WorkspaceError('SKILL_BROKEN', broken.text, { facts: { skill }, hint })
    }
    for (const { skill: name } of acceptable) {
      const { seq } = workspace.state
      const { workspace: next, outcome } = await acceptFromDisk(session(), name)
      await show(next, changesOnDisk(next, good.catalog).waiting, seq)
      outcome.orThrow()
    }
  }
  const bind = async (update: ProjectUpdate) => {
    if (!update.ok) {
      const { code, message, hint } = update.problem
      throw new WorkspaceError(code, message, { hint })
    }
    if (brokenConfig(good, update.project) !== null) return
    good = update.project
    const { waiting } = changesOnDisk(workspace, good.catalog)
    const kept = waiting.map(({ skill }) => skill)
    const next = await keepSkills(good.catalog, workspace.catalog, kept)
    await workspace.takeCatalog(next, { by: 'user' })
    ui.setState({ changes: waiting })
  }
  /** Updates from disk wait for running calls; changes of the session do not wait for updates. */
  const enqueue = <T>(task: () => Promise<T>): Promise<T> =>
    updates(async () => {
      await waitForCalls(workspace, abandoned)
      return screenQueue(ui)(task)
    })
  const inBackground = (task: () => Promise<void>) =>
    void enqueue(task).catch((error: unknown) =>
      report('refused', `Changes on disk were not applied: ${thrownMessage(error)}`),
    )
  /** Applies the waiting change of a skill when the skill is deactivated. */
  const followDeactivations = () =>
    workspace.subscribe(() => {
      const active = activeSkills(workspace.state)
      const free = ui.getState().changes.filter(({ skill }) => !active.includes(skill))
      if (free.some(({ what }) => what !== 'broken')) inBackground(apply)
    })

  let unsubscribe = followDeactivations()
  const watch = await watchProject(parts.paths, { ...parts.reading, known: parts.project })
  watch.onChange((update) => inBackground(() => onUpdate(update)))
  return {
    accept: (skill) => enqueue(() => accept(skill)),
    async bind() {
      const update = await watch.read()
      await updates(() => screenQueue(ui)(() => bind(update)))
    },
    async close() {
      isClosed = true
      unsubscribe()
      await watch.close()
      await updates(() => Promise.resolve())
    },
  }
}

/**
 * Returns the error in a configuration that could be read before; null when there is none. Applying
 * such an update would make agents, folders and tools disappear.
 */
function brokenConfig(before: Project, after: Project): Diagnostic | null {
  const { file } = before.config
  if (file === null || after.config.file !== null) return null
  return after.diagnostics.find((one) => one.file === file) ?? null
}
