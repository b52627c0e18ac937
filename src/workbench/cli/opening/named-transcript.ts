import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { CLIENT_NAMES } from '../../../connections/clients/client-profile.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

/**
 * Returns the file of a log that is given by the name of a client: its last transcript in this folder, or in the nearest
 * folder above. Any other name is returned unchanged, also that of a file that is there.
 */
export async function namedTranscript(
  name: string,
  { cwd, env, home }: Pick<CliContext, 'cwd' | 'env' | 'home'>,
): Promise<string> {
  const client = CLIENT_NAMES.find((one) => one === name)
  if (client === undefined || home === null || existsSync(resolve(cwd, name))) return name
  const { findTranscripts } =
    await import('../../../connections/observed/transcripts/find-transcripts.ts')
  const here = await realpath(cwd)
  const found = (await findTranscripts(client, home, env)).filter(
    // A database has the sessions of all folders.
    ({ project, file }) => `${here}${sep}`.startsWith(`${project}${sep}`) || file.endsWith('.db'),
  )
  const [nearest] = found.toSorted((a, b) => length(b.project) - length(a.project))
  if (nearest !== undefined) return nearest.file
  throw wrongUsage(
    `No session of ${client} in this folder was found.`,
    `List those of other folders with loadout sessions list --of ${client}, and give one as --log <file>.`,
  )
}

function length(project: string | null): number {
  return project?.length ?? 0
}
