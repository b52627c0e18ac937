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
/**
 * The state of the reference model: the expected state of a workspace, in the simplest form: no log, no memo,
 * no code of the library.
 */
export type Model = {
  edition: Edition
  policy: Allowed
  sources: Source[]
  /** Owners that left: a host that returns does not register them again. */
  gone: string[]
  off: string[]
  count: number | null
  asked: Asked[]
  found: (Offer & { from: number; last: number; tick: number })[]
  turn: number
  calls: Record<ToolFact['category'], number>
  /** Skills with a call that never ended, because its process died. */
  running: string[]
  broken: string[]
  /** Of this process only: its handlers, and the skills whose hooks it still has to run. */
  handlers: string[]
  unhooked: string[]
  /** A skill whose deactivation just failed: when it has expired, it leaves the next time. */
  stays?: string | undefined
  time: number
  /** Increases with each operation: later ones have larger numbers. */
  tick: number
}

class Refusal extends Error {}
export const refuse = (code: string): never => {
  throw new Refusal(code)
}
/** `ok`, or the code of a refusal. */
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
/** Returns a skill with all its requirements, requirements first. */
export const closure = (m: Model, name: string): string[] => {
  const requires = skillOf(m, name)?.requires ?? []
  return [...new Set([...requires.flatMap((one) => closure(m, one)), name])]
}
export const needs = (m: Model, one: string, other: string) => closure(m, one).includes(other)
export const isSpent = (m: Model, { lasting, uses, from, last }: Source) =>
  (uses !== null && uses <= 0) ||
  (typeof lasting === 'object' && 'turns' in lasting && m.turn - from >= lasting.turns) ||
  (typeof lasting === 'object' && 'idle' in lasting && m.turn - last > lasting.idle)
