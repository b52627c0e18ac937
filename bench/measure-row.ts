import { Box, render, Text } from 'ink'
import { ToolTable, type ToolTableRow } from 'loadout/ink'
import { createElement, memo, useState, type FunctionComponent } from 'react'
import { FakeInput, FakeOutput } from './fake-terminal.ts'
import { terminalFigure, type TerminalFigure } from './terminal-figure.ts'

const ROWS = 2_000
const COLUMNS = 160
const LINES = 45
/** Visible in both. */
const CHANGED = 20
const WARMING = 10

type Rows = readonly ToolTableRow[]

/** One visible row changes its status: in our table, and in Ink with a text for every row. */
export async function measureRow(): Promise<readonly TerminalFigure[]> {
  const windowed = await changes(Windowed, 100)
  const whole = await changes(Whole, 30)
  const few = await changes(Few, 100)
  const styled = await changes(Styled, 100)
  const time = 'one changed row of 2,000, time'
  const bytes = 'one changed row of 2,000, bytes'
  const isPeer = true
  return [
    terminalFigure(time, 'windowed table', windowed.times),
    terminalFigure(time, 'Ink, all rows', whole.times, { isPeer }),
    terminalFigure(time, 'Ink, 45 rows', few.times, { isPeer }),
    terminalFigure(time, 'Ink, same look', styled.times, { isPeer }),
    terminalFigure(bytes, 'windowed table', windowed.bytes),
    terminalFigure(bytes, 'Ink, all rows', whole.bytes, { isPeer }),
    terminalFigure(bytes, 'Ink, 45 rows', few.bytes, { isPeer }),
    terminalFigure(bytes, 'Ink, same look', styled.bytes, { isPeer }),
  ]
}

function Windowed({ rows }: { readonly rows: Rows }) {
  return createElement(ToolTable, {
    groups: [{ id: 'all', title: 'All', folded: false, rows }],
    selected: 'tool_5',
    width: COLUMNS,
    height: LINES,
    reasonOf: ({ status }) => reasonOf(status),
  })
}

/** Cut to the screen by Ink itself, so that both can write only the line that changed. */
function Whole({ rows }: { readonly rows: Rows }) {
  const texts = rows.map(({ id, status, tokens }) =>
    createElement(
      Text,
      { key: id, wrap: 'truncate-end' },
      `${id.padEnd(30)} ${status.padEnd(16)} ${tokens} ${reasonOf(status)}`,
    ),
  )
  const all = createElement(Box, { flexDirection: 'column', flexShrink: 0 }, texts)
  return createElement(
    Box,
    { flexDirection: 'column', flexShrink: 0, width: COLUMNS, height: LINES, overflow: 'hidden' },
    all,
  )
}

/** Ink itself with only as many rows as the screen shows. */
function Few({ rows }: { readonly rows: Rows }) {
  return createElement(Whole, { rows: rows.slice(0, LINES) })
}

/**
 * The lower bound of Ink for the table: as many rows with the same marks, colours and words. A row is drawn
 * again only when it changes.
 */
function Styled({ rows }: { readonly rows: Rows }) {
  const lines = rows.slice(0, LINES).map((row) => createElement(StyledRow, { key: row.id, row }))
  return createElement(
    Box,
    { flexDirection: 'column', flexShrink: 0, width: COLUMNS, height: LINES },
    lines,
  )
}

const StyledRow = memo(function StyledRow({ row }: { readonly row: ToolTableRow }) {
  const { id, status, tokens } = row
  const tone = status === 'available' ? { color: 'green' } : {}
  return createElement(
    Text,
    { wrap: 'truncate-end' },
    '  ',
    createElement(Text, tone, status === 'available' ? '●' : '○'),
    ` ${id.padEnd(37)} `,
    createElement(Text, tone, status.padEnd(15)),
    ` ${String(tokens).padStart(7)} `,
    createElement(Text, { dimColor: true }, reasonOf(status)),
  )
})

function reasonOf(status: string): string {
  return `It is ${status}, as the last thing that was done to it has left it.`
}

/** Shows the rows, then changes one of them a number of times. */
async function changes(Rows: FunctionComponent<{ readonly rows: Rows }>, runs: number) {
  let show: (rows: Rows) => void = () => {}
  let rows: Rows = Array.from({ length: ROWS }, (_, index) => ({
    id: `tool_${index}`,
    status: 'available',
    asks: false,
    tokens: 100 + (index % 50),
  }))
  const Shown = () => {
    const [shown, setShown] = useState(rows)
    show = setShown
    return createElement(Rows, { rows: shown })
  }
  const output = new FakeOutput(COLUMNS, LINES)
  const stream = output as unknown as NodeJS.WriteStream
  let instance: ReturnType<typeof render> | undefined
  await output.measure(() => {
    instance = render(createElement(Shown), {
      stdin: new FakeInput() as unknown as NodeJS.ReadStream,
      stdout: stream,
      stderr: stream,
      interactive: true,
      alternateScreen: true,
      incrementalRendering: true,
      exitOnCtrlC: false,
      patchConsole: false,
      maxFps: 60,
    })
  })
  const times: number[] = []
  const bytes: number[] = []
  for (let run = -WARMING; run < runs; run += 1) {
    const written = await output.measure(() => {
      rows = rows.map((row, index) =>
        index === CHANGED
          ? { ...row, status: row.status === 'available' ? 'disabled' : 'available' }
          : row,
      )
      show(rows)
    })
    if (run < 0) continue
    times.push(written.ms)
    bytes.push(written.bytes)
  }
  instance?.unmount()
  return { times, bytes }
}
