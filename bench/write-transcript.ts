import { createWriteStream } from 'node:fs'
import { once } from 'node:events'

/** Sizes of results in characters: most are short, some are files, few are huge. */
function resultSize(index: number): number {
  if (index % 400 === 399) return 3_000_000
  if (index % 20 === 19) return 120_000
  return 1_500 + ((index * 2_654_435_761) % 9_000)
}

const WORDS = 'const value of the note is read and a line of this file has more than one name '

/** Writes a transcript of Claude Code 2.1.328 of about as many bytes, with its requests. Returns the number of requests. */
export async function writeTranscript(file: string, bytes: number, session = 's'): Promise<number> {
  const stream = createWriteStream(file)
  const base = { sessionId: session, version: '2.1.328', cwd: '/project', isSidechain: false }
  const size = { written: 0 }
  let [entries, requests] = [0, 0]
  let parent: string | null = null
  let earlier = ''
  let length = 0
  const write = async (line: object) => {
    const text = `${JSON.stringify(line)}\n`
    size.written += text.length
    if (!stream.write(text)) await once(stream, 'drain')
  }
  const entry = async (type: string, more: object) => {
    const uuid = `e${(entries += 1)}`
    const timestamp = new Date(1_790_000_000_000 + entries * 4_000).toISOString()
    await write({ ...base, type, uuid, parentUuid: parent, timestamp, ...more })
    parent = uuid
  }
  const names = Array.from({ length: 40 }, (_, index) => `skill-${index}`)
  const content = names.map((name) => `- ${name}: Use when the ${name} has to be done.`).join('\n')
  const schema = { type: 'object', properties: { path: { type: 'string' } } }
  const tools = Array.from({ length: 20 }, (_, index) => ({
    name: index < 12 ? `Tool${index}` : `mcp__server__tool_${index}`,
    description: WORDS.repeat(15),
    input_schema: schema,
  }))
  const system = [{ type: 'text', text: `${WORDS}\n`.repeat(90) }]
  await entry('user', { message: { role: 'user', content: 'Begin.' } })
  await entry('attachment', {
    attachment: { type: 'skill_listing', isInitial: true, content, names },
  })
  await write({
    type: 'api-request-shape',
    sessionId: session,
    shapeHash: 'h',
    shape: { system, tools },
  })
  await write({
    type: 'api-request-blob',
    sessionId: session,
    hash: 'b0',
    message: { role: 'user', content: 'Begin.' },
  })
  let tail = ['b0']
  for (; size.written < bytes; requests += 1) {
    const id = `r${requests}`
    await write({
      type: 'api-request',
      sessionId: session,
      id,
      shapeHash: 'h',
      params: { model: 'claude-opus-5-5', thinking: { type: 'adaptive' } },
      ...(earlier !== '' && { base: earlier }),
      keep: length,
      tail,
      cacheControl: [{ path: ['system', 0], value: { type: 'ephemeral' } }],
    })
    earlier = id
    length += tail.length
    const call = `t${requests}`
    const isLoad = requests % 500 === 250
    const name = isLoad ? 'Skill' : `Tool${requests % 12}`
    const input = isLoad ? { skill: names[requests % 40] } : { path: `/project/${requests}.ts` }
    const use = [{ type: 'tool_use', id: call, name, input }]
    const usage = {
      input_tokens: 5,
      cache_read_input_tokens: 90_000,
      cache_creation_input_tokens: 4_000,
      output_tokens: 90,
    }
    const message = {
      id: `m${requests}`,
      role: 'assistant',
      model: 'claude-opus-5-5',
      content: use,
      usage,
    }
    await entry('assistant', { message, requestRef: id })
    const said = WORDS.repeat(Math.ceil(resultSize(requests) / WORDS.length))
    const result = [{ type: 'tool_result', tool_use_id: call, content: `${requests} ${said}` }]
    await entry('user', {
      message: { role: 'user', content: result },
      toolUseResult: { content: said },
    })
    const blobs = [
      { role: 'assistant', content: use },
      { role: 'user', content: result },
    ]
    tail = blobs.map((_, index) => `b${requests}-${index}`)
    for (const [index, blob] of blobs.entries()) {
      await write({
        type: 'api-request-blob',
        sessionId: session,
        hash: tail[index],
        message: blob,
      })
    }
    if (requests % 25 === 24) {
      await entry('user', {
        message: { role: 'user', content: `Now do skill-${requests % 40}, please.` },
      })
    }
  }
  stream.end()
  await once(stream, 'finish')
  return requests
}
