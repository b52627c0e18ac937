import type { ClientName } from '../../src/connections/clients/client-profile.ts'
import type { SentRequest } from './model-server.ts'

/** A skill in the list of a request; the description is null where only the name is. */
export type ListedSkill = readonly [name: string, description: string | null]

/** Reads the skills that a client listed from its first or its last request of a turn; null if there is none. */
export function readListing(
  client: ClientName,
  requests: readonly SentRequest[],
  which: 'first' | 'last' = 'first',
): readonly ListedSkill[] | null {
  const turns = requests.filter(({ path, body }) => isTurn(client, path, body))
  const turn = which === 'first' ? turns[0] : turns.at(-1)
  if (turn === undefined) return null
  return LISTS[client](texts(turn.body))
}

/** Returns true for a turn of the conversation; requests for a title have no tools. */
function isTurn(client: ClientName, path: string, body: unknown): boolean {
  const hasTools = isObject(body) && Array.isArray(body['tools']) && body['tools'].length > 0
  return hasTools && !path.endsWith('count_tokens') && client !== undefined
}

/** Returns the texts of the messages of a request. */
function texts(body: unknown): readonly string[] {
  if (typeof body === 'string') return [body]
  if (Array.isArray(body)) return body.flatMap(texts)
  if (!isObject(body)) return []
  return TEXT_KEYS.flatMap((key) => (body[key] === undefined ? [] : texts(body[key])))
}

/** Members that have texts in requests; Qwen Code has its list in the description of a tool. */
const TEXT_KEYS =
  'system instructions systemInstruction messages input contents content parts text tools function description'.split(
    ' ',
  )

const LISTS: Readonly<Record<ClientName, (texts: readonly string[]) => readonly ListedSkill[]>> = {
  // It adds a list for skills that come later.
  'claude-code': (all) =>
    all.flatMap((one) => {
      const start = 'skills are available for use with the Skill tool:\n\n'
      const [, list = ''] = cut([one], start, '\n\n')
      return lineSkills(list.replace(/\n<\/system-reminder>.*/s, ''), /^- (.*?)(?:: (.*))?$/s)
    }),
  codex: (all) => {
    const [, list = ''] = cut(all, '### Available skills\n', '\n</skills_instructions>')
    return lineSkills(list.split('\n###')[0] ?? '', /^- (.*?): (.*)\(file: .*\)$/s).map(
      ([name, text]) => [name, text === null || text === '' ? null : text.replace(/ $/, '')],
    )
  },
  opencode: (all) => xmlSkills(all, (text) => text),
  pi: (all) => xmlSkills(all, unescaped),
  'gemini-cli': (all) => xmlSkills(all, (text) => text),
  // Each description has the level of its skill behind it.
  'qwen-code': (all) =>
    xmlSkills(all, (text) =>
      unescaped(text.replace(/^\n|(?: \((?:project|user|bundled)\))?\n$/g, '')),
    ),
}

function cut(all: readonly string[], start: string, end: string): readonly string[] {
  const text = all.find((one) => one.includes(start))
  if (text === undefined) return []
  const [before = '', ...rest] = text.split(start)
  const after = rest.join(start)
  const at = after.indexOf(end)
  return [before, at < 0 ? after : after.slice(0, at)]
}

/** Splits a list in lines; a line that does not begin an entry belongs to the one above. */
function lineSkills(list: string, pattern: RegExp): readonly ListedSkill[] {
  const entries: string[] = []
  for (const line of list.split('\n')) {
    if (line.startsWith('- ') || entries.length === 0) entries.push(line)
    else entries.push(`${entries.pop() ?? ''}\n${line}`)
  }
  return entries.flatMap((entry) => {
    const [, name, text] = pattern.exec(entry) ?? []
    return name === undefined ? [] : [[name, text ?? null] as const]
  })
}

const XML_SKILL =
  /<skill>\s*<name>(.*?)<\/name>\s*<description>(.*?)<\/description>\s*<location>(.*?)<\/location>\s*<\/skill>/gs

function xmlSkills(
  all: readonly string[],
  decode: (text: string) => string,
): readonly ListedSkill[] {
  const [, list = ''] = cut(all, '<available_skills>\n', '\n</available_skills>')
  return Array.from(list.matchAll(XML_SKILL), ([, name = '', text = '']) => [
    decode(name),
    decode(text),
  ])
}

function unescaped(text: string): string {
  const signs = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&apos;': "'", '&amp;': '&' }
  return Object.entries(signs).reduce((one, [sign, plain]) => one.replaceAll(sign, plain), text)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
