import type { Observation, ObservedSession } from '../observation.ts'
import {
  isSkillFile,
  printedSkillFiles,
  readSkillFile,
  skillReadFrom,
} from '../content/read-skill-file.ts'
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
    const asked = text(memberIn(input, LOADS[tool] ?? ''))
    const read = readBy(tool, input)
    const skill = asked === '' ? skillReadFrom(read) : { skill: asked }
    this.seen.push({ type: 'call', call, tool, input, ...skill, at })
    this.#reads.set(call, read)
  }

  #result({ id, name, response }: Line, { toolCallResult }: Line, at: number): void {
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
    const loaded =
      LOADS[text(name)] === undefined ? this.#readSkills(call, said) : this.#skill(call, said)
    for (const one of loaded) this.seen.push({ type: 'loaded', ...one, call, at })
  }

  /** Returns the skill that a call asked for, with its text from the result. */
  #skill(call: string, said: string) {
    const asked = this.seen.findLast((one) => one.type === 'call' && one.call === call)
    const skill = asked?.type === 'call' ? asked.skill : undefined
    const [, body = said] =
      BODIES.map((form) => form.exec(said)).find((found) => found !== null) ?? []
    return skill === undefined ? [] : [{ skill, text: body.trim() }]
  }

  #readSkills(call: string, said: string) {
    const { name, body } = readSkillFile(
      said.replace(/^(?:Command: [^]*?\n|<untrusted_context>\n)Output: /, ''),
    )
    const names = (this.#reads.get(call) ?? []).map(
      (path) => name || (path.split(/[\\/]/).at(-2) ?? ''),
    )
    return [...new Set(names)]
      .filter((skill) => skill !== '')
      .map((skill) => ({ skill, text: body }))
  }
}

/** The tools that load a skill, with the member of their input that names it: of Qwen Code and Gemini CLI. */
const LOADS: Readonly<Record<string, string>> = { skill: 'skill', activate_skill: 'name' }

/** The results of these tools, and where the text of the skill is in them. */
const BODIES = [
  /^Base directory for this skill: [^\n]*\nImportant: [^\n]*\n\n([^]*)$/,
  /^<activated_skill [^\n]*>\n\s*<instructions>\n([^]*?)\n {2}<\/instructions>\n/,
] as const

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

/** Returns the skill files that a call reads from their first line on. */
function readBy(tool: string, input: unknown): readonly string[] {
  if (tool === 'run_shell_command') return printedSkillFiles(text(memberIn(input, 'command')))
  if (
    tool !== 'read_file' ||
    number(memberIn(input, 'offset') ?? memberIn(input, 'start_line')) > 1
  )
    return []
  return [text(memberIn(input, 'file_path'))].filter(isSkillFile)
}
