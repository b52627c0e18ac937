import { Option } from 'commander'
import { openSession } from '../opening/open-session.ts'
import type { CliCommand } from '../shell/cli-command.ts'
import type { LineReader } from '../shell/line-reader.ts'
import {
  changingOptions,
  type ModelOptions,
  type OpeningOptions,
  talkOptions,
} from '../shell/opening-options.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'
import type { Chat } from '../../playground/chat/chat.ts'
import type { ChatAnswer, ChatEvent } from '../../playground/chat/chat-event.ts'

interface RunOptions extends OpeningOptions, ModelOptions {
  readonly print?: string
}

/** `loadout run`: talk to the agent of a folder, with every call through the gate. */
export const runCommand: CliCommand<RunOptions> = {
  name: 'run',
  summary: 'Talk to an agent and its skills',
  description: `Talk to the agent of a folder or of a configuration. A model answers; each step shows the tools that it saw, its calls, and the price of the request. Calls go through the same checks as everywhere, and calls that need approval are asked about here.

--model is any server with the Chat Completions of OpenAI (Ollama, llama.cpp, LM Studio, vLLM), with the name of the model after a #. Without it, the model of loadout.config answers, else the search: it needs no model, loads the skill that fits a message best, and shows what a model would be sent. With --scenario, each line, also an empty one, makes the next move of a scenario. A key for the server is read from LOADOUT_MODEL_KEY.

The session is stored. --session continues one, also after its process was killed: no call runs twice. If somebody else wrote it, what it allows does not count, and its unfinished turn is left out. Ctrl-C ends the turn, twice the command. From a pipe, each line is a message, or the answer to a question. A message that begins with the name of a skill, such as /fix-issue 123 high, activates it with these arguments first.`,
  arguments: '[paths...]',
  options: () => [
    ...talkOptions(),
    new Option('--print <text>', 'Say this, print the answer alone, and end'),
    ...changingOptions().filter((option) => option.attributeName() !== 'at'),
  ],
  examples: [
    'loadout run examples/workbench --trust --agent assistant',
    'loadout run examples/workbench --trust --model http://localhost:11434/v1#qwen3',
    'loadout run examples/workbench --trust --print "what changed recently?"',
    'loadout run --scenario examples/workbench/scenarios/from-question-to-lifetime.scenario.yaml --trust',
  ],
  async run({ words, options, context }) {
    const session = await openSession(words, options, context, 'keep', { runs: true })
    const { workspace } = session
    if (!session.live) {
      await workspace.close()
      throw wrongUsage(
        'The skills of the session are not defined here.',
        'Give the folder of its agent: loadout run <folder> --session <id>.',
      )
    }
    const { chatPrinter } = await import('./chat-printer.ts')
    const { openLineReader } = await import('../shell/line-reader.ts')
    const printer = chatPrinter(workspace, options, context)
    const interrupts = new Interrupts()
    const reader = openLineReader(context, () => interrupts.take())
    const { chatOpener, isStored } = await import('../opening/chat-opener.ts')
    try {
      const open = await chatOpener(session, options, context)
      const { chat, model, store } = await open({
        workspace,
        async ask() {
          // The next line of the pipe answers, unless the only message is that of `--print`.
          if (options.print !== undefined && context.terminal === undefined) return null
          const prompt = '  y once, s for this session, d for all sessions, n no: '
          const given = await reader.next(prompt, interrupts.signal)
          if (given === null) return null
          return ANSWERS[given.trim().toLowerCase().slice(0, 1)] ?? 'no'
        },
        onChild(event, child) {
          // The text is in the result of the call.
          if (!OF_CONVERSATION.has(event.type)) printer.print({ ...event, child })
        },
      })
      printer.opened(model.name, isStored(session, options))
      if (store.withheld !== null) printer.print(store.withheld)
      return (await converse(chat, reader, printer, options, interrupts)) ? 0 : 1
    } finally {
      reader.close()
      await workspace.close()
    }
  },
}

/**
 * Talks until the input ends. Returns false when a turn has no answer.
 */
async function converse(
  chat: Chat,
  reader: LineReader,
  printer: { readonly prompt: string; print(event: ChatEvent): void },
  { print, scenario }: RunOptions,
  interrupts: Interrupts,
): Promise<boolean> {
  let isAnswered = true
  const turn = async (events: (signal: AbortSignal) => AsyncIterable<ChatEvent>) => {
    for await (const event of events(interrupts.turn())) {
      printer.print(event)
      if (event.type === 'turn.ended') isAnswered &&= event.status === 'done'
    }
    interrupts.ended()
  }
  const say = (line: string) => turn((signal) => chat.say(line, signal))
  if (chat.isOpen) await turn((signal) => chat.resume(signal))
  if (print !== undefined) {
    if (print !== '') await say(print)
    return isAnswered
  }
  while (!interrupts.over.aborted) {
    const line = await reader.next(printer.prompt, interrupts.over)
    if (line === null) break
    if (line.trim() !== '' || scenario !== undefined) await say(line)
  }
  return isAnswered
}

/** Ctrl-C: the first one ends the turn, and the second one the command. */
class Interrupts {
  readonly #over = new AbortController()
  #turn: AbortController | null = null
  #isTaken = false

  /** Aborted when the command is to end. */
  get over(): AbortSignal {
    return this.#over.signal
  }

  /** Aborted when the turn is to end. */
  get signal(): AbortSignal {
    return this.#turn?.signal ?? this.over
  }

  turn(): AbortSignal {
    this.#isTaken = false
    this.#turn = new AbortController()
    return this.#turn.signal
  }

  ended(): void {
    this.#turn = null
  }

  take(): void {
    if (this.#turn === null || this.#isTaken) this.#over.abort()
    this.#isTaken = true
    this.#turn?.abort(new Error('the user interrupted it'))
  }
}

/** Events that only the conversation of the person has. */
const OF_CONVERSATION: ReadonlySet<ChatEvent['type']> = new Set([
  'turn.begun',
  'text',
  'reasoning',
  'turn.ended',
])

/** Any other letter is no. */
const ANSWERS: Readonly<Record<string, ChatAnswer>> = { y: 'call', s: 'session', d: 'digest' }
