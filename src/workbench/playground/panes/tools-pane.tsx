import type { ReactElement } from 'react'
import type { ToolListing } from '../../../entries/index.ts'
import { decidingPlace, identityMemo, listingAddress } from '../../../entries/kit.ts'
import { toolsReport } from '../../report/facts/tools-report.ts'
import { ReportTable } from '../../report/writers/report-table.tsx'
import { acceptTool, activateOwner, switchTool } from '../changes/activate-skill.ts'
import { openFile, openPlace } from '../changes/open-file.ts'
import { whyNoChange } from '../changes/change-session.ts'
import { openCall } from '../dialogs/call-dialog.tsx'
import type { PlaygroundContext } from '../context/playground-context.ts'
import type { Description, ScreenPane, ScreenPaneProps } from '../context/screen-pane.ts'
import {
  changePane,
  note,
  paneState,
  type PaneState,
  toggleFold,
  type UiState,
} from '../context/ui-state.ts'
import { useIsPointed, openWhy, WHY } from './open-why.ts'
import { useReader, useShown } from '../context/use-shown.ts'
import { isHeading, type ToolGrouping, toolRows, type ToolRows } from './tool-rows.ts'
import { toolDetails } from './tool-details.ts'
import { selectedRow } from '../rows/move-selection.ts'
import { bestMatch } from '../rows/row-filter.ts'

const ID = 'tools'

/** The tools with their status and its reason in words. */
export const toolsPane: ScreenPane = {
  id: ID,
  title: 'Tools',
  key: '2',
  place: 'list',
  opens: WHY,
  actions: [
    {
      id: 'tools.details',
      title: 'Open the reason and details',
      verb: 'why',
      keys: ['enter'],
      run: (context) => (current(context).listing ? openWhy : fold)(context),
    },
    {
      id: 'tools.call',
      title: 'Call',
      verb: 'call',
      keys: ['c'],
      whyNot: whyNoChange,
      run: withTool(startCall),
    },
    {
      id: 'tools.switch',
      title: 'Switch off or on',
      verb: 'on/off',
      keys: ['x'],
      whyNot: whyNoChange,
      run: withTool(switchTool),
    },
    {
      id: 'tools.activate',
      title: 'Activate its skill',
      verb: 'activate skill',
      keys: ['space'],
      whyNot: whyNoChange,
      run(context) {
        const { listing } = current(context)
        return listing === undefined ? fold(context) : activateOwner(context, listing)
      },
    },
    {
      id: 'tools.accept',
      title: 'Accept its changed definition',
      verb: 'accept',
      keys: ['a'],
      whyNot: whyNoChange,
      run: withTool(acceptTool),
    },
    {
      id: 'tools.open',
      title: 'Open its file in $EDITOR, or the rule that denies it',
      verb: 'edit',
      keys: ['e'],
      run: withTool(openOwnFile),
    },
    {
      id: 'tools.group',
      title: 'Group by source or status',
      verb: 'group',
      keys: ['m'],
      run: ({ ui }) =>
        ui.setState((state) => {
          const mode = paneGrouping(selectToolsPane(state)) === 'source' ? 'by-status' : ''
          return changePane(state, ID, { mode, selected: null })
        }),
    },
    {
      id: 'tools.fold',
      title: 'Fold or unfold the group',
      verb: 'fold',
      keys: ['z'],
      run: fold,
    },
  ],
  rows: (context) => readToolRows(context).ids,
  found(context) {
    const names = readToolRows(context).ids.filter((id) => !isHeading(id))
    return bestMatch(names, selectToolsPane(context.ui.getState()).filter)
  },
  status(context) {
    const { rows } = readToolRows(context)
    const { filter } = selectToolsPane(context.ui.getState())
    const next = context.next()
    const count = summaryMemo([rows, next ?? rows], '', () =>
      toolsReport(context.reader(), context.counter, next).summary(rows),
    )
    return filter === '' ? count : `/${filter}: ${count}`
  },
  names: (context) =>
    context
      .reader()
      .tools()
      .map(({ name }) => name),
  about(context) {
    const { listing } = current(context)
    return listing === undefined ? null : aboutTool(listing, context)
  },
  View: ToolsPane,
}

const summaryMemo = identityMemo<string>()

/** Selects the state of the pane. */
export function selectToolsPane(state: UiState): PaneState {
  return paneState(state, ID)
}

function ToolsPane({ context, focused, width, height, theme }: ScreenPaneProps): ReactElement {
  const pane = useShown(context, selectToolsPane)
  const reader = useReader(context)
  const next = useShown(context, context.next)
  const rows = readToolRows(context)
  const isPointed = useIsPointed(context, ID, focused)
  return (
    <ReportTable
      report={toolsReport(reader, context.counter, next)}
      groups={rows.groups}
      selected={isPointed ? selectedRow(rows.ids, pane.selected) : null}
      {...{ width, height, theme }}
      empty={pane.filter === '' ? 'No tools.' : `No tool matches "${pane.filter}".`}
    />
  )
}

function paneGrouping({ mode }: PaneState): ToolGrouping {
  return mode === 'by-status' ? 'status' : 'source'
}

function readToolRows(context: PlaygroundContext): ToolRows {
  const pane = selectToolsPane(context.ui.getState())
  return toolRows(context.reader(), pane.filter, paneGrouping(pane), pane.toggled, context.next())
}

/** Returns the id of the row under the cursor, and its tool when it is not a heading. */
function current(context: PlaygroundContext) {
  const { ids, rows } = readToolRows(context)
  const id = selectedRow(ids, selectToolsPane(context.ui.getState()).selected)
  return { id, listing: rows.find(({ name }) => name === id) }
}

/** Runs an action on the tool under the cursor; on a heading it does nothing. */
function withTool(
  run: (context: PlaygroundContext, listing: ToolListing) => void | Promise<void>,
): (context: PlaygroundContext) => void | Promise<void> {
  return (context) => {
    const { listing } = current(context)
    return listing === undefined ? undefined : run(context, listing)
  }
}

const aboutCache = identityMemo<Description>()

function aboutTool(listing: ToolListing, context: PlaygroundContext): Description {
  const reader = context.reader()
  const canChange = whyNoChange(context) === null
  // The connection to its server changes without the state.
  const verdict = reader.explain(listingAddress(listing))
  const health = JSON.stringify(verdict.health ?? null)
  const history = context.history.about('tool', listingAddress(listing))
  return aboutCache([reader.state, listing, history], `${canChange} ${health}`, () => ({
    title: listing.name,
    asks: listingAddress(listing),
    lines: toolDetails(listing, history, context, canChange),
    place: decidingPlace(verdict),
  }))
}

/** Opens the rule that denies a tool, else the file of the tool. */
function openOwnFile(context: PlaygroundContext, listing: ToolListing): Promise<void> {
  const { source, owner, status, tool, name } = listing
  const reader = context.reader()
  const rule =
    status === 'denied' ? decidingPlace(reader.explain(listingAddress(listing))) : undefined
  if (rule !== undefined) return openPlace(context, rule)
  const skill = source === 'skill' ? reader.catalog.skills.get(owner) : undefined
  // The tool of a server or a component has no file, whatever a file is called.
  const isOnDisk = source === 'skill' || source === 'global'
  return openFile(context, skill, isOnDisk ? (tool?.name ?? name) : undefined)
}

/** Folds the group of the row under the cursor, and moves the cursor to its heading. */
function fold(context: PlaygroundContext): void {
  const { id } = current(context)
  const group = readToolRows(context).groups.find(
    (one) => one.id === id || one.rows.some(({ name }) => name === id),
  )
  if (group === undefined) return
  context.ui.setState((state) =>
    changePane(toggleFold(state, ID, group.id), ID, { selected: group.id }),
  )
}

function startCall(context: PlaygroundContext, listing: ToolListing): void {
  const why = whyNoChange(context)
  if (why !== null) return context.ui.setState({ banner: note('note', why) })
  const { name, status } = listing
  const bringers = context.reader().catalog.bringers.get(listing.tool?.name ?? name) ?? []
  // A name that several skills have could mean the tool of another skill.
  const isShared = status === 'skill-inactive' && bringers.length > 1
  const tool = isShared ? listingAddress(listing) : name
  openCall(context, tool, listing.tool?.inputSchema ?? {})
}
