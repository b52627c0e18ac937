import type {
  Entry,
  TokenCounter,
  VirtualWorkspace,
  WorkspaceReader,
} from '../../../entries/index.ts'
import { createFrames } from '../context/frames.ts'
import { createNextPrice } from '../context/next-price.ts'
import { createShownAnswers } from '../context/shown-answers.ts'
import { createShownHistory, type ObserveNames } from '../context/shown-history.ts'
import { createKeptTexts, type TextSource } from '../context/kept-texts.ts'
import { createSentSteps } from '../context/sent-steps.ts'
import type { ProjectFolders } from '../../report/answers/explain-name.ts'
import type { ChatOpener } from '../chat/open-chat.ts'
import type { Guide, PlaygroundContext, SkillConsent } from '../context/playground-context.ts'
import type { ScenarioDesk } from '../context/scenario-desk.ts'
import type { SkillDesk } from '../context/skill-desk.ts'
import type { UiStore } from '../context/ui-state.ts'
import { createMoments, followTimeline } from './follow-timeline.ts'
import type { TerminalActions } from '../terminal/terminal-control.ts'

/** The parts of a context: a session, a store, and the actions of the terminal. */
export interface ContextParts {
  readonly workspace: VirtualWorkspace
  readonly ui: UiStore
  /** A member of its own, since the names of a terminal's members can be those of a session, such as `attach`. */
  readonly terminal: TerminalActions
  /** The counter that the workspace was opened with. */
  readonly counter: TokenCounter
  /** False for a session that is open read-only. */
  readonly live: boolean
  /** True when the workspace follows the entries of other processes; false by default. */
  readonly followed?: boolean
  /** The entry to start at; now by default. */
  readonly at?: number
  /** Opens the conversation with the model; absent where nobody can talk to it. */
  readonly openChat?: ChatOpener | undefined
  /** The scenarios of the project; absent where there is no project. */
  readonly scenarios?: ScenarioDesk | undefined
  /** Turns skills of the project off and on; absent where there is no project. */
  readonly skillDesk?: SkillDesk | undefined
  /** Reads outcomes in a session of another agent, from its entries; absent where its folders are not read. */
  readonly observe?: ObserveNames | undefined
  /** The folders that its definitions were read from; absent where they are not those of a project. */
  readonly folders?: ProjectFolders | undefined
  /** Reads the texts that the session keeps; absent where only its entries are known. */
  readonly kept?: TextSource | undefined
  /** Opens a session that is open read-only to answer its questions; absent where nobody may. */
  readonly attach?: (() => Promise<VirtualWorkspace>) | undefined
  /** Asks before skills of folders that are not trusted are activated; absent where nobody is asked. */
  readonly consent?: SkillConsent | null
  /** Leads through the screen; absent where nobody is led. */
  readonly guide?: Guide | undefined
  /** Accepts changes on disk, and passes the resulting session to `replace`. */
  accept(skill: string | null): Promise<void>
}

/** Creates the context of panes and actions, and keeps it up to date. Closing it leaves the workspace open. */
export async function createContext(parts: ContextParts): Promise<{
  readonly context: PlaygroundContext
  /**
   * Continues with another workspace on the same session, for example after changes on disk.
   *
   * @param since the last entry before the new workspace was opened; later ones, which it may have
   *   appended itself, do not count as entries of another process
   */
  replace(workspace: VirtualWorkspace, since: number): Promise<void>
  close(): void
}> {
  const { ui, counter, live, accept } = parts
  const { exit, redraw, stop, suspend, edit, copy, open } = parts.terminal
  const attach = async (workspace: VirtualWorkspace, foreign?: ReadonlySet<number>) => ({
    workspace,
    kept: await followEntries(workspace, () => timeline.onNewEntries(), foreign),
    moments: createMoments((seq) => workspace.sessions.look(seq)),
  })
  let session = await attach(parts.workspace)
  let shown: WorkspaceReader = session.workspace
  const reader = () => {
    const { moment } = ui.getState()
    // The last moment stays on the screen while another one is read.
    shown = moment === null ? session.workspace : (session.moments.ready(moment) ?? shown)
    return shown
  }
  const sentSteps = createSentSteps(
    () => session.workspace,
    () => session.kept.entries(),
  )
  const next = createNextPrice(reader, () => ui.getState().sentAs, sentSteps)
  const frames = createFrames(ui, session.workspace.store, next.read)
  const timeline = followTimeline({
    ui,
    wake: frames.wake,
    moments: () => session.moments,
    newest: () => session.kept.entries().length - 1,
  })
  const context: PlaygroundContext = {
    ui,
    frames,
    counter,
    live,
    followed: parts.followed === true,
    workspace: () => session.workspace,
    reader,
    next: next.current,
    readNext: next.read,
    history: createShownHistory(
      reader,
      { entries: () => session.kept.entries(), observe: parts.observe },
      frames.wake,
    ),
    answers: createShownAnswers(
      reader,
      {
        entries: () => session.kept.entries(),
        observe: parts.observe,
        folders: parts.folders,
      },
      frames.wake,
    ),
    texts: createKeptTexts(parts.kept, frames.wake),
    sentSteps,
    guide: parts.guide ?? null,
    look: (seq) => session.moments.look(seq),
    entries: () => session.kept.entries(),
    foreign: () => session.kept.foreign(),
    openChat: live ? (parts.openChat ?? null) : null,
    scenarios: live ? (parts.scenarios ?? null) : null,
    skillDesk: parts.skillDesk ?? null,
    attach: live ? null : (parts.attach ?? null),
    consent: live ? (parts.consent ?? null) : null,
    toolFile(name) {
      const found = parts.folders?.project.handlers.find(({ tool }) => tool.name === name)
      return found?.path ?? found?.file ?? null
    },
    accept,
    exit,
    redraw,
    stop,
    suspend,
    edit,
    copy,
    open,
  }
  if (parts.at !== undefined) {
    // Read before anything is drawn. If that fails, the timeline reports it when it reads the entry.
    await session.moments.look(parts.at).catch(() => null)
    ui.setState({ moment: parts.at })
  }
  await next.read()
  const replace = async (to: VirtualWorkspace, since: number) => {
    const foreign = [...session.kept.foreign()].filter((seq) => seq <= since)
    const attached = await attach(to, new Set(foreign))
    session.kept.stop()
    session = attached
    frames.follow(to.store)
    timeline.onNewEntries()
  }
  const close = () => {
    timeline.stop()
    frames.stop()
    session.kept.stop()
  }
  return { context, replace, close }
}

/**
 * Follows the log of a session until `stop`. A gap in the notified entries is read from the log: in a session that
 * is not followed, entries of other processes cause such gaps.
 *
 * @param carried numbers of entries that are already known to be of another process
 */
export async function followEntries(
  workspace: VirtualWorkspace,
  onChange: () => void,
  carried: ReadonlySet<number> = new Set(),
): Promise<{
  entries(): readonly Entry[]
  /** Numbers of the entries of other processes; the same set until there are more. */
  foreign(): ReadonlySet<number>
  stop(): void
}> {
  let known = await workspace.entries()
  let foreign = carried
  /** Own entries that were notified but are not in `known` yet. */
  const own = new Set<number>()
  let reading: Promise<void> | undefined
  const add = (entries: readonly Entry[]) => {
    const fresh = entries.filter(({ seq }) => seq >= known.length)
    if (fresh.length === 0) return
    if (fresh[0]?.seq !== known.length) {
      const missed = () => workspace.entries(known.length).then(add)
      reading ??= missed().finally(() => (reading = undefined))
      return
    }
    known = [...known, ...fresh]
    const others = fresh.map(({ seq }) => seq).filter((seq) => !own.delete(seq))
    if (others.length > 0) foreign = new Set([...foreign, ...others])
    onChange()
  }
  const noteOwn = (entries: readonly Entry[]) => {
    for (const { seq } of entries) if (seq >= known.length) own.add(seq)
    // Read from the log before their notification arrived.
    const mistaken = new Set(entries.map(({ seq }) => seq).filter((seq) => foreign.has(seq)))
    if (mistaken.size === 0) return
    foreign = foreign.difference(mistaken)
    onChange()
  }
  const stop = workspace.subscribe((_outcome, entries, origin) => {
    if (origin === 'own') noteOwn(entries)
    add(entries)
  })
  return { entries: () => known, foreign: () => foreign, stop }
}
