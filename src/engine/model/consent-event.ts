import type { HostReason, WhereMatches } from './policy.ts'
import type { ToolSource } from './source-event.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json-value.ts'
import type { ValueIssue } from '../../schema/interpreter/schema-source.ts'
import type { Elicitation } from '../../tools/definition/call-client.ts'

/** Events about consent. */
export type ConsentEvent =
  /** A person approved more than one call. */
  | ({
      readonly type: 'approval.remembered'
      readonly hash: ContentHash
      readonly scope: Exclude<ApprovalScope, 'call'>
      readonly confirmation: string
    } & ToolIdentity)
  /**
   * The approval store had an approval from another session. Recorded, because a replay cannot ask
   * the store.
   */
  | ({ readonly type: 'approval.recalled'; readonly hash: ContentHash } & ToolIdentity)
  /** The remembered approvals of the tool were revoked. */
  | ({ readonly type: 'approval.revoked' } & ToolIdentity)
  /** The current definition of a tool in quarantine was accepted. */
  | ({ readonly type: 'tool.accepted'; readonly hash: ContentHash } & ToolIdentity)
  /** A call was given up because its process ended without recording the end of the call. */
  | { readonly type: 'call.abandoned'; readonly call: string; readonly tool: string }

/**
 * The extent of an approval: the call that was asked about, all calls of the tool in this session,
 * or all sessions that use the same approval store. Always for one definition only.
 */
export type ApprovalScope = 'call' | 'session' | 'digest'

export const APPROVAL_SCOPES: readonly ApprovalScope[] = ['call', 'session', 'digest']

/** An approval of more than one call. */
export interface Approval extends ToolIdentity {
  readonly hash: ContentHash
  readonly scope: Exclude<ApprovalScope, 'call'>
  readonly seq: number
}

/**
 * The definitions that a tool may have without being put in quarantine: those it had when a person
 * approved it or, for an untrusted source, when it was first registered. A pin outlives the
 * registration, so that a tool cannot leave and return with another definition.
 */
export interface Pin extends ToolIdentity {
  /** Several when its owner offered several versions. */
  readonly hashes: readonly ContentHash[]
  /** It also lasts without an approval. */
  readonly untrusted: boolean
  readonly seq: number
}

/** The approvals and pins of a session. */
export interface ConsentState {
  /** Latest last. */
  readonly approvals: readonly Approval[]
  readonly pins: readonly Pin[]
  /**
   * The latest wall clock of all entries, in milliseconds since 1970. What had expired by then
   * stays expired, whatever a clock says later. It is used for nothing else.
   */
  readonly latestAt: number
}

export const EMPTY_CONSENT: ConsentState = { approvals: [], pins: [], latestAt: 0 }

/**
 * A tool by its owner and the name in its definition. Consent is bound to these: the name it is
 * registered with may change, and another owner's tool may get that name.
 */
export interface ToolIdentity {
  readonly source: ToolSource
  readonly owner: string
  readonly tool: string
}

/** Returns true when two identities are one tool, whatever its definitions. */
export function isSameTool(one: ToolIdentity, other: ToolIdentity): boolean {
  return one.tool === other.tool && one.owner === other.owner && one.source === other.source
}

/** The arguments of a call that a question keeps, redacted; nothing unless the host wants them kept. */
export interface KeptArguments {
  readonly arguments?: JsonValue
  /** The bytes of JSON of arguments that were too long to be kept. */
  readonly omittedBytes?: number
  /** The effect of the call, as its tool describes it; absent for a tool without a preview. */
  readonly preview?: QuestionPreview
}

/** Text for a person about the effect of a call: redacted, with control characters shown. */
export interface QuestionPreview {
  /** `diff` is the change of a file, `list` has a line for each object. `missing`: the text says why there is none. */
  readonly kind: 'text' | 'diff' | 'list' | 'missing'
  readonly text: string
}

/** The answer of a tool's own condition about one call. */
export interface ConditionAnswer {
  /** True if a person is asked. */
  readonly asks: boolean
  /** The reason that the condition gave, or what it threw. */
  readonly reason?: string
  /** The digest of what the person decides about, if that can change: the skills that a call of `loadSkill` would load. */
  readonly about?: ContentHash
}

/** The parts of a question for the person who answers it. */
export interface AskedQuestion extends KeptArguments {
  /** The rule that asks. Absent when the definition of the tool does. */
  readonly asks?: HostReason
  /** The answer of the tool's condition; absent when it has none. */
  readonly condition?: ConditionAnswer
  /** The form or the address of a call that runs and waits for the answer; absent for a question about a call. */
  readonly elicitation?: Elicitation
  /** The call that waits. */
  readonly call?: string
}

/** A question that a running call asks the person. */
export interface ElicitedQuestion
  extends
    ToolIdentity,
    Required<Pick<AskedQuestion, 'call' | 'elicitation'>>,
    Pick<PendingConfirmation, 'hash' | 'digest'> {
  /** The time to answer it, in milliseconds. */
  readonly confirmationMs: number
}

/** The fields of a form, as a person filled them in. */
export type FormContent = Readonly<Record<string, JsonValue>>

/** A question to a person about one call, and its answer. */
export type ConfirmationEvent =
  | ({
      readonly type: 'confirmation.asked'
      readonly id: string
      readonly tool: string
      /** The owner of the tool. Absent in logs written before it was recorded. */
      readonly source?: ToolSource
      readonly owner?: string
      readonly hash: ContentHash
      readonly digest: ContentHash
      readonly principal: string | null
      /** Wall clock, milliseconds since 1970. */
      readonly expiresAt: number
    } & AskedQuestion &
      AskedByChild)
  | ({ readonly type: 'confirmation.approved'; readonly id: string } & Omit<GivenAnswer, 'words'>)
  | ({ readonly type: 'confirmation.denied'; readonly id: string } & Pick<GivenAnswer, 'words'>)
  | { readonly type: 'confirmation.expired'; readonly id: string }

/** Arguments that a person approved instead of those that were asked about. */
export interface OtherArguments {
  readonly input: JsonValue
  readonly digest: ContentHash
}

/** The parts of an answer that not every answer has. */
export interface GivenAnswer {
  /** The answer to a form. */
  readonly content?: FormContent | undefined
  /** The call runs once with these. */
  readonly instead?: OtherArguments | undefined
  /** The reason for a denial, for the model. */
  readonly words?: string | undefined
}

/** Returns the parts of an answer among other members. */
export function givenAnswer({ content, instead, words }: GivenAnswer): GivenAnswer {
  return {
    ...(content && { content }),
    ...(instead && { instead }),
    ...(words !== undefined && { words }),
  }
}

/** The child session that a question comes from. */
interface AskedByChild {
  /** Its id, or the path to it: `child/grandchild`. Absent for a question of the session itself. */
  readonly child?: string
}

/** The last moment that a date has: a question with it does not expire. Infinity is no JSON. */
export const NEVER = 8_640_000_000_000_000

/** A call's arguments after validation: their digest, or the issues. */
export type CheckedInput =
  | {
      readonly ok: true
      readonly digest: ContentHash
      /**
       * The rules of the current policy whose `where` matches the arguments. When absent, all
       * `deny` and `ask` rules with a `where` count as matching.
       */
      readonly where?: WhereMatches
      /** The answer of the tool's condition; absent when it has none. */
      readonly condition?: ConditionAnswer
    }
  | { readonly ok: false; readonly issues: readonly ValueIssue[] }

/** A question to a person about one call: of this tool, with arguments of this digest. */
export interface PendingConfirmation extends AskedQuestion, AskedByChild, GivenAnswer {
  readonly id: string
  readonly tool: string
  /** The owner of the tool; absent when the log does not contain it. */
  readonly source?: ToolSource
  readonly owner?: string
  readonly hash: ContentHash
  readonly digest: ContentHash
  readonly principal: string | null
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  /** A denial lasts for the same call until the next turn, or until it expires. */
  readonly consent: 'pending' | 'approved' | 'denied'
  /** The entry that asked, or that answered. */
  readonly seq: number
}

/** The answer to a question of a child session; `expired` when it needs none any more. */
export interface SettledConfirmation extends GivenAnswer, Pick<PendingConfirmation, 'id'> {
  readonly consent: 'approved' | 'denied' | 'expired'
}

/** Returns true for a question of a child session, or of a session below it. */
export function isAskedBy({ child: path }: AskedByChild, child: string): boolean {
  return path === child || path?.startsWith(`${child}/`) === true
}

/** The open questions, and the answers that still count. */
export interface ConfirmationState {
  /** The questions that nobody has answered. */
  readonly confirmations: readonly PendingConfirmation[]
  /** Approvals until their call runs, and denials until the next turn. */
  readonly answers: readonly PendingConfirmation[]
}

export const EMPTY_CONFIRMATIONS: ConfirmationState = { confirmations: [], answers: [] }

/** Returns the open questions, and those with an answer that still counts. */
export function allConfirmations({
  confirmations,
  answers,
}: ConfirmationState): readonly PendingConfirmation[] {
  return answers.length === 0 ? confirmations : [...confirmations, ...answers]
}

/** Returns the questions and answers without some. The lists stay the same when they have none of them. */
export function withoutConfirmations(
  { confirmations, answers }: ConfirmationState,
  isLeftOut: (one: PendingConfirmation) => boolean,
): ConfirmationState {
  const kept = (list: readonly PendingConfirmation[]) =>
    list.some(isLeftOut) ? list.filter((one) => !isLeftOut(one)) : list
  return { confirmations: kept(confirmations), answers: kept(answers) }
}
