import {
  MEMORY,
  type PlantedCall,
  type PlantedRequest,
  type PlantedSession,
  PROJECT,
  SKILLS,
  TOOLS,
} from './planted-sessions.ts'

type Line = Readonly<Record<string, unknown>>

/** Writes a scripted session as its client writes transcripts. */
export function writeSession(session: PlantedSession): string {
  const lines = session.client === 'codex' ? codexLines(session) : claudeLines(session)
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** Returns the path of a transcript in the folder of its client. */
export function transcriptPath({ client, session }: PlantedSession): string {
  return client === 'codex'
    ? `sessions/2026/11/01/rollout-2026-11-01T00-00-00-${session}.jsonl`
    : `projects/-project/${session}.jsonl`
}

export function toolDefinition(name: string) {
  return {
    name,
    description: TOOLS[name] ?? '',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string' } },
      additionalProperties: false,
    },
  }
}

function bodyOf(name: string | undefined): string {
  return SKILLS.find((one) => one.name === name)?.body ?? ''
}

/** The text of a client with a memory file. */
export function memoryText(memory: string): string {
  return `Contents of ${MEMORY} (project instructions):\n\n${memory}\n`
}

function claudeLines({ session, requests }: PlantedSession): readonly Line[] {
  const lines: Line[] = []
  const base = { sessionId: session, version: '2.1.328', cwd: PROJECT, isSidechain: false }
  const known = new Set<string>()
  let [parent, count] = [null as string | null, 0]
  let messages: { role: string; content: unknown }[] = []
  let earlier: readonly string[] = []
  const entry = (type: string, at: number, more: Line) => {
    const uuid = `${session}-${(count += 1)}`
    const timestamp = new Date(at).toISOString()
    lines.push({ ...base, type, uuid, parentUuid: parent, timestamp, ...more })
    parent = uuid
  }
  const refer = (name: string, value: unknown, line: Line) => {
    const hash = `${name}-${JSON.stringify(value)}`
    if (!known.has(hash)) lines.push({ sessionId: session, ...line, [name]: hash })
    known.add(hash)
    return hash
  }
  const reminder = (memory: string) =>
    `<system-reminder>\n# claudeMd\n${memoryText(memory)}</system-reminder>`
  const first = requests[0]?.at ?? 0
  const names = SKILLS.map(({ name }) => name)
  const content = SKILLS.map((one) => `- ${one.name}: ${one.description}`).join('\n')
  for (const [index, request] of requests.entries()) {
    const { at, said } = request
    if (request.isCompacted) {
      const compactMetadata = { trigger: 'auto', preTokens: 9_000 }
      entry('system', at, { subtype: 'compact_boundary', compactMetadata })
      const message = { role: 'user', content: 'A summary.' }
      entry('user', at, { message, isCompactSummary: true })
      messages = [message]
    }
    if (said !== null) {
      const message = { role: 'user', content: said }
      entry('user', at, { message })
      messages.push(message)
    }
    if (index === 0) {
      entry('attachment', first, {
        attachment: { type: 'session_context' },
        rendered: [{ content: reminder(request.memory) }],
      })
      entry('attachment', first, {
        attachment: { type: 'skill_listing', isInitial: true, content, names },
      })
    }
    const shape = {
      system: [{ type: 'text', text: request.system }],
      tools: request.tools.map((name) => {
        const { inputSchema, ...tool } = toolDefinition(name)
        return { ...tool, input_schema: inputSchema }
      }),
    }
    const shapeHash = refer('shapeHash', shape, { type: 'api-request-shape', shape })
    const memory = { role: 'user', content: reminder(request.memory) }
    const hashes = [memory, ...messages].map((message) =>
      refer('hash', message, { type: 'api-request-blob', message }),
    )
    let keep = 0
    while (keep < earlier.length && earlier[keep] === hashes[keep]) keep += 1
    const id = `${session}-r${index}`
    lines.push({
      type: 'api-request',
      sessionId: session,
      id,
      shapeHash,
      params: { model: request.model },
      ...(keep > 0 && { base: `${session}-r${index - 1}` }),
      keep,
      tail: hashes.slice(keep),
      cacheControl: [{ path: ['system', 0], value: { type: 'ephemeral' } }],
    })
    earlier = hashes
    const uses = request.calls.map(({ tool, skill }, at) => {
      const input = skill === undefined ? { path: `${index}.txt` } : { skill }
      return { type: 'tool_use', id: `t${index}-${at}`, name: tool, input }
    })
    const answer = [{ type: 'text', text: `Answer ${index}.` }, ...uses]
    const message = {
      id: `m${index}`,
      role: 'assistant',
      model: request.model,
      content: answer,
      usage: claudeUsage(request),
    }
    entry('assistant', at + 900, { message, requestRef: id })
    messages.push({ role: 'assistant', content: answer })
    for (const [place, call] of request.calls.entries()) {
      const use = `t${index}-${place}`
      const result = claudeResult(use, call)
      entry('user', at + 1_000, {
        message: result,
        ...(call.skill && { toolUseResult: { commandName: call.skill } }),
      })
      messages.push(result)
      if (call.skill === undefined) continue
      const folder = `Base directory for this skill: ${PROJECT}/.claude/skills/${call.skill}`
      const text = `${folder}\n\n${bodyOf(call.skill)}`
      const loaded = { role: 'user', content: [{ type: 'text', text }] }
      entry('user', at + 1_000, { message: loaded, isMeta: true, sourceToolUseID: use })
      messages.push(loaded)
    }
  }
  return lines
}

function claudeResult(use: string, { result, isFailed }: PlantedCall) {
  const part = { type: 'tool_result', tool_use_id: use, content: result }
  return { role: 'user', content: [{ ...part, ...(isFailed && { is_error: true }) }] }
}

function claudeUsage({ usage: { input, cached, written, output } }: PlantedRequest) {
  return {
    input_tokens: input - cached - written,
    cache_read_input_tokens: cached,
    cache_creation_input_tokens: written,
    output_tokens: output,
  }
}

function codexLines({ session, requests }: PlantedSession): readonly Line[] {
  const lines: Line[] = []
  const write = (at: number, type: string, payload: Line) =>
    lines.push({ timestamp: new Date(at).toISOString(), type, payload })
  const first = requests[0]?.at ?? 0
  write(first, 'session_meta', {
    id: session,
    session_id: session,
    cwd: PROJECT,
    cli_version: '0.169.0',
  })
  const listed = SKILLS.map(
    ({ name, description }) =>
      `- ${name}: ${description} (file: ${PROJECT}/.agents/skills/${name}/SKILL.md)`,
  )
  write(first, 'response_item', {
    type: 'message',
    role: 'developer',
    content: [
      { type: 'input_text', text: ['Skills', '### Available skills', ...listed].join('\n') },
    ],
    internal_chat_message_metadata_passthrough: {
      content_item_kinds: ['host_skills.instructions'],
    },
  })
  for (const [index, { at, model, said, isCompacted, calls, usage }] of requests.entries()) {
    write(at, 'turn_context', { model, cwd: PROJECT })
    if (isCompacted) write(at, 'compacted', { message: 'A summary.' })
    if (said !== null) {
      const content = [{ type: 'text', text: said, text_elements: [] }]
      write(at, 'event_msg', { type: 'item_completed', item: { type: 'UserMessage', content } })
    }
    if (calls.length === 0) {
      const content = [{ type: 'output_text', text: `Answer ${index}.` }]
      write(at, 'response_item', { type: 'message', role: 'assistant', content })
    }
    for (const [place, { tool, skill }] of calls.entries()) {
      const cmd = skill ? `cat .agents/skills/${skill}/SKILL.md` : `cat ${index}.txt`
      const [, server, name = tool] = /^(mcp__\w+?)__(.+)$/.exec(tool) ?? []
      const isOwn = server === undefined
      write(at, 'response_item', {
        type: 'function_call',
        call_id: `c${index}-${place}`,
        name: isOwn ? 'exec_command' : name,
        ...(!isOwn && { namespace: server }),
        arguments: JSON.stringify(isOwn ? { cmd } : {}),
      })
    }
    write(at + 900, 'token_usage_record', {
      usage: {
        input_tokens: usage.input,
        cached_input_tokens: usage.cached,
        cache_write_input_tokens: usage.written,
        output_tokens: usage.output,
        reasoning_output_tokens: 0,
      },
    })
    for (const [place, { skill, result, isFailed }] of calls.entries()) {
      const file = `---\nname: ${skill}\n---\n${bodyOf(skill)}`
      const output = `Process exited with code ${isFailed ? 1 : 0}\nOutput:\n${skill ? file : result}`
      const call = { type: 'function_call_output', call_id: `c${index}-${place}`, output }
      write(at + 1_000, 'response_item', call)
    }
  }
  return lines
}
