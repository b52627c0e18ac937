import { evolve } from '../evolve/evolve.ts'
import type { Order, Refusal } from '../model/command.ts'
import type { LeftOut } from '../model/source-event.ts'
import type { Draft, WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import type { Clash } from '../standing/place-claims.ts'
import { didYouMean } from '../../kernel/nearest-names.ts'

/** The answer of `decide` to a command. */
export type Decision =
  | { readonly kind: 'accepted'; readonly drafts: readonly Draft[] }
  /** The drafts contain the refusal as an entry, or the confirmation that is now asked for. */
  | { readonly kind: 'refused'; readonly drafts: readonly Draft[]; readonly refusal: Refusal }
  /** Run the hooks in order. Then append all `drafts` at once, or undo and append the failure. */
  | {
      readonly kind: 'planned'
      /** The skill the command is about. */
      readonly wanted: string
      readonly hooks: readonly HookCall[]
      readonly drafts: readonly Draft[]
    }

/** One hook to run before a plan is committed. */
export interface HookCall {
  readonly skill: string
  readonly hook: 'onActivate' | 'onDeactivate' | 'connect'
  /** The server to connect to. */
  readonly server?: string
  /** True for a skill that another process activated. */
  readonly resumed?: true
}

/** The decision that a command changes nothing. */
export const UNCHANGED: Decision = { kind: 'accepted', drafts: [] }

/** The decision that some events happen, with the cause of the order. */
export function accepted({ cause }: Order, ...events: readonly WorkspaceEvent[]): Decision {
  return { kind: 'accepted', drafts: events.map((event) => ({ cause, event })) }
}

/** The decision that a command is refused. The refusal is an entry, too. */
export function refused(
  { command, cause }: Order,
  subject: string,
  refusal: Refusal,
): Extract<Decision, { kind: 'refused' }> {
  return { kind: 'refused', drafts: [refusalDraft(command.type, cause, subject, refusal)], refusal }
}

/** Returns the id of the question that a decision asks a person; null for any other decision. */
export function questionIn(decision: Decision): string | null {
  if (decision.kind !== 'refused' || decision.refusal.code !== 'confirmation-required') return null
  return String(decision.refusal.facts['confirmation'])
}

/** Returns the state that some drafts would lead to. Nothing is appended, so they have no time. */
export function foldDrafts(drafts: readonly Draft[], from: WorkspaceState): WorkspaceState {
  return drafts
    .map((draft, at) => ({ ...draft, seq: from.seq + 1 + at, at: 0 }))
    .reduce(evolve, from)
}

/**
 * Characters of a refusal's text that an entry keeps: a model may have chosen names and arguments.
 */
const LONGEST = 1_000

/** Returns a refusal as the entry it leaves. */
export function refusalDraft(
  command: string,
  cause: Order['cause'],
  subject: string,
  { code, message, hint }: Refusal,
): Draft {
  const texts = { subject: cut(subject), message: cut(message), hint: cut(hint) }
  return { cause, event: { type: 'command.refused', command, code, ...texts } }
}

function cut(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST).toWellFormed()}…`
}

export function toolUnknown(name: string, nearest: readonly string[]): Refusal {
  return {
    code: 'unknown',
    message: `No tool is named "${name}".`,
    hint: didYouMean(nearest, 'List the tools to see their names.'),
    facts: { tool: name, nearest },
  }
}

/** Returns the tools of a list whose names other tools have, as those that it is registered without. */
export function takenTools(owner: string, taken: readonly Clash[]): readonly LeftOut[] {
  return taken.map((clash) => {
    return { name: clash.name, reason: toolNameTaken(owner, clash).message, taken: true }
  })
}

/** The refusal of a name that two owners want for different tools. */
export function toolNameTaken(owner: string, { name, holder, meta }: Clash): Refusal {
  const facts = { tool: name, owner, holder: holder.owner, holderSource: holder.source }
  if (holder.source === 'global' && holder.owner === owner) {
    return {
      code: 'tool-name-taken',
      message: `Another tool named "${name}" is already registered.`,
      hint: 'Replace it with replace: true, give this one another version, or rename it.',
      facts,
    }
  }
  if (holder.source !== 'skill' && holder.owner === owner) {
    return {
      code: 'tool-name-taken',
      message: `"${owner}" (${holder.source}) has two different tools named "${name}".`,
      hint: 'Rename one of them, or give it another version.',
      facts,
    }
  }
  return {
    code: 'tool-name-taken',
    message: `"${owner}" has a tool named "${name}", but "${holder.owner}" (${holder.source}) has another tool with that name.`,
    hint: meta
      ? 'Meta-tools cannot be shadowed: rename the tool, or set onConflict to "namespace".'
      : 'Rename one of them, or set onConflict to "shadow" or "namespace" where this one is defined.',
    facts,
  }
}
