import type { GivenProvider } from '../../../entries/adapter.ts'
import { sanitiseLine } from '../../../entries/kit.ts'
import type { SkillPlan } from '../../../entries/plan.ts'
import { openSession } from '../opening/open-session.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { jsonText } from '../../report/writers/json-text.ts'
import {
  exposureOption,
  type OpeningOptions,
  openingOptions,
  repeatable,
} from '../shell/opening-options.ts'
import { paint } from '../../report/writers/paint.ts'
import { writeTable } from '../../report/writers/print-report.ts'

/** Left out of the usual options: activations are what is compared, and several providers may be given. */
const OWN_OPTIONS: ReadonlySet<string | undefined> = new Set([
  '--activate',
  '--provider',
  '--exposure',
])

/** `loadout price`: compare what it costs to give a model the tools of skills in each way. */
export const priceCommand: CliCommand<
  Omit<OpeningOptions, 'provider'> & { readonly provider?: readonly GivenProvider[] }
> = {
  name: 'price',
  summary: 'Compare the ways of giving a model its tools, and say which one pays',
  description:
    'Compare what a session costs when all tools are in every request, when skills are activated at the start, when the model loads them, and when it searches for tools. Prices are tokens at the full input price, with the cache of the provider. Sessions are played in memory: no model and no handler runs. With --log or --session, that session is played again; otherwise a usual one.',
  arguments: '[paths...]',
  options: () => [
    ...openingOptions().filter(({ long }) => !OWN_OPTIONS.has(long)),
    repeatable(
      '--provider <name>',
      'anthropic, openai, google or compatible, with a model after a slash (repeatable; default: all)',
    ),
    exposureOption('Send tools in this way (default: the cheapest)'),
  ],
  examples: [
    'loadout price examples/workbench --agent assistant',
    'loadout price examples/workbench --provider anthropic/claude-opus-4-8 --json',
    'loadout price examples/workbench --log run.sqlite --session latest',
  ],
  async run({ words, options: { provider: given, ...options }, context }) {
    const {
      project,
      workspace,
      counter,
      options: opened,
    } = await openSession(words, options, context)
    const [{ planSkills, traceSession }, { PROVIDER_FACTS }] = await Promise.all([
      import('../../../entries/plan.ts'),
      import('../../../entries/adapter.ts'),
    ])
    const isStored = options.log !== undefined || options.session !== undefined
    const entries = isStored ? await workspace.entries() : []
    const trace = traceSession(entries.slice(0, workspace.state.seq + 1))
    const exposure = options.exposure ?? opened.exposure
    const all = Object.keys(PROVIDER_FACTS) as (keyof typeof PROVIDER_FACTS)[]
    const providers = given ?? (opened.provider === undefined ? all : [opened.provider])
    const plans: PriceReport[] = []
    for (const provider of providers) {
      const plan = await planSkills(project.catalog, {
        provider,
        tokenCounter: counter,
        ...(workspace.agent && { agent: workspace.agent }),
        ...(exposure && { exposure }),
        ...(isStored && { traces: [trace] }),
      })
      plans.push({ provider: typeof provider === 'string' ? provider : provider.name, ...plan })
    }
    const [first] = plans
    if (options.json) context.stdout.write(jsonText(plans))
    else if (first?.tools === 0) context.stdout.write(`${first.advice}\n`)
    else await writePlans(plans, context)
    return 0
  },
}

/** An element of `price --json`: the plan for one provider. */
interface PriceReport extends SkillPlan {
  readonly provider: string
}

async function writePlans(plans: readonly PriceReport[], context: CliContext): Promise<void> {
  const { formatCount } = await import('../../../entries/plan.ts')
  for (const { provider, advice, ways, unreached } of plans) {
    context.stdout.write(`${paint(sanitiseLine(provider), 'bold', context)}\n`)
    writeTable(
      ['price', 'tokens', 'requests', 'first', 'exposure', 'way'],
      ways.map(({ way, price, tokens, requests, firstRequest, exposure }) => {
        const counts = [price, tokens, requests, firstRequest].map(formatCount)
        return [...counts, exposure, way]
      }),
      context,
    )
    context.stdout.write(`${sanitiseLine(advice)}\n`)
    if (unreached.length > 0) {
      const names = unreached.map(sanitiseLine).join(', ')
      context.stdout.write(`${paint('note', 'yellow', context)}: not in the catalog: ${names}\n`)
    }
    if (plans.at(-1)?.provider !== provider) context.stdout.write('\n')
  }
}
