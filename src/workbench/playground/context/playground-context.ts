import type {
  Entry,
  TokenCounter,
  VirtualWorkspace,
  WorkspaceReader,
} from '../../../entries/index.ts'
import type { Frames } from './frames.ts'
import type { UiStore } from './ui-state.ts'
import type { ChatOpener } from '../chat/open-chat.ts'
import type { TerminalActions } from '../terminal/terminal-control.ts'
import type { NextRequest } from './next-price.ts'
import type { KeptTexts } from './kept-texts.ts'
import type { ShownAnswers } from './shown-answers.ts'
import type { ShownHistory } from './shown-history.ts'
import type { SkillTrust, UntrustedSkill } from '../../project/open-skill-trust.ts'
import type { ScenarioDesk } from './scenario-desk.ts'
import type { SkillDesk } from './skill-desk.ts'
import type { SentSteps } from './sent-steps.ts'

/** The data and functions that actions and panes work with. One per screen. */
export interface PlaygroundContext extends TerminalActions {
  readonly ui: UiStore
  /** Notifies views when they have to be drawn. */
  readonly frames: Frames
  /** The live session; a new object after changes on disk were applied. */
  workspace(): VirtualWorkspace
  /** The session at the moment shown: the live one, or a read-only view of an earlier entry. */
  reader(): WorkspaceReader
  /** Reads the session after an entry; recently read moments are cached. */
  look(seq: number): Promise<WorkspaceReader>
  /** The next request at the moment shown, with its price; null when it is not known. */
  next(): NextRequest | null
  /** Resolves with that request when it is up to date. */
  readNext(): Promise<NextRequest | null>
  /** The requests that showed a tool or a skill, and its calls, up to the moment shown. */
  readonly history: ShownHistory
  /** The answers to what is typed after "Why". */
  readonly answers: ShownAnswers
  /** The messages, arguments and results that the session keeps. */
  readonly texts: KeptTexts
  /** The steps of the session, as if they had been sent in another way. */
  readonly sentSteps: SentSteps
  /** The token counter of the session. */
  readonly counter: TokenCounter
  /** Leads through the screen for the first time; null for everybody else. */
  readonly guide: Guide | null
  /** Every entry of the session so far. */
  entries(): readonly Entry[]
  /** Numbers of the entries that another process appended since the screen was opened. */
  foreign(): ReadonlySet<number>
  /** False for a session that is open read-only: commands are refused. */
  readonly live: boolean
  /** True when new entries of other processes appear at once. */
  readonly followed: boolean
  /** Opens the conversation with the model of the session; null where nobody can talk to it. */
  readonly openChat: ChatOpener | null
  /** The scenarios of the project; null for a session that is open read-only. */
  readonly scenarios: ScenarioDesk | null
  /** Turns skills of the project off and on; null where there is no project. */
  readonly skillDesk: SkillDesk | null
  /** Opens the session to answer its questions; null where a read-only screen cannot answer. */
  readonly attach: (() => Promise<VirtualWorkspace>) | null
  /** The trust in the folders of skills; null where nobody is asked. */
  readonly consent: SkillConsent | null
  /** Returns the file of code of a tool, wherever it was found; null where the definitions are not those of a project. */
  toolFile(name: string): string | null
  /** Accepts changes on disk: of one active skill, or all. */
  accept(skill: string | null): Promise<void>
}

/** The trust in the folders of skills, as a screen uses it. */
export interface SkillConsent extends Pick<SkillTrust, 'read'> {
  /** Trusts the folders of skills if they are unchanged. Their code may run when it resolves. */
  trust(skills: readonly UntrustedSkill[]): Promise<void>
}

/** Leads through a screen for the first time. */
export interface Guide {
  /** Returns the step that is next, and its place among all; steps that are done never come back. */
  current(context: PlaygroundContext): { readonly says: string; readonly place: string }
}
