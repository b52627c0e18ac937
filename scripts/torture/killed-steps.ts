import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { openSqliteLog } from '../../src/connections/logs/sqlite/open-sqlite-log.ts'
import { createDice, type Dice, type TorturePart } from './torture-part.ts'

const KILLS = 200

const KILLS_A_RUN = 20

const STEPS = 20

const CHILD = fileURLToPath(new URL('./step-in-child.ts', import.meta.url))

/**
 * Runs an agent as a workflow engine does, with a process for each step, and kills processes at random moments. The
 * engine saves only the messages of a process that was not killed, and the answer of the model before its calls. An
 * answer has ids of its own each time, as those of providers.
 */
export const killedSteps: TorturePart = {
  name: 'steps',
  claim:
    'A step whose process is killed at any moment is made again, with the answer of the model that was kept before its calls: same end, no call twice, and every request begins with the one before.',
  async run({ seed, scale, forMs }) {
    const until = performance.now() + forMs
    const dice = createDice(seed)
    const expected = await withFolder((folder) => runSteps(folder, [], dice))
    const kills = Math.ceil(KILLS * scale)
    const runs = Math.ceil(kills / KILLS_A_RUN)
    const failures = expected.failures.map((failure) => `without kills: ${failure}`)
    const seen = { runs: 0, kills: 0, inCalls: 0, thrownAway: 0, unknown: 0, requests: 0 }
    while (seen.runs < runs && performance.now() < until) {
      const killed = Array.from({ length: Math.min(kills, KILLS_A_RUN) }, () => dice(STEPS))
      const run = await withFolder((folder) => runSteps(folder, killed, dice))
      seen.runs += 1
      seen.kills += killed.length
      seen.inCalls += run.inCalls
      seen.thrownAway += run.thrownAway
      seen.requests += run.requests
      const { unknown, problems } = compare(run, expected)
      seen.unknown += unknown
      failures.push(
        ...[...run.failures, ...problems].map((problem) => `run ${seen.runs}: ${problem}`),
      )
    }
    return {
      figures: {
        'runs of 20 steps': seen.runs,
        'processes killed': seen.kills,
        'of them in a call': seen.inCalls,
        'of them after the step, before it was saved': seen.thrownAway,
        'calls reported to the model as of unknown outcome': seen.unknown,
        'requests that begin with the complete request before': seen.requests,
      },
      failures,
      ...(seen.runs < runs && { done: seen.runs / runs }),
    }
  },
}

interface Run {
  readonly end: string
  /** The results in the last messages, by the tool of their call, its arguments, and its place. Ids differ in each run. */
  readonly results: ReadonlyMap<string, unknown>
  /** The tool and the arguments of each effect, in the order in which they were made. */
  readonly deeds: readonly string[]
  readonly requests: number
  readonly inCalls: number
  readonly thrownAway: number
  readonly failures: readonly string[]
}

async function withFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'loadout-torture-'))
  try {
    return await run(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

interface Message {
  readonly role: string
  readonly content: string | readonly Readonly<Record<string, unknown>>[]
}

interface Step {
  readonly messages: readonly Message[]
  readonly isDone: boolean
}

/** Makes all steps; kills a process at each step in `killed`, once for each time that it is there. */
async function runSteps(folder: string, killed: readonly number[], dice: Dice): Promise<Run> {
  const saved = join(folder, 'messages.json')
  writeFileSync(saved, JSON.stringify([{ role: 'user', content: 'Do the work of today.' }]))
  let processes = 0
  let [inCalls, thrownAway] = [0, 0]
  let step: Step | null = null
  for (let at = 0; step?.isDone !== true && at < 2 * STEPS; at += 1) {
    for (const _ of killed.filter((one) => one === at)) {
      const moments = await runProcess(folder, (processes += 1), dice)
      if (moments.at(-1)?.startsWith('done ') === true) thrownAway += 1
      else if (moments.lastIndexOf('call') >= 0) inCalls += 1
    }
    const moments = await runProcess(folder, (processes += 1), null)
    step = JSON.parse((moments.at(-1) ?? '').slice('done '.length)) as Step
    writeFileSync(saved, JSON.stringify(step.messages))
  }
  const parts = step?.messages.flatMap(({ content }) => (Array.isArray(content) ? content : []))
  const made = parts?.filter(({ type }) => type === 'tool-call') ?? []
  const outputs = new Map(
    parts?.flatMap(({ type, toolCallId, output }) =>
      type === 'tool-result' ? [[toolCallId, output]] : [],
    ),
  )
  const results = made.map(
    ({ toolCallId, toolName, input }, at) =>
      [`${String(toolName)} ${JSON.stringify(input)} ${at}`, outputs.get(toolCallId)] as const,
  )
  const { requests, failures } = await checkRequests(folder, processes)
  return {
    end: JSON.stringify(step?.messages.at(-1)),
    results: new Map(results),
    deeds: readFileSync(join(folder, 'deeds'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.slice(line.indexOf(' ') + 1)),
    requests,
    inCalls,
    thrownAway,
    failures,
  }
}

/** Runs a process to its end, or kills it after some of its moments. Returns the moments that it printed. */
async function runProcess(folder: string, number: number, dice: Dice | null) {
  const args = ['--folder', folder, '--process', `${number}`]
  const child = spawn(process.execPath, [CHILD, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const moments: string[] = []
  // A step has 2 to 9 moments. A kill that is due after the last one happens there.
  let left = dice === null ? Infinity : dice(6)
  for await (const line of createInterface({ input: child.stdout })) {
    moments.push(line)
    if (dice !== null && (left === 0 || line.startsWith('done '))) {
      const at = performance.now() + dice(4_000) / 1_000
      while (performance.now() < at);
      child.kill('SIGKILL')
    }
    left -= 1
  }
  const [code, signal] = await ended
  if (dice === null && code !== 0) throw new Error(`A step ended with ${code ?? signal}.`)
  return moments
}

/** Checks that every request begins with the one before, in its bytes and in the ledger. */
async function checkRequests(folder: string, processes: number) {
  const failures: string[] = []
  let before: { tools: unknown; input: unknown[] } | null = null
  let requests = 0
  for (let number = 1; number <= processes; number += 1) {
    const request = readRequest(join(folder, `request-${number}.json`))
    if (request === null) continue
    requests += 1
    const { tools, input } = request
    const start = input.slice(0, before?.input.length ?? 0)
    const isKept = before === null || (isSame(start, before.input) && isSame(tools, before.tools))
    if (!isKept) {
      const changed = before?.input.findIndex((one, at) => !isSame(one, input[at])) ?? -1
      const [was, is] = [before?.input[changed], input[changed]].map((one) => JSON.stringify(one))
      const where = changed < 0 ? 'its tools are others' : `message ${changed} was ${was}, is ${is}`
      failures.push(`the request of process ${number} does not begin with the one before: ${where}`)
    }
    before = request
  }
  await using log = await openSqliteLog(join(folder, 'log.sqlite'), { readOnly: true })
  for (const { seq, event } of await log.read('chat')) {
    if (event.type !== 'step.begun' || event.cost === undefined) continue
    const { kept, previous } = event.cost
    if (kept !== previous) failures.push(`entry ${seq} keeps ${kept} of ${previous} tokens`)
  }
  return { requests, failures }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Reads a request; null when the process was killed before it was written. */
function readRequest(file: string): { tools: unknown; input: unknown[] } | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { tools: unknown; input: unknown[] }
  } catch {
    return null
  }
}

/** Compares a run with the one without kills. A call that was cut short is reported, and may lack its effect. */
function compare(run: Run, expected: Run) {
  const problems: string[] = []
  const unknown = new Set<string>()
  if (run.end !== expected.end) problems.push(`it ends with ${run.end}`)
  for (const [call, output] of expected.results) {
    const other = JSON.stringify(run.results.get(call))
    if (other === JSON.stringify(output)) continue
    if (other?.includes('ABORTED: ') === true) unknown.add(call)
    else problems.push(`${call} has the result ${other}`)
  }
  if (run.results.size !== expected.results.size) problems.push(`${run.results.size} results`)
  const twice = run.deeds.filter((deed, at) => run.deeds.indexOf(deed) < at)
  if (twice.length > 0) problems.push(`made twice: ${twice.join(', ')}`)
  const missing = expected.deeds.filter(
    (deed) =>
      !run.deeds.includes(deed) && ![...unknown].some((call) => call.startsWith(`${deed} `)),
  )
  if (missing.length > 0) problems.push(`never made: ${missing.join(', ')}`)
  return { unknown: unknown.size, problems }
}
