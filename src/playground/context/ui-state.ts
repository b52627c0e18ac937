import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ToolDifference } from '../../engine/standing/tool-table.ts'
import type { DocumentDiff } from '../../render/prompt/diff-documents.ts'
import type { ToolResponse } from '../../tools/response/tool-response.ts'

/** What only the screen cares about; the workspace has a store of its own. */
export interface UiState {
  /** Id of the pane that has the keys. */
  readonly focus: string
  readonly panes: Readonly<Record<string, PaneState>>
  /** True while keys go into the filter of the focused pane. */
  readonly filtering: boolean
  /** The entry whose moment is shown; null for now. */
  readonly moment: number | null
  /** Entries marked for a difference, at most two. */
  readonly marks: readonly number[]
  readonly dialog: Dialog | null
  readonly banner: ScreenBanner | null
  readonly changes: readonly DiskChange[]
  /** What is under way, such as `activating data-analysis`; null when nothing is. */
  readonly busy: string | null
  /** Of the whole screen. */
  readonly size: { readonly columns: number; readonly rows: number }
}

export type UiStore = StoreApi<UiState>

/** A screen nothing was done on yet: 80x24 until it is measured. */
const UNTOUCHED: Omit<UiState, 'focus'> = {
  panes: {},
  filtering: false,
  moment: null,
  marks: [],
  dialog: null,
  banner: null,
  changes: [],
  busy: null,
  size: { columns: 80, rows: 24 },
}

/** The store of one screen, its keys with one pane. */
export function createUiStore(focus: string): UiStore {
  return createStore<UiState>(() => ({ ...UNTOUCHED, focus }))
}

/** What is kept of a list or a text while its pane is not looked at. */
export interface PaneState {
  /** Id of the row the cursor is on; follows the id, not the row. */
  readonly selected: string | null
  /** What was typed after `/`; empty shows everything. */
  readonly filter: string
  /** Ids of folded sections or groups. */
  readonly folded: readonly string[]
  /** First line shown, of a pane that scrolls a text. */
  readonly scroll: number
  /** A way of looking the pane offers, such as `by-status` or `boxed`. */
  readonly mode: string
}

export const EMPTY_PANE: PaneState = { selected: null, filter: '', folded: [], scroll: 0, mode: '' }

/** What is kept of a pane; of one that was not touched yet, the beginning. */
export function paneState(
  { panes }: { readonly panes: Readonly<Record<string, PaneState>> },
  pane: string,
): PaneState {
  return panes[pane] ?? EMPTY_PANE
}

/** The state with some of a pane's fields changed; the same one when nothing changes. */
export function changePane(state: UiState, pane: string, change: Partial<PaneState>): UiState {
  const before = paneState(state, pane)
  const after = { ...before, ...change }
  const same = Object.entries(after).every(
    ([field, value]) => before[field as keyof PaneState] === value,
  )
  return same ? state : { ...state, panes: { ...state.panes, [pane]: after } }
}

/** The state with a section or group of a pane folded, or unfolded again. */
export function toggleFold(state: UiState, pane: string, id: string): UiState {
  const { folded } = paneState(state, pane)
  const others = folded.filter((one) => one !== id)
  const isFolded = others.length < folded.length
  return changePane(state, pane, { folded: isFolded ? others : [...folded, id] })
}

/** What stands over the panes and takes the keys. */
export type Dialog =
  | { readonly kind: 'help'; readonly scroll: number }
  /** Every action, filtered by what is typed. */
  | { readonly kind: 'palette'; readonly text: string; readonly selected: number }
  /** Asked before leaving while something is pending. */
  | { readonly kind: 'quit'; readonly why: string }
  /** Everything about one row: a skill, a tool, an entry. */
  | {
      readonly kind: 'details'
      readonly title: string
      readonly lines: readonly string[]
      readonly scroll: number
    }
  /** How two moments differ. */
  | {
      readonly kind: 'difference'
      readonly title: string
      readonly tools: ToolDifference
      readonly document: DocumentDiff
      readonly scroll: number
    }
  /** Arguments for a tool, its schema beside them. */
  | {
      readonly kind: 'call'
      readonly tool: string
      readonly text: string
      readonly cursor: number
      readonly problem: string
      /** First line shown of what is known about the arguments; 0 when absent. */
      readonly scroll?: number
    }
  /** A tool asks before it runs. */
  | {
      readonly kind: 'confirm'
      readonly tool: string
      readonly confirmation: string
      readonly input: unknown
      /** First line shown; 0 when absent. */
      readonly scroll?: number
    }
  | {
      readonly kind: 'answer'
      readonly tool: string
      readonly response: ToolResponse
      readonly scroll: number
    }
  /** How long an activation shall last. */
  | { readonly kind: 'lifetime'; readonly skill: string; readonly text: string }

/** The dialog of one kind, with what it holds. */
export type DialogOf<Kind extends Dialog['kind']> = Extract<Dialog, { readonly kind: Kind }>

/** What the last change came to; gone with the next key. */
export interface ScreenBanner {
  readonly tone: 'done' | 'refused' | 'note'
  readonly text: string
  readonly difference: ToolDifference | null
  readonly tokens: { readonly before: number; readonly after: number } | null
  /** Share of the instructions a provider's cache keeps, 0 to 1; null when nothing was there before. */
  readonly prefixKept: number | null
}

/** A banner of words alone. */
export function note(tone: ScreenBanner['tone'], text: string): ScreenBanner {
  return { tone, text, difference: null, tokens: null, prefixKept: null }
}

/** A skill that changed on disk since it was read. */
export interface DiskChange {
  readonly skill: string
  readonly what: 'added' | 'changed' | 'removed' | 'broken'
  readonly text: string
}
