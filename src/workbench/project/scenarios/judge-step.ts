import { isDeepStrictEqual } from 'node:util'
import type {
  Catalog,
  Outcome,
  StepPreview,
  ToolResponse,
  VirtualWorkspace,
} from '../../../entries/index.ts'
import { isObject, nearestNames } from '../../../entries/kit.ts'
import { nextRequest, requestTokens } from '../../../entries/plan.ts'
import type { ScenarioExpectation } from './read-scenario.ts'

/** The calls, questions and outcomes of a step. */
export interface StepFacts {
  /** The called tools, in order. */
  readonly calls: readonly string[]
  /** Those about which a person was asked. */
  readonly asked: readonly string[]
  /** The outcome of the last call; without calls, of the activation or deactivation. */
  readonly last: ToolResponse | Outcome | null
  /** The last text of the model. */
  readonly answer: string | null
  /** The words of the user in the step; empty for none. */
  readonly user: string
}

/** An expectation that does not hold. */
export interface UnmetExpectation {
  /** Such as `not-exposed`. */
  readonly expectation: keyof ScenarioExpectation
  readonly expected: unknown
  readonly actual: unknown
  /** The reason, for people; empty when the values say it. */
  readonly why: string
}

/** Judges all expectations of a step, and returns those that do not hold, in the order of the file. */
export async function judgeStep(
  workspace: VirtualWorkspace,
  expect: ScenarioExpectation,
  facts: StepFacts,
): Promise<readonly UnmetExpectation[]> {
  const next = await nextRequest(workspace)
  const found = expect.found === undefined ? [] : await foundSkills(facts.user, workspace.catalog)
  const unmet: UnmetExpectation[] = []
  for (const expectation of Object.keys(expect) as (keyof ScenarioExpectation)[]) {
    const expected = expect[expectation]
    if (expected === undefined) continue
    const judged = JUDGES[expectation](expected as never, { workspace, facts, next, found })
    if (judged === null) continue
    unmet.push({ expectation, expected, why: '', ...judged })
  }
  return unmet
}

/** Skills that a search offers first. */
export const FIRST = 5

/** Returns the skills that a search for a text has first. */
export async function foundSkills(text: string, catalog: Catalog): Promise<readonly string[]> {
  const { catalogIndex } = await import('../../../entries/search.ts')
  const { results } = await catalogIndex(catalog).search(text, {
    limit: FIRST,
    only: (_, kind) => kind === 'skill',
  })
  return results.map(({ name }) => name)
}

type Found = Pick<UnmetExpectation, 'actual'> & Partial<UnmetExpectation>

/** Compares a step, and the session after it, with an expectation. Returns null for one that holds. */
type Judge<Key extends keyof ScenarioExpectation> = (
  expected: NonNullable<ScenarioExpectation[Key]>,
  judged: {
    readonly workspace: VirtualWorkspace
    readonly facts: StepFacts
    readonly next: StepPreview
    readonly found: readonly string[]
  },
) => Found | null

const JUDGES: { readonly [Key in keyof Required<ScenarioExpectation>]: Judge<Key> } = {
  ok: (expected, { facts: { last } }) =>
    last?.ok === expected ? null : { actual: last?.ok ?? NOTHING, why: lastReason(last) },
  refused: (expected, { facts: { last } }) =>
    toCode(last) === expected ? null : { actual: toCode(last) ?? NOTHING, why: lastReason(last) },
  error(expected, { facts: { last } }) {
    const type = last !== null && 'error' in last ? last.error.type : NOTHING
    return type === expected ? null : { actual: type, why: lastReason(last) }
  },
  data(expected, { facts: { last } }) {
    const data = last?.ok === true && 'data' in last ? last.data : undefined
    return contains(data, expected) ? null : { actual: data ?? NOTHING, why: lastReason(last) }
  },
  calls(expected, { facts: { calls } }) {
    if (Array.isArray(expected)) {
      return isDeepStrictEqual(calls, expected) ? null : { actual: calls }
    }
    const counts = Object.fromEntries(
      Object.keys(expected).map((name) => [name, calls.filter((one) => one === name).length]),
    )
    return isDeepStrictEqual(counts, { ...expected }) ? null : { actual: counts }
  },
  asked(expected, { facts: { asked } }) {
    const isMet = Array.isArray(expected)
      ? isDeepStrictEqual(asked, expected)
      : asked.length > 0 === expected
    return isMet ? null : { actual: asked }
  },
  exposed: (expected, { workspace, next }) =>
    compareNames(expected, exposedIn(next), true, workspace),
  'not-exposed': (expected, { workspace, next }) =>
    compareNames(expected, exposedIn(next), false, workspace),
  active: (expected, { workspace }) => compareNames(expected, activeIn(workspace), true, workspace),
  'not-active': (expected, { workspace }) =>
    compareNames(expected, activeIn(workspace), false, workspace),
  found(expected, { found, facts: { user } }) {
    const isMet = expected.every((name) => found.includes(name))
    return isMet ? null : { actual: found, why: user === '' ? 'The user says nothing.' : '' }
  },
  explain(expected, { workspace }) {
    const actual = Object.fromEntries(
      Object.keys(expected).map((name) => [name, explained(name, workspace).status]),
    )
    if (isDeepStrictEqual(actual, { ...expected })) return null
    return { actual, why: explainAll(Object.keys(expected), workspace) }
  },
  prompt(expected, { workspace }) {
    const { text } = workspace.prompt(workspace.state.prompt)
    const missing = expected.filter((part) => !text.includes(part))
    return missing.length === 0 ? null : { expected: missing, actual: nearestLines(text, missing) }
  },
  'not-prompt'(expected, { workspace }) {
    const { text } = workspace.prompt(workspace.state.prompt)
    const present = expected.filter((part) => text.includes(part))
    return present.length === 0 ? null : { expected: present, actual: nearestLines(text, present) }
  },
  tokens(expected, { next: { cost } }) {
    const tokens = requestTokens(cost) - cost.messages
    const { tools, instructions, conversation } = cost.tokens
    const own = conversation - cost.messages
    const why = `tools ${tools} + instructions ${instructions} + conversation ${own}`
    return tokens <= expected ? null : { actual: tokens, why }
  },
  kept(expected, { next: { cost } }) {
    const { kept, previous, changed } = cost
    const least =
      typeof expected === 'number' ? expected : (previous * Number.parseInt(expected, 10)) / 100
    if (previous > 0 && kept >= least) return null
    const from = changed === null ? '' : `, from ${changed.segment} "${changed.part}" on`
    const why = previous === 0 ? 'No request was sent before.' : `of ${previous} tokens${from}`
    return { actual: kept, why }
  },
  answer(expected, { facts: { answer } }) {
    const missing = expected.filter((part) => answer?.includes(part) !== true)
    return missing.length === 0 ? null : { expected: missing, actual: answer ?? NOTHING }
  },
  'not-answer'(expected, { facts: { answer } }) {
    if (answer === null) return { actual: NOTHING, why: 'The model gave no answer.' }
    const present = expected.filter((part) => answer.includes(part))
    return present.length === 0 ? null : { expected: present, actual: answer }
  },
}

/** Shown for a value that does not exist. */
const NOTHING = 'nothing'

/** Returns what is wrong with names that must all be among others, or none of them. */
function compareNames(
  expected: readonly string[],
  actual: readonly string[],
  isIn: boolean,
  workspace: VirtualWorkspace,
): Found | null {
  const wrong = expected.filter((name) => actual.includes(name) !== isIn)
  if (wrong.length === 0) return null
  return { expected: wrong, actual, why: explainAll(wrong, workspace) }
}

/** Returns the tools that a request carries. */
export function exposedIn({ tools, additions, removals }: StepPreview): readonly string[] {
  const all = [...tools.map(({ name }) => name), ...additions.map(({ tool }) => tool.name)]
  return [...new Set(all)].filter((name) => !removals.includes(name))
}

function activeIn({ skillManager }: VirtualWorkspace): readonly string[] {
  return skillManager.getActiveSkills().map(({ name }) => name)
}

/** Explains a tool; a skill when no tool has the name. */
function explained(name: string, workspace: VirtualWorkspace) {
  const tool = workspace.explain(name)
  return tool.status === 'unknown' ? workspace.explainSkill(name) : tool
}

function explainAll(names: readonly string[], workspace: VirtualWorkspace): string {
  return names
    .map((name) => {
      const { status, because } = explained(name, workspace)
      const last = because.at(-1)
      return `${name} is ${status}${last === undefined ? '.' : `: #${last.seq} ${last.text}`}`
    })
    .join(' ')
}

/** Returns the code of a refusal, of a command or of a call. */
function toCode(last: StepFacts['last']): string | null {
  if (last === null || last.ok) return null
  if (!('error' in last)) return last.code
  const { code, status } = last.error.details
  return typeof code === 'string' ? code : typeof status === 'string' ? status : null
}

function lastReason(last: StepFacts['last']): string {
  if (last === null) return 'Nothing was called or activated.'
  if (last.ok) return ''
  return 'error' in last ? last.error.message : last.message
}

/** Returns true if a value has all that is expected: of an object its members, of anything else all of it. */
function contains(value: unknown, expected: unknown): boolean {
  if (!isObject(expected) || !isObject(value)) return isDeepStrictEqual(value, expected)
  return Object.entries(expected).every(([key, one]) => contains(value[key], one))
}

/** The lines of a text that are most like the expected ones. */
function nearestLines(text: string, wanted: readonly string[]): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return wanted.flatMap((one) => nearestNames(one, lines, 1))
}
