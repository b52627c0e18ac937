import { useWindowSize } from 'ink'
import type { ReactElement } from 'react'
import type { VirtualWorkspace } from '../../entries/index.ts'
import { createRowHits, RowHitsContext, type Theme } from '../../entries/ink-views.ts'
import { sanitiseLine, thrownMessage } from '../../entries/kit.ts'
import type { SkillTrust } from '../project/open-skill-trust.ts'
import { interruptTurn } from './changes/writing-actions.ts'
import { createUiStore, note } from './context/ui-state.ts'
import { DIALOGS } from './dialogs/dialogs.tsx'
import { testAgain } from './dialogs/tests-dialog.tsx'
import { handleMouse, handlePaste, handleStrokes } from './keys/handle-strokes.ts'
import { PANES } from './panes/panes.ts'
import { buildKeyTable } from './screen/build-key-table.ts'
import { Screen, type ScreenProps } from './screen/screen.tsx'
import type { TerminalActions } from './terminal/terminal-control.ts'
import type { MouseEvent } from './terminal/terminal-input.ts'
import { type ContextParts, createContext } from './session/create-context.ts'
import { type SkillWatch, type SkillWatchParts, watchSkills } from './session/watch-skills.ts'

/** The session of a screen, and what belongs to it. */
export interface ScreenSession extends Pick<
  ContextParts,
  | 'workspace'
  | 'counter'
  | 'live'
  | 'followed'
  | 'at'
  | 'openChat'
  | 'scenarios'
  | 'skillDesk'
  | 'observe'
  | 'folders'
  | 'kept'
  | 'attach'
  | 'guide'
> {
  /** The trust in the folders of skills; null where nobody is asked. */
  readonly trust: SkillTrust | null
  /** A remark to show until the first key. */
  readonly remark?: string
  /** Passes the session of another agent on each time that its file has grown, or why it cannot be read, until `stop`. */
  readonly onGrown?: (
    show: (now: VirtualWorkspace | Error) => Promise<void>,
  ) => Promise<() => Promise<void>>
  /** The sources of its skills, to watch them on disk; null for a read-only session. */
  readonly disk: Omit<SkillWatchParts, 'workspace' | 'ui' | 'replace'> | null
}

/** The screen of a session. It uses the terminal that it was given. */
export interface SessionScreen {
  readonly tree: ReactElement
  onStrokes(strokes: readonly string[]): void
  onPaste(text: string): void
  onMouse(event: MouseEvent): void
  /** Shows a line that other code wrote. */
  onLine(line: string): void
  /** The last workspace of the session; open. */
  workspace(): VirtualWorkspace
  /** Watches the sources on disk from now on. */
  watch(): void
  /** Interrupts a turn and stops watching. The workspace stays open. */
  close(): void
}

/** Makes the screen of a session; nothing is drawn yet. */
export async function openScreen(
  session: ScreenSession,
  terminal: TerminalActions,
  { theme, inline }: { readonly theme: Theme; readonly inline: boolean },
): Promise<SessionScreen> {
  const { workspace, trust, disk, remark = '' } = session
  const table = buildKeyTable(PANES, DIALOGS)
  const ui = createUiStore(PANES[0]?.id ?? '')
  const onLine = (line: string) => ui.setState({ banner: note('note', sanitiseLine(line)) })
  if (remark !== '') onLine(remark)
  const hits = createRowHits()
  let watching: Promise<SkillWatch> | undefined
  /** The skills whose folders were trusted on this screen. */
  const trustedHere = new Set<string>()
  const { context, replace, close } = await createContext({
    ...session,
    ui,
    terminal,
    consent: trust && {
      read: trust.read,
      async trust(skills) {
        await trust.trust(skills)
        for (const { name } of skills) trustedHere.add(name)
        await watching?.then((watch) => watch.bind())
      },
    },
    accept: async (skill) => watching?.then((watch) => watch.accept(skill)),
  })
  let growing: ReturnType<NonNullable<ScreenSession['onGrown']>> | undefined
  let isClosed = false
  /** The banner that says that the session could not be read on. */
  let behind: ReturnType<typeof note> | null = null
  const showGrown = async (now: VirtualWorkspace | Error) => {
    if (now instanceof Error) {
      const text = `The session cannot be followed: ${sanitiseLine(thrownMessage(now))}`
      behind = note('refused', text)
      return ui.setState({ banner: behind })
    }
    if (behind !== null && ui.getState().banner === behind) ui.setState({ banner: null })
    if (isClosed) return now.close()
    const before = context.workspace()
    await replace(now, now.state.seq)
    await before.close()
  }
  const watch = () => {
    growing = session.onGrown?.(showGrown)
    if (disk === null) return
    watching = watchSkills({
      ...disk,
      workspace,
      ui,
      replace,
      onRead: () => void testAgain(context),
      ...(trust && {
        async trustAgain({ skills }) {
          const known = [...trustedHere].flatMap((name) => skills.get(name) ?? [])
          const read = await Promise.all(known.map((skill) => trust.read(skill)))
          const changed = read.filter((one) => one !== null).filter((one) => one.read !== null)
          if (changed.length > 0) await trust.trust(changed)
          return changed.map(({ name }) => name)
        },
      }),
    })
    watching.catch((error: unknown) => {
      const text = `Changes on disk are not watched: ${sanitiseLine(thrownMessage(error))}`
      ui.setState({ banner: note('refused', text) })
    })
  }
  return {
    tree: (
      <RowHitsContext value={hits}>
        {inline ? (
          <InlineScreen {...{ context, table, theme }} />
        ) : (
          <Screen {...{ context, table, theme }} />
        )}
      </RowHitsContext>
    ),
    onStrokes: (strokes) => void handleStrokes(strokes, context, table),
    onPaste: (text) => handlePaste(text, context, table),
    onMouse: (event) => handleMouse(event, context, table, hits),
    onLine,
    workspace: context.workspace,
    watch,
    close() {
      interruptTurn(context)
      void watching?.then((watch) => watch.close()).catch(() => {})
      isClosed = true
      void growing?.then((stop) => stop()).catch(() => {})
      close()
    },
  }
}

/** The most rows of an inline screen. */
const INLINE_ROWS = 24

/** Leaves one row for the shell prompt, so that it does not scroll away. */
function InlineScreen(props: ScreenProps): ReactElement {
  const { columns, rows } = useWindowSize()
  return <Screen {...props} size={{ columns, rows: Math.min(INLINE_ROWS, rows - 1) }} />
}
