import { parseArgs } from 'node:util'
import { EXPOSURES, PROVIDERS, type ExposureName, type ProviderName } from 'loadout'

/** What the command line asks for. */
export interface CmsOptions {
  readonly strategies: readonly ExposureName[]
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
    strategies: strategy.map((name) => named(name, EXPOSURES, 'strategy')),
    provider: named(provider, PROVIDERS, 'provider'),
    model: model ?? null,
    json,
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        strategy: { type: 'string', multiple: true, default: ['bridge', 'active'] },
        provider: { type: 'string', default: 'openai' },
        model: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new WrongUsage(error instanceof Error ? error.message : String(error))
  }
}

function named<Name extends string>(
  given: string,
  known: Readonly<Record<Name, unknown>>,
  what: string,
): Name {
  const name = (Object.keys(known) as Name[]).find((one) => one === given)
  if (name !== undefined) return name
  throw new WrongUsage(`No ${what} is named "${given}". Use ${Object.keys(known).join(', ')}.`)
}
