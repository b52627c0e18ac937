/** Why a tool can, or cannot, be called now. */
export type ToolStatus =
  | 'available'
  | 'not-exposed'
  | 'skill-inactive'
  | 'disabled'
  | 'denied'
  | 'blocked-by-mode'
  | 'budget-spent'
  /** Its owner's definition drifted from what the session activated: quarantined. */
  | 'changed'
  /** No handler in this process. */
  | 'unbound'
  /** Another owner's tool goes by this name. */
  | 'shadowed'
  | 'unknown'

export type SkillStatus =
  | 'active'
  | 'pending'
  | 'inactive'
  | 'not-permitted'
  | 'conflicting'
  | 'missing-requirement'
  | 'broken'
  | 'changed'
  | 'shadowed'
  | 'unknown'
