import type { Skill } from '../../../entries/index.ts'
import { foundSkills } from './judge-step.ts'
import type { Scenario, ScenarioStep } from './read-scenario.ts'
import { runScenario, type ScenarioHost } from './run-scenario.ts'

/** The first scenario of a skill, and what does not hold in it. */
interface FirstScenario {
  readonly scenario: Scenario
  /** Sentences for people. */
  readonly problems: readonly string[]
}

/** Characters of a description that a person would say. */
const LONGEST = 200

/** Tokens to which a price is rounded up, so that a changed word is no failure. */
const ROUND = 100

/**
 * Makes a scenario that says of a skill that it is found by words of its own, is loaded, and how many tokens the next
 * request then has at most. Of a skill that no model may load, a person activates it.
 */
export async function firstScenario(skill: Skill, host: ScenarioHost): Promise<FirstScenario> {
  const { name, disableModelInvocation } = skill
  const problems: string[] = []
  const after: ScenarioStep[] = []
  if (disableModelInvocation !== true) {
    const said = phrases(skill)
    let user = said[0] ?? name
    let isFound = false
    for (const phrase of said) {
      isFound = (await foundSkills(phrase, host.catalog)).includes(name)
      if (isFound) user = phrase
      if (isFound) break
    }
    if (!isFound) problems.push('A search for its own words finds five other skills first.')
    const model = [{ call: 'loadSkill', with: { skillName: name } }, { text: 'Done.' }]
    const expect = { ...(isFound && { found: [name] }), active: [name] }
    after.push({ deactivate: name }, { user, model, expect })
  }
  const scenario = (tokens: number): Scenario => ({
    scenario: 1,
    name: `${name} is ${problems.length === 0 && after.length > 0 ? 'found, ' : ''}loaded, and costs at most ${tokens} tokens`,
    // First, because what a model has loaded is in its messages, which have no price here.
    steps: [{ activate: name, expect: { active: [name], tokens } }, ...after],
  })
  const { steps } = await runScenario(scenario(0), host)
  const unmet = steps.flatMap((one) => one.unmet)
  const tokens = unmet.find(({ expectation }) => expectation === 'tokens')?.actual
  const others = unmet.filter(({ expectation }) => expectation !== 'tokens')
  problems.push(...others.map(({ expectation, why }) => `${expectation}: ${why}`))
  return { scenario: scenario(Math.ceil(Number(tokens) / ROUND) * ROUND), problems }
}

/** Returns what a person may say for a skill: its triggers, then sentences of its description. */
function phrases({ triggers, whenToUse, description }: Skill): readonly string[] {
  const sentences = `${description} ${whenToUse}`.split(/(?<=[.!?])\s/u)
  return [...triggers, ...sentences]
    .map((one) => one.replaceAll(/\s+/gu, ' ').trim().slice(0, LONGEST))
    .filter((one) => one !== '')
}
