import type { ReactElement } from 'react'
import { Box } from 'ink'
import { renderSkillToolsSection, type ToolLine } from '../prompt/render-section.ts'
import { Line } from './line.tsx'
import { DEFAULT_THEME, type Theme } from './theme.ts'
import { WindowedRows } from './windowed-rows.tsx'

export interface SkillToolsBoxProps {
  readonly displayName: string
  readonly tools: readonly ToolLine[]
  /** With the border; 24 at least. */
  readonly width: number
  /** With the border; as high as it needs by default. */
  readonly height?: number
  /** Lines of the list to scroll past, where the height is not enough. */
  readonly scroll?: number
  readonly theme?: Theme
}

/** The lines of the frame: upper border, title, rule; and the lower border. */
const HEAD = 3
const FOOT = 1

/**
 * The tools that a skill brings, double-ruled, under `SKILL TOOLS: <displayName>`: line for line
 * what `renderSkillToolsSection` writes. Nothing for a skill that brings none.
 */
export function SkillToolsBox({
  displayName,
  tools,
  width,
  height,
  scroll = 0,
  theme = DEFAULT_THEME,
}: SkillToolsBoxProps): ReactElement | null {
  const text = renderSkillToolsSection(displayName, tools, { width })
  if (text === null) return null
  const lines = text.trimEnd().split('\n')
  const last = lines.length - 1
  const shown = theme.ascii ? lines.map((line, at) => asciiLine(line, at, last)) : lines
  const outer = Math.max(width, 24)
  const draw = (index: number) => (
    <Line key={index} theme={theme} width={outer} spans={[{ text: shown[index] ?? '' }]} />
  )
  return (
    <Box flexDirection="column" flexShrink={0} width={outer}>
      {Array.from({ length: HEAD }, (_, index) => draw(index))}
      <WindowedRows
        count={lines.length - HEAD - FOOT}
        selected={-1}
        scroll={scroll}
        width={outer}
        height={Math.min(lines.length, height ?? lines.length) - HEAD - FOOT}
        theme={theme}
        renderRow={(index) => draw(HEAD + index)}
      />
      {draw(last)}
    </Box>
  )
}

/** Only the frame is redrawn: such characters in a text stay. */
function asciiLine(line: string, index: number, last: number): string {
  if (index === 0 || index === HEAD - 1 || index === last) return `+${'='.repeat(line.length - 2)}+`
  return `|${line.slice(1, -1)}|`
}
