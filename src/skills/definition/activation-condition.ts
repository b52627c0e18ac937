import * as z from 'zod'

/**
 * The facts under which the engine activates a skill. Every member that is given has to hold; of a list, one item is
 * enough. Nothing in it reads a text: not a message, and not the result of a tool.
 */
export interface ActivationCondition {
  /** Patterns of files, relative to the folder of the project: a tool or the host has used one that matches. */
  readonly paths?: readonly string[]
  /** Calls: the last call of such a tool that has ended has that status, or any without one. */
  readonly calls?: readonly EndedCall[]
  readonly mode?: readonly string[]
  /** The ids of principals. */
  readonly principal?: readonly string[]
  /** Events that the host notes, until it withdraws them. */
  readonly event?: readonly string[]
}

/** A call that a condition is about: the name of its tool, in which `*` matches any text, and its status. */
export interface EndedCall {
  readonly tool: string
  readonly status?: CallStatus
}

/** The statuses of calls in conditions. */
export const CALL_STATUSES = ['success', 'error'] as const

type CallStatus = (typeof CALL_STATUSES)[number]

const texts = z.array(z.string().min(1)).min(1).optional()

/** The members of a condition. */
const MEMBERS = {
  paths: texts,
  calls: z
    .array(z.strictObject({ tool: z.string().min(1), status: z.enum(CALL_STATUSES).optional() }))
    .min(1)
    .optional(),
  mode: texts,
  principal: texts,
  event: texts,
} satisfies Record<keyof ActivationCondition, z.ZodType>

export const CONDITION_MEMBERS = Object.keys(MEMBERS) as readonly (keyof ActivationCondition)[]

/** The schema of a condition, wherever one is given. */
export const conditionSchema = z
  .strictObject(
    MEMBERS,
    `must be an object with some of ${CONDITION_MEMBERS.join(', ')}, each a list that is not empty`,
  )
  .refine((members) => Object.keys(members).length > 0, 'must have at least one member')

/** The members of a skill that make it depend on facts. */
export interface ConditionalSkill {
  /** Patterns of files: it is offered to models once a file that matches one is used. Absent: from the start. */
  readonly paths?: readonly string[]
  /** The condition under which the engine activates it, and with which it ends; absent for none. */
  readonly when?: ActivationCondition
}

/** Returns the skills that depend on facts, by name; undefined when there is none. */
export function indexConditions(
  skills: Iterable<ConditionalSkill & { readonly name: string }>,
): Map<string, ConditionalSkill> | undefined {
  const found = new Map<string, ConditionalSkill>()
  for (const { name, paths, when } of skills) {
    if (paths === undefined && when === undefined) continue
    found.set(name, { ...(paths && { paths }), ...(when && { when }) })
  }
  return found.size === 0 ? undefined : found
}
