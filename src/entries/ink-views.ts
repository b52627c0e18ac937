export { Banner, type BannerProps } from '../render/ink/views/banner.tsx'
export { DiffView, type DiffViewProps } from '../render/ink/views/diff-view.tsx'
export { EnvelopeView, type EnvelopeViewProps } from '../render/ink/views/envelope-view.tsx'
export {
  KeyHelp,
  type KeyHelpGroup,
  type KeyHelpProps,
  type KeyHelpRow,
} from '../render/ink/views/key-help.tsx'
export { Ledger, type LedgerProps } from '../render/ink/views/ledger.tsx'
export { Pane, type PaneProps } from '../render/ink/parts/pane.tsx'
export type { PromptViewPart, PromptViewSection } from '../render/ink/views/prompt-lines.ts'
export { PromptView, type PromptViewProps } from '../render/ink/views/prompt-view.tsx'
export {
  type RowWindow,
  ScrolledText,
  type ScrolledTextProps,
  WindowedList,
  type WindowedListProps,
  windowOf,
} from '../render/ink/parts/windowed-rows.tsx'
export { SkillToolsBox, type SkillToolsBoxProps } from '../render/ink/views/skill-tools-box.tsx'
export {
  Table,
  type TableColumn,
  type TableGroup,
  type TableProps,
} from '../render/ink/views/table.tsx'
export { DEFAULT_THEME, type Theme } from '../render/ink/parts/theme.ts'

// Lines and rows.
export { fitText, wrappedText } from '../render/ink/parts/fit-text.ts'
export { Line, type TextSpan } from '../render/ink/parts/line.tsx'
export { tabPlaces } from '../render/ink/parts/pane.tsx'
export { createRowHits, type RowHits, RowHitsContext } from '../render/ink/parts/row-hits.ts'
export { cursorSpan } from '../render/ink/parts/table-line.tsx'
export { type Glyphs, glyphsOf, otherProcessMark } from '../render/ink/parts/theme.ts'
export { WindowedRows } from '../render/ink/parts/windowed-rows.tsx'
export {
  type DiffLine,
  diffLines,
  sectionLines,
  toolLines,
} from '../render/ink/views/diff-lines.ts'
export { envelopeLines } from '../render/ink/views/envelope-view.tsx'
export { PROMPT_INDENT, type PromptLine, promptLines } from '../render/ink/views/prompt-lines.ts'
