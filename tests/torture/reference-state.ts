import {
  skillsOf,
  type Allowed,
  type Edition,
  type Lasting,
  type SkillFact,
  type ToolFact,
} from '../../scripts/torture/model/universe.ts'

export type Claim = { name: string; tool: ToolFact; how: SkillFact['onConflict']; since: number }
export type Terms = {
  requested: boolean
  lasting: Lasting
  uses: number | null
  from: number
  last: number
}
export type Owner = { kind: 'skill' | 'component' | 'global'; owner: string }
export type Source = Owner & Terms & { identity: string; claims: Claim[]; givenUp: string[] }
export type Asked = {
  tool: string
  owner: string
  identity: string
  by: number
  until: number
  consent: string
}
export type Offer = { name: string; owner: string; identity: string }
/** The state of the reference model: what a workspace should be, told as plainly as can be: no log, no memo, nothing of the library's. */
export type Model = {
  edition: Edition
  policy: Allowed
  sources: Source[]
  /** Owners that went: a host that comes back does not bring them again. */
  gone: string[]
  off: string[]
  count: number | null
  asked: Asked[]
  found: (Offer & { from: number; last: number; tick: number })[]
  turn: number
  calls: Record<ToolFact['category'], number>
  /** Skills of which a call never ended, because its process died. */
  running: string[]
  broken: string[]
  /** Of this process only: what it has handlers for, and the skills whose hooks it has yet to run. */
  handlers: string[]
  unhooked: string[]
  /** A skill that something failed for just now: when its time is over, it goes the next time. */
  stays?: string | undefined
  time: number
  /** Goes up with each thing that is done: what came later is larger. */
  tick: number
}

class Refusal extends Error {}
export const refuse = (code: string): never => {
  throw new Refusal(code)
}
/** `ok`, or the code that something is refused with. */
export function codeOf(work: () => void): string {
  try {
    work()
    return 'ok'
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

export const skillOf = (m: Model, name: string) =>
  skillsOf(m.edition).find((one) => one.name === name)
export const skills = (m: Model) => m.sources.filter(({ kind }) => kind === 'skill')
export const active = (m: Model) => skills(m).map(({ owner }) => owner)
export const sourceOf = (m: Model, owner: string) => m.sources.find((one) => one.owner === owner)
export const turnOf = (m: Model) => Math.max(1, m.turn)
export const termsOf = (m: Model, requested: boolean, lasting: Lasting): Terms => {
  const uses = typeof lasting === 'object' && 'uses' in lasting ? lasting.uses : null
  return { requested, lasting, uses, from: turnOf(m), last: turnOf(m) }
}
/** A skill with all it requires, requirements first. */
export const closure = (m: Model, name: string): string[] => {
  const requires = skillOf(m, name)?.requires ?? []
  return [...new Set([...requires.flatMap((one) => closure(m, one)), name])]
}
export const needs = (m: Model, one: string, other: string) => closure(m, one).includes(other)
export const isSpent = (m: Model, { lasting, uses, from, last }: Source) =>
  (uses !== null && uses <= 0) ||
  (typeof lasting === 'object' && 'turns' in lasting && m.turn - from >= lasting.turns) ||
  (typeof lasting === 'object' && 'idle' in lasting && m.turn - last > lasting.idle)
