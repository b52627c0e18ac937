import { Box } from 'ink'
import type { ReactElement } from 'react'
import { padToWidth } from '../../../kernel/display-width.ts'
import { cutText } from '../parts/fit-text.ts'
import { moreText } from '../parts/format-count.ts'
import { Line } from '../parts/line.tsx'
import { DEFAULT_THEME, glyphsOf, type Theme } from '../parts/theme.ts'
import { windowOf } from '../parts/windowed-rows.tsx'
import { SECTION_PREFIX } from '../../prompt/document/new-section.ts'
import { NARROWEST_BOX } from '../../prompt/forms/write-boxed.ts'
import {
  renderSkillToolsSection,
  type ToolLine,
} from '../../prompt/sections/render-tool-section.ts'

export interface SkillToolsBoxProps {
  readonly displayName: string
  readonly tools: readonly ToolLine[]
  /** Includes the border; 24 at least. */
  readonly width: number
  /** Includes the border; as high as needed by default. */
  readonly height?: number
  /** Lines of the list to scroll past when the height is not enough. */
  readonly scroll?: number
  /** True to list tools with their arguments; off by default. */
  readonly signatures?: boolean
  readonly theme?: Theme
}

/** Lines of the frame above the list: upper border, title, rule. */
const HEAD = 3

/** Lines of the frame below the list. */
const FOOT = 1

/**
 * The tools of a skill in a double-ruled box titled `SKILL TOOLS: <displayName>`, line for line the
 * text of `renderSkillToolsSection`. Draws nothing for a skill without tools.
 */
export function SkillToolsBox({
  displayName,
  tools,
  width,
  height,
  scroll = 0,
  signatures = false,
  theme = DEFAULT_THEME,
}: SkillToolsBoxProps): ReactElement | null {
  const text = renderSkillToolsSection(displayName, tools, { width, signatures })
  if (text === null) return null
  const lines = text.trimEnd().split('\n')
  const listed = lines.length - HEAD - FOOT
  const shown = Math.max(0, Math.min(lines.length, height ?? lines.length) - HEAD - FOOT)
  const { start, end, above, below } = windowOf(listed, -1, shown, scroll)
  const outer = Math.max(width, NARROWEST_BOX)
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

/** Redraws only the frame and the title; the same characters inside the list stay. */
function asciiLine(line: string, index: number, last: number, title: string): string {
  if (index === 0 || index === HEAD - 1 || index === last) return `+${'='.repeat(line.length - 2)}+`
  return index === 1 ? `| ${title} |` : `|${line.slice(1, -1)}|`
}
