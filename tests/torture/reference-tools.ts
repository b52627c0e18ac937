import {
  CALLS_PER_TURN,
  identityOf,
  skillIdentity,
  type ToolFact,
} from '../../scripts/torture/model/universe.ts'
import { isSpent, refuse, skillOf, sourceOf, termsOf } from './reference-state.ts'
import type { Claim, Model, Owner, Source, Terms } from './reference-state.ts'

const claimsOn = (sources: readonly Source[], name: string) =>
  sources
    .flatMap((source) => source.claims.map((claim) => ({ source, claim })))
    .filter(({ claim }) => claim.name === name)

/**
 * Of the claims on a name, the latest that shadows wins, else the first; of one owner, the highest version.
 */
function holderOf(sources: readonly Source[], name: string) {
  return claimsOn(sources, name).toSorted(({ source, claim: a }, { source: other, claim: b }) => {
    if (source === other) return a.tool.version < b.tool.version ? 1 : -1
    if ((a.how === 'shadow') !== (b.how === 'shadow')) return a.how === 'shadow' ? -1 : 1
    return a.how === 'shadow' ? b.since - a.since : a.since - b.since
  })[0]
}

/**
 * Gives an owner the tools that it wants in addition to the existing ones, or none when a name belongs to
 * another owner. A tool that it has already keeps its name.
 */
export function claim(
  m: Model,
  who: Owner,
  tools: readonly ToolFact[],
  how: Claim['how'],
  more: { replace?: boolean; terms?: Terms; identity?: string } = {},
) {
  const known = sourceOf(m, who.owner)
  const others = m.sources.filter((one) => one !== known)
  const claims: Claim[] = []
  for (const tool of tools) {
    const own = more.replace === true ? claims : [...(known?.claims ?? []), ...claims]
    const isOther = (one: ToolFact) =>
      one.name === tool.name && one.version === tool.version && identityOf(one) !== identityOf(tool)
    if (own.some((one) => isOther(one.tool))) refuse('tool-name-taken')
    const holder = holderOf(others, tool.name)?.claim
    const joins = holder !== undefined && identityOf(holder.tool) === identityOf(tool)
    const again = known?.claims.find((one) => identityOf(one.tool) === identityOf(tool))
    if (again && holder && !joins && how !== 'shadow') {
      claims.push({ ...again, since: m.tick })
      continue
    }
    const name = holder && !joins && how === 'namespace' ? `${who.owner}__${tool.name}` : tool.name
    if (holder && !joins && how === 'refuse') refuse('tool-name-taken')
    claims.push({
      name,
      tool,
      since: m.tick,
      how: joins && holder.how === 'shadow' ? 'shadow' : how,
    })
  }
  m.tick += 1
  m.gone = m.gone.filter((one) => one !== who.owner)
  const isNew = ({ tool }: Claim) =>
    claims.every((one) => one.tool.name !== tool.name || one.tool.version !== tool.version)
  if (known) {
    known.claims = [...known.claims.filter(isNew), ...claims]
    known.givenUp = known.givenUp.filter((one) => claims.every(({ name }) => name !== one))
    return
  }
  const terms = more.terms ?? termsOf(m, true, 'session')
  m.sources.push({ ...who, ...terms, identity: more.identity ?? '', claims, givenUp: [] })
}

/** Returns the status of the claim that has its name. */
function standing(
  m: Model,
  source: Source,
  { tool, name }: Claim,
): { status: string; asks: boolean } {
  const is = (status: string) => ({ status, asks: false })
  const covers = (one: string) =>
    [name, tool.name].some((it) =>
      one.endsWith('*') ? it.startsWith(one.slice(0, -1)) : it === one,
    )
  const limit = { utility: Infinity, ...CALLS_PER_TURN }[tool.category]
  const now = skillOf(m, source.owner)
  if (source.kind === 'skill' && (!now || skillIdentity(now) !== source.identity))
    return is('changed')
  if (m.broken.includes(source.owner)) return is('skill-inactive')
  if (m.off.includes(name)) return is('disabled')
  if (m.policy.deny.some(covers)) return is('denied')
  if (tool.mode !== null && tool.mode !== m.policy.mode) return is('blocked-by-mode')
  if (isSpent(m, source) || m.calls[tool.category] >= limit) return is('budget-spent')
  if (!m.handlers.includes(identityOf(tool))) return is('unbound')
  return { status: 'available', asks: tool.asks || m.policy.ask.some(covers) }
}

/** The registered tools: by name the winner and its status, by `owner/name` the others. */
export function rowsOf(m: Model) {
  const names = new Set(m.sources.flatMap(({ claims }) => claims.map(({ name }) => name)))
  return [...names].flatMap((name) => {
    const holder = holderOf(m.sources, name)
    const all = claimsOn(m.sources, name).map((one) => ({
      ...one,
      ...standing(m, one.source, one.claim),
    }))
    const isShared = ({ claim: { tool } }: { claim: Claim }) =>
      holder !== undefined && identityOf(tool) === identityOf(holder.claim.tool)
    const first = all.find(({ claim: one }) => one === holder?.claim)
    const can =
      first?.status === 'available'
        ? first
        : all.find((one) => isShared(one) && one.status === 'available')
    const shadowed = all
      .filter((one) => !isShared(one))
      .map(({ source, claim: one }) => {
        const isBeaten =
          source === holder?.source ||
          source.claims.some((it) => it.name === name && it.tool.version > one.tool.version)
        const version = isBeaten ? `@${one.tool.version}` : ''
        return {
          name: `${source.owner}/${name}${version}`,
          source,
          claim: one,
          status: 'shadowed',
          asks: false,
        }
      })
    return [...[can ?? first].flatMap((one) => (one ? [{ ...one, name }] : [])), ...shadowed]
  })
}

export const rowAt = (m: Model, address: string) =>
  rowsOf(m).find(
    ({ name, source, claim: { tool } }) =>
      name === address || `${source.owner}/${tool.name}` === address,
  )
