import type { PolicyOptions, TestingOptions, WorkspaceOptions } from './workspace-options.ts'
import { assertComponent } from '../../components/define-component.ts'
import {
  checkOptions,
  invalidOption,
  type OptionsOf,
  type OptionTable,
} from '../../kernel/check-options.ts'
import { hasMembers, isObject } from '../../kernel/json-value.ts'
import { REDACTION_RULES } from '../../kernel/redaction-rules.ts'
import type { ExposureStrategy } from '../offer/exposure/exposure-strategy.ts'

/**
 * Checks the options of a workspace. Throws `OPTIONS_INVALID` for one that does not exist, with the nearest
 * one, for a value that it cannot have, and for a missing catalog. Rules and limits are checked where they
 * are settled.
 */
export function checkWorkspaceOptions(options: WorkspaceOptions): void {
  const hint = 'Only "catalog" is required: make one with createCatalog.'
  if (!isObject(options))
    throw invalidOption('', 'The options of a workspace are not an object.', hint)
  for (const name of Object.keys(options)) {
    const grouped = GROUPED.get(name)
    if (grouped === undefined) continue
    throw invalidOption(name, `"${name}" is not an option.`, `Did you mean "${grouped}"?`)
  }
  checkOptions(options, OPTIONS)
  const { catalog, discovery } = options
  if (!isObject(catalog)) throw invalidOption('catalog', '"catalog" is missing.', hint)
  for (const [option, check] of Object.entries(VALUES)) {
    const value: unknown = options[option as keyof WorkspaceOptions]
    if (value !== undefined) checkValue(option, value, check)
  }
  if (discovery !== undefined) checkOptions({ onFound: discovery.onFound }, FOUND, 'discovery.')
  options.components?.forEach(assertComponent)
}

/** Checks the catalog of a session. Throws `OPTIONS_INVALID`, also for the promise of one. */
export function checkCatalog(value: unknown): void {
  checkValue('catalog', value, CATALOG)
}

function checkValue(option: string, value: unknown, [is, what]: ValueCheck): void {
  if (is(value)) return
  throw invalidOption(option, `"${option}" must be ${what}.`, 'Correct it, or leave it out.')
}

const FOUND: OptionTable = { onFound: ['activate-on-call', 'suggest'] }

const POLICY: OptionsOf<PolicyOptions> = {
  mode: true,
  modes: true,
  permissions: true,
  callsPerTurn: true,
  onResume: ['replace', 'tighten'],
}

const TESTING: OptionsOf<TestingOptions> = { clock: true, randomness: true }

const OPTIONS: OptionsOf<WorkspaceOptions> = {
  catalog: true,
  agent: true,
  session: true,
  project: true,
  log: true,
  principal: true,
  services: true,
  approvals: true,
  budget: true,
  blobs: true,
  keepResults: true,
  repairArguments: 'switch',
  onlyProcess: true,
  repeatedActions: ['run', 'recorded'],
  confirmations: { keepArguments: 'switch', loading: 'function' },
  tokenCounter: true,
  policy: POLICY,
  limits: true,
  testing: TESTING,
  exposure: true,
  provider: true,
  variables: true,
  catalogBudget: 'number',
  metaTools: true,
  scripts: true,
  runSkill: true,
  countCalls: true,
  discovery: true,
  components: true,
  intents: true,
  tools: true,
  redact: REDACTION_RULES,
  readOnly: true,
  follow: true,
  at: true,
  client: true,
  onProgress: true,
  onHandlerError: true,
  onOutput: true,
}

/** Options that are members of a group. */
const GROUPED: ReadonlyMap<string, string> = new Map([
  ['mode', 'policy.mode'],
  ['modes', 'policy.modes'],
  ['permissions', 'policy.permissions'],
  ['callsPerTurn', 'policy.callsPerTurn'],
  ['hookTimeoutMs', 'limits.hookTimeoutMs'],
  ['snapshotEvery', 'limits.snapshotEvery'],
  ['clock', 'testing.clock'],
  ['randomness', 'testing.randomness'],
])

/** A check of a value, and the end of the sentence about a wrong one. */
type ValueCheck = readonly [is: (value: unknown) => boolean, what: string]

const isText = (value: unknown): boolean => typeof value === 'string'

const LIST: ValueCheck = [(value) => Array.isArray(value), 'a list']

const SWITCH: ValueCheck = [(value) => typeof value === 'boolean', 'true or false']

const has =
  (...functions: readonly string[]) =>
  (value: unknown): boolean =>
    hasMembers(value) && functions.every((name) => typeof value[name] === 'function')

const CATALOG: ValueCheck = [
  (value) => isObject(value) && 'toolsByHash' in value,
  'a catalog; await that of createCatalog',
]

const FUNCTION: ValueCheck = [(value) => typeof value === 'function', 'a function']

const VALUES: Partial<Readonly<Record<keyof WorkspaceOptions, ValueCheck>>> = {
  catalog: CATALOG,
  agent: [
    (value) => isText(value) || (isObject(value) && 'initialSkills' in value),
    'the name of an agent, or made by defineAgent',
  ],
  session: [isText, 'text; leave it out for a random one'],
  project: [isText, 'text, such as a digest of its folder'],
  log: [has('append', 'read'), 'a log, such as createMemoryLog()'],
  principal: [(value) => isObject(value) && isText(value['id']), 'an object with a text "id"'],
  approvals: [has('has', 'put', 'remove'), 'an approval store'],
  budget: [has('take'), 'a budget of calls, with a function "take"'],
  blobs: [has('put'), 'a store of data, with a function "put"'],
  tokenCounter: [
    (value) => has('then')(value) || has('count')(value),
    'a token counter, or a promise of one',
  ],
  variables: [hasMembers, 'an object or a Map of texts'],
  metaTools: LIST,
  scripts: [has('run'), 'a runner of scripts, such as openScriptRunner returns'],
  runSkill: FUNCTION,
  components: LIST,
  exposure: [
    (value) => isText(value) || (has('plan')(value) && isText((value as ExposureStrategy).name)),
    'the name of a strategy, or an object with a text "name" and a function "plan"',
  ],
  intents: [
    (value) => Array.isArray(value) && value.every(has('parsePayload', 'intent')),
    'a list of what defineIntent returns',
  ],
  tools: LIST,
  discovery: [isObject, 'an object of options; {} turns search on'],
  countCalls: SWITCH,
  keepResults: SWITCH,
  onlyProcess: SWITCH,
  readOnly: SWITCH,
  follow: SWITCH,
  onProgress: FUNCTION,
  onHandlerError: FUNCTION,
  onOutput: FUNCTION,
  at: [(value) => typeof value === 'number', 'the number of an entry'],
}
