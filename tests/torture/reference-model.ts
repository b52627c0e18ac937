import type { Deed } from '../../scripts/torture/model/deed.ts'
import {
  CALLS_PER_TURN,
  CONFIRMATION_MS,
  EXTRAS,
  GLOBALS,
  identityOf,
  INITIAL_SKILL,
  KEEP,
  NOTE,
  PERMITTED,
  POLICIES,
  skillIdentity,
  skillsOf,
  type Allowed,
  type Edition,
  type Lasting,
  type SkillFact,
  type ToolFact,
} from '../../scripts/torture/model/universe.ts'

/** What a workspace should be, told as plainly as it can be: no log, no memo, nothing shared with the library. */
export interface Model {
  readonly edition: Edition
  readonly policy: Allowed
  readonly sources: readonly Source[]
  /** Owners that went: a host that comes back does not bring them again. */
  readonly gone: readonly string[]
  readonly off: readonly string[]
  readonly count: number | null
  readonly asked: readonly Asked[]
  readonly found: readonly Found[]
  readonly turn: number
  readonly calls: Readonly<Record<ToolFact['category'], number>>
  /** Skills of which a call never ended, because its process died. */
  readonly running: readonly string[]
  readonly broken: readonly string[]
  /** Of this process only: what it has handlers for, and the skills whose hooks it has yet to run. */
  readonly handlers: readonly string[]
  readonly unhooked: readonly string[]
  readonly time: number
  /** Goes up with each thing that is done: what came later is larger. */
  readonly tick: number
}

interface Claim {
  readonly name: string
  readonly tool: ToolFact
  readonly how: SkillFact['onConflict']
  readonly since: number
}
interface Source {
  readonly kind: 'skill' | 'component' | 'global'
  readonly owner: string
  readonly identity: string
  readonly claims: readonly Claim[]
  readonly requested: boolean
  readonly lasting: Lasting
  readonly uses: number | null
  readonly from: number
  readonly last: number
}
interface Asked {
  readonly tool: string
  readonly identity: string
  readonly by: number
  readonly until: number
  readonly consent: string
}
interface Found {
  readonly name: string
  readonly owner: string
  readonly identity: string
  readonly from: number
  readonly last: number
  readonly tick: number
}

/** What a deed comes to: its answer, and the model before it and after each thing that is written down. */
export interface Expected {
  readonly code: string
  readonly stages: readonly Model[]
}

const NO_CALLS = { retrieval: 0, action: 0, utility: 0 }
const skillOf = (m: Model, name: string) => skillsOf(m.edition).find((one) => one.name === name)
const active = (m: Model) =>
  m.sources.filter(({ kind }) => kind === 'skill').map(({ owner }) => owner)
const sourceOf = (m: Model, kind: Source['kind'], owner: string) =>
  m.sources.find((one) => one.kind === kind && one.owner === owner)
const claimsNamed = (sources: readonly Source[], name: string) =>
  sources.flatMap((source) =>
    source.claims.filter((claim) => claim.name === name).map((claim) => ({ source, claim })),
  )
const usesOf = (lasting: Lasting) =>
  typeof lasting === 'object' && 'uses' in lasting ? lasting.uses : null
const turnOf = (m: Model) => Math.max(1, m.turn)
const matches = (patterns: readonly string[], { name, tool }: Claim) =>
  patterns.some((one) =>
    [name, tool.name].some((it) =>
      one.endsWith('*') ? it.startsWith(one.slice(0, -1)) : it === one,
    ),
  )
/** A skill with all it requires, requirements first. */
const closure = (m: Model, name: string): string[] => [
  ...new Set([...(skillOf(m, name)?.requires ?? []).flatMap((one) => closure(m, one)), name]),
]
const needs = (m: Model, one: string, other: string) => closure(m, one).includes(other)

/** Of those who claim a name the latest that shadows, else the first; of one owner's versions the highest. */
function holderOf(sources: readonly Source[], name: string) {
  const best = claimsNamed(sources, name).toSorted((a, b) => {
    if (a.source === b.source) return a.claim.tool.version < b.claim.tool.version ? 1 : -1
    const [first, second] = [a.claim.how === 'shadow', b.claim.how === 'shadow']
    if (first !== second) return first ? -1 : 1
    return first ? b.claim.since - a.claim.since : a.claim.since - b.claim.since
  })
  return best[0] ?? null
}

/** The claims tools get beside what is there; null when a name is another's. */
function place(
  m: Model,
  sources: readonly Source[],
  owner: string,
  tools: readonly ToolFact[],
  how: Claim['how'],
  replace = false,
): Claim[] | null {
  const others = sources.filter((one) => one.owner !== owner)
  const own = sources.find((one) => one.owner === owner)?.claims ?? []
  const claims: Claim[] = []
  for (const tool of tools) {
    const differs = ({ tool: other }: Claim) =>
      other.name === tool.name &&
      other.version === tool.version &&
      identityOf(other) !== identityOf(tool)
    if ((replace ? claims : [...own, ...claims]).some(differs)) return null
    const holder = holderOf(others, tool.name)
    const joins = holder !== null && identityOf(holder.claim.tool) === identityOf(tool)
    const name =
      holder === null || joins || how === 'shadow'
        ? tool.name
        : how === 'namespace'
          ? `${owner}__${tool.name}`
          : null
    if (name === null) return null
    claims.push({
      name,
      tool,
      since: m.tick,
      how: joins && holder.claim.how === 'shadow' ? 'shadow' : how,
    })
  }
  return claims
}

function open(
  m: Model,
  kind: Source['kind'],
  owner: string,
  claims: readonly Claim[],
  terms: Partial<Source> = {},
): Model {
  const known = sourceOf(m, kind, owner)
  const same = (one: Claim) =>
    claims.some(({ tool }) => tool.name === one.tool.name && tool.version === one.tool.version)
  const lasting = terms.lasting ?? 'session'
  const opened: Source = known
    ? { ...known, claims: [...known.claims.filter((one) => !same(one)), ...claims] }
    : {
        kind,
        owner,
        identity: '',
        claims,
        requested: true,
        uses: usesOf(lasting),
        from: turnOf(m),
        last: turnOf(m),
        ...terms,
        lasting,
      }
  const sources = known
    ? m.sources.map((one) => (one === known ? opened : one))
    : [...m.sources, opened]
  return { ...m, sources, gone: m.gone.filter((one) => one !== owner), tick: m.tick + 1 }
}

function close(m: Model, kind: Source['kind'], owner: string): Model {
  const sources = m.sources.filter((one) => one.kind !== kind || one.owner !== owner)
  const without = (names: readonly string[]) => names.filter((one) => one !== owner)
  return {
    ...m,
    sources,
    gone: [...without(m.gone), owner],
    count: owner === 'notes' ? null : m.count,
    broken: without(m.broken),
    running: without(m.running),
    unhooked: without(m.unhooked),
    tick: m.tick + 1,
  }
}

/** Those who leave, those who need them, and the requirements that nobody asked for or needs any more. */
function leavers(m: Model, first: readonly string[], entering: readonly string[] = []): string[] {
  const leaving = new Set(active(m).filter((name) => first.some((one) => needs(m, name, one))))
  for (const name of first) leaving.add(name)
  for (let more = true; more;) {
    const orphan = active(m).find(
      (name) =>
        !leaving.has(name) &&
        sourceOf(m, 'skill', name)?.requested === false &&
        [...leaving].some((one) => needs(m, one, name)) &&
        ![...active(m), ...entering].some(
          (one) => one !== name && !leaving.has(one) && needs(m, one, name),
        ),
    )
    if (orphan !== undefined) leaving.add(orphan)
    more = orphan !== undefined
  }
  return [...leaving]
}

function activate(m: Model, name: string, replace: boolean, lasting?: Lasting): Expected {
  const refuse = (code: string): Expected => ({ code, stages: [m] })
  const skill = skillOf(m, name)
  if (!skill) return refuse('skill-unknown')
  const known = sourceOf(m, 'skill', name)
  const terms = { requested: true, lasting: lasting ?? skill.lifetime }
  if (known?.requested === true) return refuse('skill-already-active')
  if (known) return { code: 'ok', stages: [m, keep(m, name, terms)] }
  const wanted = closure(m, name)
  const entering = wanted.filter((one) => !active(m).includes(one))
  if (entering.some((one) => !PERMITTED.includes(one))) return refuse('not-permitted')
  const isAlone = (one: string) => skillOf(m, one)?.exclusive === true
  const others = active(m).filter((one) => !wanted.includes(one))
  const outcast = others.filter((one) => isAlone(name) || (isAlone(one) && !needs(m, one, name)))
  const beside = others.filter((one) => !outcast.some((out) => needs(m, one, out)))
  const clash = (one: string, other: string) =>
    skillOf(m, one)?.conflicts.includes(other) === true ||
    skillOf(m, other)?.conflicts.includes(one) === true
  const rivals = beside.filter((one) => entering.some((other) => clash(one, other)))
  if (rivals.length > 0 && !replace) return refuse('conflicting')
  const leave =
    outcast.length + rivals.length === 0 ? [] : leavers(m, [...outcast, ...rivals], entering)
  let next = leave.reduce((now, one) => close(now, 'skill', one), m)
  for (const one of entering) {
    const fact = skillOf(m, one) as SkillFact
    const claims = place(next, next.sources, one, fact.tools, fact.onConflict)
    if (claims === null) return refuse('tool-name-taken')
    const own = one === name ? terms : { requested: false, lasting: 'session' as const }
    next = open(next, 'skill', one, claims, { ...own, identity: skillIdentity(fact) })
  }
  if (entering.some((one) => skillOf(m, one)?.fails === 'always')) return refuse('hook-failed')
  return { code: 'ok', stages: [m, next] }
}

function keep(m: Model, owner: string, terms: Pick<Source, 'requested' | 'lasting'>): Model {
  const kept = { ...terms, uses: usesOf(terms.lasting), from: turnOf(m), last: turnOf(m) }
  return {
    ...m,
    sources: m.sources.map((one) =>
      one.kind === 'skill' && one.owner === owner ? { ...one, ...kept } : one,
    ),
  }
}

function deactivate(m: Model, name: string | null, cascade: boolean): Expected {
  const refuse = (code: string): Expected => ({ code, stages: [m] })
  const target = name ?? (active(m).length === 1 ? (active(m)[0] as string) : null)
  if (target === null)
    return refuse(active(m).length === 0 ? 'skill-not-active' : 'skill-ambiguous')
  if (!active(m).includes(target))
    return refuse(skillOf(m, target) ? 'skill-not-active' : 'skill-unknown')
  if (!cascade && active(m).some((one) => one !== target && needs(m, one, target)))
    return refuse('required-by')
  return {
    code: 'ok',
    stages: [m, leavers(m, [target]).reduce((now, one) => close(now, 'skill', one), m)],
  }
}

const isSpent = (m: Model, { lasting, uses, from, last }: Source) =>
  (uses !== null && uses <= 0) ||
  (typeof lasting === 'object' &&
    (('turns' in lasting && m.turn - from >= lasting.turns) ||
      ('idle' in lasting && m.turn - last > lasting.idle)))

/** Skills whose time is over go, one by one; those that others need stay for as long as they do. */
function endLifetimes(m: Model): Model[] {
  const stages: Model[] = []
  for (const { owner } of m.sources.filter(
    (one) => one.kind === 'skill' && isSpent(m, one) && !m.running.includes(one.owner),
  )) {
    const now = stages.at(-1) ?? m
    if (!active(now).includes(owner)) continue
    const gone = deactivate(now, owner, false)
    stages.push(
      gone.code === 'ok'
        ? (gone.stages[1] as Model)
        : keep(now, owner, { requested: false, lasting: 'session' }),
    )
  }
  return stages
}

/** How a claim stands that has its name. */
function standing(m: Model, source: Source, claim: Claim): { status: string; asks: boolean } {
  const { tool, name } = claim
  const is = (status: string) => ({ status, asks: false })
  const spent = (category: 'retrieval' | 'action') =>
    tool.category === category && m.calls[category] >= CALLS_PER_TURN[category]
  const now = skillOf(m, source.owner)
  if (source.kind === 'skill' && (!now || skillIdentity(now) !== source.identity))
    return is('changed')
  if (source.kind === 'skill' && m.broken.includes(source.owner)) return is('skill-inactive')
  if (m.off.includes(name)) return is('disabled')
  if (matches(m.policy.deny, claim)) return is('denied')
  if (tool.mode !== null && tool.mode !== m.policy.mode) return is('blocked-by-mode')
  if (isSpent(m, source) || spent('retrieval') || spent('action')) return is('budget-spent')
  if (!m.handlers.includes(identityOf(tool))) return is('unbound')
  return { status: 'available', asks: tool.asks || matches(m.policy.ask, claim) }
}

/** The registered tools: by name who has it and how it stands, by `owner/name` those who would like to. */
export function rowsOf(m: Model) {
  const names = new Set(m.sources.flatMap(({ claims }) => claims.map(({ name }) => name)))
  return [...names].flatMap((name) => {
    const holder = holderOf(m.sources, name) as { source: Source; claim: Claim }
    const all = claimsNamed(m.sources, name)
    const isShared = ({ claim }: { claim: Claim }) =>
      identityOf(claim.tool) === identityOf(holder.claim.tool)
    const sharing = all
      .filter(isShared)
      .map((one) => ({ ...one, ...standing(m, one.source, one.claim) }))
    const first = sharing.find(({ source }) => source === holder.source)
    const shown =
      first?.status === 'available'
        ? first
        : (sharing.find(({ status }) => status === 'available') ?? first)
    const shadowed = all
      .filter((one) => !isShared(one))
      .map(({ source, claim }) => {
        const better =
          source === holder.source ||
          source.claims.some((one) => one.name === name && one.tool.version > claim.tool.version)
        return {
          name: `${source.owner}/${name}${better ? `@${claim.tool.version}` : ''}`,
          source,
          claim,
          status: 'shadowed',
          asks: false,
        }
      })
    return [...(shown ? [{ ...shown, name }] : []), ...shadowed]
  })
}

function call(m: Model, { tool: address, by, throws }: Extract<Deed, { do: 'call' }>): Expected {
  const stages = [m]
  const at = () => stages.at(-1) as Model
  const done = (code: string): Expected => ({ code, stages })
  const seek = () =>
    rowsOf(at()).find(
      ({ name, source, claim }) =>
        name === address || `${source.owner}/${claim.tool.name}` === address,
    )
  const brought = m.found.find(({ name }) => name === address)
  const bringer = brought && skillOf(m, brought.owner)
  const itsTool = bringer?.tools.find(
    (one) => one.name === address && identityOf(one) === brought?.identity,
  )
  if (!seek() && brought && itsTool && !active(m).includes(brought.owner)) {
    const loaded = activate(m, brought.owner, false)
    const then = loaded.stages[1]
    const would = then && rowsOf({ ...then }).find(({ name }) => name === address)
    if (loaded.code === 'hook-failed') return done('skill-inactive')
    if (then && would?.status === 'available') stages.push(then)
  }
  let row = seek()
  if (!row)
    return done(
      skillsOf(m.edition).some(({ tools }) => tools.some(({ name }) => name === address)) ||
        GLOBALS.some(({ name }) => name === address)
        ? 'skill-inactive'
        : 'unknown',
    )
  const {
    source: { kind, owner },
  } = row
  if (
    row.status === 'available' &&
    kind === 'skill' &&
    m.unhooked.includes(owner) &&
    active(m).includes(owner)
  ) {
    const hooked = { ...at(), unhooked: m.unhooked.filter((one) => one !== owner) }
    stages.push(
      skillOf(m, owner)?.fails === 'resumed'
        ? { ...hooked, broken: [...hooked.broken, owner] }
        : hooked,
    )
    row = seek() as typeof row
  }
  const { status, asks, source, claim } = row
  if (status !== 'available') return done(status)
  if (by === null) return done('input-invalid')
  const identity = identityOf(claim.tool)
  const now = at()
  const question = now.asked.find(
    (one) => one.tool === claim.name && one.identity === identity && one.by === by,
  )
  const valid = question && now.time < question.until ? question : undefined
  if (asks && valid && valid.consent !== 'approved')
    return done(`confirmation-${valid.consent === 'denied' ? 'denied' : 'required'}`)
  if (asks && !valid) {
    const fresh = {
      tool: claim.name,
      identity,
      by,
      until: now.time + CONFIRMATION_MS,
      consent: 'pending',
    }
    stages.push({ ...now, asked: [...now.asked.filter(({ until }) => now.time < until), fresh] })
    return done('confirmation-required')
  }
  const turn = turnOf(now)
  stages.push({
    ...now,
    tick: now.tick + 1,
    running: kind === 'skill' ? [...now.running, owner] : now.running,
    sources: now.sources.map((one) =>
      one === source ? { ...one, last: turn, uses: one.uses === null ? null : one.uses - 1 } : one,
    ),
    found: now.found.map((one) =>
      one.owner === owner && one.identity === identity
        ? { ...one, last: turn, tick: now.tick }
        : one,
    ),
    calls: { ...now.calls, [claim.tool.category]: now.calls[claim.tool.category] + 1 },
    asked: asks ? now.asked.filter((one) => one !== valid) : now.asked,
  })
  if (kind === 'component') stages.push({ ...at(), count: (at().count ?? 0) + by })
  stages.push({ ...at(), running: now.running })
  stages.push(...endLifetimes(at()))
  return done(throws ? 'CONFLICT' : 'ok')
}

/** Globals as a host has them: a tool whose name is taken stays out. */
function registerGlobals(m: Model, replace: boolean): Model {
  const fitting = GLOBALS.filter(
    (tool) => place(m, m.sources, 'global', [tool], 'refuse', replace) !== null,
  )
  return open(
    m,
    'global',
    'global',
    place(m, m.sources, 'global', fitting, 'refuse', replace) ?? [],
  )
}

const bound = (edition: Edition) =>
  [NOTE, ...GLOBALS, ...skillsOf(edition).flatMap(({ tools }) => tools)].map(identityOf)

/** A new session. */
export function firstModel(edition: Edition, policy: number): Model {
  const empty: Model = {
    edition,
    policy: POLICIES[policy] as Allowed,
    sources: [],
    gone: [],
    off: [],
    count: null,
    asked: [],
    found: [],
    turn: 0,
    calls: NO_CALLS,
    running: [],
    broken: [],
    handlers: bound(edition),
    unhooked: [],
    time: 0,
    tick: 0,
  }
  const notes = {
    ...open(empty, 'component', 'notes', place(empty, [], 'notes', [NOTE], 'refuse') ?? []),
    count: 0,
  }
  const { stages } = activate(registerGlobals(notes, true), INITIAL_SKILL, false)
  return stages.at(-1) as Model
}

/** Another process takes the session up. */
export function reopen(m: Model, edition: Edition, policy: number): Model {
  const taken = {
    ...m,
    edition,
    policy: POLICIES[policy] as Allowed,
    handlers: bound(edition),
    unhooked: active(m),
  }
  const has = ({ tool }: Claim, one: ToolFact) => identityOf(tool) === identityOf(one)
  const global = sourceOf(taken, 'global', 'global')
  const isWhole = !global || GLOBALS.every((one) => global.claims.some((claim) => has(claim, one)))
  return isWhole ? taken : registerGlobals(taken, true)
}

/** What a search offered becomes callable; the found ones that are too many go, those unused for longest first. */
export function searched(
  m: Model,
  offered: readonly Pick<Found, 'name' | 'owner' | 'identity'>[],
): Model {
  const fresh = offered.map((one) => ({ ...one, from: turnOf(m), last: turnOf(m), tick: m.tick }))
  const kept = m.found.map((one) => fresh.find(({ name }) => name === one.name) ?? one)
  const all = [...kept, ...fresh.filter(({ name }) => !kept.some((one) => one.name === name))]
  const byUse = all
    .map((one, index) => ({ one, index }))
    .toSorted((a, b) => b.one.tick - a.one.tick || a.index - b.index)
  const staying = new Set(byUse.slice(0, KEEP.cap).map(({ one }) => one))
  const next = { ...m, tick: m.tick + 1, found: all.filter((one) => staying.has(one)) }
  return endLifetimes(next).at(-1) ?? next
}

/** What a deed comes to. A search is not among them: its ranking is another matter, see `searched`. */
export function expected(m: Model, deed: Exclude<Deed, { do: 'search' | 'reopen' }>): Expected {
  const refuse = (code: string): Expected => ({ code, stages: [m] })
  const fine = (...stages: Model[]): Expected => ({ code: 'ok', stages: [m, ...stages] })
  switch (deed.do) {
    case 'activate':
      return activate(m, deed.skill, deed.replace, deed.lasting)
    case 'deactivate':
      return deactivate(m, deed.skill, deed.cascade)
    case 'accept': {
      const [source, fact] = [sourceOf(m, 'skill', deed.skill), skillOf(m, deed.skill)]
      if (!source) return refuse('skill-not-active')
      if (!fact) return refuse('skill-unknown')
      if (skillIdentity(fact) === source.identity) return refuse('skill-unchanged')
      const claims = place(m, m.sources, deed.skill, fact.tools, fact.onConflict, true)
      if (claims === null) return refuse('tool-name-taken')
      const accepted = { ...source, identity: skillIdentity(fact), claims }
      const broken = m.broken.filter((one) => one !== deed.skill)
      return fine({
        ...m,
        broken,
        tick: m.tick + 1,
        sources: m.sources.map((one) => (one === source ? accepted : one)),
      })
    }
    case 'switch': {
      const row = rowsOf(m).find(
        ({ name, source, claim }) =>
          name === deed.tool || `${source.owner}/${claim.tool.name}` === deed.tool,
      )
      const name = row?.claim.name ?? deed.tool.slice(deed.tool.indexOf('/') + 1)
      const isKnown =
        row !== undefined ||
        call(m, { ...deed, do: 'call', by: null, throws: false }).code !== 'unknown'
      if (!isKnown && !m.off.includes(name)) return refuse('unknown')
      if (row?.status === 'shadowed') return refuse('shadowed')
      const others = m.off.filter((one) => one !== name)
      return fine({ ...m, off: deed.on ? others : [...others, name] })
    }
    case 'register': {
      const tool = EXTRAS[deed.extra] as ToolFact
      const ready = { ...m, handlers: [...m.handlers, identityOf(tool)] }
      const claims = place(ready, m.sources, 'global', [tool], 'refuse')
      return claims === null
        ? { code: 'tool-name-taken', stages: [m, ready] }
        : fine(open(ready, 'global', 'global', claims))
    }
    case 'unregister': {
      const source = sourceOf(m, 'global', 'global')
      if (!source?.claims.some(({ name }) => name === deed.tool)) return refuse('not-registered')
      const claims = source.claims.filter(({ name }) => name !== deed.tool)
      if (claims.length === 0) return fine(close(m, 'global', 'global'))
      return fine({
        ...m,
        sources: m.sources.map((one) => (one === source ? { ...one, claims } : one)),
      })
    }
    case 'register-notes': {
      const claims = place(m, m.sources, 'notes', [NOTE], 'refuse')
      return claims === null
        ? refuse('tool-name-taken')
        : fine({ ...open(m, 'component', 'notes', claims), count: m.count ?? 0 })
    }
    case 'unregister-notes':
      return sourceOf(m, 'component', 'notes')
        ? fine(close(m, 'component', 'notes'))
        : refuse('not-registered')
    case 'restore-notes':
      return m.count === null ? refuse('COMPONENT_UNKNOWN') : fine({ ...m, count: deed.count })
    case 'turn': {
      const turn = m.turn + 1
      const lasts = ({ from, last }: Found) =>
        turn - from < KEEP.turns && turn - last <= KEEP.idleTurns
      const asked = m.asked.filter(({ until, consent }) => m.time < until && consent !== 'denied')
      const begun = { ...m, turn, calls: NO_CALLS, asked, found: m.found.filter(lasts) }
      return fine(begun, ...endLifetimes(begun))
    }
    case 'step':
      return fine(m)
    case 'call':
      return call(m, deed)
    case 'answer': {
      const question = m.asked[deed.which]
      if (!question) return refuse('confirmation-unknown')
      const others = m.asked.filter((one) => one !== question)
      if (m.time >= question.until)
        return { code: 'confirmation-expired', stages: [m, { ...m, asked: others }] }
      const consent = deed.approve ? 'approved' : 'denied'
      return fine({
        ...m,
        asked: m.asked.map((one) => (one === question ? { ...one, consent } : one)),
      })
    }
    case 'wait':
      return fine({ ...m, time: m.time + deed.ms })
  }
}
