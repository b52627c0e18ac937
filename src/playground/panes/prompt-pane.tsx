import type { ReactElement } from 'react'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { drawnSize, rememberDrawnSize } from '../context/screen-layout.ts'
import type { ScreenPane, ScreenPaneProps } from '../context/screen-pane.ts'
import {
  changePane,
  paneState,
  type PaneState,
  toggleFold,
  type UiState,
} from '../context/ui-state.ts'
import { useNextTokens, useReader, useShown } from '../context/use-shown.ts'
import { pricedPrompt } from './priced-prompt.ts'
import { nextHit, promptRows, type PromptRows, sectionOf } from './prompt-rows.ts'
import { freshSections, isFolded, PROMPT as ID, sectionRow } from '../changes/show-changes.ts'
import { selectedRow } from '../rows/move-selection.ts'
import { counted } from '../../render/ink/parts/format-count.ts'
import { PromptView } from '../../render/ink/views/prompt-view.tsx'

/** The prompt that the model reads: sections that fold, with their tokens, as Markdown or in boxes. */
export const promptPane: ScreenPane = {
  id: ID,
  title: 'Prompt',
  key: '5',
  place: 'tab',
  actions: [
    {
      id: 'prompt.fold',
      title: 'Fold or unfold the section',
      keys: ['space', 'enter'],
      run: foldSection,
    },
    { id: 'prompt.fold-all', title: 'Fold or unfold all sections', keys: ['z'], run: foldAll },
    {
      id: 'prompt.format',
      title: 'Switch between Markdown and boxes',
      keys: ['m'],
      run: ({ ui }) =>
        ui.setState((state) =>
          changePane(state, ID, {
            mode: formatOf(selectPromptPane(state)) === 'text' ? MARKDOWN : '',
          }),
        ),
    },
    { id: 'prompt.next-hit', title: 'Next hit', keys: ['n'], when: searches, run: jump(1) },
    {
      id: 'prompt.previous-hit',
      title: 'Previous hit',
      keys: ['N'],
      when: searches,
      run: jump(-1),
    },
  ],
  rows: (context) => rowsOf(context).ids,
  found,
  status(context) {
    const pane = selectPromptPane(context.ui.getState())
    if (pane.filter === '') return formatOf(pane) === 'text' ? 'boxed' : 'Markdown'
    const { lines } = rowsOf(context)
    const hits = lines.reduce((sum, line) => sum + (line.kind === 'section' ? line.hits : 0), 0)
    return `${counted(hits, 'line')} with "${pane.filter}"`
  },
  View: PromptPane,
}

const MARKDOWN = 'markdown'

/** Selects the sections that the last change added or changed. */
function selectFresh({ difference }: UiState): readonly string[] {
  return difference === null ? NONE : freshSections(difference.document)
}

const NONE: readonly string[] = []

/** Selects the state of the pane. */
export function selectPromptPane(state: UiState): PaneState {
  return paneState(state, ID)
}

function PromptPane({ context, focused, width, height, theme }: ScreenPaneProps): ReactElement {
  const { filter, selected } = useShown(context, selectPromptPane)
  useShown(context, selectFresh)
  useReader(context)
  rememberDrawnSize(context, ID, { width, height })
  const { sections, ids } = rowsOf(context)
  const cursor = selectedRow(ids, selected)
  return (
    <PromptView
      sections={sections}
      selected={null}
      line={focused || selected !== null ? ids.indexOf(cursor ?? '') : -1}
      search={filter}
      tokens={useNextTokens(context)}
      budget={context.promptBudget}
      tokenizer={context.counter.name}
      width={width}
      height={height}
      theme={theme}
    />
  )
}

function rowsOf(context: PlaygroundContext): PromptRows {
  const state = context.ui.getState()
  const pane = selectPromptPane(state)
  return promptRows(pricedPrompt(context), {
    format: formatOf(pane),
    toggled: pane.toggled,
    fresh: selectFresh(state),
    width: drawnSize(context, ID).width,
    search: pane.filter,
  })
}

function formatOf({ mode }: PaneState): 'markdown' | 'text' {
  return mode === MARKDOWN ? 'markdown' : 'text'
}

function sectionAtCursor(context: PlaygroundContext): string | null {
  const { lines, ids } = rowsOf(context)
  const cursor = selectedRow(ids, selectPromptPane(context.ui.getState()).selected)
  const line = lines[ids.indexOf(cursor ?? '')]
  return line === undefined ? null : sectionOf(line)
}

/** Folds the section at the cursor. The cursor moves to the heading: its line may be hidden now. */
function foldSection(context: PlaygroundContext): void {
  const section = sectionAtCursor(context)
  if (section === null) return
  context.ui.setState((state) =>
    changePane(toggleFold(state, ID, section), ID, { selected: sectionRow(section) }),
  )
}

function foldAll(context: PlaygroundContext): void {
  const { sections } = pricedPrompt(context).document
  const section = sectionAtCursor(context)
  context.ui.setState((state) => {
    const areFolded = rowsOf(context).sections.every(({ folded }) => folded)
    return changePane(state, ID, {
      toggled: sections.filter((one) => isFolded(one.id, false) === areFolded).map(({ id }) => id),
      ...(section !== null && { selected: sectionRow(section) }),
    })
  })
}

function searches({ ui }: PlaygroundContext): boolean {
  return selectPromptPane(ui.getState()).filter !== ''
}

/** Finds the hit at or after the cursor, so that further letters of a search stay at the same hit. */
function found(context: PlaygroundContext): string | null {
  const { selected } = selectPromptPane(context.ui.getState())
  const { lines, ids } = rowsOf(context)
  const line = lines[ids.indexOf(selected ?? '')]
  if (line?.kind === 'text' && line.hit) return selected
  return nextHit(rowsOf(context), selectedRow(ids, selected), 1)
}

/** Moves the cursor to another line with a hit. */
function jump(step: 1 | -1) {
  return (context: PlaygroundContext) => {
    const { selected } = selectPromptPane(context.ui.getState())
    const rows = rowsOf(context)
    const hit = nextHit(rows, selectedRow(rows.ids, selected), step)
    if (hit === null) return
    context.ui.setState((state) => changePane(state, ID, { selected: hit }))
  }
}
