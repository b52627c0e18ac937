import type { SessionJournal } from '../commands/session-journal.ts'
import * as z from 'zod'
import {
  callsPerTurnSchema,
  modeLimitsOf,
  modeLimitsSchema,
  MODES,
  type ModeLimits,
  type ModeTable,
} from '../../engine/model/modes.ts'
import {
  allowedToolsSchema,
  firstImpossible,
  LOOSENESS,
  OPEN_POLICY,
  type PermissionRule,
  type Policy,
  type Rule,
  type RuleFunction,
  ruleListSchema,
  rulesNotIn,
} from '../../engine/model/policy.ts'
import { functionName, storedRule } from '../../engine/model/stored-rule.ts'
import { liftedRules } from '../../engine/explain/lifted-rules.ts'
import { isObject } from '../../kernel/json-value.ts'
import { checkedText } from '../../kernel/check-options.ts'
import { didYouMean, nearestNames } from '../../kernel/nearest-names.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { PolicyOptions } from './workspace-options.ts'

/**
 * Returns the policy of a session that is resumed: the recorded one with what the host gives, or, for a
 * process that attaches to the session of another host, the recorded one with additional rules that deny or
 * ask.
 */
export function resumedPolicy(given: PolicyOptions, recorded: Policy): Policy {
  if (given.onResume !== 'tighten') return sessionPolicy(given, recorded)
  const { permissions } = given
  const { deny, ask, allowedTools } = sessionPolicy({ permissions }, recorded)
  return {
    ...recorded,
    deny: withRules(recorded.deny, deny),
    ask: withRules(recorded.ask, ask),
    allowedTools:
      LOOSENESS[allowedTools] < LOOSENESS[recorded.allowedTools]
        ? allowedTools
        : recorded.allowedTools,
  }
}

/**
 * Returns the policy of a session that a command changes, and keeps the functions of its rules. A process that
 * attached to the session may change it, but not loosen it: throws `POLICY_LOOSENED`.
 */
export function changedPolicy(
  given: PolicyOptions,
  recorded: Policy,
  { attached, context }: Pick<SessionJournal, 'attached' | 'context'>,
): Policy {
  if ('permissions' in given) checkPermissions(given.permissions)
  const next = sessionPolicy(given, recorded)
  const lifted = attached ? liftedRules(recorded, next) : []
  if (lifted.length === 0) {
    keepRules(given.permissions, recorded, context)
    return next
  }
  throw new WorkspaceError(
    'POLICY_LOOSENED',
    `A process that attached to the session cannot loosen its policy. With this one it ${lifted.join(', ')}.`,
    { hint: "Open the session with policy.onResume: 'replace'.", facts: { lifted } },
  )
}

/** Keeps what the log does not have of the rules that a host gives to an open session: their functions and places. */
export function keepRules(
  permissions: PolicyOptions['permissions'],
  recorded: Policy,
  context: SessionJournal['context'],
): void {
  context.functions = boundFunctions(permissions, context.functions, recorded)
  context.places = new Map([...context.places, ...(permissions?.places ?? [])])
}

function withRules(rules: readonly Rule[], more: readonly Rule[]): readonly Rule[] {
  const added = rulesNotIn(rules, more)
  return added.length === 0 ? rules : [...rules, ...added]
}

/**
 * Merges the policy that a host gives over the recorded one. A member that is not given stays unchanged. The
 * limits of a mode apply when the host names the mode, or defines it again. The host's own lists are copied.
 *
 * Throws `MODE_UNKNOWN`, and `POLICY_INVALID`: a rule with a misspelt member would match more than intended.
 */
export function sessionPolicy(
  { mode: given, modes = {}, permissions, callsPerTurn: own }: PolicyOptions,
  recorded: Policy,
): Policy {
  if (permissions !== undefined) checkPermissions(permissions)
  if (given !== undefined) checkedText(given, 'policy.mode')
  const mode = given ?? recorded.mode
  const isNamed = given !== undefined || Object.hasOwn(modes, mode)
  if (!isNamed && permissions === undefined && own === undefined) return recorded
  const callsPerTurn = own ?? recorded.callsPerTurn
  const limits = isNamed ? modeLimits(mode, modes, recorded) : recorded.limits
  const {
    deny = [],
    ask = [],
    allow = [],
    allowedTools = recorded.allowedTools,
  } = permissions ?? {}
  const policy: Policy = {
    mode,
    deny,
    ask,
    allow,
    allowedTools,
    limits: callsPerTurn === undefined ? limits : { ...limits, callsPerTurn },
    ...(callsPerTurn !== undefined && { callsPerTurn }),
  }
  const { above } = recorded
  const isKept = permissions?.allow === undefined && permissions?.allowedTools === undefined
  const withheld = isKept && recorded.withheld === true
  checkPolicy(policy)
  checkNames([...deny, ...ask, ...allow], recorded)
  const lists = {
    deny: permissions?.deny?.map(storedRule) ?? recorded.deny,
    ask: permissions?.ask?.map(storedRule) ?? recorded.ask,
    allow: permissions?.allow?.map(storedRule) ?? recorded.allow,
  }
  checkImpossible(lists, recorded)
  return structuredClone({
    ...policy,
    ...lists,
    ...(above && { above }),
    ...(withheld && { withheld }),
  })
}

const NO_FUNCTIONS: ReadonlyMap<string, RuleFunction> = new Map()

/**
 * Returns the functions of rules that a process has, with those of the rules that it gives now. Throws
 * `POLICY_INVALID` when one name means two functions: the log could not distinguish them.
 *
 * @param bound the functions that it has
 * @param recorded the policy that the rules become a part of
 */
export function boundFunctions(
  permissions: PolicyOptions['permissions'],
  bound: ReadonlyMap<string, RuleFunction> = NO_FUNCTIONS,
  recorded: Policy = OPEN_POLICY,
): ReadonlyMap<string, RuleFunction> {
  const given = RULE_LISTS.flatMap((list) => permissions?.[list] ?? [])
    .map(readCondition)
    .filter((when) => typeof when === 'function')
  if (given.length === 0) return bound
  const kept = RULE_LISTS.flatMap((list) => (permissions?.[list] ? [] : recorded[list]))
  const names = functionNames(kept)
  const functions = new Map([...bound].filter(([name]) => names.has(name)))
  for (const one of given) {
    const name = functionName(one)
    const other = functions.get(name)
    if (other !== undefined && other !== one) {
      throw new WorkspaceError('POLICY_INVALID', `Two functions of rules are "${name}".`, {
        facts: { name },
        hint: 'The log knows a function by its name. Give each one a name of its own: const isLarge = (input) => …',
      })
    }
    functions.set(name, one)
  }
  return new Map([...bound, ...functions])
}

function functionNames(rules: readonly Rule[]): ReadonlySet<string> {
  return new Set(rules.map(readCondition).filter((when) => typeof when === 'string'))
}

/** Reads a rule that nothing has checked yet. */
function readCondition(rule: Rule): PermissionRule['when'] {
  return isObject(rule) ? (rule as PermissionRule).when : undefined
}

const RULE_LISTS = ['deny', 'ask', 'allow'] as const
const LISTS: readonly string[] = [...RULE_LISTS, 'allowedTools']
const MEMBERS: ReadonlySet<string> = new Set([...LISTS, 'places'])

/** Refuses unknown lists: a misspelt `deny` would deny nothing. Places that were JSON are an object without content. */
function checkPermissions(permissions: unknown): void {
  const places = isObject(permissions) ? permissions['places'] : undefined
  if (places !== undefined && !(places instanceof Map)) {
    throw new WorkspaceError('POLICY_INVALID', 'The policy is not valid: places is not a Map.', {
      facts: { issues: [{ path: 'permissions.places', message: 'is not a Map' }] },
      hint: 'Give the places that openProject found, or leave them out.',
    })
  }
  const unknown = isObject(permissions)
    ? Object.keys(permissions).find((name) => !MEMBERS.has(name))
    : ''
  if (unknown === undefined) return
  const [nearest] = unknown === '' ? [] : nearestNames(unknown, LISTS, 1)
  const what = unknown === '' ? 'are not an object' : `have no member "${unknown}"`
  throw new WorkspaceError('POLICY_INVALID', `The policy is not valid: permissions ${what}.`, {
    facts: {
      issues: [{ path: `permissions${unknown === '' ? '' : `.${unknown}`}`, message: what }],
    },
    hint:
      nearest === undefined ? `The members are ${LISTS.join(', ')}.` : `Did you mean "${nearest}"?`,
  })
}

const policySchema = z.strictObject({
  mode: z.string('must be text').min(1, 'must not be empty'),
  deny: ruleListSchema,
  ask: ruleListSchema,
  allow: ruleListSchema,
  allowedTools: allowedToolsSchema,
  limits: modeLimitsSchema,
  callsPerTurn: callsPerTurnSchema.optional(),
})

/**
 * Checks what was given for a policy. Throws `POLICY_INVALID`, also for unknown members: a misspelt member must
 * not count as absent. Recorded lists are not checked again.
 */
function checkPolicy(policy: Policy): void {
  const checked = policySchema.safeParse(policy)
  if (checked.success) return
  const issues = checked.error.issues.map(({ path, message }) => ({
    path: path.map(String).join('.'),
    message,
  }))
  const listed = issues.map(({ path, message }) => `${path} ${message}`).join('; ')
  throw new WorkspaceError('POLICY_INVALID', `The policy is not valid: ${listed}.`, {
    facts: { issues },
    hint: 'Correct the mode, permissions or limits that were given.',
  })
}

/** Refuses a rule that would hold for nothing. */
function checkImpossible(given: Pick<Policy, 'deny' | 'ask'>, recorded: Policy): void {
  const impossible = firstImpossible(given, recorded)
  if (impossible === null) return
  const { message, hint } = impossible
  const path = impossible.path.join('.')
  throw new WorkspaceError('POLICY_INVALID', `The policy is not valid: ${path} ${message}.`, {
    facts: { issues: [{ path, message }] },
    hint,
  })
}

/** Refuses the name of a function that the session does not know: only a function can introduce it. */
function checkNames(given: readonly Rule[], { deny, ask, allow }: Policy): void {
  const known = functionNames([...deny, ...ask, ...allow])
  const unknown = [...functionNames(given)].find((name) => !known.has(name))
  if (unknown === undefined) return
  throw new WorkspaceError(
    'POLICY_INVALID',
    `The policy is not valid: the session has no function "${unknown}".`,
    { facts: { name: unknown }, hint: 'Give the function itself as "when".' },
  )
}

/** Returns the limits of a mode. Throws `MODE_UNKNOWN`: a misspelt mode would have no limits. */
function modeLimits(mode: string, modes: ModeTable, recorded: Policy): ModeLimits {
  const limits = modeLimitsOf(mode, modes)
  if (limits !== null) return limits
  if (mode === recorded.mode) return recorded.limits
  const known = [...new Set([...Object.keys(MODES), ...Object.keys(modes)])]
  const defined = `Define it in the option "policy.modes" of the workspace. Known modes: ${known.join(', ')}.`
  throw new WorkspaceError('MODE_UNKNOWN', `The mode "${mode}" is not defined.`, {
    facts: { mode, known },
    hint: didYouMean(nearestNames(mode, known, 1), defined),
  })
}
