import {
  type Lasting,
  PERMITTED,
  type SkillFact,
  skillIdentity,
} from '../../scripts/torture/model/universe.ts'
import { active, closure, isSpent, needs, refuse, skillOf } from './reference-state.ts'
import { skills, sourceOf, termsOf, type Model, type Source } from './reference-state.ts'
import { claim } from './reference-tools.ts'

export function close(m: Model, owner: string) {
  m.sources = m.sources.filter((one) => one.owner !== owner)
  m.gone = [...m.gone.filter((one) => one !== owner), owner]
  if (owner === 'notes') m.count = null
  for (const list of ['broken', 'running', 'unhooked'] as const)
    m[list] = m[list].filter((one) => one !== owner)
}

/**
 * Deactivates skills, the skills that require them, and the requirements that nobody asked for or needs any
 * more.
 */
function putAway(m: Model, first: readonly string[], entering: readonly string[] = []) {
  const leaving = new Set(active(m).filter((name) => first.some((one) => needs(m, name, one))))
  const isNeeded = (name: string) =>
    [...active(m), ...entering].some(
      (one) => one !== name && !leaving.has(one) && needs(m, one, name),
    )
  const isOrphan = ({ owner, requested }: Source) =>
    !requested &&
    !leaving.has(owner) &&
    [...leaving].some((one) => needs(m, one, owner)) &&
    !isNeeded(owner)
  for (let orphan = skills(m).find(isOrphan); orphan; orphan = skills(m).find(isOrphan))
    leaving.add(orphan.owner)
  for (const one of leaving) close(m, one)
}

export function activate(m: Model, name: string, replace: boolean, lasting?: Lasting) {
  const skill = skillOf(m, name) ?? refuse('skill-unknown')
  const known = sourceOf(m, name)
  const terms = termsOf(m, true, lasting ?? skill.lifetime)
  if (known?.requested === true) refuse('skill-already-active')
  if (known) return void Object.assign(known, terms)
  const entering = closure(m, name).filter((one) => !active(m).includes(one))
  if (entering.some((one) => !PERMITTED.includes(one))) refuse('not-permitted')
  const others = active(m).filter((one) => !needs(m, name, one))
  const isAlone = (one: string) => skillOf(m, one)?.exclusive === true
  const outcast = others.filter((one) => isAlone(name) || (isAlone(one) && !needs(m, one, name)))
  const beside = others.filter((one) => !outcast.some((out) => needs(m, one, out)))
  const excludes = (one: string, other: string) =>
    skillOf(m, one)?.conflicts.includes(other) === true
  const rivals = beside.filter((one) =>
    entering.some((other) => excludes(one, other) || excludes(other, one)),
  )
  if (rivals.length > 0 && !replace) refuse('conflicting')
  if (outcast.length + rivals.length > 0) putAway(m, [...outcast, ...rivals], entering)
  for (const one of closure(m, name).filter((it) => entering.includes(it))) {
    const { tools, onConflict, ...fact } = skillOf(m, one) as SkillFact
    const own = one === name ? terms : termsOf(m, false, 'session')
    claim(m, { kind: 'skill', owner: one }, tools, onConflict, {
      terms: own,
      identity: skillIdentity({ tools, onConflict, ...fact }),
    })
  }
  if (entering.some((one) => skillOf(m, one)?.fails === 'always')) refuse('hook-failed')
}

export function deactivate(m: Model, name: string | null, cascade: boolean) {
  const [only, ...more] = active(m)
  const target = name ?? only ?? refuse('skill-not-active')
  if (name === null && more.length > 0) refuse('skill-ambiguous')
  if (!active(m).includes(target)) refuse(skillOf(m, target) ? 'skill-not-active' : 'skill-unknown')
  const isNeeded = active(m).some((one) => one !== target && needs(m, one, target))
  if (isNeeded && !cascade) refuse('required-by')
  putAway(m, [target])
}

/** Expired skills leave, one by one; a skill that others require stays for as long as they do. */
export function endLifetimes(m: Model, mark: () => void) {
  const isHeld = (owner: string) => m.running.includes(owner) || m.stays === owner
  const over = skills(m).filter((one) => isSpent(m, one) && !isHeld(one.owner))
  for (const { owner } of over.filter((one) => active(m).includes(one.owner))) {
    const isNeeded = active(m).some((one) => one !== owner && needs(m, one, owner))
    if (isNeeded) Object.assign(sourceOf(m, owner) ?? {}, termsOf(m, false, 'session'))
    else putAway(m, [owner])
    mark()
  }
}
