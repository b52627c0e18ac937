import type { Order, Refusal } from '../model/command.ts'
import type { Draft, WorkspaceEvent } from '../model/workspace-event.ts'
import type { ClaimPlacement } from '../standing/place-claims.ts'
import { didYouMean } from '../../kernel/nearest-names.ts'

/** One hook to run before a plan is committed. */
export interface HookCall {
  readonly skill: string
  readonly hook: 'onActivate' | 'onDeactivate'
  /** True for a skill that another process activated. */
  readonly resumed?: true
}

/** What `decide` makes of a command. */
export type Decision =
  | { readonly kind: 'accepted'; readonly drafts: readonly Draft[] }
  /** Drafts hold the refusal as an entry, or the confirmation that is now asked for. */
  | { readonly kind: 'refused'; readonly drafts: readonly Draft[]; readonly refusal: Refusal }
  /** Run the hooks in order, then append `drafts` at once, or undo and append the failure. */
  | {
      readonly kind: 'planned'
      /** The skill the command is about. */
      readonly wanted: string
      readonly hooks: readonly HookCall[]
      readonly drafts: readonly Draft[]
    }

/** The decision that some events happen, caused by whoever gave the order. */
export function accepted({ cause }: Order, ...events: readonly WorkspaceEvent[]): Decision {
  return { kind: 'accepted', drafts: events.map((event) => ({ cause, event })) }
}

/** The decision that a command is refused: the refusal is an entry, too. */
export function refused({ command, cause }: Order, subject: string, refusal: Refusal): Decision {
  return { kind: 'refused', drafts: [refusalDraft(command.type, cause, subject, refusal)], refusal }
}

/** Characters of a refusal's text that an entry keeps: names and arguments may be a model's. */
const LONGEST = 1_000

/** A refusal as the entry it leaves. */
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

export function skillUnknown(name: string, nearest: readonly string[]): Refusal {
  return {
    code: 'skill-unknown',
    message: `No skill is named "${name}".`,
    hint: didYouMean(nearest, 'List the skills to see their names.'),
    facts: { skill: name, nearest },
  }
}

/** Two owners want one name for different tools. */
export function toolNameTaken(
  owner: string,
  { name, holder, meta }: Extract<ClaimPlacement, { ok: false }>,
): Refusal {
  const facts = { tool: name, owner, holder: holder.owner, holderSource: holder.source }
  if (holder.source === 'global' && holder.owner === owner) {
    return {
      code: 'tool-name-taken',
      message: `Another tool named "${name}" is registered already.`,
      hint: 'Put this one in its place with replace: true, give it another version, or rename it.',
      facts,
    }
  }
  return {
    code: 'tool-name-taken',
    message: `"${owner}" brings a tool named "${name}", but "${holder.owner}" (${holder.source}) has another tool of that name.`,
    hint: meta
      ? 'Meta-tools cannot be shadowed: rename the tool, or say onConflict "namespace".'
      : 'Rename one of them, or say onConflict "shadow" or "namespace" where this one is defined.',
    facts,
  }
}

export function toolUnknown(name: string, nearest: readonly string[]): Refusal {
  return {
    code: 'unknown',
    message: `No tool is named "${name}".`,
    hint: didYouMean(nearest, 'List the tools to see their names.'),
    facts: { tool: name, nearest },
  }
}
