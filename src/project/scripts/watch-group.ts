import { spawn } from 'node:child_process'

/** Waits for the end of its input, which comes when this process dies, however it does. */
const WATCH = 'read -r _; kill -KILL -"$1"'

/**
 * Let a process group end with this process, also when it is killed: a script is in a session of its own, so
 * that no signal of a terminal reaches it. Returns what ends the watch.
 */
export function watchGroup(leader: number): () => void {
  const watch = spawn('/bin/sh', ['-c', WATCH, 'sh', String(leader)], {
    detached: true,
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // A system without a shell goes without a watch.
  watch.on('error', () => undefined)
  watch.stdin.on('error', () => undefined)
  return () => {
    watch.kill('SIGKILL')
  }
}
