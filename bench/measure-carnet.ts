import { Carnet } from '@upstart.gg/carnet'
import { jsonSchema, tool } from 'ai'
import { AGENT, carnetManifest } from './carnet-manifest.ts'
import { figure, type Figure } from './figure.ts'
import { INPUT_SCHEMA, type SkillText } from './generate-skills.ts'
import { takeSamples, type Samples } from './take-samples.ts'

type HostTools = NonNullable<NonNullable<Parameters<Carnet['getTools']>[1]>['tools']>

const ACTIVE = 5

/**
 * Measures the same on Carnet: the constructor, `loadSkill`, `getTools` with the host's tools, as its manual
 * shows, and `getSystemPrompt`. It cannot unload a skill, so each measurement starts a new session.
 */
export async function measureCarnet(texts: readonly SkillText[]): Promise<readonly Figure[]> {
  withoutNpm(process.env)
  const manifest = carnetManifest(texts)
  const tools = toolsOf(texts)
  const made = await takeSamples(() => new Carnet(manifest), { runs: 10 })
  const carnet = new Carnet(manifest)
  const metaTools = carnet.getTools(AGENT)
  const load = (index: number) =>
    metaTools['loadSkill']?.execute?.(
      { skillName: texts[index]?.name },
      { toolCallId: 'bench', messages: [], context: {} },
    )
  const anew = async () => {
    carnet.resetSession(AGENT)
    carnet.getTools(AGENT, { tools })
    for (let index = 0; index < ACTIVE; index += 1) await load(index)
  }
  const getTools = () => carnet.getTools(AGENT, { tools })
  const prompt = () => carnet.getSystemPrompt(AGENT)
  let next = ACTIVE
  const loadNext = () => load((next += 1) % texts.length)

  await anew()
  const { length: count } = texts
  const of = (what: Figure['what'], samples: Samples) => figure('carnet', what, count, samples)
  const runs = 50
  return [
    of('catalog from definitions', made),
    of('load a skill again', await takeSamples(() => load(0), { runs: 1000 })),
    of('tools, unchanged', await takeSamples(getTools, { runs })),
    of('prompt text, unchanged', await takeSamples(prompt, { runs })),
    of(
      'prompt text after a change',
      await takeSamples(prompt, { runs, before: () => anew().then(loadNext) }),
    ),
  ]
}

/** Carnet reads the complete environment for each text. The variables that npm adds are removed first. */
function withoutNpm(environment: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(environment)) {
    if (name.startsWith('npm_')) delete environment[name]
  }
}

/** The host's tools, which Carnet filters at every step. */
function toolsOf(texts: readonly SkillText[]): HostTools {
  const inputSchema = jsonSchema<{ id: string }>(INPUT_SCHEMA)
  return Object.fromEntries(
    texts
      .flatMap(({ tools }) => tools)
      .map(({ name, description }) => [
        name,
        tool({ description, inputSchema, execute: ({ id }) => id }),
      ]),
  )
}
