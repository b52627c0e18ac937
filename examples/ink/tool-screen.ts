import { Box, Text } from 'ink'
import type { ToolListing, VirtualWorkspace } from 'loadout'
import { Table } from 'loadout/ink'
import { createElement, useSyncExternalStore } from 'react'

export interface ToolScreenProps {
  readonly workspace: VirtualWorkspace
  readonly width: number
  readonly height: number
}

/** The tools of a session with the reason each stands as it does, drawn anew with every entry. */
export function ToolScreen({ workspace, width, height }: ToolScreenProps) {
  const { state } = useSyncExternalStore(workspace.store.subscribe, workspace.store.getState)
  const rows = workspace.tools()
  return createElement(
    Box,
    { flexDirection: 'column', width, height },
    createElement(Text, { bold: true }, `Entry ${state.seq}, ${rows.length} tools`),
    createElement(Table<ToolListing>, {
      columns: [
        { title: 'TOOL', width: 16, grows: 1, rank: 0 },
        { title: 'STATUS', width: 16, rank: 0 },
        { title: 'REASON', width: 24, grows: 3, rank: 1 },
      ],
      groups: [{ id: 'tools', title: 'All tools', folded: false, rows }],
      selected: null,
      width,
      height: height - 1,
      identify: ({ name }) => name,
      cells: ({ name, status }) => {
        const reason = workspace.explain(name).because.at(-1)?.text ?? ''
        return [{ text: name }, { text: status }, { text: reason, dim: true }]
      },
    }),
  )
}
