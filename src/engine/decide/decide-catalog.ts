import { accepted, type Decision, refused, UNCHANGED } from './decision.ts'
import type { CommandOf, Order } from '../model/command.ts'
import type { WorkspaceEvent } from '../model/workspace-event.ts'
import type { WorkspaceState } from '../model/workspace-state.ts'
import { canonicalJson } from '../../kernel/canonical-json.ts'

/**
 * Decides to take another catalog, which may have a skill more or less that belongs to this session alone. A skill that
 * the host does not trust takes the place of no skill that it trusts.
 */
export function decideCatalog(
  { opening, registered }: WorkspaceState,
  order: Order,
  { catalog, setup, kept, registers = [], unregisters }: CommandOf<'catalog.take'>,
): Decision {
  const events: WorkspaceEvent[] = []
  for (const { skill, definition, trusted, inCatalog } of registers) {
    const known = registered.find((one) => one.skill === skill)
    if (known?.definition === definition && known.trusted === trusted) continue
    const isTaken = inCatalog !== null && inCatalog !== definition
    if (!trusted && (isTaken || known?.trusted === true)) {
      return refused(order, skill, {
        code: 'skill-name-taken',
        message: `The name "${skill}" belongs to ${known ? 'a skill that the host registered' : 'a skill of the catalog'}.`,
        hint: 'Give the skill another name. A skill that the host trusts may replace it: registerSkill(skill, { trusted: true }).',
        facts: { skill },
      })
    }
    events.push({ type: 'skill.registered', skill, definition, ...(!trusted && { trusted }) })
  }
  if (unregisters !== undefined) {
    if (registered.every(({ skill }) => skill !== unregisters)) {
      return refused(order, unregisters, {
        code: 'skill-unknown',
        message: `No skill "${unregisters}" is registered in this session.`,
        hint: 'Skills of the catalog leave it with takeCatalog.',
        facts: { skill: unregisters, known: registered.map(({ skill }) => skill) },
      })
    }
    events.push({ type: 'skill.unregistered', skill: unregisters })
  }
  const isSame =
    opening?.catalog === catalog &&
    opening.setup === setup &&
    canonicalJson(opening.kept) === canonicalJson(kept)
  if (!isSame) {
    const taken = { type: 'catalog.taken', catalog, setup } as const
    events.push(kept.length === 0 ? taken : { ...taken, kept })
  }
  return events.length === 0 ? UNCHANGED : accepted(order, ...events)
}
