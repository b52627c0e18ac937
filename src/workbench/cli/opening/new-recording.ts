import { readdir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { textHash } from '../../../entries/kit.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'

/**
 * Returns the file for a new recording of an agent in a folder.
 *
 * @param state the folder for what programs keep of a user; null when there is none
 */
export async function newRecording(cwd: string, state: string | null): Promise<string> {
  if (state === null) {
    throw wrongUsage('There is no home folder for recordings.', 'Give a file: --to agent.jsonl.')
  }
  const time = new Date().toISOString().replaceAll(':', '-').replace('Z', '')
  return join(await recordingsFolder(cwd, state), `${time}-${process.pid}.jsonl`)
}

/** Returns the last recording of a folder whose process is running, which may have no request yet; null without one. */
export async function runningRecording(cwd: string, state: string | null): Promise<string | null> {
  const files = await recordingsIn(cwd, state)
  const isRunning = (file: string) => {
    const [, pid] = /-(\d+)\.jsonl$/.exec(file) ?? []
    if (pid === undefined) return false
    try {
      // Sends nothing.
      return process.kill(Number(pid), 0)
    } catch {
      return false
    }
  }
  return files.find(isRunning) ?? null
}

/** Returns the last recording of an agent in a folder; null when there is none. */
export async function latestRecording(cwd: string, state: string | null): Promise<string | null> {
  for (const file of await recordingsIn(cwd, state)) {
    // One that was started just now, or whose process was killed, may have nothing.
    const { size } = await stat(file).catch(() => ({ size: 0 }))
    if (size > 0) return file
  }
  return null
}

/** Lists the recordings of an agent in a folder, the last one first. */
export async function recordingsIn(cwd: string, state: string | null): Promise<readonly string[]> {
  if (state === null) return []
  const folder = await recordingsFolder(cwd, state)
  const names = await readdir(folder).catch(() => [])
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .toReversed()
    .map((name) => join(folder, name))
}

/** Returns the folder of the recordings that were made in a folder. */
async function recordingsFolder(cwd: string, state: string): Promise<string> {
  return join(state, 'recordings', textHash(await realpath(cwd)).slice(-16))
}
