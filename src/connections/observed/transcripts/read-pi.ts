import type { Observation, ObservedSession } from '../observation.ts'
import {
  list,
  memberIn,
  number,
  object,
  text,
  textInContent,
  readTime,
  toolNameIn,
} from '../content/text-in-content.ts'
import {
  isSkillFile,
  printedSkillFiles,
  readSkillFile,
  skillReadFrom,
} from '../content/read-skill-file.ts'
import { skillNamedIn } from '../content/wire-skills.ts'
import { readConversations } from './read-conversations.ts'
import { splitRewound } from './split-rewound.ts'

type Line = Readonly<Record<string, unknown>>

/** Returns true for the first line of a transcript of pi. */
export function isPiLine({ type, id, cwd }: Line): boolean {
  return type === 'session' && typeof id === 'string' && typeof cwd === 'string'
}

/**
 * Reads a transcript of pi (`~/.pi/agent/sessions/<folder>/….jsonl`). It has neither instructions, nor tools, nor the list
 * of skills. A part of the conversation that the person went back from is a session of its own.
 */
export function readPi(lines: readonly Line[]): readonly ObservedSession[] {
  const header = lines.find(isPiLine) ?? {}
  const entries = lines.filter((line) => line !== header)
  const conversation = splitRewound(
    entries,
    entries.findLast(({ id }) => typeof id === 'string'),
    {
      id: 'id',
      parents: ['parentId'],
      beginsBranch: () => true,
      isMessage: ({ type }) => type === 'message',
    },
  )
  const about = {
    session: text(header['id']),
    client: 'pi',
    version: null,
    folder: text(header['cwd']) || null,
  }
  return readConversations(about, conversation, new Reader())
}

class Reader {
  readonly seen: Observation[] = []
  readonly begins = { seen: 0 }
  /** The time of the last observation of the reader that it was forked from. */
  #since = 0
  /** The paths of skill files that calls read, by their ids. */
  #reads = new Map<string, readonly string[]>()

  get size(): number {
    return this.#reads.size
  }

  fork(): Reader {
    const fork = new Reader()
    fork.begins.seen = this.seen.length
    fork.#since = this.seen.at(-1)?.at ?? this.#since
    fork.#reads = new Map(this.#reads)
    return fork
  }

  add(line: Line): void {
    const at = readTime(line['timestamp'], this.seen.at(-1)?.at ?? this.#since)
    if (line['type'] === 'compaction') {
      this.seen.push({ type: 'compacted', tokens: number(line['tokensBefore']), at })
    }
    const message = line['type'] === 'message' ? object(line['message']) : {}
    switch (message['role']) {
      case 'user':
        this.seen.push(...turnIn(textInContent(message['content']), at))
        break
      case 'assistant':
        this.#assistant(message, at)
        break
      case 'toolResult':
        this.seen.push(...resultIn(message, this.#reads, at))
    }
  }

  #assistant(message: Line, at: number): void {
    this.seen.push({ type: 'request', at }, ...answerIn(message, at))
    for (const part of list(message['content']).map(object)) {
      if (part['type'] === 'text') this.seen.push({ type: 'said', text: text(part['text']), at })
      if (part['type'] !== 'toolCall') continue
      const [call, tool, input] = [text(part['id']), toolNameIn(part['name']), part['arguments']]
      if (tool === '') continue
      const read = readBy(tool, input)
      this.seen.push({ type: 'call', call, tool, input, ...skillReadFrom(read), at })
      this.#reads.set(call, read)
    }
  }
}

/** Reads what a person wrote. With `/skill:name`, it begins with the text of the skill. */
function turnIn(said: string, at: number): readonly Observation[] {
  const turn = { type: 'turn', text: said, at } as const
  const named = skillNamedIn(said)
  return named === null ? [turn] : [turn, { type: 'loaded', ...named, call: null, at }]
}

function answerIn({ usage: counted, model }: Line, at: number): readonly Observation[] {
  const cached = number(memberIn(counted, 'cacheRead'))
  const written = number(memberIn(counted, 'cacheWrite'))
  const input = number(memberIn(counted, 'input')) + cached + written
  const usage = { input, cached, written, output: number(memberIn(counted, 'output')) }
  // The provider counted nothing when it did not answer.
  if (usage.input + usage.output === 0) return []
  return [{ type: 'answer', usage, ...(typeof model === 'string' && { model }), at }]
}

/** Returns the skill files that a call reads from their first line on. */
function readBy(tool: string, input: unknown): readonly string[] {
  if (tool === 'bash') return printedSkillFiles(text(memberIn(input, 'command')))
  const path = text(memberIn(input, 'path'))
  return tool === 'read' && number(memberIn(input, 'offset')) <= 1 ? [path].filter(isSkillFile) : []
}

function resultIn(
  message: Line,
  reads: ReadonlyMap<string, readonly string[]>,
  at: number,
): readonly Observation[] {
  const call = text(message['toolCallId'])
  const said = textInContent(message['content'])
  const outcome = message['isError'] === true ? 'failed' : 'ok'
  const result = { type: 'result', call, outcome, text: said, at } as const
  if (outcome === 'failed') return [result]
  const { name, body } = readSkillFile(said)
  const loads = (reads.get(call) ?? []).map((path) => name || (path.split(/[\\/]/).at(-2) ?? ''))
  const loaded = [...new Set(loads)]
    .filter((skill) => skill !== '')
    .map((skill) => ({ type: 'loaded', skill, text: body, call, at }) as const)
  return [result, ...loaded]
}
