import { z } from 'zod'
import { EXPOSURES } from '../../../entries/adapter.ts'
import { ErrorType, type ExposureName } from '../../../entries/index.ts'
import { parseYaml, type YamlNode } from '../../../entries/definitions.ts'

const name = z.string().min(1)
const names = z.array(name)
const values = z.record(z.string(), z.unknown())

const CALL = {
  call: name.describe('The tool that the model calls, by its name in the session.'),
  with: values.optional().describe('The arguments of the call; none when absent.'),
}

const ANSWER = z
  .union([
    z.strictObject({ text: z.string().describe('The text that ends the turn.') }),
    z.strictObject(CALL),
    z.strictObject({ calls: z.array(z.strictObject(CALL)).min(1) }),
  ])
  .describe('One answer of the scripted model: a text, a call, or several calls.')

const STUB = z
  .union([
    z.strictObject({ data: z.unknown() }),
    z.strictObject({
      error: z.strictObject({ type: z.enum(ErrorType), message: z.string() }),
    }),
  ])
  .describe('The result of a tool whose code does not run.')

const EXPECT = z
  .strictObject({
    ok: z.boolean().describe('The last call or activation of the step succeeded.'),
    refused: name.describe('The code of the reason why it was refused.'),
    error: z.enum(ErrorType).describe('The type of its error.'),
    data: z.unknown().describe('Its data: of an object, these members.'),
    calls: z
      .union([names, z.record(z.string(), z.int().min(0))])
      .describe(
        'The tools that were called in the step: all of them in order, or the number of calls of each.',
      ),
    asked: z
      .union([z.boolean(), names])
      .describe('The tools about whose calls a person was asked.'),
    exposed: names.describe('Tools that the next request carries.'),
    'not-exposed': names.describe('Tools that it does not carry.'),
    active: names.describe('Skills that are active.'),
    'not-active': names.describe('Skills that are not active.'),
    found: names.describe('Skills that a search for what the user says has among its first five.'),
    explain: z.record(z.string(), name).describe('The status of tools and skills.'),
    prompt: names.describe('Texts in what the model reads.'),
    'not-prompt': names.describe('Texts that are not in it.'),
    tokens: z
      .int()
      .min(0)
      .describe('The most tokens of the next request, without messages of the host.'),
    kept: z
      .union([z.int().min(0), z.string().regex(/^(?:100|\d{1,2})%$/u)])
      .describe('The fewest tokens of the request before that the next one keeps, or their share.'),
    answer: names.describe('Texts in the last answer of the model.'),
    'not-answer': names.describe('Texts that are not in it.'),
  })
  .partial()

const PEOPLE = {
  approve: names.optional().describe('Patterns of tools whose calls a person approves when asked.'),
  deny: names.optional().describe('Patterns of tools whose calls a person denies when asked.'),
}

const STEP = z.strictObject({
  user: z.string().optional().describe('What the user says: a turn begins.'),
  activate: name.optional().describe('A skill that the user activates.'),
  deactivate: name.optional().describe('A skill that the user deactivates.'),
  note: z
    .strictObject({ paths: names, event: name, holds: z.boolean() })
    .partial()
    .optional()
    .describe('Facts that the host notes: files that were used, an event that holds or ended.'),
  model: z.array(ANSWER).optional().describe('What the model answers, one for each request.'),
  call: CALL.call.optional(),
  with: CALL.with,
  ...PEOPLE,
  expect: EXPECT.optional().describe('What must hold after the step.'),
})

const SCENARIO = z.strictObject({
  $schema: z.string().optional(),
  scenario: z.literal(1).describe('The version of the format.'),
  name: name.describe('What the scenario shows, as a sentence.'),
  project: name
    .optional()
    .describe('The folder of the skills; that of the file, or above "scenarios".'),
  agent: name.optional(),
  mode: name.optional(),
  provider: name.optional().describe('As --provider: anthropic, openai/gpt-5.4, ...'),
  exposure: z.enum(['auto', ...(Object.keys(EXPOSURES) as ExposureName[])]).optional(),
  variables: z.record(z.string(), z.string()).optional().describe('Values for {{ NAME }}.'),
  rules: z
    .strictObject({ deny: names, ask: names, allow: names })
    .partial()
    .optional()
    .describe('Patterns of tools, in addition to the rules of the configuration.'),
  stub: z
    .record(z.string(), z.union([STUB, z.array(STUB).min(1)]))
    .optional()
    .describe(
      'Results instead of the code of tools; of a list, one for each call, the last one again.',
    ),
  ...PEOPLE,
  steps: z.array(STEP).min(1),
})

/** A scenario: a session that is scripted, and what must hold in it. */
export type Scenario = z.infer<typeof SCENARIO>

export type ScenarioStep = Scenario['steps'][number]

export type ScenarioExpectation = NonNullable<ScenarioStep['expect']>

export type ScenarioAnswer = NonNullable<ScenarioStep['model']>[number]

/** Returns what the scripted model answers in a step. `call` is the short form of one answer. */
export function stepAnswers({ model = [], call, with: input }: ScenarioStep) {
  return call === undefined ? model : [...model, { call, with: input }]
}

export type ScenarioStub = z.infer<typeof STUB>

/** A scenario with the lines of its steps, or the faults of its file. */
export type ReadScenario =
  | { readonly ok: true; readonly scenario: Scenario; readonly lines: readonly number[] }
  | { readonly ok: false; readonly faults: readonly ScenarioFault[] }

export interface ScenarioFault {
  readonly line: number
  readonly message: string
}

/** Reads the text of a `*.scenario.yaml`. */
export function readScenario(text: string): ReadScenario {
  const yaml = parseYaml(text)
  if (!yaml.ok) {
    const faults = yaml.problems.map(({ message, place }) => ({ line: place.line, message }))
    return { ok: false, faults }
  }
  const { root } = yaml
  const parsed = SCENARIO.safeParse(root === null ? null : plainValue(root))
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => ({
      line: lineAt(root, path),
      message: path.length === 0 ? message : `${path.join('.')}: ${message}`,
    }))
    return { ok: false, faults }
  }
  const lines = parsed.data.steps.map((_, index) => lineAt(root, ['steps', index]))
  return { ok: true, scenario: parsed.data, lines }
}

/** Returns the JSON Schema of the format, for editors. */
export function scenarioSchema(): Readonly<Record<string, unknown>> {
  return {
    ...z.toJSONSchema(SCENARIO, { io: 'input' }),
    title: 'A scenario of Loadout, version 1',
  }
}

function plainValue(node: YamlNode): unknown {
  switch (node.kind) {
    case 'scalar':
      return typeof node.value === 'bigint' ? Number(node.value) : node.value
    case 'list':
      return node.items.map(plainValue)
    case 'map':
      return Object.fromEntries([...node.entries].map(([key, one]) => [key, plainValue(one.node)]))
  }
}

/** Returns the line of a value; that of the nearest value around it when it is missing. */
function lineAt(root: YamlNode | null, path: readonly PropertyKey[]): number {
  let [node, line] = [root, root?.place.line ?? 1]
  for (const key of path) {
    if (node?.kind === 'map') {
      const entry = node.entries.get(String(key))
      if (entry === undefined) return line
      ;[node, line] = [entry.node, entry.place.line]
    } else if (node?.kind === 'list') {
      const item = node.items[Number(key)]
      if (item === undefined) return line
      ;[node, line] = [item, item.place.line]
    } else return line
  }
  return line
}
