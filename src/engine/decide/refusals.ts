import { didYouMean } from '../../kernel/did-you-mean.ts'
import type { Refusal } from './decision.ts'
import type { Placement } from '../standing/place-claims.ts'

export function skillUnknown(name: string, nearest: readonly string[]): Refusal {
  return {
    code: 'skill-unknown',
    message: `No skill is named "${name}".`,
    hint: didYouMean(nearest, 'List the skills to see their names.'),
    facts: { skill: name, nearest },
  }
}

/** Lasting for the session instead would leave tools available that were to go. */
export function lifetimeInvalid(skill: string): Refusal {
  return {
    code: 'lifetime-invalid',
    message: `"${skill}" cannot be activated with this lifetime: there is "session", { uses: n }, { turns: n } and { idle: n }.`,
    hint: 'Give a whole number, at least 1, or leave the lifetime to the skill.',
    facts: { skill },
  }
}

/** Two owners want one name for different tools. */
export function toolNameTaken(
  owner: string,
  { name, holder, meta }: Extract<Placement, { ok: false }>,
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
