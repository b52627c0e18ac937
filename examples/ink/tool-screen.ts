import { Box, Text } from 'ink'
import type { VirtualWorkspace } from 'loadout'
import { ToolTable, type ToolTableRow } from 'loadout/ink'
import { createElement, useMemo, useSyncExternalStore } from 'react'

export interface ToolScreenProps {
  readonly workspace: VirtualWorkspace
  readonly width: number
  readonly height: number
}

/** The tools of a session with the reason each stands as it does, drawn anew with every entry. */
export function ToolScreen({ workspace, width, height }: ToolScreenProps) {
  const { state } = useSyncExternalStore(workspace.store.subscribe, workspace.store.getState)
  const rows = useMemo(() => rowsOf(workspace), [workspace, state])
  return createElement(
    Box,
    { flexDirection: 'column', width, height },
    createElement(Text, { bold: true }, `Entry ${state.seq}, ${rows.length} tools`),
    createElement(ToolTable, {
      groups: [{ id: 'tools', title: 'All tools', folded: false, rows }],
      selected: null,
      width,
      height: height - 1,
      reasonOf: ({ id }) => workspace.explain(id).because.at(-1)?.text ?? '',
    }),
  )
}

function rowsOf(workspace: VirtualWorkspace): readonly ToolTableRow[] {
  return workspace
    .tools()
    .map(({ name, status, asks }) => ({ id: name, status, asks, tokens: null }))
}
