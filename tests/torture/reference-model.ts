import type { Deed } from '../../scripts/torture/model/deed.ts'
import * as universe from '../../scripts/torture/model/universe.ts'
import {
  type Edition,
  EXTRAS,
  GLOBALS,
  identityOf,
  KEEP,
  NOTE,
  skillIdentity,
  skillsOf,
  type ToolFact,
} from '../../scripts/torture/model/universe.ts'
import { activate, close, deactivate, endLifetimes } from './reference-skills.ts'
import { active, codeOf, refuse, skillOf, skills, sourceOf, turnOf } from './reference-state.ts'
import type { Model, Offer, Owner } from './reference-state.ts'
import { claim, rowAt } from './reference-tools.ts'

type Act = Exclude<Deed, { do: 'search' | 'reopen' }>

const NOTES: Owner = { kind: 'component', owner: 'notes' }

const isInCatalog = (m: Model, name: string) =>
  [...GLOBALS, ...skillsOf(m.edition).flatMap(({ tools }) => tools)].some(
    (tool) => tool.name === name,
  )

/** The call of a found tool loads its skill, if the tool can be called then. */
function load(m: Model, address: string, mark: () => void) {
  const offer = m.found.find(({ name }) => name === address)
  const tools = skillOf(m, offer?.owner ?? '')?.tools.filter(({ name }) => name === address)
  const facts = tools?.map(identityOf) ?? []
  if (!offer || !facts.includes(offer.identity) || rowAt(m, address) || sourceOf(m, offer.owner))
    return
  const loaded = structuredClone(m)
  const code = codeOf(() => activate(loaded, offer.owner, false))
  if (code === 'hook-failed') refuse('skill-inactive')
  if (code !== 'ok' || rowAt(loaded, address)?.status !== 'available') return
  Object.assign(m, loaded)
  mark()
}

/** Hooks run at the first call; where one fails, another skill with the same tool is next. */
function resume(m: Model, address: string, mark: () => void) {
  const row = rowAt(m, address)
  const { owner = '' } = row?.source ?? {}
  if (row?.status !== 'available' || !m.unhooked.includes(owner)) return
  m.unhooked = m.unhooked.filter((one) => one !== owner)
  if (skillOf(m, owner)?.fails === 'resumed') m.broken.push(owner)
  mark()
  resume(m, address, mark)
}

function call(
  m: Model,
  { tool: address, by, throws }: Extract<Deed, { do: 'call' }>,
  mark: () => void,
) {
  load(m, address, mark)
  resume(m, address, mark)
  const {
    status,
    asks,
    source,
    claim: { tool, name },
  } = rowAt(m, address) ?? refuse(isInCatalog(m, address) ? 'skill-inactive' : 'unknown')
  const { kind, owner } = source
  if (status !== 'available') refuse(status)
  if (by === null) return refuse('input-invalid')
  const identity = identityOf(tool)
  const question = m.asked.find(
    (one) => one.tool === name && one.owner === owner && one.identity === identity && one.by === by,
  )
  const valid = question && m.time < question.until ? question : null
  if (asks && valid === null) {
    const asked = {
      tool: name,
      owner,
      identity,
      by,
      until: m.time + universe.CONFIRMATION_MS,
      consent: 'pending',
    }
    m.asked = openFirst([...m.asked.filter(({ until }) => m.time < until), asked])
    mark()
  }
  if (asks && valid?.consent !== 'approved')
    refuse(`confirmation-${valid?.consent === 'denied' ? 'denied' : 'required'}`)
  const inUse = m.running
  if (kind === 'skill') m.running = [...inUse, owner]
  Object.assign(source, { last: turnOf(m), uses: source.uses === null ? null : source.uses - 1 })
  for (const one of m.found.filter((it) => it.owner === owner && it.identity === identity))
    Object.assign(one, { last: turnOf(m), tick: m.tick })
  m.calls[tool.category] += 1
  if (asks) m.asked = m.asked.filter((one) => one !== valid)
  m.tick += 1
  mark()
  if (kind === 'component') m.count = (m.count ?? 0) + by
  mark()
  m.running = inUse
  mark()
  endLifetimes(m, mark)
  if (throws) refuse('CONFLICT')
}

/** The globals of a host: a tool whose name is taken is left out. */
function claimGlobals(m: Model, tools: readonly ToolFact[]) {
  const who: Owner = { kind: 'global', owner: 'global' }
  const more = { replace: true }
  const fits = (tool: ToolFact) =>
    codeOf(() => claim(structuredClone(m), who, [tool], 'refuse', more)) === 'ok'
  claim(m, who, tools.filter(fits), 'refuse', more)
}

const bound = (edition: Edition) =>
  [NOTE, ...GLOBALS, ...skillsOf(edition).flatMap(({ tools }) => tools)].map(identityOf)
const NO_CALLS = { retrieval: 0, action: 0, utility: 0 }

/** A new session. */
export function firstModel(edition: Edition, policy: number): Model {
  const lists = { sources: [], gone: [], off: [], asked: [], found: [], running: [], broken: [] }
  const m: Model = {
    ...structuredClone(lists),
    edition,
    policy: universe.policyAt(policy),
    count: 0,
    turn: 0,
    calls: { ...NO_CALLS },
    handlers: bound(edition),
    unhooked: [],
    time: 0,
    tick: 0,
  }
  claim(m, NOTES, [NOTE], 'refuse')
  claimGlobals(m, GLOBALS)
  activate(m, universe.INITIAL_SKILL, false)
  return m
}

/** Another process resumes the session. */
export function reopen(before: Model, edition: Edition, policy: number): Model {
  const m = {
    ...structuredClone(before),
    edition,
    policy: universe.policyAt(policy),
    handlers: bound(edition),
    unhooked: active(before),
  }
  const global = sourceOf(m, 'global')
  const claimed = global?.claims.map(({ tool }) => identityOf(tool)) ?? []
  const wanted = GLOBALS.filter(({ name }) => global?.givenUp.includes(name) === false)
  if (wanted.some((one) => !claimed.includes(identityOf(one)))) claimGlobals(m, wanted)
  return m
}

/** The results of a search become callable; when there are too many, the longest unused ones are removed. */
export function searched(before: Model, offered: readonly Offer[]): Model {
  const m = structuredClone(before)
  for (const offer of offered) {
    const fresh = { ...offer, from: turnOf(m), last: turnOf(m), tick: m.tick }
    const place = m.found.findIndex(({ name }) => name === offer.name)
    m.found.splice(place < 0 ? m.found.length : place, place < 0 ? 0 : 1, fresh)
  }
  const staying = new Set(m.found.toSorted((a, b) => b.tick - a.tick).slice(0, KEEP.cap))
  m.found = m.found.filter((one) => staying.has(one))
  m.tick += 1
  endLifetimes(m, () => undefined)
  return m
}

function perform(m: Model, deed: Act, mark: () => void): void {
  switch (deed.do) {
    case 'activate':
      return activate(m, deed.skill, deed.replace, deed.lasting)
    case 'deactivate':
      return deactivate(m, deed.skill, deed.cascade)
    case 'accept': {
      const source =
        skills(m).find(({ owner }) => owner === deed.skill) ?? refuse('skill-not-active')
      const fact = skillOf(m, deed.skill) ?? refuse('skill-unknown')
      if (skillIdentity(fact) === source.identity) refuse('skill-unchanged')
      claim(m, source, fact.tools, fact.onConflict, { replace: true })
      source.claims = source.claims.filter(({ since }) => since === m.tick - 1)
      source.identity = skillIdentity(fact)
      m.broken = m.broken.filter((one) => one !== deed.skill)
      return
    }
    case 'switch': {
      const row = rowAt(m, deed.tool)
      const name = row?.claim.name ?? deed.tool.slice(deed.tool.indexOf('/') + 1)
      if (!row && !isInCatalog(m, deed.tool) && !m.off.includes(name)) refuse('unknown')
      if (row?.status === 'shadowed') refuse('shadowed')
      m.off = [...m.off.filter((one) => one !== name), ...(deed.on ? [] : [name])]
      return
    }
    case 'policy':
      m.policy = { ...m.policy, mode: universe.policyAt(deed.policy).mode }
      mark()
      m.policy = universe.policyAt(deed.policy)
      return
    case 'register': {
      const tool = EXTRAS[deed.extra] as ToolFact
      claim(m, { kind: 'global', owner: 'global' }, [tool], 'refuse')
      // A registration that is refused binds no handler.
      m.handlers.push(identityOf(tool))
      return
    }
    case 'unregister': {
      const source = sourceOf(m, 'global') ?? refuse('not-registered')
      const rest = source.claims.filter(({ name }) => name !== deed.tool)
      if (rest.length === source.claims.length) refuse('not-registered')
      if (rest.length === 0) close(m, 'global')
      source.claims = rest
      source.givenUp.push(deed.tool)
      return
    }
    case 'register-notes':
      claim(m, NOTES, [NOTE], 'refuse')
      m.count ??= 0
      return
    case 'unregister-notes':
      return close(m, sourceOf(m, 'notes')?.owner ?? refuse('not-registered'))
    case 'restore-notes':
      if (m.count === null) refuse('COMPONENT_UNKNOWN')
      m.count = deed.count
      return
    case 'turn':
      m.turn += 1
      m.calls = { ...NO_CALLS }
      m.asked = m.asked.filter(({ until, consent }) => m.time < until && consent !== 'denied')
      m.found = m.found.filter(
        ({ from, last }) => m.turn - from < KEEP.turns && m.turn - last <= KEEP.idleTurns,
      )
      mark()
      return endLifetimes(m, mark)
    case 'step':
      return
    case 'call':
      return call(m, deed, mark)
    case 'answer': {
      const question = m.asked[deed.which] ?? refuse('confirmation-unknown')
      if (m.time < question.until) {
        if (deed.approve && question.consent === 'denied') refuse('confirmation-denied')
        const given = deed.approve ? 'approved' : 'denied'
        if (question.consent === given) refuse('confirmation-answered')
        question.consent = given
        m.asked = openFirst([...m.asked.filter((one) => one !== question), question])
      } else {
        m.asked = m.asked.filter((one) => one !== question)
        mark()
        refuse('confirmation-expired')
      }
      return
    }
    case 'wait':
      m.time += deed.ms
  }
}

/**
 * Returns the result of an operation: its answer, and the model before it and after each entry. A search is
 * not included, because its ranking is not predicted: see `searched`.
 */
export function expected(before: Model, deed: Act): { code: string; stages: readonly Model[] } {
  const stages = [before]
  const m = structuredClone(before)
  const mark = () => void stages.push(structuredClone(m))
  const code = codeOf(() => perform(m, deed, mark))
  if (code === 'ok') mark()
  return { code, stages }
}

/** Open questions come before those with an answer. */
function openFirst<T extends { readonly consent: string }>(asked: readonly T[]): T[] {
  const isOpen = ({ consent }: T) => consent === 'pending'
  return [...asked.filter(isOpen), ...asked.filter((one) => !isOpen(one))]
}
