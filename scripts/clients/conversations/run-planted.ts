import { markOf, type TalkingClient } from './conversation.ts'
import type { ObservedAnswer } from '../../../src/workbench/report/facts/verdict-report.ts'
import { LOADOUT, runProgram } from '../../run-command.ts'
import { makeCase, removeCase } from '../case-folder.ts'
import { startModelServer } from '../model-server.ts'
import { readListing } from '../read-listing.ts'
import { carryOut } from './carry-out.ts'
import { type PlantedFailure, plantedFailures } from './planted-failures.ts'
import {
  type ConversationRun,
  runConversation,
  runOnce,
  ScriptedModel,
  writtenFiles,
} from './run-conversation.ts'
import { messagesIn } from './wire-texts.ts'

/** Which failures are planted, and where the clients are installed. */
interface PlantedOptions {
  readonly clients: readonly TalkingClient[]
  /** A part of the names of failures. */
  readonly only: string
  readonly installed: string
  readonly workers: number
}

/**
 * Plants failures in conversations with each client, asks `loadout why --log` with the transcript, carries its fix out, and
 * runs the client again. Prints how many had the right outcome, and a fix that works. Returns true if all had.
 */
export async function runPlanted({
  clients,
  only,
  installed,
  workers,
}: PlantedOptions): Promise<boolean> {
  const models = new Map<string, ScriptedModel>()
  await using server = await startModelServer(
    (id, request) => models.get(id)?.reply(request) ?? null,
  )
  let isRight = true
  for (const client of clients) {
    const failures = plantedFailures(client).filter(([id]) => id.includes(only))
    let right = 0
    const queue = failures.values()
    const work = async () => {
      for (const [id, failure] of queue) {
        const { conversation } = failure
        const folders = makeCase(conversation.case, `${client}-${id}`)
        const address = server.address(`${client}-${id}`)
        const run: ConversationRun = { client, conversation, folders, installed, address }
        const model = new ScriptedModel(run)
        models.set(`${client}-${id}`, model)
        try {
          const fault = await plantOne(run, model, failure)
          if (fault === null) right += 1
          else console.log(`${client} ${id}: ${fault}`)
        } catch (error) {
          console.log(`${client} ${id}: ${error instanceof Error ? error.message : String(error)}`)
        } finally {
          removeCase(folders)
        }
      }
    }
    await Promise.all(Array.from({ length: workers }, work))
    console.log(
      `${client}: ${right} of ${failures.length} planted failures have the right outcome and a fix that works`,
    )
    isRight &&= right === failures.length
  }
  return isRight
}

/** Plants one failure. Returns what is wrong with the answer, or with its fix; null for nothing. */
async function plantOne(
  run: ConversationRun,
  model: ScriptedModel,
  { skill, outcome }: PlantedFailure,
): Promise<string | null> {
  const { folders, client } = run
  await runConversation(run, model)
  const file = writtenFiles(run).find((one) => !one.includes('/subagents/')) ?? ''
  const { stdout, stderr } = await runProgram(
    process.execPath,
    [LOADOUT, 'why', skill, '--log', file, '--json'],
    { cwd: folders.home, env: { PATH: '/usr/bin:/bin', HOME: folders.home } },
  )
  if (!stdout.startsWith('{')) return `no answer: ${stdout}${stderr}`.slice(0, 500)
  const { observed, fix } = JSON.parse(stdout) as { observed?: ObservedAnswer; fix: string }
  if (observed?.outcome !== outcome)
    return `"${observed?.outcome}" in the place of "${outcome}" (${observed?.reason ?? stderr})`
  const named = carryOut(fix, skill, folders)
  const before = model.wire.length
  model.begin(9, [])
  const turn = { said: 'Say ok.', answers: [], ...(named !== null && { names: named }) }
  const printed = await runOnce(run, turn, false, named === null)
  const bodies = model.wire.slice(before).map(({ body }) => body)
  const isLoaded = JSON.stringify(bodies.flatMap(messagesIn)).includes(markOf(skill))
  const listed =
    readListing(
      client,
      bodies.map((body) => ({ path: '', body })),
    ) ?? []
  const [found] = [`${skill}-2`, skill, 'short-name'].flatMap((wanted) =>
    listed.filter(([name]) => name === wanted || name.startsWith(`${wanted} (`)),
  )
  const isListed = WHOLE.test(found?.[1] ?? '')
  if (named === null ? isListed : isLoaded) return null
  return `the fix does not work: ${fix} (${JSON.stringify(found)}; ${printed.slice(0, 300)})`
}

/** The end of a description of a planted skill, which a cut one does not have. */
const WHOLE = /(?:by date\.?|[Dd]oes it\.?|One\.|Two\.)\s*$/
