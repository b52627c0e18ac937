import type { Catalog } from '../../../entries/index.ts'
import { FIRST, foundSkills } from './judge-step.ts'
import { evalScenario, type SkillEval, type SkillEvals } from './read-evals.ts'
import type { ScenarioHost } from './run-scenario.ts'
import { repeatScenario, type RunSettings, type TestedScenario } from './test-scenario.ts'

/** An eval of a skill after it was tested. */
export interface TestedEval extends Omit<TestedScenario, 'ok' | 'name'> {
  readonly name: string
  /** Null when it was not judged. */
  readonly ok: boolean | null
  /** The way in which it was judged, or the reason why it was not. */
  readonly note: string
}

/**
 * Tests the evals of a skill. A real model answers the prompts. Without one, a prompt that should activate the skill is
 * searched for, where there are more skills than a search offers first; nothing else can be judged. Expectations in
 * prose are never judged, so an eval that has some does not pass.
 */
export async function testEvals(
  { evals }: SkillEvals,
  skill: string,
  host: ScenarioHost,
  settings: RunSettings,
  isWanted: (name: string) => boolean,
): Promise<readonly TestedEval[]> {
  const tested: TestedEval[] = []
  for (const one of evals) {
    const name = `${skill}: ${one.id}`
    if (!isWanted(name)) continue
    const verdict =
      settings.model === null
        ? await judgeBySearch(one, skill, host.catalog)
        : await judgeByModel(one, skill, host, settings)
    tested.push({ name, faults: [], steps: [], ...verdict })
  }
  return tested
}

type Verdict = Pick<TestedEval, 'ok' | 'note'> & Partial<TestedEval>

async function judgeBySearch(
  { prompt, triggers }: SkillEval,
  skill: string,
  catalog: Catalog,
): Promise<Verdict> {
  if (triggers !== true) {
    return notJudged(
      triggers === null ? NEEDS_ANSWER : 'Whether a skill stays inactive needs --model.',
    )
  }
  if (catalog.skills.size <= FIRST) {
    return notJudged(`Among ${catalog.skills.size} skills, a search finds each. It needs --model.`)
  }
  const found = await foundSkills(prompt, catalog)
  const rank = found.indexOf(skill)
  const others = found.length === 0 ? 'nothing' : found.join(', ')
  const note =
    rank >= 0
      ? `The search has it at rank ${rank + 1} of ${catalog.skills.size} skills.`
      : `The search has ${others} before it, of ${catalog.skills.size} skills.`
  return { ok: rank >= 0, note }
}

const NEEDS_ANSWER = 'The answer of a model is judged: it needs --model.'

async function judgeByModel(
  one: SkillEval,
  skill: string,
  host: ScenarioHost,
  settings: RunSettings,
): Promise<Verdict> {
  const scenario = evalScenario(one, skill)
  if (scenario === null) {
    return notJudged(one.files > 0 ? 'The prompt needs files.' : inProse(one))
  }
  const { ok, faults, steps, runs } = await repeatScenario(scenario, async () => host, settings)
  const placed = steps.map((step) => ({ ...step, line: 1 }))
  const shown = { faults, steps: placed, ...(runs && { runs }) }
  if (!ok || one.prose === 0) return { ok, note: '', ...shown }
  return { ...notJudged(`What can be compared holds. ${inProse(one)}`), ...shown }
}

function inProse({ prose }: SkillEval): string {
  return `${prose} ${prose === 1 ? 'expectation is' : 'expectations are'} prose.`
}

function notJudged(note: string): Verdict {
  return { ok: null, note }
}
