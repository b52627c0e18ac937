import type { Client } from '@modelcontextprotocol/client'
import type { Skill as Entry, SkillFile as ReadFile } from '@modelcontextprotocol/client/ext/skills'
import * as z from 'zod'
import {
  type ContentHash,
  defineSkill,
  type Skill,
  WorkspaceError,
} from '../../../entries/index.ts'
import {
  checkOptions,
  isObject,
  isUsableName,
  sanitiseLine,
  thrownMessage,
  type ToolServer,
} from '../../../entries/kit.ts'
import { SharedConnection } from './shared-connection.ts'
import { Budget } from '../../../workspace/commands/budget.ts'

/** The skills of one server. */
export interface ServerSkills {
  /** Definitions for a catalog. Each is named after the server and the skill: `tickets_triage`. */
  readonly skills: readonly Skill[]
  /** Skills of the server that are not offered, by the names or addresses that it gives them. */
  readonly leftOut: readonly { readonly skill: string; readonly reason: string }[]
  /** Ends the connection, with the processes of the server. A file that is read later connects again. */
  close(): Promise<void>
}

/** Options of listing the skills of a server. */
export interface ServerSkillsOptions {
  /** Ends the listing, also while it connects. */
  readonly signal?: AbortSignal
}

/** Pages of the list. */
const MOST_PAGES = 64

/** Skills of one server. The others are left out. */
const MOST_SKILLS = 1_000

/** Entries of the list, with those that cannot be used. */
const MOST_ENTRIES = 10_000

/** Files of one skill, and their bytes: the limits of the extension. */
const MOST_FILES = 512

const MOST_BYTES = 16_777_216

/** Characters of a name that is shown. */
const LONGEST_SHOWN = 128

const MAIN = 'SKILL.md'

/**
 * Lists the skills that a server offers by the Skills extension, and reads no file of them.
 *
 *     const { skills } = await readServerSkills(tickets)
 *     const catalog = await createCatalog({ skills })
 *
 * The instructions of such a skill ask the model to read its `SKILL.md` with `loadSkillFile`. Each file is read when it
 * is asked for, and given only if its size and digest are those of the list, and the front matter of `SKILL.md` is that
 * of the list. While `SKILL.md` is another one, no file of the skill is given.
 *
 * The skills are not trusted: they bring neither tools nor permissions. Rejects as `ToolServer.connect`, and with
 * `SKILLS_INVALID` for a list that does not end or is too long. A server without the extension has no skills.
 */
export async function readServerSkills(
  server: ToolServer,
  options: ServerSkillsOptions = {},
): Promise<ServerSkills> {
  checkOptions(options, { signal: true })
  const { signal = new AbortController().signal } = options
  const shared = new SharedConnection(server)
  const use: UseClient = (given, work) =>
    shared.use(given, async (connection) => {
      // The client is an optional peer, and is there when there is a connection.
      const [{ clientOf }, { callError }] = await Promise.all([
        import('./connect-server.ts'),
        import('./call-error.ts'),
      ])
      try {
        return await work(clientOf(connection))
      } catch (error) {
        throw WorkspaceError.is(error) ? error : callError(error)
      }
    })
  try {
    const entries = await use(signal, (client) => listEntries(client, server.name, signal))
    return { ...readEntries(entries, server.name, use), close: () => shared.close() }
  } catch (error) {
    await shared.close()
    throw error
  }
}

type UseClient = <T>(signal: AbortSignal, work: (client: Client) => Promise<T>) => Promise<T>

const PAGE = z.looseObject({ skills: z.array(z.unknown()), nextCursor: z.string().optional() })

/** Returns what all pages of the list have. Pages that lead in a circle are an error, and not a short list. */
async function listEntries(
  client: Client,
  server: string,
  signal: AbortSignal,
): Promise<readonly unknown[]> {
  const { SkillsClient } = await import('@modelcontextprotocol/client/ext/skills')
  if (!new SkillsClient(client).supported) return []
  const entries: unknown[] = []
  const list = new Budget('list')
  const seen = new Set<string>()
  let cursor: string | undefined
  do {
    const params = cursor === undefined ? {} : { cursor }
    const page = await client.request({ method: 'skills/list', params }, PAGE, { signal })
    if (entries.length + page.skills.length > MOST_ENTRIES) {
      throw invalidList(server, `It has over ${MOST_ENTRIES} entries.`)
    }
    const over = list.take(JSON.stringify(page.skills).length)
    if (over !== null) throw invalidList(server, `It has ${over}.`)
    entries.push(...page.skills)
    cursor = page.nextCursor
    if (cursor === undefined) return entries
    if (seen.has(cursor)) throw invalidList(server, 'Its pages lead in a circle.')
    seen.add(cursor)
  } while (seen.size < MOST_PAGES)
  throw invalidList(server, `It has over ${MOST_PAGES} pages.`)
}

/** Letters of a description, by the specification of skills. */
const MOST_DESCRIPTION = 1024

const ENTRY = z.looseObject({
  uri: z.string(),
  frontmatter: z.looseObject({
    name: z.string(),
    description: z.string().min(1).max(MOST_DESCRIPTION),
  }),
  resources: z.array(
    z.looseObject({
      uri: z.string(),
      digest: z.custom<ContentHash>((value) => /^sha256:[\da-f]{64}$/u.test(String(value))),
      size: z.int().min(0),
    }),
    'must be a list of files, which can be checked',
  ),
})

/** Makes a definition of each entry. One that cannot be used is left out with the reason. */
function readEntries(
  entries: readonly unknown[],
  server: string,
  use: UseClient,
): Pick<ServerSkills, 'skills' | 'leftOut'> {
  const skills = new Map<string, Skill>()
  const leftOut: { skill: string; reason: string }[] = []
  for (const given of entries) {
    try {
      if (skills.size >= MOST_SKILLS) throw new Error(`The server has over ${MOST_SKILLS} skills.`)
      const skill = readEntry(given, server, use)
      if (skills.has(skill.name)) throw new Error(`Another skill is named "${skill.name}".`)
      skills.set(skill.name, skill)
    } catch (error) {
      const uri = isObject(given) ? given['uri'] : undefined
      const shown = typeof uri === 'string' ? sanitiseLine(uri.slice(0, LONGEST_SHOWN)) : ''
      leftOut.push({ skill: shown, reason: thrownMessage(error) })
    }
  }
  return { skills: [...skills.values()], leftOut }
}

function readEntry(given: unknown, server: string, use: UseClient): Skill {
  const { success, data: entry, error } = ENTRY.safeParse(given)
  if (!success) {
    const [issue] = error.issues
    throw new Error(`"${issue?.path.join('.')}" of its entry is not valid: ${issue?.message}.`)
  }
  const { frontmatter, resources } = entry
  const name = `${server}_${frontmatter.name}`
  if (!isUsableName(name)) throw new Error(`A skill cannot be named "${sanitiseLine(name)}".`)
  const folder = decodeURIComponent(new URL('.', entry.uri).href.split('/').at(-2) ?? '')
  // The client of the SDK refuses each of its files.
  if (folder !== frontmatter.name) {
    throw new Error(`Its folder is named "${sanitiseLine(folder)}", not "${frontmatter.name}".`)
  }
  if (resources.length > MOST_FILES) throw new Error(`It has over ${MOST_FILES} files.`)
  if (resources.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES) {
    throw new Error(`Its files have over ${MOST_BYTES} bytes.`)
  }
  const files = resources.map(({ uri, digest, size }) => ({
    path: pathBelow(entry.uri, uri),
    size,
    hash: digest,
  }))
  if (!files.some(({ path }) => path === MAIN)) throw new Error(`It lists no ${MAIN}.`)
  let isMainVerified = false
  const read = async (path: string, signal: AbortSignal): Promise<string> => {
    if (!isMainVerified && path !== MAIN) await read(MAIN, signal)
    const file = await use(signal, (client) => readFile(client, entry as Entry, path, signal))
    if (path === MAIN) isMainVerified = true
    return textOf(file, path, name)
  }
  return defineSkill({
    name,
    description: frontmatter.description,
    instructions: `The text of this skill is on the server "${server}". Read its file ${MAIN} with loadSkillFile first.`,
    files,
    readFile: (path, signal = new AbortController().signal) => read(path, signal),
  })
}

/** Returns the path of a file below the folder of its skill. Throws for a file outside of it. */
function pathBelow(skill: string, uri: string): string {
  // Dots in an address are resolved before it is compared.
  const root = new URL('.', skill).href
  const { href } = new URL(uri)
  if (!href.startsWith(root))
    throw new Error(`The file "${sanitiseLine(uri)}" is not in its folder.`)
  return href
    .slice(root.length)
    .split('/')
    .map((part) => decodeURIComponent(part))
    .join('/')
}

/** Reads a file. Throws `FILE_UNVERIFIED` for one that is not the file that was listed. */
async function readFile(
  client: Client,
  entry: Entry,
  path: string,
  signal: AbortSignal,
): Promise<ReadFile> {
  const { SkillsClient, SkillVerificationError } =
    await import('@modelcontextprotocol/client/ext/skills')
  const ref = path.split('/').map(encodeURIComponent).join('/')
  try {
    return await new SkillsClient(client).read(entry, ref, { signal })
  } catch (error) {
    if (!SkillVerificationError.isInstance(error) && !(error instanceof TypeError)) throw error
    throw new WorkspaceError(
      'FILE_UNVERIFIED',
      `The file "${path}" cannot be used: ${sanitiseLine(error.message)}`,
      { facts: { path }, hint: 'List the skills of the server again to accept what it has now.' },
    )
  }
}

function textOf({ bytes }: ReadFile, path: string, skill: string): string {
  try {
    // The digest covers a byte order mark, too.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (cause) {
    throw new WorkspaceError(
      'FILE_NOT_TEXT',
      `The file "${path}" of the skill "${skill}" is not text.`,
      { facts: { skill, path }, hint: 'Read another file.', cause },
    )
  }
}

function invalidList(server: string, what: string): WorkspaceError {
  return new WorkspaceError(
    'SKILLS_INVALID',
    `The list of skills of the server "${server}" cannot be used. ${what}`,
    { facts: { server }, hint: 'Report this to its author.' },
  )
}
