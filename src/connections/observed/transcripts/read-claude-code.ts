import type {
  Observation,
  ObservedSession,
  SeenSkill,
  ShownText,
  ShownTool,
} from '../observation.ts'
import { agentLines, isOfSubagent, namedCalls, withCalls } from './agent-lines.ts'
import { RequestLog } from './request-log.ts'
import { messagesUsage } from '../content/message-text.ts'
import { Budget } from '../../../workspace/commands/budget.ts'
import { refuseLarge } from '../refuse-large.ts'
import { describedSkills } from '../content/described-skills.ts'
import { REFUSED_BY_CLAUDE, SKILL_FOLDER } from '../content/wire-skills.ts'
import { readConversations } from './read-conversations.ts'
import { splitRewound } from './split-rewound.ts'
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

type Line = Readonly<Record<string, unknown>>

/** Returns true for a line that only a transcript of Claude Code has. */
export function isClaudeCodeLine(line: Line): boolean {
  return typeof line['sessionId'] === 'string' && typeof line['type'] === 'string'
}

/**
 * Reads a transcript of Claude Code (`~/.claude/projects/<folder>/<session>.jsonl`): the session, one for each part of it
 * that the person went back from, and one for each of its subagents.
 */
export function readClaudeCode(lines: readonly Line[]): readonly ObservedSession[] {
  const main = lines.filter((line) => !isOfSubagent(line))
  const conversation = splitRewound(main, main.findLast(isMessage), {
    id: 'uuid',
    parents: ['parentUuid', 'logicalParentUuid'],
    beginsBranch: isPrompt,
    isMessage,
  })
  const session = lines.map((line) => text(line['sessionId'])).find((id) => id !== '') ?? ''
  const about = {
    client: 'claude-code',
    version: lines.map((line) => text(line['version'])).find((one) => one !== '') ?? null,
    folder: lines.map((line) => text(line['cwd'])).find((one) => one !== '') ?? null,
  }
  const isOwn = conversation.lines.some((line) => isMessage(line) || line['type'] === 'attachment')
  const own = isOwn ? readConversations({ ...about, session }, conversation, new Reader()) : []
  const agents = agentLines(lines).map(([agent, part]) => {
    const reader = new Reader()
    for (const line of part) reader.add(line)
    return [agent, { ...about, session: `${session}-${agent}`, seen: reader.seen }] as const
  })
  return [...own, ...withCalls(agents, namedCalls(lines), own)]
}

function isMessage(line: Line): boolean {
  return line['type'] === 'user' || line['type'] === 'assistant'
}

/** Returns true for what a person wrote, and false for results, remarks of the client and summaries. */
function isPrompt(line: Line): boolean {
  if (line['type'] !== 'user' || line['isMeta'] === true || line['isCompactSummary'] === true)
    return false
  return !list(memberIn(line['message'], 'content')).some(
    (part) => memberIn(part, 'type') === 'tool_result',
  )
}

class Reader {
  readonly seen: Observation[] = []
  readonly begins = { seen: 0 }
  /** The time of the last observation of the reader that it was forked from. */
  #since = 0
  /** The forks, in the order in which they began. */
  readonly #forks: Reader[] = []
  #system: readonly ShownText[] = []
  /** The remarks of the client in the conversation, by their kinds. */
  #texts = new Map<string, ShownText>()
  #tools = new Map<string, ShownTool>()
  #skills = new Map<string, SeenSkill>()
  /** The skills that calls load, by their ids. */
  #loads = new Map<string, string>()
  /** The transcript has the texts of requests, in the form of the provider. */
  #hasShapes = false
  /** The last texts, tools and skills that were shown, as JSON. */
  #last = new Map<string, string>()
  #requests = new RequestLog()
  #budget = new Budget('shown')
  #answer = ''
  #lifetimeMs: number | undefined
  /** The last instructions and tools of a request. */
  #shown: Line | null = null
  /** The skill that the person named with a slash. */
  #named: string | null = null

  get size(): number {
    return this.#texts.size + this.#tools.size + this.#skills.size + this.#loads.size
  }

  /** Returns a reader of lines that follow those of this one, and has its requests and budget. */
  fork(): Reader {
    const fork = new Reader()
    fork.begins.seen = this.seen.length
    fork.#since = this.#at
    fork.#system = this.#system
    fork.#texts = new Map(this.#texts)
    fork.#tools = new Map(this.#tools)
    fork.#skills = new Map(this.#skills)
    fork.#loads = new Map(this.#loads)
    fork.#hasShapes = this.#hasShapes
    fork.#last = new Map(this.#last)
    fork.#requests = this.#requests.fork()
    fork.#budget = this.#budget
    fork.#shown = this.#shown
    this.#forks.push(fork)
    return fork
  }

  get #at(): number {
    return this.seen.at(-1)?.at ?? this.#since
  }

  add(line: Line): void {
    const at = readTime(line['timestamp'], this.#at)
    switch (line['type']) {
      case 'user':
        return this.#user(line, at)
      case 'assistant':
        return this.#assistant(line, at)
      case 'attachment':
        return this.#attachment(line, at)
      case 'api-request-shape':
        this.#requests.add(line)
        return this.#shape(object(line['shape']), at)
      case 'api-request-blob':
      case 'api-request':
        return this.#requests.add(line)
      case 'system': {
        if (line['subtype'] !== 'compact_boundary') return
        const { preTokens, postTokens: after } = object(line['compactMetadata'])
        const more = typeof after === 'number' && { after: number(after) }
        this.seen.push({ type: 'compacted', tokens: number(preTokens), ...more, at })
      }
    }
  }

  #user(line: Line, at: number): void {
    const content = memberIn(line['message'], 'content')
    if (line['isCompactSummary'] === true) {
      return void this.seen.push({ type: 'said', by: 'agent', text: textInContent(content), at })
    }
    if (line['isMeta'] === true) return this.#remark(line, textInContent(content), at)
    for (const part of list(content)) {
      if (memberIn(part, 'type') === 'tool_result') this.#result(line, object(part), at)
    }
    if (!isPrompt(line)) return
    const said = textInContent(content)
    // The end of a subagent, for example: the client wrote it, in the name of the person.
    if (line['promptSource'] === 'system')
      return void this.seen.push({ type: 'said', by: 'agent', text: said, at })
    const [, named] = /<command-name>\/([^<\s]{1,200})<\/command-name>/.exec(said) ?? []
    this.#named = named ?? null
    this.seen.push({ type: 'turn', text: said, at })
  }

  /** Reads a text that the client wrote in the name of the person, such as the instructions of a skill. */
  #remark(line: Line, said: string, at: number): void {
    if (!said.startsWith(SKILL_FOLDER)) return
    const call = text(line['sourceToolUseID'])
    const end = said.indexOf('\n')
    const folder = said.slice(SKILL_FOLDER.length, end < 0 ? undefined : end)
    const skill = this.#loads.get(call) ?? this.#named ?? folder.split(/[\\/]/).at(-1) ?? ''
    if (skill === '') return
    const body = end < 0 ? '' : said.slice(end).trim()
    this.seen.push({ type: 'loaded', skill, text: body, call: call === '' ? null : call, at })
  }

  #result(line: Line, part: Line, at: number): void {
    const call = text(part['tool_use_id'])
    const decided = text(memberIn(line['permissionDecision'], 'decision'))
    const said = textInContent(part['content'])
    const isError = part['is_error'] === true
    const isRefused =
      decided === '' ? isError && REFUSED_BY_CLAUDE.test(said) : decided !== 'accept'
    const outcome = isRefused ? 'refused' : isError ? 'failed' : 'ok'
    const skill = memberIn(line['toolUseResult'], 'commandName')
    if (typeof skill === 'string') this.#loads.set(call, skill)
    this.seen.push({ type: 'result', call, outcome, text: said, at })
  }

  #assistant(line: Line, at: number): void {
    const message = object(line['message'])
    const model = text(message['model'])
    // What the client says in the name of the model came from no request.
    if (model === '<synthetic>') return
    const id = text(message['id'])
    if (id === '' || id !== this.#answer) this.#request(text(line['requestRef']), model, at)
    const usage = messagesUsage(object(message['usage']))
    // An answer is written in several lines, each with the tokens so far.
    const before =
      id !== '' && id === this.#answer
        ? this.seen.findLastIndex(({ type }) => type === 'answer')
        : -1
    if (before >= 0) this.#remove(before)
    this.#answer = id
    if (usage) {
      const lifetimeMs = this.#lifetimeMs
      const more = { ...(model !== '' && { model }), ...(lifetimeMs && { lifetimeMs }) }
      this.seen.push({ type: 'answer', usage, ...more, at })
    }
    const said = textInContent(message['content'])
    if (said !== '') this.seen.push({ type: 'said', text: said, at })
    for (const part of list(message['content'])) {
      if (memberIn(part, 'type') !== 'tool_use') continue
      const { id: call, name, input } = object(part)
      const tool = toolNameIn(name)
      if (tool === '') continue
      const skill = tool === 'Skill' ? text(memberIn(input, 'skill')).replace(/^\//, '') : ''
      const loads = skill !== '' && { skill }
      this.seen.push({ type: 'call', call: text(call), tool, input, ...loads, at })
    }
  }

  #remove(index: number): void {
    this.seen.splice(index, 1)
    const after = this.#forks.findLastIndex(({ begins }) => begins.seen <= index) + 1
    for (const { begins } of this.#forks.slice(after)) begins.seen -= 1
  }

  /** Notes a request, with the parts of it that the transcript has. */
  #request(id: string, model: string, at: number): void {
    const found = this.#requests.read(id)
    if (found?.shape && found.shape !== this.#shown) this.#shape(found.shape, at)
    this.#lifetimeMs = found?.lifetimeMs
    const settings = { ...(model !== '' && { model }), ...found?.sent.settings }
    this.seen.push({ type: 'request', sent: { ...found?.sent, settings }, at })
  }

  #attachment(line: Line, at: number): void {
    const attachment = object(line['attachment'])
    const rendered = list(line['rendered']).map((part) => text(memberIn(part, 'content')))
    if (rendered.length > 0) {
      const id = text(attachment['type'])
      this.#texts.set(id, { id, title: id.replaceAll('_', ' '), text: rendered.join('\n\n') })
      this.#showTexts(at)
    }
    switch (attachment['type']) {
      case 'skill_listing':
        return this.#listing(attachment, at)
      case 'deferred_tools_delta': {
        for (const name of list(attachment['removedNames'])) this.#tools.delete(toolNameIn(name))
        for (const name of list(attachment['addedNames']).map(toolNameIn)) {
          if (name !== '') this.#tools.set(name, { ...this.#tools.get(name), name, deferred: true })
        }
        return this.#showTools(at)
      }
      case 'deferred_tools_record':
        return this.#define(list(attachment['entries']), at)
      case 'prompt_snapshot': {
        const prompt = list(attachment['systemPrompt']).map(text)
        if (prompt.length > 0 && !this.#hasShapes) this.#showSystem([prompt.join('\n\n')], at)
        const tools = list(attachment['tools']).map((one) => object(memberIn(one, 'schema')))
        if (tools.length > 0 && !this.#hasShapes) this.#replace(tools, at)
      }
    }
  }

  /** Reads a list of skills. A later list has only what is new. */
  #listing(attachment: Line, at: number): void {
    if (attachment['isInitial'] === true) this.#skills.clear()
    const names = list(attachment['names']).map(text)
    const described = describedSkills(text(attachment['content']), names)
    for (const name of names.length > 0 ? names : described.keys()) {
      if (name === '') continue
      this.#skills.set(name, { name, description: described.get(name) || null })
    }
    const skills = [...this.#skills.values()]
    if (this.#isNew('skills', skills)) this.seen.push({ type: 'skills', skills, at })
  }

  /** Reads the instructions and tools of requests, in the form of the provider. */
  #shape(shape: Line, at: number): void {
    this.#shown = shape
    const system = list(shape['system']).map((part) => text(memberIn(part, 'text')))
    if (system.length > 0) this.#showSystem(system, at)
    this.#hasShapes = system.length > 0
    this.#replace(list(shape['tools']).map(object), at)
  }

  /** Takes the tools of a request, in their order; others are deferred. */
  #replace(tools: readonly Line[], at: number): void {
    const names = tools.map(({ name }) => toolNameIn(name))
    const sent = [...this.#tools.values()].filter(({ deferred }) => deferred !== true)
    const isInOrder = sent.every(({ name }, index) => names[index] === name)
    for (const { name } of isInOrder ? [] : sent) this.#tools.delete(name)
    this.#define(tools, at)
  }

  #define(tools: readonly unknown[], at: number): void {
    for (const tool of tools.map(object)) {
      const name = toolNameIn(tool['name'])
      if (name === '' || name === PLACEHOLDER) continue
      const description = text(tool['description']).trim()
      const isDeferred = tool['defer_loading'] === true || this.#tools.get(name)?.deferred === true
      this.#tools.set(name, {
        name,
        ...(description !== '' && { description }),
        inputSchema: tool['input_schema'],
        ...(isDeferred && { deferred: true }),
      })
    }
    this.#showTools(at)
  }

  /** Returns false for what was shown already: the client writes it again with each turn. */
  #isNew(type: string, shown: unknown): boolean {
    const json = JSON.stringify(shown)
    refuseLarge(this.#budget, json.length)
    const isNew = this.#last.get(type) !== json
    this.#last.set(type, json)
    return isNew
  }

  /** Notes the texts that requests begin with from here on. */
  #showSystem(system: readonly string[], at: number): void {
    this.#system = system.map((one, index) => {
      return { id: `system-${index}`, title: 'System prompt', text: one }
    })
    this.#showTexts(at)
  }

  #showTexts(at: number): void {
    const texts = [...this.#system, ...this.#texts.values()]
    if (this.#isNew('texts', texts)) this.seen.push({ type: 'texts', texts, at })
  }

  #showTools(at: number): void {
    const tools = [...this.#tools.values()]
    if (this.#isNew('tools', tools)) this.seen.push({ type: 'tools', tools, at })
  }
}

/** An entry that Claude Code sends while no deferred tool was found. */
export const PLACEHOLDER = 'DeferredToolPlaceholder'
