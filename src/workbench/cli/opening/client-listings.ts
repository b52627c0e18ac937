import { resolve } from 'node:path'
import { InvalidArgumentError, Option } from 'commander'
import { CLIENT_NAMES, type ClientName } from '../../../connections/clients/client-profile.ts'
import type { ClientListing } from '../../../connections/clients/list-as-client.ts'
import { sanitiseLine } from '../../../entries/kit.ts'
import type { CliContext } from '../shell/cli-context.ts'

/** Clients that were typed: `all`, or names, each with a version. */
export interface AskedClients {
  readonly isAll: boolean
  readonly clients: readonly { readonly client: ClientName; readonly version: string | null }[]
}

/** Options of the commands that look with the eyes of other clients. */
export interface AsClientOptions {
  readonly as?: AskedClients
  readonly window?: number
  readonly model?: string
}

export function asClientOptions(): readonly Option[] {
  return [
    new Option(
      '--as <client>',
      `Say what these clients list: ${CLIENT_NAMES.join(', ')} or all`,
    ).argParser(askedClients),
    new Option('--window <tokens>', "With --as: the model's window, such as 200k").argParser(
      tokens,
    ),
    new Option('--model <name>', 'With --as: the name of the model'),
  ]
}

/** Reads a list of clients. Throws for a name that no profile has. */
export function askedClients(text: string): AskedClients {
  if (text === 'all') {
    return { isAll: true, clients: CLIENT_NAMES.map((client) => ({ client, version: null })) }
  }
  const clients = text.split(',').map((word) => {
    const [name = '', version = null] = word.trim().split('@')
    const client = CLIENT_NAMES.find((one) => one === name)
    if (client !== undefined) return { client, version }
    throw new InvalidArgumentError(`The clients are ${CLIENT_NAMES.join(', ')}, and all.`)
  })
  return { isAll: clients.length > 1, clients }
}

function tokens(text: string): number {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)(k|M)?$/.exec(text) ?? []
  const count = Number(digits) * (unit === 'k' ? 1000 : unit === 'M' ? 1_000_000 : 1)
  if (digits === undefined || count < 1 || !Number.isSafeInteger(count)) {
    throw new InvalidArgumentError('Give a number of tokens, such as 200k or 1M.')
  }
  return count
}

/** Returns what each client would show from a folder, and says on stderr where a profile is of another version. */
export async function clientListings(
  folder: string | undefined,
  { clients }: AskedClients,
  { window, model }: AsClientOptions,
  context: CliContext,
): Promise<readonly ClientListing[]> {
  const { listAsClient } = await import('../../../connections/clients/list-as-client.ts')
  const { cwd, home } = context
  return Promise.all(
    clients.map(async ({ client, version }) => {
      const listing = await listAsClient({
        folder: resolve(cwd, folder ?? '.'),
        home,
        client,
        ...(window !== undefined && { window }),
        ...(model !== undefined && { model }),
      })
      const isChecked = version === null || `${listing.version}.`.startsWith(`${version}.`)
      if (!isChecked) {
        const text = `The rules of ${listing.title} were checked with ${listing.version}; ${version} may differ.`
        context.stderr.write(`${sanitiseLine(text)}\n`)
      }
      return listing
    }),
  )
}
