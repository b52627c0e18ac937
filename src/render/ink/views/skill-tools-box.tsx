import { Box } from 'ink'
import type { ReactElement } from 'react'
import { padToWidth } from '../../../kernel/display-width.ts'
import { cutText } from '../parts/fit-text.ts'
import { moreText } from '../parts/format-count.ts'
import { Line } from '../parts/line.tsx'
import { DEFAULT_THEME, glyphsOf, type Theme } from '../parts/theme.ts'
import { windowOf } from '../parts/windowed-rows.tsx'
import { SECTION_PREFIX } from '../../prompt/document/new-section.ts'
import {
  renderSkillToolsSection,
  type ToolLine,
} from '../../prompt/sections/render-tool-section.ts'

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

/** As the writer of boxes has it. */
const NARROWEST = 24

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
  const listed = lines.length - HEAD - FOOT
  const shown = Math.max(0, Math.min(lines.length, height ?? lines.length) - HEAD - FOOT)
  const { start, end, above, below } = windowOf(listed, -1, shown, scroll)
  const outer = Math.max(width, NARROWEST)
  const { above: up, below: down } = glyphsOf(theme)
  const drawn = [
    ...lines.slice(0, HEAD),
    ...(above > 0 ? [inFrame(moreText(up, above), outer)] : []),
    ...lines.slice(HEAD + start, HEAD + end),
    ...(below > 0 ? [inFrame(moreText(down, below), outer)] : []),
    ...lines.slice(-FOOT),
  ]
  const last = drawn.length - 1
  const heading = `${SECTION_PREFIX.skillTools} ${displayName}`
  const title = padToWidth(cutText(heading, outer - 4, theme), outer - 4, 'centre')
  return (
    <Box flexDirection="column" flexShrink={0} width={outer}>
      {drawn.map((line, index) => (
        <Line
          key={index}
          theme={theme}
          width={outer}
          spans={[{ text: theme.ascii ? asciiLine(line, index, last, title) : line }]}
        />
      ))}
    </Box>
  )
}

function inFrame(text: string, width: number): string {
  return `║ ${padToWidth(text, width - 4)} ║`
}

/** Only the frame is redrawn, and the title where it was cut: such characters in a text stay. */
function asciiLine(line: string, index: number, last: number, title: string): string {
  if (index === 0 || index === HEAD - 1 || index === last) return `+${'='.repeat(line.length - 2)}+`
  return index === 1 ? `| ${title} |` : `|${line.slice(1, -1)}|`
}
