import type { Observation, ObservedSession } from '../observation.ts'
import { readSkillFile, skillReadFrom } from '../content/read-skill-file.ts'
import {
  list,
  memberIn,
  number,
  object,
  readTime,
  text,
  textInContent,
  toolNameIn,
} from '../content/text-in-content.ts'
import { filesReadBy, skillAskedBy, textOfSkill } from '../content/wire-skills.ts'
import { readConversations } from './read-conversations.ts'
import { splitRewound } from './split-rewound.ts'

type Line = Readonly<Record<string, unknown>>

/** Returns true for a line of a transcript of Qwen Code. */
export function isQwenCodeLine({ uuid, sessionId, message, systemPayload }: Line): boolean {
  const isMessage = Array.isArray(memberIn(message, 'parts')) || systemPayload !== undefined
  return typeof uuid === 'string' && typeof sessionId === 'string' && isMessage
}

/**
 * Reads a transcript of Qwen Code (`~/.qwen/projects/<folder>/chats/<session>.jsonl`). It has neither instructions, nor
 * tools, nor the list of skills. A part of the conversation that the person went back from is a session of its own.
 */
export function readQwenCode(lines: readonly Line[]): readonly ObservedSession[] {
  const first = lines.find(isQwenCodeLine) ?? {}
  const about = {
    session: text(first['sessionId']),
    client: 'qwen-code',
    version: text(first['version']) || null,
    folder: text(first['cwd']) || null,
  }
  return readParts(about, lines)
}

/** Reads lines in the form of Qwen Code: messages have parts of the Gemini API, and the id of the line before. */
export function readParts(
  about: Omit<ObservedSession, 'seen'>,
  lines: readonly Line[],
): readonly ObservedSession[] {
  const conversation = splitRewound(
    lines,
    lines.findLast(({ uuid }) => typeof uuid === 'string'),
    {
      id: 'uuid',
      parents: ['parentUuid'],
      beginsBranch: () => true,
      isMessage: ({ type }) => type !== 'system',
    },
  )
  return readConversations(about, conversation, new Reader())
}

class Reader {
  readonly seen: Observation[] = []
  readonly begins = { seen: 0 }
  /** The time of the last observation of the reader that it was forked from. */
  #since = 0
  /** The skills that calls ask for, or the files of skills that they read, by their ids. */
  #reads = new Map<string, { readonly asked?: string; readonly files: readonly string[] }>()

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
    const parts = list(memberIn(line['message'], 'parts'))
    switch (line['type']) {
      case 'user': {
        const said = textInContent(parts)
        // Others are of the client: a task that ended, or a time that came.
        if (said !== '' && line['subtype'] === undefined)
          this.seen.push({ type: 'turn', text: said, at })
        break
      }
      case 'assistant':
        this.seen.push({ type: 'request', at }, ...answerIn(line, at))
        for (const part of parts) this.#call(object(memberIn(part, 'functionCall')), at)
        break
      case 'tool_result':
        for (const part of parts) this.#result(object(memberIn(part, 'functionResponse')), line, at)
        break
      case 'system': {
        const info = memberIn(line['systemPayload'], 'info')
        if (line['subtype'] !== 'chat_compression') break
        const [tokens, after] = ['originalTokenCount', 'newTokenCount'].map((name) =>
          number(memberIn(info, name)),
        )
        this.seen.push({ type: 'compacted', tokens: tokens ?? 0, ...(after && { after }), at })
      }
    }
  }

  #call({ id, name, args: input }: Line, at: number): void {
    const [call, tool] = [text(id), toolNameIn(name)]
    if (tool === '') return
    const asked = skillAskedBy(tool, input)
    const files = filesReadBy(tool, input)
    const skill = asked === '' ? skillReadFrom(files) : { skill: asked }
    this.seen.push({ type: 'call', call, tool, input, ...skill, at })
    this.#reads.set(call, asked === '' ? { files } : { asked, files })
  }

  #result({ id, response }: Line, { toolCallResult }: Line, at: number): void {
    const call = text(id)
    const { error, output = error } = object(response)
    const said = text(output)
    const status = memberIn(toolCallResult, 'status')
    const isRefused =
      status === 'cancelled' || memberIn(toolCallResult, 'errorType') === 'execution_denied'
    const isFailed = status === 'error' || error !== undefined
    const outcome = isRefused ? 'refused' : isFailed ? 'failed' : 'ok'
    this.seen.push({ type: 'result', call, outcome, text: said, at })
    if (outcome !== 'ok') return
    for (const one of this.#loadedBy(call, said))
      this.seen.push({ type: 'loaded', ...one, call, at })
  }

  #loadedBy(call: string, said: string) {
    const { asked, files = [] } = this.#reads.get(call) ?? {}
    if (asked !== undefined) return [textOfSkill(asked, said) ?? { skill: asked, text: said }]
    const { name, body } = readSkillFile(said.replace(BEFORE_OUTPUT, ''))
    const names = files.map((path) => name || (path.split(/[\\/]/).at(-2) ?? ''))
    return [...new Set(names)].filter((one) => one !== '').map((skill) => ({ skill, text: body }))
  }
}

/** The text before the output of a command. */
const BEFORE_OUTPUT = /^(?:Command: [^]*?\n|<untrusted_context>\n)Output: /

function answerIn({ usageMetadata: counted, model }: Line, at: number): readonly Observation[] {
  const count = (name: string) => number(memberIn(counted, `${name}TokenCount`))
  const reasoning = count('thoughts')
  const usage = {
    input: count('prompt'),
    cached: count('cachedContent'),
    output: count('candidates') + reasoning,
    reasoning,
  }
  // The provider counted nothing when it did not answer.
  if (usage.input + usage.output === 0) return []
  return [{ type: 'answer', usage, ...(typeof model === 'string' && { model }), at }]
}
