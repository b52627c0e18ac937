import { useWindowSize } from 'ink'
import type { ReactElement } from 'react'
import { sanitiseLine } from '../kernel/sanitise-text.ts'
import { interruptTurn } from './changes/writing-actions.ts'
import { createUiStore, note } from './context/ui-state.ts'
import { DIALOGS } from './dialogs/dialogs.tsx'
import { handleMouse } from './keys/handle-strokes.ts'
import { PANES } from './panes/panes.ts'
import { buildKeyTable } from './screen/build-key-table.ts'
import { Screen, type ScreenProps } from './screen/screen.tsx'
import { type ContextParts, createContext } from './session/create-context.ts'
import { type SkillWatch, type SkillWatchParts, watchSkills } from './session/watch-skills.ts'
import { holdTerminal, type TerminalOptions } from './terminal/hold-terminal.tsx'
import { createRowHits, RowHitsContext } from '../render/ink/parts/row-hits.ts'
import type { Theme } from '../render/ink/parts/theme.ts'
import { thrownMessage } from '../kernel/thrown-message.ts'
import type { SkillTrust } from '../project/open-skill-trust.ts'
import type { VirtualWorkspace } from '../workspace/virtual-workspace.ts'

/** The session and the options of a screen. */
export interface PlaygroundRequest
  extends
    Pick<
      ContextParts,
      | 'workspace'
      | 'counter'
      | 'live'
      | 'followed'
      | 'at'
      | 'openChat'
      | 'scenarios'
      | 'skillDesk'
      | 'attach'
    >,
    Pick<
      TerminalOptions,
      'stdin' | 'stdout' | 'stderr' | 'env' | 'inline' | 'mouse' | 'screenReader'
    > {
  readonly theme: Theme
  /** The trust in the folders of skills; null where nobody is asked. */
  readonly trust: SkillTrust | null
  /** A remark to show until the first key. */
  readonly remark?: string
  /** The sources of its skills, to watch them on disk; null for a read-only session. */
  readonly disk: Omit<SkillWatchParts, 'workspace' | 'ui' | 'replace'> | null
}

/** The most rows of an inline screen. */
const INLINE_ROWS = 24

/**
 * Shows the playground on a terminal. When the user leaves, it resolves with its last workspace, which
 * is still open, and the terminal is restored. Rejects with the error of a component.
 */
export async function openPlayground(request: PlaygroundRequest): Promise<VirtualWorkspace> {
  const { workspace, counter, live, at, disk, inline, screenReader } = request
  // Screen readers have no words for most of the other marks.
  const theme = screenReader ? { ...request.theme, ascii: true } : request.theme
  const table = buildKeyTable(PANES, DIALOGS)
  const ui = createUiStore(PANES[0]?.id ?? '')
  const { remark = '' } = request
  if (remark !== '') ui.setState({ banner: note('note', sanitiseLine(remark)) })
  const hits = createRowHits()
  const terminal = holdTerminal({
    ...request,
    onMouse: (event) => handleMouse(event, context, table, hits),
    onLine: (line) => ui.setState({ banner: note('note', sanitiseLine(line)) }),
    close: () => context.workspace().close(),
  })
  let watch: SkillWatch | undefined
  const { trust } = request
  const { context, replace, close } = await createContext({
    ...terminal.actions,
    workspace,
    ui,
    counter,
    live,
    followed: request.followed === true,
    openChat: request.openChat,
    scenarios: request.scenarios,
    skillDesk: request.skillDesk,
    attach: request.attach,
    ...(at !== undefined && { at }),
    consent: trust && {
      ...trust,
      async trust(skills) {
        await trust.trust(skills)
        await watching?.then((started) => started.bind())
      },
    },
    accept: async (skill) => watch?.accept(skill),
  })
  const shown = terminal.show(
    <RowHitsContext value={hits}>
      {inline ? (
        <InlineScreen {...{ context, table, theme }} />
      ) : (
        <Screen {...{ context, table, theme }} />
      )}
    </RowHitsContext>,
  )
  const watching = disk === null ? null : watchSkills({ ...disk, workspace, ui, replace })
  void watching?.then(
    (started) => (watch = started),
    (error: unknown) => {
      const text = `Changes on disk are not watched: ${sanitiseLine(thrownMessage(error))}`
      ui.setState({ banner: note('refused', text) })
    },
  )
  try {
    await shown
  } finally {
    interruptTurn(context)
    void watching?.then((started) => started.close()).catch(() => {})
    close()
  }
  return context.workspace()
}

/** Leaves one row for the shell prompt, so that it does not scroll away. */
function InlineScreen(props: ScreenProps): ReactElement {
  const { columns, rows } = useWindowSize()
  return <Screen {...props} size={{ columns, rows: Math.min(INLINE_ROWS, rows - 1) }} />
}
