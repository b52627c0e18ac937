import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Catalog, Lifetime, ToolResponse } from '../../../entries/index.ts'
import type { BannerProps } from '../../../entries/ink-views.ts'
import type { PendingConfirmation, ToolDifference } from '../../../entries/kit.ts'
import type { PricedChange } from '../../../entries/plan.ts'
import type { MomentDifference } from '../../report/facts/compare-moments.ts'
import type { TranscriptLine } from '../chat/transcript-lines.ts'
import type { TextField } from '../text/text-field.ts'
import type { ScenarioTest } from './scenario-desk.ts'
import { AS_SENT, type SentAs, type SentStep } from './sent-steps.ts'
import type { UntrustedSkill } from '../../project/open-skill-trust.ts'

/** The state of the screen alone; the workspace has a store of its own. */
export interface UiState {
  /** Id of the pane with the focus. */
  readonly focus: string
  /** Id of the list or lane whose row the tab on the right describes: the last one with the focus. */
  readonly list: string
  /** True while the pane with the focus takes all of the screen. */
  readonly isFull: boolean
  /** Id of the tab whose row the tab Why describes; null for the row of the list. */
  readonly opened: string | null
  /** The tab shown next to each list, by the list's id; absent for the initial one. */
  readonly tabs: Readonly<Record<string, string>>
  readonly panes: Readonly<Record<string, PaneState>>
  /** True while keys go into the filter of the focused pane. */
  readonly filtering: boolean
  /** The message to the model, while keys go into it; else null. */
  readonly writing: TextField | null
  readonly chat: ChatState
  /** The entry whose moment is shown; null for now. */
  readonly moment: number | null
  /** The provider and the strategy that the next request is priced for. */
  readonly sentAs: SentAs
  /** The steps so far as each strategy would have sent them; empty until they are priced. */
  readonly strategies: ReadonlyMap<string, readonly SentStep[]>
  /** Entries marked for comparison, at most two. */
  readonly marks: readonly number[]
  /** The arguments that were typed last for each tool, as JSON. */
  readonly arguments: ReadonlyMap<string, string>
  /** The last call of this screen; null before the first. */
  readonly lastCall: OwnCall | null
  /** The last change, or the difference between the marks; null before either. */
  readonly difference: ShownDifference | null
  readonly dialog: Dialog | null
  readonly banner: ScreenBanner | null
  /** Changes on disk that wait to be accepted or fixed. */
  readonly changes: readonly DiskChange[]
  /** The scenarios that ran last; null before the first time. */
  readonly tested: { readonly passed: number; readonly failed: number } | null
  /** The action in progress, such as `activating data-analysis`; null when there is none. */
  readonly busy: string | null
  /** True when the screen answers questions of a session that is open read-only. */
  readonly answers: boolean
  /** True when the last key was a `q` that went back: another one may be one too many. */
  readonly wentBack: boolean
  /** The size of the screen. */
  readonly size: { readonly columns: number; readonly rows: number }
}

export type UiStore = StoreApi<UiState>

/** The state of a new screen: 80x24 until it is measured. */
const UNTOUCHED: Omit<UiState, 'focus' | 'list'> = {
  isFull: false,
  opened: null,
  tabs: {},
  panes: {},
  filtering: false,
  writing: null,
  chat: {
    model: null,
    lines: [],
    answer: '',
    held: null,
    chosen: null,
    said: [],
    recalled: null,
    draft: '',
  },
  moment: null,
  sentAs: AS_SENT,
  strategies: new Map(),
  marks: [],
  arguments: new Map(),
  lastCall: null,
  difference: null,
  dialog: null,
  banner: null,
  changes: [],
  tested: null,
  busy: null,
  answers: false,
  wentBack: false,
  size: { columns: 80, rows: 24 },
}

/** Creates the store of a screen whose focus is on one pane. */
export function createUiStore(focus: string): UiStore {
  return createStore<UiState>(() => ({ ...UNTOUCHED, focus, list: focus }))
}

/** The conversation of a screen with a model. */
export interface ChatState {
  /** The name of the model; null until the conversation is opened. */
  readonly model: string | null
  readonly lines: readonly TranscriptLine[]
  /** The text that the model is writing; not sanitised. */
  readonly answer: string
  /** The first row shown, where the person scrolled back, and the lines that were there then; null at the end. */
  readonly held: { readonly top: number; readonly lines: number } | null
  /** The line that is chosen, which Enter opens; null while the end is followed. */
  readonly chosen: TranscriptLine | null
  /** The messages of the person, without those of moves in a scenario. */
  readonly said: readonly string[]
  /** The place of the message that was recalled into the field; null for the one that is being written. */
  readonly recalled: number | null
  /** The message that was being written before another one was recalled. */
  readonly draft: string
}

/** The state of one pane, kept while it is not visible. */
export interface PaneState {
  /** Id of the row the cursor is on; it follows the id, not the position. */
  readonly selected: string | null
  /** The text typed after `/`; empty shows everything. */
  readonly filter: string
  /** Ids of the sections or groups that were folded or opened. */
  readonly toggled: readonly string[]
  /** The first line shown, in a pane that scrolls a text. */
  readonly scroll: number
  /** The line of the hit that a search is at, in a pane that scrolls a text; -1 for none. */
  readonly hit: number
  /** A display mode of the pane, such as `by-status` or `boxed`. */
  readonly mode: string
}

export const EMPTY_PANE: PaneState = {
  selected: null,
  filter: '',
  toggled: [],
  scroll: 0,
  hit: -1,
  mode: '',
}

/** Returns the state of a pane; the initial one for a pane that was not used yet. */
export function paneState(
  { panes }: { readonly panes: Readonly<Record<string, PaneState>> },
  pane: string,
): PaneState {
  return panes[pane] ?? EMPTY_PANE
}

/** Changes fields of a pane. Returns the same object when nothing changes. */
export function changePane(state: UiState, pane: string, change: Partial<PaneState>): UiState {
  const before = paneState(state, pane)
  const after = { ...before, ...change }
  const same = Object.entries(after).every(
    ([field, value]) => before[field as keyof PaneState] === value,
  )
  return same ? state : { ...state, panes: { ...state.panes, [pane]: after } }
}

/** Folds or unfolds a section or group of a pane. */
export function toggleFold(state: UiState, pane: string, id: string): UiState {
  const { toggled } = paneState(state, pane)
  const others = toggled.filter((one) => one !== id)
  const isToggled = others.length < toggled.length
  return changePane(state, pane, { toggled: isToggled ? others : [...toggled, id] })
}

/** The part of an answer to a question that a person types. */
export type AnswerPart = 'content' | 'input' | 'reason'

/** A dialog over the panes, which alone receives keys. */
export type Dialog =
  /** Every key; those that contain the typed text while one is looked for, else null. */
  | { readonly kind: 'help'; readonly text: string | null; readonly scroll: number }
  /** Every action, filtered by the typed text. */
  | { readonly kind: 'palette'; readonly text: string; readonly selected: number }
  /** Answers why: of a name, an entry, or a sentence. */
  | {
      readonly kind: 'ask'
      readonly text: string
      /** True until the text, which the row under the cursor gave, is changed: what is typed replaces it. */
      readonly isGiven: boolean
      readonly selected: number
      readonly scroll: number
    }
  /** Asks before leaving while something is pending. */
  | { readonly kind: 'quit'; readonly why: string }
  /** Arguments for a tool, with its schema. */
  | {
      readonly kind: 'call'
      readonly tool: string
      readonly text: string
      readonly cursor: number
      readonly problem: string
      /** The field of the form with the cursor, and its text; absent while the arguments are edited as JSON. */
      readonly form?: FormCursor | undefined
      /** The first line of the schema shown; 0 when absent. */
      readonly scroll?: number
      /** The question that is answered here; absent for the arguments of a call. */
      readonly question?: string | undefined
      /** The part of an answer that is typed: the fields of a form, other arguments, or the reason of a denial. */
      readonly answer?: AnswerPart | undefined
    }
  /** The response of a call. */
  | {
      readonly kind: 'answer'
      readonly tool: string
      readonly response: ToolResponse
      readonly scroll: number
    }
  /** The scenarios that ran. */
  | {
      readonly kind: 'tests'
      readonly title: string
      readonly tests: readonly ScenarioTest[]
      readonly scroll: number
    }
  /** Asks before a skill of a folder that is not trusted is activated. */
  | {
      readonly kind: 'consent'
      readonly skill: string
      /** The skill, and those that it requires, as far as their folders are not trusted. */
      readonly untrusted: readonly UntrustedSkill[]
      readonly agreed: Agreed
      readonly scroll: number
    }
  /** Asks for the lifetime of an activation. */
  | { readonly kind: 'lifetime'; readonly skill: string; readonly text: string }

/** The action when a person has agreed to a skill of a folder that is not trusted. */
export type Agreed =
  | ({ readonly kind: 'activate' } & ActivationTerms)
  /** Approves the call of a model. */
  | { readonly kind: 'approve'; readonly question: Pick<PendingConfirmation, 'id' | 'tool'> }
  /** The folder is only trusted. */
  | { readonly kind: 'nothing' }

/** The terms of an activation by hand. */
export interface ActivationTerms {
  readonly lifetime?: Lifetime
  /** Deactivates the skills that conflict with it. */
  readonly replace?: boolean
}

/** A field of a form by its index, with the text that is typed into it. */
export interface FormCursor {
  readonly at: number
  readonly text: string
  /** In UTF-16 code units. */
  readonly cursor: number
}

/** A call that was made on this screen. */
export interface OwnCall {
  readonly tool: string
  readonly input: unknown
}

/** The state of a dialog of one kind. */
export type DialogOf<Kind extends Dialog['kind']> = Extract<Dialog, { readonly kind: Kind }>

/** The difference between two moments, as a tab shows it. */
export interface ShownDifference extends MomentDifference {
  readonly title: string
}

/** A report of the last change; the next key removes it. */
export interface ScreenBanner {
  readonly tone: BannerProps['tone']
  readonly text: string
  readonly difference: ToolDifference | null
  /** The change of the next request; null when it is not known, or nothing changed. */
  readonly request: PricedChange | null
}

/** Creates a banner without figures. */
export function note(tone: ScreenBanner['tone'], text: string): ScreenBanner {
  return { tone, text, difference: null, request: null }
}

/** Creates a banner from the message of a refusal, and its hint. */
export function refusal({ message, hint = '' }: { message: string; hint?: string }): ScreenBanner {
  return note('refused', [message, hint].filter((part) => part !== '').join(' '))
}

/** A skill that changed on disk since it was read. */
export interface DiskChange {
  readonly skill: string
  readonly what: 'added' | 'changed' | 'removed' | 'broken'
  readonly text: string
  /** The definitions that the session has, and those on disk; present where both have the skill. */
  readonly between?: { readonly before: Catalog; readonly after: Catalog }
}

/**
 * Moves through the messages that the person wrote in this conversation. The one that is being written is after the last
 * of them.
 */
export function recallMessage(state: UiState, by: -1 | 1): UiState {
  const { chat, writing } = state
  const { said, recalled, draft } = chat
  const at = recalled ?? said.length
  const to = at + by
  if (writing === null || to < 0 || to > said.length) return state
  const isDraft = to === said.length
  const text = isDraft ? draft : (said[to] ?? '')
  return {
    ...state,
    writing: { text, cursor: text.length },
    chat: {
      ...chat,
      recalled: isDraft ? null : to,
      draft: recalled === null ? writing.text : draft,
    },
  }
}
