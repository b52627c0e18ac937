import { isObject, tryOrUndefined } from '../../../entries/kit.ts'
import type { Scenario } from './read-scenario.ts'

/** One eval of a skill, of any of the formats in which skills bring them. */
export interface SkillEval {
  /** Its name or number, for people. */
  readonly id: string
  readonly prompt: string
  /** True when the prompt should activate the skill, false when it should not; null when the eval does not say. */
  readonly triggers: boolean | null
  /** Texts that the answer must have. */
  readonly contains: readonly string[]
  /** Texts that it must not have. */
  readonly lacks: readonly string[]
  /** The number of expectations in prose: only a person or a model can judge them. */
  readonly prose: number
  /** The number of files that the prompt needs. */
  readonly files: number
}

/** The evals of a file. */
export interface SkillEvals {
  /** The skill that the file names; null when it names none. */
  readonly skill: string | null
  readonly evals: readonly SkillEval[]
}

type Json = Readonly<Record<string, unknown>>

/**
 * Reads a JSON file next to a skill; null for one that has no evals. Known are `evals.json` (`evals` with `assertions` or
 * `expectations`), trigger sets (a list of `query` and `should_trigger`, also under `queries` or `evals`, or the lists
 * `should_trigger` and `should_not_trigger`), and files with one `query` and its `expected_behavior`.
 */
export function readEvals(text: string): SkillEvals | null {
  const read = tryOrUndefined((): unknown => JSON.parse(text.replace(/^\uFEFF/u, '')))
  if (Array.isArray(read)) return parseEvals(null, read)
  if (!isObject(read)) return null
  const skill = textIn(read, ['skill_name', 'skill']) ?? null
  const list = [read['evals'], read['queries'], read['cases']].find((one) => Array.isArray(one))
  if (list !== undefined) return parseEvals(skill, list as readonly unknown[])
  const keywords = [
    ...keywordEvals(read['should_trigger'], true),
    ...keywordEvals(read['should_not_trigger'], false),
  ]
  if (keywords.length > 0) return parseEvals(skill, keywords)
  // Skills of this form name the skill in other words than its folder.
  return 'expected_behavior' in read ? parseEvals(skill, [read]) : null
}

function keywordEvals(list: unknown, triggers: boolean): readonly Json[] {
  const words = Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
  return words.map((query) => ({ query, should_trigger: triggers }))
}

function parseEvals(skill: string | null, list: readonly unknown[]): SkillEvals | null {
  const evals = list.flatMap((one, index) => (isObject(one) ? parseEval(one, index) : []))
  return evals.length === 0 ? null : { skill, evals }
}

function parseEval(one: Json, index: number): readonly SkillEval[] {
  const prompt = textIn(one, ['prompt', 'query', 'input'])
  const triggers = one['should_trigger']
  const expectations = ['assertions', 'expectations', 'expected_behavior', 'success_criteria']
    .flatMap((name) => one[name])
    .filter((value) => value !== undefined)
  const expected = one['expected_output']
  const isEval = typeof triggers === 'boolean' || expectations.length > 0 || expected !== undefined
  if (prompt === undefined || !isEval) return []
  const checks = expectations.map(parseCheck)
  const prose = checks.filter((check) => check === null).length
  return [
    {
      id: textIn(one, ['name']) ?? `${String(one['id'] ?? index + 1)} ${beginning(prompt)}`,
      prompt,
      triggers: typeof triggers === 'boolean' ? triggers : null,
      contains: checks.flatMap((check) => (check?.type === 'contains' ? check.texts : [])),
      lacks: checks.flatMap((check) => (check?.type === 'not_contains' ? check.texts : [])),
      prose: prose > 0 || expectations.length > 0 || expected === undefined ? prose : 1,
      files: Array.isArray(one['files']) ? one['files'].length : 0,
    },
  ]
}

interface Check {
  readonly type: 'contains' | 'not_contains'
  readonly texts: readonly string[]
}

/** Returns null for everything that is not a plain comparison of texts. */
function parseCheck(expectation: unknown): Check | null {
  if (!isObject(expectation)) return null
  const {
    type,
    value,
    text,
    weight: _weight,
    name: _name,
    id: _id,
    description: _,
    ...others
  } = expectation as Json
  if (type !== 'contains' && type !== 'not_contains') return null
  // A member that is not known may change the meaning.
  if (Object.keys(others).length > 0) return null
  const texts = [value ?? text].flat()
  return texts.length > 0 && texts.every((one) => typeof one === 'string') ? { type, texts } : null
}

function textIn(one: Json, names: readonly string[]): string | undefined {
  return names
    .map((name) => one[name])
    .find((value) => typeof value === 'string' && value !== '') as string | undefined
}

/**
 * Returns the scenario of an eval: its prompt is a turn, with the skill active unless the eval is about its activation.
 * Null when only a person can judge the answer, or when the prompt needs files.
 */
export function evalScenario(
  { id, prompt, triggers, contains, lacks, files }: SkillEval,
  skill: string,
): Scenario | null {
  if (files > 0 || (triggers === null && contains.length + lacks.length === 0)) return null
  const expect = {
    ...(triggers === true && { active: [skill] }),
    ...(triggers === false && { 'not-active': [skill] }),
    ...(contains.length > 0 && { answer: [...contains] }),
    ...(lacks.length > 0 && { 'not-answer': [...lacks] }),
  }
  const given = triggers === null ? [{ activate: skill }] : []
  return { scenario: 1, name: `${skill}: ${id}`, steps: [...given, { user: prompt, expect }] }
}

/** The beginning of a prompt, in one line, for the name of an eval without one. */
function beginning(prompt: string): string {
  const line = prompt.replaceAll(/\s+/gu, ' ').trim()
  return line.length <= 60 ? line : `${line.slice(0, 60).toWellFormed()}…`
}
