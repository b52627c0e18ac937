import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

/** The variable by which the processes of one run are known, wherever they have gone. */
export const RUN_MARK = 'LOADOUT_SCRIPT_RUN'

/** Looks for processes that come while others are held. */
const MOST_PASSES = 50

/** Between two looks at whether the killed are gone, in milliseconds. */
const DYING_MS = 5

/** Signal every process of a group; one that is gone already is no fault. */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  send(-leader, signal)
}

/**
 * End the processes of a run that left its group. They are stopped first and looked for again, so that
 * none starts others behind our back, and waited for, since the killed take a moment to die. On systems
 * without `/proc` there is no telling, and nothing happens.
 */
export async function endMarked(mark: string): Promise<void> {
  const held = new Set<number>()
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const found = (await markedProcesses(mark)).filter((pid) => !held.has(pid))
    if (found.length === 0) break
    for (const pid of found) {
      held.add(pid)
      send(pid, 'SIGSTOP')
    }
  }
  for (const pid of held) send(pid, 'SIGKILL')
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    if ((await markedProcesses(mark)).length === 0) return
    await delay(DYING_MS)
  }
}

async function markedProcesses(mark: string): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => [])
  const found = await Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => {
        const environment = await readFile(`/proc/${name}/environ`, 'latin1').catch(() => '')
        return environment.includes(`${RUN_MARK}=${mark}`) ? [Number(name)] : []
      }),
  )
  return found.flat()
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}
