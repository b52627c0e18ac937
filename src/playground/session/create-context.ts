import type { Entry } from '../../engine/model/workspace-event.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import { createFrames } from '../context/frames.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { UiStore } from '../context/ui-state.ts'
import { createMoments, followTimeline } from './follow-timeline.ts'
import type { VirtualWorkspace, WorkspaceReader } from '../../workspace/virtual-workspace.ts'

/** Tokens a prompt is measured against when nobody says. */
const PROMPT_BUDGET = 8000

/** What a context is made of: a session, a store, and what only the terminal can do. */
export interface ContextParts extends Pick<
  PlaygroundContext,
  'exit' | 'redraw' | 'stop' | 'suspend' | 'edit'
> {
  readonly workspace: VirtualWorkspace
  readonly ui: UiStore
  /** The one the workspace was opened with. */
  readonly counter: TokenCounter
  /** False for a log that is only looked at. */
  readonly live: boolean
  /** Whether its workspace was opened to follow what other processes do; false when absent. */
  readonly followed?: boolean
  /** The entry to begin at; now when absent. */
  readonly at?: number
  /** 8,000 when absent. */
  readonly promptBudget?: number
  /** Take what changed on disk; the session it leads to is given to `replace`. */
  accept(skill: string | null): Promise<void>
}

/** A context, and what ends it: the workspace it was made of stays open. */
interface OpenContext {
  readonly context: PlaygroundContext
  /**
   * Go on with another workspace on the same session, as after skills changed on disk.
   *
   * @param since the last entry before that one was opened: of those behind it, which it may have
   *   appended as it opened, none is said to be another process's
   */
  replace(workspace: VirtualWorkspace, since: number): Promise<void>
  close(): void
}

/** Put together what panes and actions work on, and keep it up to date. */
export async function createContext(parts: ContextParts): Promise<OpenContext> {
  const { ui, counter, live, exit, redraw, stop, suspend, edit } = parts
  const attach = async (workspace: VirtualWorkspace, foreign?: ReadonlySet<number>) => ({
    workspace,
    kept: await followEntries(workspace, () => timeline.entriesCame(), foreign),
    moments: createMoments((seq) => workspace.look(seq)),
  })
  let session = await attach(parts.workspace)
  let shown: WorkspaceReader = session.workspace
  const frames = createFrames(ui, session.workspace.store)
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
    promptBudget: parts.promptBudget ?? PROMPT_BUDGET,
    workspace: () => session.workspace,
    reader() {
      const { moment } = ui.getState()
      // What was shown last stays while another moment is read.
      shown = moment === null ? session.workspace : (session.moments.ready(moment) ?? shown)
      return shown
    },
    look: (seq) => session.moments.look(seq),
    entries: () => session.kept.entries(),
    foreign: () => session.kept.foreign(),
    accept: (skill) => parts.accept(skill),
    exit,
    redraw,
    stop,
    suspend,
    edit,
  }
  if (parts.at !== undefined) {
    // Read before anything is drawn; one that cannot be read is told once the timeline tries.
    await session.moments.look(parts.at).catch(() => null)
    ui.setState({ moment: parts.at })
  }
  const replace = async (next: VirtualWorkspace, since: number) => {
    const foreign = [...session.kept.foreign()].filter((seq) => seq <= since)
    const attached = await attach(next, new Set(foreign))
    session.kept.stop()
    session = attached
    frames.follow(next.store)
    timeline.entriesCame()
  }
  const close = () => {
    timeline.stop()
    frames.stop()
    session.kept.stop()
  }
  return { context, replace, close }
}

/** The entries of a session, kept up to date until it is let go. */
interface FollowedEntries {
  entries(): readonly Entry[]
  /** Numbers of those that another process appended meanwhile; the same set until more come. */
  foreign(): ReadonlySet<number>
  stop(): void
}

/**
 * Follow the log of a session from what it has now. Entries that nobody told of are read when the
 * next ones show that there are some: where a session is not followed, those of other processes.
 *
 * @param carried numbers of entries that are known to be another process's already
 */
export async function followEntries(
  workspace: VirtualWorkspace,
  onChange: () => void,
  carried: ReadonlySet<number> = new Set(),
): Promise<FollowedEntries> {
  let known = await workspace.entries()
  let foreign = carried
  /** Own entries that were told and are not known yet. */
  const own = new Set<number>()
  let reading: Promise<void> | undefined
  const readMissed = async () => {
    const missed = await workspace.entries(known.length)
    add(missed)
  }
  const add = (entries: readonly Entry[]) => {
    const fresh = entries.filter(({ seq }) => seq >= known.length)
    if (fresh.length === 0) return
    if (fresh[0]?.seq !== known.length) {
      reading ??= readMissed().finally(() => (reading = undefined))
      return
    }
    known = [...known, ...fresh]
    const others = fresh.map(({ seq }) => seq).filter((seq) => !own.delete(seq))
    if (others.length > 0) foreign = new Set([...foreign, ...others])
    onChange()
  }
  const noteOwn = (entries: readonly Entry[]) => {
    for (const { seq } of entries) if (seq >= known.length) own.add(seq)
    // Read from the log before anybody told of it.
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
