import { useWindowSize } from 'ink'
import type { ReactElement } from 'react'
import { sanitiseLine } from '../kernel/sanitise-text.ts'
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
import type { VirtualWorkspace } from '../workspace/virtual-workspace.ts'

/** What a screen is opened on, and how. */
export interface PlaygroundRequest
  extends
    Pick<ContextParts, 'workspace' | 'counter' | 'live' | 'followed' | 'at'>,
    Pick<
      TerminalOptions,
      'stdin' | 'stdout' | 'stderr' | 'env' | 'inline' | 'mouse' | 'screenReader'
    > {
  readonly theme: Theme
  /** What to know of what is opened, told until the first key. */
  readonly remark?: string
  /** What its skills were read from, to follow them on disk; null for what is only looked at. */
  readonly disk: Omit<SkillWatchParts, 'workspace' | 'ui' | 'replace'> | null
}

/** Rows a screen below the prompt takes at most. */
const INLINE_ROWS = 24

/**
 * Show the playground on a terminal. Resolves with the workspace it ended with, still open, when
 * the person leaves, the terminal restored; rejects with what a component threw.
 */
export async function openPlayground(request: PlaygroundRequest): Promise<VirtualWorkspace> {
  const { workspace, counter, live, at, disk, inline, screenReader } = request
  // A reader of screens has no words for most of the other marks.
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
  const { context, replace, close } = await createContext({
    ...terminal.actions,
    workspace,
    ui,
    counter,
    live,
    followed: request.followed === true,
    ...(at !== undefined && { at }),
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
    (standing) => (watch = standing),
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      const text = `Changes on disk are not followed: ${sanitiseLine(message)}`
      ui.setState({ banner: note('refused', text) })
    },
  )
  try {
    await shown
  } finally {
    void watching?.then((standing) => standing.close()).catch(() => {})
    close()
  }
  return context.workspace()
}

/** Leaves a row to the prompt above, so that nothing of the shell scrolls away. */
function InlineScreen(props: ScreenProps): ReactElement {
  const { columns, rows } = useWindowSize()
  return <Screen {...props} size={{ columns, rows: Math.min(INLINE_ROWS, rows - 1) }} />
}
