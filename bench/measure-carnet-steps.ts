import { Carnet as PublishedCarnet } from '@upstart.gg/carnet'
import { generateText, jsonSchema, tool, type ToolSet } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { Carnet, type Manifest } from 'loadout/carnet'
import { AGENT, carnetManifest } from './carnet-manifest.ts'
import { generateSkills, INPUT_SCHEMA } from './generate-skills.ts'
import { samplesOf, type Samples } from './take-samples.ts'

/** One thing measured with one number of entities, for one variant. */
export interface CarnetFigure {
  readonly what: string
  readonly way: 'loadout' | 'carnet' | 'plain object'
  readonly entities: number
  readonly samples: Samples & { readonly least: number }
}

type Ways<T = void> = Partial<Record<CarnetFigure['way'], (given: T) => unknown>>

/**
 * Measures the class when a process starts, and a step with its tools, for this library, Carnet and a plain
 * object.
 */
export async function measureCarnetSteps(entities: number): Promise<readonly CarnetFigure[]> {
  const json = JSON.stringify(carnetManifest(generateSkills(entities)))
  const parsed = () => JSON.parse(json) as Manifest
  const tools = hostTools(entities)
  const manifest = { ...parsed(), ...oneToolset(Object.keys(tools)) }
  const carnet = new Carnet(manifest)
  const published = new PublishedCarnet(manifest)
  const plain: ToolSet = carnet.getTools('all', { tools })
  published.getTools('all', { tools })
  const of = async <T>(what: string, ways: Ways<T>, runs: number, given: () => T) =>
    (await inTurns(ways, runs, given)).map((one) => ({ what, entities, ...one }))
  return [
    ...(await of(
      'from the parsed manifest to the instance',
      { loadout: (given) => new Carnet(given), carnet: (given) => new PublishedCarnet(given) },
      15,
      parsed,
    )),
    ...(await of(
      'the same, and the first getTools',
      {
        loadout: (given) => new Carnet(given).getTools(AGENT),
        carnet: (given) => new PublishedCarnet(given).getTools(AGENT),
      },
      15,
      parsed,
    )),
    ...(await of(
      'getTools',
      {
        loadout: () => carnet.getTools('all', { tools }),
        carnet: () => published.getTools('all', { tools }),
      },
      100,
      none,
    )),
    ...(await of(
      'a step, five skills loaded',
      await withFiveLoaded(parsed(), entities),
      200,
      none,
    )),
    ...(await of(
      'a step, all of them tools of one loaded skill',
      {
        loadout: () => step(carnet.getTools('all', { tools })),
        carnet: () => step(published.getTools('all', { tools })),
        'plain object': () => step(plain),
      },
      60,
      none,
    )),
  ]
}

const none = (): undefined => undefined

/**
 * Returns a catalog with a number of skills; the host gives all their tools, and those of five of them are
 * sent.
 */
async function withFiveLoaded(manifest: Manifest, skills: number): Promise<Ways<undefined>> {
  const names = Object.keys(manifest.skills).slice(0, 5)
  const tools = Object.fromEntries(
    Object.keys(manifest.tools).map((name) => [name, hostTool(name)]),
  )
  const [ours, theirs] = [new Carnet(manifest), new PublishedCarnet(manifest)]
  for (const one of [ours, theirs]) {
    for (const name of names) one._updateSessionOnSkillLoad(AGENT, name)
  }
  const plain = ours.getTools(AGENT, { tools })
  if (Object.keys(plain).length !== 17) throw new Error(`Of ${skills} skills the wrong are loaded.`)
  return {
    loadout: () => step(ours.getTools(AGENT, { tools })),
    carnet: () => step(theirs.getTools(AGENT, { tools })),
    'plain object': () => step(plain),
  }
}

/** The variants take turns, so that a busy machine slows all of them. Parsing the JSON is not measured. */
async function inTurns<T>(
  ways: Ways<T>,
  runs: number,
  given: () => T,
): Promise<Pick<CarnetFigure, 'way' | 'samples'>[]> {
  const taken = new Map<string, number[]>()
  for (let round = -5; round < runs; round += 1) {
    for (const [way, once] of Object.entries(ways)) {
      const input = given()
      const start = performance.now()
      await once(input)
      const values = taken.get(way) ?? []
      if (round >= 0) values.push(performance.now() - start)
      taken.set(way, values)
    }
  }
  return [...taken].map(([way, values]) => ({
    way: way as CarnetFigure['way'],
    samples: { ...samplesOf(values), least: Number(Math.min(...values).toPrecision(4)) },
  }))
}

/** An agent whose one skill brings every tool. */
function oneToolset(tools: string[]) {
  const agent = { description: 'Has all.', initialSkills: ['all'], skills: [], prompt: 'You help.' }
  return {
    agents: { all: { name: 'all', ...agent }, [AGENT]: { name: AGENT, ...agent } },
    skills: {
      all: { name: 'all', description: 'All.', toolsets: ['all'], files: [], content: 'All.' },
    },
    toolsets: { all: { name: 'all', description: 'All.', tools, content: 'All.' } },
  }
}

function hostTools(count: number) {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`tool_${index}`, hostTool(`${index}`)]),
  )
}

const inputSchema = jsonSchema<{ id: string }>(INPUT_SCHEMA)

function hostTool(name: string) {
  return tool({ description: `Does ${name}.`, inputSchema, execute: ({ id }) => id })
}

async function step(tools: ToolSet): Promise<void> {
  await generateText({ model: MODEL, tools, prompt: 'Do it.' })
}

const MODEL = new MockLanguageModelV4({
  doGenerate: async () => ({
    content: [{ type: 'text', text: 'Done.' }],
    finishReason: { unified: 'stop', raw: undefined },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
    warnings: [],
  }),
})
