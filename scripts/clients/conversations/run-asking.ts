import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Action, Conversation, TalkingClient } from './conversation.ts'
import { LOADOUT } from '../../run-command.ts'
import { makeCase, removeCase } from '../case-folder.ts'
import { startModelServer } from '../model-server.ts'
import { CONVERSATIONS } from './conversations.ts'
import { type ConversationRun, runConversation, ScriptedModel } from './run-conversation.ts'
import { resultsIn } from './wire-facts.ts'
import { messagesIn } from './wire-texts.ts'

/** The clients that are asked, and where they are installed. */
interface AskingOptions {
  readonly clients: readonly TalkingClient[]
  readonly installed: string
}

/** The names that the model asks about: a loaded skill, one that was passed over, one that is not there, and tools. */
const NAMES = ['tidy-notes', 'stock-report', 'no-such-skill', 'count_items', 'Read', 'plan-week']

/**
 * Has the model of each client ask about its own session while it runs. Compares each answer with what `loadout why`
 * prints at that moment, and with the result that the model is sent. Prints how many are equal, and every difference.
 * Returns true if all are.
 */
export async function runAsking({ clients, installed }: AskingOptions): Promise<boolean> {
  let isEqual = true
  for (const client of clients) {
    const { asked, results, printed } = await askIn(client, installed)
    const equal = asked.filter(({ before, answered, after }) => {
      const isPrinted = answered === before || answered === after
      return isPrinted && results.some((one) => one.includes(answered.trim()))
    })
    for (const one of asked) if (!equal.includes(one)) console.log(client, one)
    if (asked.length < NAMES.length) console.log(`${client}: ${printed}`)
    console.log(`${client}: ${equal.length} of ${NAMES.length} answers are what the command prints`)
    isEqual &&= equal.length === NAMES.length
  }
  return isEqual
}

/** An answer of the server, and what the command printed before and after. */
interface Asked {
  readonly name: string
  readonly before: string
  readonly answered: string
  readonly after: string
}

async function askIn(client: TalkingClient, installed: string) {
  const base = CONVERSATIONS['load-one'] as Conversation
  const folders = makeCase(base.case, `${client}-asking`)
  const file = join(folders.home, 'asked.jsonl')
  const said = 'Why was my skill not used?'
  const answers = NAMES.map((name, at) => ({ actions: [question(client, name, `${file}-${at}`)] }))
  const conversation: Conversation = {
    ...base,
    asked: file,
    turns: [...base.turns, { said, answers }],
  }
  const model: { reply?: ScriptedModel['reply'] } = {}
  await using server = await startModelServer((_, request) => model.reply?.(request) ?? null)
  const address = server.address('asking')
  const run: ConversationRun = { client, conversation, folders, installed, address }
  const scripted = new ScriptedModel(run)
  model.reply = (request) => scripted.reply(request)
  try {
    const { printed, wire } = await runConversation(run, scripted)
    const asked: readonly Asked[] =
      client === 'pi' ? NAMES.map((name, at) => ranIn(name, `${file}-${at}`)) : answersIn(file)
    const results = wire.flatMap(({ body }) => messagesIn(body).flatMap(resultsIn))
    return { asked, results: results.map(([, text]) => text), printed }
  } finally {
    removeCase(folders)
  }
}

/** Returns the call that asks. In pi, which has no servers, the model runs the command. */
function question(client: TalkingClient, name: string, copy: string): Action {
  return client === 'pi'
    ? { does: 'run', command: `${process.execPath} ${LOADOUT} why ${name} --log pi | tee ${copy}` }
    : { does: 'serve', server: 'loadout', tool: 'why', input: { name } }
}

function answersIn(file: string): readonly Asked[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : []
  return lines.map((line) => JSON.parse(line) as Asked)
}

function ranIn(name: string, file: string): Asked {
  const answered = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return { name, before: answered, answered, after: answered }
}
