import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// A workflow engine in one page: each step is a process, and what it returned is saved. The first process of each step
// is killed after its work and before the engine has saved it, so every step is made twice.
const STEP = fileURLToPath(new URL('step.ts', import.meta.url))

interface Step {
  readonly messages: readonly unknown[]
  readonly isDone: boolean
  readonly text: string
  /** Calls that were made again and did not run, in the session so far. */
  readonly retried: number
}

const folder = mkdtempSync(join(tmpdir(), 'loadout-durable-'))
const saved = join(folder, 'messages.json')
writeFileSync(saved, JSON.stringify([{ role: 'user', content: 'Pay orders 7 and 8 back.' }]))

async function runStep(number: number, end: 'killed' | 'saved'): Promise<Step> {
  const child = fork(STEP, [folder, `${number}`], { execArgv: [] })
  const ended = once(child, 'exit')
  const [step] = (await once(child, 'message')) as [Step]
  if (end === 'killed') child.kill('SIGKILL')
  await ended
  if (end === 'saved') writeFileSync(saved, JSON.stringify(step.messages))
  return step
}

let number = 0
let step: Step
do {
  number += 1
  await runStep(number, 'killed')
  step = await runStep(number, 'saved')
  console.log(`step ${number}: ${step.messages.length} messages, ${step.retried} calls recorded`)
} while (!step.isDone)

console.log(step.text)
console.log(`paid: ${readFileSync(join(folder, 'paid.txt'), 'utf8').trim().split('\n').join(', ')}`)
rmSync(folder, { recursive: true })
