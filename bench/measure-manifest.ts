import { Carnet } from '@upstart.gg/carnet'
import { catalogFromManifest, manifestText, type Manifest } from 'loadout/manifest'
import { VirtualWorkspace } from 'loadout'
import { buildProject } from 'loadout/node'
import { carnetManifest } from './carnet-manifest.ts'
import type { SkillText } from './generate-skills.ts'
import { samplesOf, takeSamples, type Samples } from './take-samples.ts'

/** One thing measured on one engine. */
export interface ManifestFigure extends Samples {
  readonly what: string
  readonly engine: 'loadout' | 'carnet'
  readonly unit: 'ms' | 'bytes'
  readonly target: number | null
}

const counter = await import('gpt-tokenizer/encoding/o200k_base').then(({ countTokens }) => ({
  name: 'o200k_base',
  count: (text: string) => countTokens(text, { disallowedSpecial: new Set() }),
}))

/**
 * Measures the way of a folder of skills to a catalog: read, counted, written, parsed, verified, ready, and
 * the work that is delayed until first use. Calls `report` with its progress.
 */
export async function measureManifest(
  folder: string,
  texts: readonly SkillText[],
  report: (what: string) => void,
): Promise<readonly ManifestFigure[]> {
  const figures: ManifestFigure[] = []
  const put = (
    what: string,
    samples: Samples,
    { unit = 'ms', target = null, engine = 'loadout' }: Partial<ManifestFigure> = {},
  ) => void figures.push({ what, engine, unit, target, ...samples })

  const started = new Map<string, number>()
  const { manifest, missing } = await buildProject([folder], {
    counter,
    trusted: false,
    onProgress: (stage, done, of) => {
      if (!started.has(stage)) started.set(stage, performance.now())
      report(`${stage}${of === undefined ? '' : ` ${done} of ${of}`}`)
    },
  })
  const ended = performance.now()
  if (missing.length > 0) throw new Error(`The build lacks ${missing.length} things.`)
  const at = (stage: string) => started.get(stage) ?? Number.NaN
  put('read the folders', samplesOf([at('count') - at('read')]))
  put('count tokens', samplesOf([at('write') - at('count')]))
  put('convert for providers, hash', samplesOf([ended - at('write')]))

  report('write and parse')
  const text = manifestText(manifest)
  put('write the manifest as text', await takeSamples(() => manifestText(manifest), { runs: 3 }))
  put('size of the manifest', samplesOf([Buffer.byteLength(text)]), { unit: 'bytes' })
  const parse = () => JSON.parse(text) as Manifest
  put('parse the manifest', await takeSamples(parse, { runs: 5 }))

  report('load')
  const parsed = parse()
  const ready = (from: Manifest) => catalogFromManifest(from, { verify: false })
  put('parsed manifest to ready', await takeSamples(() => ready(parsed), { runs: 50 }), {
    target: 15,
  })
  const carnet = carnetManifest(texts)
  put('parsed manifest to ready', await takeSamples(() => new Carnet(carnet), { runs: 10 }), {
    engine: 'carnet',
  })
  put('and a first session with a first skill', await afterwards(parse, ready, firstSkill))
  put('and every definition, at once', await afterwards(parse, ready, everything))
  report('verify')
  const fresh = parse()
  put('verify every hash', await takeSamples(() => catalogFromManifest(fresh), { runs: 2 }))
  return figures
}

type Ready = (manifest: Manifest) => ReturnType<typeof catalogFromManifest>

/** Milliseconds from a parsed manifest until an operation on its catalog is done. */
async function afterwards(
  parse: () => Manifest,
  ready: Ready,
  use: (catalog: Awaited<ReturnType<Ready>>) => unknown,
): Promise<Samples> {
  const times: number[] = []
  for (let run = -2; run < 5; run += 1) {
    const manifest = parse()
    const start = performance.now()
    await use(await ready(manifest))
    if (run >= 0) times.push(performance.now() - start)
  }
  return samplesOf(times)
}

async function firstSkill(catalog: Awaited<ReturnType<Ready>>): Promise<void> {
  const workspace = await VirtualWorkspace.open({ catalog, tokenCounter: counter })
  const [name = ''] = catalog.skills.keys()
  const { ok } = await workspace.activateSkill(name)
  if (!ok || workspace.getAvailableTools().length === 0) throw new Error('It was not activated.')
}

function everything({ skillTools, toolsByHash, bringers }: Awaited<ReturnType<Ready>>): number {
  return [...skillTools.values()].length + [...toolsByHash.values()].length + bringers.size
}
