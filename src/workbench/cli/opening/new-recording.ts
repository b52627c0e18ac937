import { readdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { textHash } from '../../../entries/kit.ts'
import type { CliContext } from '../shell/cli-context.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'
import { stateFolder } from './state-folder.ts'

type Place = Pick<CliContext, 'cwd' | 'env' | 'home'>

/** Returns the file for a new recording of an agent in this folder. */
export async function newRecording(context: Place): Promise<string> {
  const folder = await recordingsFolder(context)
  if (folder === null) {
    throw wrongUsage('There is no home folder for recordings.', 'Give a file: --to agent.jsonl.')
  }
  const name = new Date().toISOString().replaceAll(':', '-').replace('Z', '.jsonl')
  return join(folder, name)
}

/** Returns the last recording of an agent in this folder; null when there is none. */
export async function latestRecording(context: Place): Promise<string | null> {
  const folder = await recordingsFolder(context)
  const names = folder === null ? [] : await readdir(folder).catch(() => [])
  const last = names
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .at(-1)
  return folder === null || last === undefined ? null : join(folder, last)
}

/** Returns the folder of the recordings that were made in a folder. */
async function recordingsFolder({ cwd, ...user }: Place): Promise<string | null> {
  const state = stateFolder(user)
  const place = textHash(await realpath(cwd)).slice(-16)
  return state && join(state, 'recordings', place)
}
