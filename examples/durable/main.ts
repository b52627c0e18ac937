import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Makes one turn of an agent, and starts its process again whenever that dies: after each step, before it is saved.
const TURN = fileURLToPath(new URL('turn.ts', import.meta.url))

interface Turn {
  readonly text: string
  readonly steps: number
}

const folder = mkdtempSync(join(tmpdir(), 'loadout-durable-'))

/** Runs a process to its end, and returns the turn that it completed; undefined when it died. */
async function run(): Promise<Turn | undefined> {
  const child = fork(TURN, [folder], { execArgv: [] })
  const ended = once(child, 'exit')
  const [turn] = (await Promise.race([once(child, 'message'), ended])) as [Turn | null]
  await ended
  return typeof turn === 'object' ? (turn ?? undefined) : undefined
}

let turn = await run()
let processes = 1
for (; turn === undefined; processes += 1) turn = await run()

console.log(`${turn.steps} steps, ${processes} processes`)
console.log(turn.text)
console.log(`paid: ${readFileSync(join(folder, 'paid.txt'), 'utf8').trim().split('\n').join(', ')}`)
rmSync(folder, { recursive: true })
