import { parseArgs } from 'node:util'
import { PROVIDER_FACTS } from 'loadout/adapter'
import type { ProviderName } from 'loadout'
import { SETUPS, type Setup } from './setup.ts'

/** What the command line asks for. */
export interface CmsOptions {
  readonly setups: readonly Setup[]
  readonly provider: ProviderName
  /** Null for the scripted one. */
  readonly model: string | null
  readonly json: boolean
}

/** Wrong usage: the message says what there is. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage'
}

/** Read the arguments. Throws `WrongUsage`. */
export function readOptions(args: readonly string[]): CmsOptions {
  const { strategy, provider, model, json } = parse(args)
  return {
    setups: strategy.map((name) => named(name, SETUPS, 'strategy')),
    provider: named(provider, Object.keys(PROVIDER_FACTS) as ProviderName[], 'provider'),
    model: model ?? null,
    json,
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        strategy: { type: 'string', multiple: true, default: ['everything', 'active', 'bridge'] },
        provider: { type: 'string', default: 'openai' },
        model: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new WrongUsage(error instanceof Error ? error.message : String(error))
  }
}

function named<Name extends string>(given: string, known: readonly Name[], what: string): Name {
  const name = known.find((one) => one === given)
  if (name !== undefined) return name
  throw new WrongUsage(`No ${what} is named "${given}". Use ${known.join(', ')}.`)
}
