import { access } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { stringify } from 'yaml'
import type { Skill } from '../../../../entries/index.ts'
import { sanitiseLine } from '../../../../entries/kit.ts'
import { SCHEMA } from './print-scenario.ts'
import { openScenarioHost } from './test-paths.ts'
import type { CliContext } from '../../shell/cli-context.ts'
import type { ReadingOptions } from '../../shell/opening-options.ts'
import { jsonText } from '../../../report/writers/json-text.ts'
import { paint } from '../../../report/writers/paint.ts'
import { foundSkills } from '../../../project/scenarios/judge-step.ts'
import type { Scenario, ScenarioStep } from '../../../project/scenarios/read-scenario.ts'
import { runScenario, type ScenarioHost } from '../../../project/scenarios/run-scenario.ts'
import { createFiles } from '../../../project/walk/create-files.ts'

/**
 * Writes a first scenario for each skill of the folders into `scenarios`. A file that exists stays. Returns 1 when a scenario
 * does not hold.
 */
export async function initTests(
  folders: readonly string[],
  options: ReadingOptions,
  context: CliContext,
): Promise<0 | 1> {
  const written: {
    readonly file: string
    readonly skill: string
    readonly problems: readonly string[]
  }[] = []
  for (const folder of folders) {
    const host = await openScenarioHost(folder, options, context)
    const files = new Map<string, string>()
    for (const skill of host.catalog.skills.values()) {
      const path = `scenarios/${skill.name}.scenario.yaml`
      const exists = await access(join(folder, path)).then(
        () => true,
        () => false,
      )
      if (exists) continue
      const { scenario, problems } = await firstScenario(skill, host)
      files.set(path, `${SCHEMA}\n${stringify(scenario, { lineWidth: 100 })}`)
      const file = relative(context.cwd, join(folder, path))
      written.push({ file, skill: skill.name, problems })
    }
    await createFiles(folder, files)
  }
  if (options.json === true) context.stdout.write(jsonText(written))
  else {
    const say = (line: string) => context.stdout.write(`${line}\n`)
    for (const { file, problems } of written) {
      say(`${paint('+', 'green', context)} ${sanitiseLine(file)}`)
      for (const one of problems) say(`  ${sanitiseLine(one)}`)
    }
    say(written.length === 0 ? 'Every skill has a scenario.' : '\nRun them: loadout test')
  }
  return written.every(({ problems }) => problems.length === 0) ? 0 : 1
}

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
async function firstScenario(skill: Skill, host: ScenarioHost): Promise<FirstScenario> {
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
  const sentences = `${description} ${whenToUse}`.split(/[.!?](?:\s|$)/u)
  return [...triggers, ...sentences]
    .map((one) => one.replaceAll(/\s+/gu, ' ').trim().slice(0, LONGEST))
    .filter((one) => one !== '')
}
