import { activeSkills } from '../../engine/standing/assess-skill.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { serialQueue } from '../../kernel/serial-queue.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
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
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/** What a screen has that follows its skills. */
export interface SkillWatchParts {
  /** The paths and options the project was read with, and what was read. */
  readonly paths: readonly string[]
  readonly reading: Omit<WatchOptions, 'known'>
  readonly project: Project
  /** The session, and the options it was opened with. */
  readonly workspace: VirtualWorkspace
  readonly options: SessionOptions
  readonly ui: UiStore
  /**
   * Show another workspace from now on; the one shown so far is closed already.
   *
   * @param since the last entry of the session before the other one was opened
   */
  replace(workspace: VirtualWorkspace, since: number): Promise<void>
}

/** The skills of a screen, followed as they change on disk. */
export interface SkillWatch {
  /**
   * Take the change of one equipped skill, or every one that waits. Rejects with the refusal of
   * the session, which is as before then, and when the skill on disk is broken.
   */
  accept(skill: string | null): Promise<void>
  close(): Promise<void>
}

/**
 * Follow the skills on disk: what is not equipped is taken at once and told in a banner; what is,
 * waits in `ui.changes` until it is accepted, and what broke, until it is whole again. The agent's
 * profile, variables and permissions are those the session was opened with.
 */
export async function watchSkills(parts: SkillWatchParts): Promise<SkillWatch> {
  const { ui, options } = parts
  const abandoned = new Set(parts.workspace.state.calls.map(({ call }) => call))
  const readings = serialQueue()
  let { workspace } = parts
  let good = parts.project
  let isClosed = false
  const session = () => ({ workspace, disk: good.catalog, options, abandoned })
  const tellBanner = (tone: ScreenBanner['tone'], text: string) =>
    ui.setState({ banner: note(tone, text) })

  const show = async (next: VirtualWorkspace, waiting: readonly DiskChange[], since: number) => {
    if (next !== workspace) {
      workspace = next
      unsubscribe = followUnequipped()
      await parts.replace(next, since)
    }
    ui.setState({ changes: waiting })
  }
  const take = async () => {
    if (isClosed) return
    const known = new Set(ui.getState().changes.map(({ text }) => text))
    const { seq } = workspace.state
    const taken = await applyChanges(session())
    await show(taken.workspace, taken.waiting, seq)
    const news = [...taken.waiting, ...taken.taken].filter(({ text }) => !known.has(text))
    if (news.length > 0) tellBanner('note', describeDiskChanges(news))
  }
  const onReading = async (reading: ProjectUpdate) => {
    const problem = reading.ok ? brokenConfig(good, reading.project) : reading.problem
    if (problem !== null) {
      tellBanner('refused', `${problem.message} ${problem.hint} All stays as it was.`)
    } else if (reading.ok) {
      good = reading.project
      await take()
    }
  }
  const accept = async (skill: string | null) => {
    const { waiting } = changesOnDisk(workspace, good.catalog)
    const meant = waiting.filter((one) => skill === null || one.skill === skill)
    const whole = meant.filter(({ what }) => what !== 'broken')
    const [broken] = meant
    if (whole.length === 0 && broken !== undefined) {
      const hint = 'Mend its files; they are read again as they change.'
      throw new WorkspaceError('SKILL_BROKEN', broken.text, { facts: { skill }, hint })
    }
    for (const { skill: name } of whole) {
      const { seq } = workspace.state
      const { workspace: next, outcome } = await acceptFromDisk(session(), name)
      await show(next, changesOnDisk(next, good.catalog).waiting, seq)
      if (!outcome.ok) throw new WorkspaceError(outcome.code, outcome.message, outcome)
    }
  }
  /** A running call holds up what is read from the disk, but no change of the session. */
  const inTurn = <T>(task: () => Promise<T>): Promise<T> =>
    readings(async () => {
      await waitForCalls(workspace, abandoned)
      return screenQueue(ui)(task)
    })
  const inBackground = (task: () => Promise<void>) =>
    void inTurn(task).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      tellBanner('refused', `What changed on disk was not taken: ${message}`)
    })
  /** What waited because it was equipped is taken once it is put away. */
  const followUnequipped = () =>
    workspace.subscribe(() => {
      const active = activeSkills(workspace.state)
      const isFree = ({ skill, what }: DiskChange) => what !== 'broken' && !active.includes(skill)
      if (ui.getState().changes.some(isFree)) inBackground(take)
    })

  let unsubscribe = followUnequipped()
  const watch = await watchProject(parts.paths, { ...parts.reading, known: parts.project })
  watch.onChange((reading) => inBackground(() => onReading(reading)))
  return {
    accept: (skill) => inTurn(() => accept(skill)),
    async close() {
      isClosed = true
      unsubscribe()
      await watch.close()
      await readings(() => Promise.resolve())
    },
  }
}

/**
 * The finding that keeps a configuration from being read which could be read before; null when
 * there is none. Without it agents, folders and tools would seem to be gone.
 */
function brokenConfig(before: Project, after: Project): Diagnostic | null {
  const { file } = before.config
  if (file === null || after.config.file !== null) return null
  return after.diagnostics.find((one) => one.file === file) ?? null
}
