import type { ReactElement } from 'react'
import { EXPOSURES, PROVIDER_FACTS } from '../../../entries/adapter.ts'
import type { Entry, ExposureName, ProviderName } from '../../../entries/index.ts'
import {
  DEFAULT_THEME,
  glyphsOf,
  PromptView,
  type Theme,
  wrappedText,
} from '../../../entries/ink-views.ts'
import { describeEvent, identityMemo } from '../../../entries/kit.ts'
import { counted, nextRequest } from '../../../entries/plan.ts'
import { AS_SENT, type SentAs } from '../context/sent-steps.ts'
import { causeOfLoss } from '../../report/facts/cause-of-loss.ts'
import { goToEntry } from '../session/follow-timeline.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { drawnSize, rememberDrawnSize } from '../context/screen-layout.ts'
import type { Description, ScreenPane, ScreenPaneProps } from '../context/screen-pane.ts'
import {
  changePane,
  paneState,
  type PaneState,
  toggleFold,
  type UiState,
} from '../context/ui-state.ts'
import { useNextTokens, useReader, useShown } from '../context/use-shown.ts'
import { openRow, WHY } from './open-why.ts'
import { spokenSections, pricedPrompt, TOOLS } from './priced-prompt.ts'
import { isHit, nextHit, promptRows, type PromptRows, lineSection } from './prompt-rows.ts'
import { freshSections, isFolded, PROMPT as ID, sectionRow } from '../changes/show-changes.ts'
import { selectedRow } from '../rows/move-selection.ts'
import { describeRow, shownConversation } from '../session/shown-conversation.ts'
import { textLines } from '../text/text-lines.ts'

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
      verb: 'fold',
      keys: ['space'],
      run: foldSection,
    },
    {
      id: 'prompt.open',
      title: 'Open the section or message in full',
      verb: 'open',
      keys: ['enter'],
      run: openSection,
    },
    {
      id: 'prompt.fold-all',
      title: 'Fold or unfold all sections',
      verb: 'fold all',
      keys: ['z'],
      run: foldAll,
    },
    {
      id: 'prompt.format',
      title: 'Switch between Markdown and boxes',
      verb: 'boxes',
      keys: ['m'],
      run: ({ ui }) =>
        ui.setState((state) =>
          changePane(state, ID, {
            mode: paneFormat(selectPromptPane(state)) === 'text' ? MARKDOWN : '',
          }),
        ),
    },
    {
      id: 'prompt.provider',
      title: 'Show the price for the next provider',
      verb: 'provider',
      keys: ['p'],
      run: showNextProvider,
    },
    {
      id: 'prompt.strategy',
      title: 'Show the price with the next strategy',
      verb: 'strategy',
      keys: ['s'],
      run: showNextStrategy,
    },
    {
      id: 'prompt.cause',
      title: 'Go to the entry that lost the cache',
      verb: 'to the loss',
      keys: ['#'],
      when: (context) => nextLossCause(context) !== null,
      run(context) {
        const cause = nextLossCause(context)
        if (cause !== null) goToEntry(context, cause.seq)
      },
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
  rows: (context) => readPromptRows(context).ids,
  needs(context) {
    const note = lossText(context, DEFAULT_THEME)
    const notes = note === '' ? 0 : wrappedText(note, drawnSize(context, ID).width).length
    // Its title, and the heads of its columns.
    return readPromptRows(context).ids.length + (context.next()?.before ? 2 : 1) + notes
  },
  found,
  status(context) {
    const pane = selectPromptPane(context.ui.getState())
    if (pane.filter === '') return paneFormat(pane) === 'text' ? 'boxed' : 'Markdown'
    const { lines } = readPromptRows(context)
    const hits = lines.reduce(
      (sum, line) => (line.kind === 'section' ? sum + line.hits + (isHit(line) ? 1 : 0) : sum),
      0,
    )
    return `${counted(hits, 'line')} with "${pane.filter}"`
  },
  about: aboutSection,
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
  useShown(context, context.texts.version)
  const { state } = useReader(context)
  rememberDrawnSize(context, ID, { width, height })
  const { sections, parts, ids } = readPromptRows(context)
  const next = useShown(context, context.next)
  const tokens = useNextTokens(context)
  // The next request of another agent is not known: its last one is shown.
  const observed = state.opening?.observed ? (state.reported.last?.report.usage.input ?? 0) : null
  return (
    <PromptView
      sections={sections}
      parts={parts}
      since={next === null || next.before === null ? '' : `step ${context.reader().state.step}`}
      note={observed === null ? lossText(context, theme) : ''}
      selected={null}
      line={focused || selected !== null ? ids.indexOf(selectedRow(ids, selected) ?? '') : -1}
      search={filter}
      tokens={observed ?? tokens}
      tokenizer={observed === null ? context.counter.name : 'by its provider'}
      width={width}
      height={height}
      theme={theme}
    />
  )
}

/** Returns the entry since the last step from which the next request differs; null when the log does not say. */
function nextLossCause(context: PlaygroundContext): Entry | null {
  const changed = context.next()?.cost.changed ?? null
  return changed === null
    ? null
    : causeOfLoss(context.entries(), context.reader().state.seq, changed)
}

/** Describes what the next request loses of the cache, and the entry that brought it; empty for no loss. */
function lossText(context: PlaygroundContext, theme: Theme): string {
  const next = context.next()
  const { changed } = next?.cost ?? { changed: null }
  if (next === null || changed === null) return ''
  const cause = nextLossCause(context)
  const by = cause === null ? '' : `, by #${cause.seq} (key #): ${describeEvent(cause.event)}`
  const isLost = Math.round(next.cost.lost) > 0
  const again = isLost
    ? `${counted(next.predicted.reread, 'token')} paid again`
    : 'nothing paid again, since a request this short is not cached'
  return `${glyphsOf(theme).cut} ${changed.segment} "${changed.part}": ${again}${by}`
}

function readPromptRows(context: PlaygroundContext): PromptRows {
  const state = context.ui.getState()
  const pane = selectPromptPane(state)
  return promptRows(pricedPrompt(context), {
    format: paneFormat(pane),
    toggled: pane.toggled,
    fresh: selectFresh(state),
    width: drawnSize(context, ID).width,
    search: pane.filter,
    conversation: () => spokenSections(context),
  })
}

/** Describes the section, the tool, the message, the call or the result at the cursor. */
function aboutSection(context: PlaygroundContext): Description | null {
  const section = sectionAtCursor(context)
  if (section === null) return null
  const row = shownConversation(context).rows.find(({ id }) => id === section)
  if (row !== undefined) return describeRow(row, context)
  const { sections, tools } = pricedPrompt(context)
  const found = [...sections, ...tools()].find(({ id }) => id === section)
  if (found === undefined) return null
  const { tokens } = found
  const [, asks] = /^(?:tool|skill-tools)\/(.+)$/v.exec(found.id) ?? []
  // The mark of a search takes a column.
  const width = drawnSize(context, WHY).width - 1
  return aboutCache([found], `${width}`, () => ({
    title: found.title,
    ...(asks !== undefined && { asks }),
    lines: [
      tokens === null ? '' : counted(tokens, 'token'),
      '',
      ...textLines(found.text('text', width)),
    ],
    sent: () => textLines(found.text('markdown', width)),
  }))
}

const aboutCache = identityMemo<Description>()

/** Opens what is at the cursor. A heading of a part has no text, and is folded. */
function openSection(context: PlaygroundContext): void {
  const section = sectionAtCursor(context)
  if (section === null || section === TOOLS) foldSection(context)
  else openRow(context, ID)
}

function paneFormat({ mode }: PaneState): 'markdown' | 'text' {
  return mode === MARKDOWN ? 'markdown' : 'text'
}

function sectionAtCursor(context: PlaygroundContext): string | null {
  const { lines, ids } = readPromptRows(context)
  const cursor = selectedRow(ids, selectPromptPane(context.ui.getState()).selected)
  const line = lines[ids.indexOf(cursor ?? '')]
  return line === undefined ? null : lineSection(line)
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
  const { sections } = pricedPrompt(context)
  const section = sectionAtCursor(context)
  context.ui.setState((state) => {
    const areFolded = readPromptRows(context).sections.every(
      ({ folded, placement }) => folded || placement === TOOLS,
    )
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
  const { lines, ids } = readPromptRows(context)
  const line = lines[ids.indexOf(selected ?? '')]
  if (line !== undefined && isHit(line)) return selected
  return nextHit(readPromptRows(context), selectedRow(ids, selected), 1)
}

/** Moves the cursor to another line with a hit. */
function jump(step: 1 | -1) {
  return (context: PlaygroundContext) => {
    const { selected } = selectPromptPane(context.ui.getState())
    const rows = readPromptRows(context)
    const hit = nextHit(rows, selectedRow(rows.ids, selected), step)
    if (hit === null) return
    context.ui.setState((state) => changePane(state, ID, { selected: hit }))
  }
}

/** Shows the price for the next provider; after the last one, for that of the session. */
async function showNextProvider(context: PlaygroundContext): Promise<void> {
  const { provider, ...others } = context.ui.getState().sentAs
  const { cost } = await nextRequest(context.reader())
  const names = Object.keys(PROVIDER_FACTS) as ProviderName[]
  const [next] = namesAfter(
    provider,
    names.filter((name) => name !== cost.provider),
  )
  showPrice(context, { ...others, ...(next !== undefined && { provider: next }) })
}

/** Shows the price with the next strategy that can be used; after the last one, with that of the session. */
async function showNextStrategy(context: PlaygroundContext): Promise<void> {
  const { strategy, ...others } = context.ui.getState().sentAs
  const reader = context.reader()
  const { exposure } = await nextRequest(reader, others)
  const names = Object.keys(EXPOSURES) as ExposureName[]
  for (const name of namesAfter(
    strategy,
    names.filter((one) => one !== exposure.strategy),
  )) {
    const preview = await nextRequest(reader, { ...others, strategy: name })
    if (preview.exposure.strategy === name) return showPrice(context, { ...others, strategy: name })
  }
  showPrice(context, others)
}

/** Returns the names after one; all of them after none. */
function namesAfter<Name extends string>(
  name: Name | undefined,
  names: readonly Name[],
): readonly Name[] {
  return names.slice(name === undefined ? 0 : names.indexOf(name) + 1)
}

function showPrice({ ui }: PlaygroundContext, sentAs: SentAs): void {
  ui.setState({ sentAs: Object.keys(sentAs).length === 0 ? AS_SENT : sentAs })
}
