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
export { type LedgerGroup, type LedgerRow, ledgerRows } from '../render/ink/views/ledger-rows.ts'
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
export { diffDocuments, type DocumentDiff } from '../render/prompt/diff-documents.ts'
export {
  ApprovalsPane,
  ChatPane,
  Playground,
  type PlaygroundPaneProps,
  type PlaygroundProps,
  PromptPane,
  SkillsPane,
  TimelinePane,
  ToolsPane,
} from '../workbench/playground/bound/playground.tsx'
