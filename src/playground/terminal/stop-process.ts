import { setTimeout } from 'node:timers/promises'

/** Milliseconds in which a stop takes effect, where there is a shell to go on later. */
const STOPPING_MS = 50

/**
 * Stop this process as the terminal's Ctrl-Z would; resolves when it goes on.
 *
 * `group` stops the whole job, so that a shell that started it through npm gets its prompt back.
 * A process that no shell could continue (in a container, say) is not stopped by the system, and
 * goes on at once.
 */
export async function stopProcess(group: boolean): Promise<void> {
  const listeners = process.listeners('SIGTSTP')
  process.removeAllListeners('SIGTSTP')
  process.kill(group ? 0 : process.pid, 'SIGTSTP')
  await setTimeout(STOPPING_MS)
  for (const listener of listeners) process.on('SIGTSTP', listener)
}
