import { posix } from 'node:path'
import { isObject } from '../../../entries/kit.ts'
import type {
  Observation,
  ObservedSession,
  ObservedUsage,
  SeenSkill,
  ShownText,
} from '../observation.ts'
import {
  jsonIn,
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
  type CallItem,
  callItemIn,
  codexOutcome,
  commandIn,
  printedOutput,
  skillFilesReadBy,
} from '../content/codex-outcome.ts'
import { Budget } from '../../../workspace/commands/budget.ts'
import { refuseLarge } from '../refuse-large.ts'
import { withCalls } from './agent-lines.ts'
import { codexConversation, codexThread, codexTurns, spawningCalls } from './codex-conversation.ts'
import { skillsInText } from '../content/described-skills.ts'
import { skillNamedIn } from '../content/wire-skills.ts'
import { OF_CLIENT } from '../content/said-in.ts'
import { readConversations } from './read-conversations.ts'
import { readSkillFile, skillReadFrom } from '../content/read-skill-file.ts'

type Line = Readonly<Record<string, unknown>>

const TYPES: ReadonlySet<unknown> = new Set([
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
])

/** Returns true for a line that only a transcript of Codex has. */
export function isCodexLine(line: Line): boolean {
  return TYPES.has(line['type']) && isObject(line['payload'])
}

/**
 * Reads a transcript of Codex (`~/.codex/sessions/<year>/<month>/<day>/rollout-….jsonl`). It does not have the tools of
 * requests. Turns that the person went back from are a session of their own, and so is each subagent.
 *
 * @param subagents the lines of each subagent, which the client writes to other files
 */
export function readCodex(
  lines: readonly Line[],
  subagents: readonly (readonly Line[])[] = [],
): readonly ObservedSession[] {
  const own = readThread(lines)
  const agents = subagents.map(readThread)
  const branches = agents.flatMap(([, ...others]) => others)
  const begun = agents.map(([one]) => [one.session, one] as const)
  const calls = spawningCalls([lines, ...subagents].flat())
  return [...own, ...withCalls(begun, calls, [...own, ...branches]), ...branches]
}

function readThread(lines: readonly Line[]): ReturnType<typeof readConversations> {
  const about = codexThread(lines)
  const reader = new Reader({
    folder: about.folder ?? '',
    hasRecords: lines.some(({ type }) => type === 'token_usage_record'),
    isTurn: codexTurns(lines),
  })
  return readConversations(about, codexConversation(lines), reader)
}

/** Facts from all lines of a session, which its reader needs. */
interface CodexSession {
  readonly folder: string
  /** The client writes the tokens of each response; earlier versions did not. */
  readonly hasRecords: boolean
  readonly isTurn: (line: Line) => boolean
}

/** The items of a response; those of requests are results and messages of others. */
const OF_MODEL: ReadonlySet<unknown> = new Set([
  'reasoning',
  'function_call',
  'custom_tool_call',
  'local_shell_call',
  'tool_search_call',
  'web_search_call',
  'image_generation_call',
])

class Reader {
  readonly seen: Observation[] = []
  readonly begins = { seen: 0 }
  readonly #session: CodexSession
  /** The time of the last observation of the reader that it was forked from. */
  #since = 0
  #items = new Map<string, CallItem>()
  /** The commands of calls, by their ids. */
  #commands = new Map<string, { readonly command: string; readonly folder: string }>()
  #texts: readonly ShownText[] = []
  #skills: readonly SeenSkill[] = []
  /** The names of skills by their files. */
  #files: ReadonlyMap<string, string> = new Map()
  /** The skills that were loaded. */
  #loaded = new Set<string>()
  #budget = new Budget('shown')
  #hasTurn = false
  #isAnswering = false
  #model = ''
  #input = 0
  #counted = ''

  constructor(session: CodexSession) {
    this.#session = session
  }

  get size(): number {
    return this.#items.size + this.#commands.size + this.#loaded.size
  }

  fork(): Reader {
    const fork = new Reader(this.#session)
    fork.begins.seen = this.seen.length
    fork.#since = this.seen.at(-1)?.at ?? this.#since
    fork.#items = new Map(this.#items)
    fork.#commands = new Map(this.#commands)
    fork.#texts = this.#texts
    fork.#skills = this.#skills
    fork.#files = this.#files
    fork.#loaded = new Set(this.#loaded)
    fork.#budget = this.#budget
    fork.#hasTurn = this.#hasTurn
    fork.#model = this.#model
    fork.#input = this.#input
    fork.#counted = this.#counted
    return fork
  }

  add(line: Line): void {
    const at = readTime(line['timestamp'], this.seen.at(-1)?.at ?? this.#since)
    const payload = object(line['payload'])
    if (this.#session.isTurn(line)) {
      this.#turn(
        text(payload['message']) || textInContent(memberIn(payload['item'], 'content')),
        at,
      )
    }
    this.#line(line['type'], payload, at)
  }

  #line(type: unknown, payload: Line, at: number): void {
    switch (type) {
      case 'response_item':
        return this.#item(payload, at)
      case 'event_msg':
        return this.#event(payload, at)
      case 'turn_context':
        this.#model = text(payload['model']) || this.#model
        return
      case 'world_state': {
        const skills = object(memberIn(payload['state'], 'host_skills'))
        if (skills['includeInstructions'] !== false) this.#listing(text(skills['body']), at)
        return
      }
      case 'token_usage_record':
        return this.#answer(object(payload['usage']), at)
      case 'compacted':
        this.#isAnswering = false
        this.seen.push({ type: 'compacted', tokens: this.#input, at })
    }
  }

  #item(item: Line, at: number): void {
    const { type, role } = item
    if (OF_MODEL.has(type) || (type === 'message' && role === 'assistant')) this.#request(at)
    switch (type) {
      case 'message': {
        if (role === 'assistant') {
          const said = textInContent(item['content'])
          if (said !== '') this.seen.push({ type: 'said', text: said, at })
          return
        }
        this.#beginning(item, at)
        for (const part of list(item['content'])) this.#remark(text(memberIn(part, 'text')), at)
        return
      }
      case 'function_call':
      case 'custom_tool_call':
      case 'local_shell_call':
      case 'tool_search_call':
        return this.#call(item, at)
      case 'function_call_output':
      case 'custom_tool_call_output':
        return this.#result(item, at)
    }
  }

  /**
   * Reads the texts that requests begin with. The header of the file has another form of the instructions than requests.
   */
  #beginning(message: Line, at: number): void {
    if (this.#hasTurn) return
    const kinds = memberIn(
      message['internal_chat_message_metadata_passthrough'],
      'content_item_kinds',
    )
    const shown = list(message['content']).flatMap((part, index) => {
      const said = text(memberIn(part, 'text'))
      const kind = text(list(kinds)[index])
      // Earlier versions do not say so.
      const isOfClient = kind === '' ? OF_CLIENT.test(said) : !kind.startsWith('user.')
      if (said === '' || (message['role'] !== 'developer' && !isOfClient)) return []
      const id = kind || `text-${this.#texts.length + index}`
      return [{ id, title: kind || 'Text of the client', text: said }]
    })
    if (shown.length === 0) return
    this.#texts = [...this.#texts, ...shown]
    // The bytes that a text takes in a list.
    refuseLarge(this.#budget, 1_000 * this.#texts.length)
    this.seen.push({ type: 'texts', texts: this.#texts, at })
  }

  #request(at: number): void {
    if (!this.#isAnswering) this.seen.push({ type: 'request', at })
    this.#isAnswering = true
  }

  /** Reads a text that the client wrote in the name of a developer or of the person. */
  #remark(said: string, at: number): void {
    this.#listing(said, at)
    const named = skillNamedIn(said)
    if (named !== null) this.#load(named.skill, named.text, null, at)
  }

  #load(skill: string, body: string, call: string | null, at: number): void {
    this.#loaded.add(skill)
    this.seen.push({ type: 'loaded', skill, text: body, call, at })
  }

  /** Reads a list of skills. A later list has all of them again. */
  #listing(said: string, at: number): void {
    const listed = skillsInText(said)
    if (listed === null) return
    const { skills, files } = listed
    this.#files = files
    if (JSON.stringify(skills) === JSON.stringify(this.#skills)) return
    this.#skills = skills
    this.seen.push({ type: 'skills', skills, at })
  }

  #call(item: Line, at: number): void {
    const call = text(item['call_id']) || text(item['id'])
    const space = text(item['namespace'])
    const named = text(item['name']) || text(item['type']).replace(/_call$/, '')
    const tool = toolNameIn(space === '' ? named : `${space}__${named}`)
    const given = text(item['arguments']) || item['input'] || item['action'] || item['arguments']
    const input: unknown = typeof given === 'string' ? (jsonIn(given) ?? given) : given
    const command = commandIn(named, input)
    this.#commands.set(call, {
      command,
      folder: text(memberIn(input, 'workdir')) || this.#session.folder,
    })
    if (tool === '') return
    const loads = skillReadFrom(skillFilesReadBy(undefined, command))
    this.seen.push({ type: 'call', call, tool, input, ...loads, at })
  }

  #result({ call_id: id, output }: Line, at: number): void {
    const call = text(id)
    if (!this.#session.hasRecords) this.#isAnswering = false
    const said = textInContent(isObject(output) ? output['content'] : output)
    const item = this.#items.get(call)
    this.#items.delete(call)
    const outcome = codexOutcome(item, output, said)
    this.seen.push({ type: 'result', call, outcome, text: said, at })
    if (outcome !== 'ok') return
    const { command = '', folder = this.#session.folder } = this.#commands.get(call) ?? {}
    const { name, body } = readSkillFile(item?.output || printedOutput(said))
    const skills = skillFilesReadBy(item, command).flatMap((path) => {
      const known =
        this.#files.get(posix.resolve('/', folder, path)) ??
        this.#skills.find((skill) => skill.name === name)?.name
      return known === undefined ? [] : [known]
    })
    for (const skill of new Set(skills)) {
      // Of a part of a file that was read before, only the first part counts.
      const isPart = name === null && this.#loaded.has(skill)
      if (!isPart) this.#load(skill, body, call, at)
    }
  }

  #event(event: Line, at: number): void {
    switch (event['type']) {
      case 'item_completed':
        return this.#completed(object(event['item']))
      case 'token_count': {
        if (this.#session.hasRecords) return
        // The same count is written again when only a limit has changed.
        const total = JSON.stringify(memberIn(event['info'], 'total_token_usage') ?? null)
        if (total === this.#counted) return
        this.#counted = total
        const usage = object(memberIn(event['info'], 'last_token_usage'))
        if (Object.keys(usage).length > 0) this.#report(usage, at)
        return
      }
    }
  }

  #turn(said: string, at: number): void {
    this.#hasTurn = true
    this.#isAnswering = false
    this.seen.push({ type: 'turn', text: said, at })
  }

  #completed(item: Line): void {
    if (['CommandExecution', 'McpToolCall', 'FileChange'].includes(text(item['type'])))
      this.#items.set(text(item['id']), callItemIn(item))
  }

  #answer(usage: Line, at: number): void {
    this.#request(at)
    this.#report(usage, at)
    this.#isAnswering = false
  }

  #report(counted: Line, at: number): void {
    const usage: ObservedUsage = {
      input: number(counted['input_tokens']),
      cached: number(counted['cached_input_tokens']),
      written: number(counted['cache_write_input_tokens']),
      output: number(counted['output_tokens']),
      reasoning: number(counted['reasoning_output_tokens']),
    }
    this.#input = usage.input
    const model = this.#model === '' ? {} : { model: this.#model }
    this.seen.push({ type: 'answer', usage, ...model, at })
  }
}
