import type { TalkingClient } from './conversation.ts'
import { makeCase, removeCase } from '../case-folder.ts'
import { startModelServer } from '../model-server.ts'
import { type Agreement, compareFacts, sumAgreements } from './compare-facts.ts'
import { CONVERSATIONS } from './conversations.ts'
import { compareAnswers, recordedTokens } from './compare-answers.ts'
import {
  type ConversationRun,
  runConversation,
  ScriptedModel,
  writtenFiles,
} from './run-conversation.ts'
import { scrubber } from './scrub.ts'
import { writeConversation } from './stored-conversations.ts'
import { recordBetween } from './record-between.ts'
import { observedFacts, transcriptFacts } from './transcript-facts.ts'
import { wireFacts } from './wire-facts.ts'

/** Which conversations are had, and where the clients are installed. */
interface ObserveOptions {
  readonly clients: readonly TalkingClient[]
  /** A part of the names of conversations. */
  readonly only: string
  readonly installed: string
  readonly workers: number
  /** True to compare what was sent with a recording of it, in the place of what the client wrote. */
  readonly recorded: boolean
}

/**
 * Has each conversation with each client, and compares what the readers of transcripts, or of recordings, say with what was sent. Prints the
 * figures and every difference. Returns true if there is none.
 */
export async function observeConversations(options: ObserveOptions): Promise<boolean> {
  const models = new Map<string, ScriptedModel>()
  await using server = await startModelServer(
    (id, request) => models.get(id)?.reply(request) ?? null,
  )
  let isSame = true
  for (const client of options.clients) {
    const found: Agreement[] = []
    let [asked, different, near] = [0, 0, 0]
    const queue = Object.entries(CONVERSATIONS)
      .filter(([name, { not }]) => name.includes(options.only) && not?.[client] === undefined)
      .values()
    const work = async () => {
      for (const [name, conversation] of queue) {
        const id = `${client}-${name}`
        const folders = makeCase(conversation.case, id)
        const between = options.recorded
          ? await recordBetween(server.address(id), client, folders.cwd)
          : null
        const run: ConversationRun = {
          client,
          conversation,
          folders,
          installed: options.installed,
          address: between?.address ?? server.address(id),
        }
        try {
          const model = new ScriptedModel(run)
          models.set(id, model)
          const recorded = await runConversation(run, model)
          const sent = wireFacts(client, conversation, recorded.wire, between !== null)
          const seen = between
            ? observedFacts(await between.read())
            : transcriptFacts(client, recorded.transcript)
          const scrub = scrubber(conversation, folders, options.installed)
          if (between === null && !TOO_LARGE.has(id))
            writeConversation(client, name, { transcript: recorded.transcript, wire: sent }, scrub)
          const { agreement, differences } = compareFacts(sent, seen)
          found.push(agreement)
          for (const one of differences) console.log(`${client} ${name}: ${one}`)
          if (recorded.wire.length === 0) console.log(`${client} ${name}: ${recorded.printed}`)
          isSame &&= differences.length === 0
          if (between === null) continue
          const answers = await compareAnswers(
            `${client} ${name}`,
            between.file,
            writtenFiles(run),
            folders.home,
          )
          asked += answers.asked
          different += answers.differences.length
          for (const one of answers.differences) console.log(`${client} ${name}: ${one}`)
          const tokens = await recordedTokens(between.file)
          const isNear = Math.abs(tokens / model.reported - 1) <= 0.02
          if (!isNear) console.log(`${client} ${name}: ${tokens} of ${model.reported} tokens`)
          near += Number(isNear)
          isSame &&= isNear && answers.differences.length === 0
        } finally {
          await between?.close()
          removeCase(folders)
        }
      }
    }
    await Promise.all(Array.from({ length: options.workers }, work))
    const figures = Object.entries(sumAgreements(found)).map(
      ([kind, [same, of]]) => `${kind} ${same} of ${of}`,
    )
    console.log(`${client}, ${found.length} conversations: ${figures.join(', ')}`)
    if (options.recorded)
      console.log(
        `${client}: ${asked - different} of ${asked} answers of why equal, tokens within 2 % in ${near} of ${found.length}`,
      )
  }
  return isSame
}

/** Conversations that are not stored for the tests. */
const TOO_LARGE: ReadonlySet<string> = new Set(['claude-code-two-subagents'])
