import type { Cause } from './cause.ts'
import type { ContentHash } from '../../kernel/content-hash.ts'

/** Skills that are added to the catalog of one session, and removed from it. */
export type SkillRegistrationEvent =
  | {
      readonly type: 'skill.registered'
      readonly skill: string
      readonly definition: ContentHash
      /** Absent for a skill that the host trusts. */
      readonly trusted?: false
    }
  | { readonly type: 'skill.unregistered'; readonly skill: string }

/** A skill that this session has in addition to the catalog of its host. */
export interface RegisteredSkill {
  readonly skill: string
  readonly definition: ContentHash
  readonly trusted: boolean
  /** The entry that registered it. */
  readonly since: number
  readonly cause: Cause
}

export interface RegistrationState {
  /** In the order in which their names came. */
  readonly registered: readonly RegisteredSkill[]
}

export const NO_REGISTRATIONS: RegistrationState = { registered: [] }
