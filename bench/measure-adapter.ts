import {
  dynamicTool,
  generateText,
  isStepCount,
  jsonSchema,
  type LanguageModel,
  type ToolSet,
} from 'ai'
import { createCatalog, defineAgent, VirtualWorkspace, type Tool } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { z } from 'zod'
import { generateSkills, loadoutSkills } from './generate-skills.ts'
import { samplesOf, type Samples } from './take-samples.ts'

/** The times of one step, by the form in which the SDK receives the tools. */
export interface AdapterFigure {
  readonly skills: number
  readonly tools: number
  readonly way: 'adapter' | 'plain, JSON Schemas' | 'plain, zod schemas'
  readonly samples: Samples
}

/** Steps of one run. The first begins a turn; each but the last calls a tool. */
const STEPS = 11
const RUNS = 300
const ACTIVE = 13

/**
 * Times a step of `generateText` with a model that answers at once, through the adapter and with the same
 * tools as a plain object. The variants take turns, so that a busy machine slows all of them.
 */
export async function measureAdapter(count: number): Promise<readonly AdapterFigure[]> {
  const skills = loadoutSkills(generateSkills(count))
  const agents = [defineAgent({ name: 'clerk', prompt: 'You help the clerks.' })]
  const catalog = await createCatalog({ skills, agents })
  const workspace = await VirtualWorkspace.open({ catalog, agent: 'clerk' })
  for (const { name } of skills.slice(0, ACTIVE)) await workspace.activateSkill(name)
  const tools = workspace.getAvailableTools()
  const called = tools.find(
    ({ execute, name }) => execute !== undefined && name.startsWith('find_'),
  )
  if (called === undefined) throw new Error('There is no tool to call.')
  const { instructions } = workspace.prompt()
  const settings = forAiSdk(workspace)
  const asJson = plain(tools, ({ inputSchema }) => jsonSchema(inputSchema))
  const asZod = plain(tools, zodSchema)
  const ways = {
    adapter: () => run(called.name, { ...settings }),
    'plain, JSON Schemas': () => run(called.name, { tools: asJson, instructions }),
    'plain, zod schemas': () => run(called.name, { tools: asZod, instructions }),
  }
  const taken = new Map<string, number[]>()
  for (let round = -30; round < RUNS; round += 1) {
    for (const [way, once] of Object.entries(ways)) {
      const start = performance.now()
      await once()
      const values = taken.get(way) ?? []
      if (round >= 0) values.push((performance.now() - start) / STEPS)
      taken.set(way, values)
    }
  }
  await workspace.close()
  return [...taken].map(([way, values]) => ({
    skills: count,
    tools: tools.length,
    way: way as AdapterFigure['way'],
    samples: samplesOf(values),
  }))
}

type Given = Pick<Parameters<typeof generateText>[0], 'tools' | 'instructions' | 'prepareStep'>

async function run(tool: string, given: Given): Promise<void> {
  const stopWhen = isStepCount(STEPS)
  const { steps } = await generateText({
    ...given,
    model: mock(tool),
    prompt: 'Find it.',
    stopWhen,
  })
  if (steps.length !== STEPS) throw new Error(`The run had ${steps.length} steps.`)
}

function plain(
  tools: readonly Tool[],
  schema: (tool: Tool) => ReturnType<typeof jsonSchema> | z.ZodType,
): ToolSet {
  return Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      dynamicTool({
        description: tool.description,
        inputSchema: schema(tool),
        execute: () => Promise.resolve({ found: 1 }),
      }),
    ]),
  )
}

/** The schema of `generate-skills.ts` in the form that most people write. */
function zodSchema(): z.ZodType {
  return z.object({
    id: z.string().describe('Id of the record.'),
    limit: z.int().min(1).max(100).optional().describe('How many at most.'),
  })
}

/** A model that calls one tool at every step but the last. */
function mock(toolName: string): LanguageModel {
  let step = 0
  return {
    specificationVersion: 'v4',
    provider: 'mock',
    modelId: 'mock',
    supportedUrls: {},
    doGenerate: async () => {
      step += 1
      const isLast = step === STEPS
      return {
        content: [
          isLast
            ? { type: 'text' as const, text: 'Found.' }
            : { type: 'tool-call' as const, toolCallId: `c${step}`, toolName, input: '{"id":"7"}' },
        ],
        finishReason: {
          unified: isLast ? ('stop' as const) : ('tool-calls' as const),
          raw: undefined,
        },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 1, text: 1, reasoning: 0 },
        },
        warnings: [],
      }
    },
    doStream: () => Promise.reject(new Error('This model does not stream.')),
  }
}
