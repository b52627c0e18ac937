import { open, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import type { ClientName } from '../../clients/client-profile.ts'
import { codexThread } from './codex-conversation.ts'
import { geminiFolder } from './read-gemini-cli.ts'
import { jsonIn, list, memberIn, object, readTime, text } from '../content/text-in-content.ts'

/** A file in which a client wrote sessions. */
export interface FoundTranscript {
  readonly file: string
  /** The folder that its session ran in; null for a file of many sessions, or where its beginning does not say. */
  readonly project: string | null
  /** Milliseconds since 1970. */
  readonly changedAt: number
  readonly bytes: number
}

/** The folder of each client in a home, the variable that names another one, and its transcripts in it. */
const PLACES: Readonly<
  Record<
    ClientName,
    { readonly home: string; readonly variable: string; readonly in: string; readonly name: RegExp }
  >
> = {
  'claude-code': {
    home: '.claude',
    variable: 'CLAUDE_CONFIG_DIR',
    in: 'projects',
    name: /^(?!agent-).*\.jsonl$/,
  },
  codex: { home: '.codex', variable: 'CODEX_HOME', in: 'sessions', name: /^rollout-.*\.jsonl$/ },
  opencode: {
    home: '.local/share',
    variable: 'XDG_DATA_HOME',
    in: 'opencode',
    name: /^opencode.*\.db$/,
  },
  pi: { home: '.pi/agent', variable: 'PI_CODING_AGENT_DIR', in: 'sessions', name: /\.jsonl$/ },
  'gemini-cli': {
    home: '',
    variable: 'GEMINI_CLI_HOME',
    in: '.gemini/tmp',
    name: /^session-.*\.jsonl$/,
  },
  'qwen-code': { home: '.qwen', variable: 'QWEN_HOME', in: 'projects', name: /\.jsonl$/ },
}

/** Lists the transcripts of a client, the last changed first. Reads their beginnings, and changes nothing. */
export async function findTranscripts(
  client: ClientName,
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly FoundTranscript[]> {
  const place = PLACES[client]
  const folder = join(env[place.variable] || join(home, place.home), place.in)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries
    .filter((entry) => entry.isFile() && place.name.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  const found: FoundTranscript[] = []
  for (const file of files) {
    const stats = await stat(file).catch(() => null)
    if (stats === null) continue
    const project = file.endsWith('.jsonl') ? await projectIn(file) : null
    found.push({ file, project, changedAt: stats.mtimeMs, bytes: stats.size })
  }
  return found.toSorted((a, b) => b.changedAt - a.changedAt || (a.file < b.file ? -1 : 1))
}

/** Returns the last transcript of a client in a folder, or in the nearest folder above that has one; null without one. */
export async function latestTranscript(
  client: ClientName,
  folder: string,
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | null> {
  const found = (await findTranscripts(client, home, env)).filter(
    // A database has the sessions of all folders.
    ({ project, file }) => `${folder}${sep}`.startsWith(`${project}${sep}`) || file.endsWith('.db'),
  )
  const depth = ({ project }: FoundTranscript) => project?.length ?? 0
  return found.toSorted((a, b) => depth(b) - depth(a))[0]?.file ?? null
}

/** The bytes of a transcript in which the folder of its session is looked for. */
const BEGINNING = 64 * 1024

async function projectIn(file: string): Promise<string | null> {
  for (const line of (await readBeginning(file)).split('\n')) {
    const value = jsonIn(line.trim())
    const folder =
      text(memberIn(value, 'cwd')) ||
      text(memberIn(memberIn(value, 'payload'), 'cwd')) ||
      list(memberIn(memberIn(value, '$set'), 'messages'))
        .map(object)
        .map(geminiFolder)[0]
    if (folder) return folder
  }
  return null
}

/** Returns the first characters of a file; none when it cannot be read. */
async function readBeginning(file: string): Promise<string> {
  const handle = await open(file).catch(() => null)
  if (handle === null) return ''
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

/**
 * Returns the other files of Codex next to a transcript, by their names: those below the same folder of sessions, or in
 * the same folder. No links or pipes.
 */
export async function otherRollouts(file: string): Promise<Map<string, string>> {
  const [root] = /^.*[\\/]sessions[\\/]/.exec(file) ?? []
  const options = { recursive: root !== undefined, withFileTypes: true } as const
  const entries = await readdir(root ?? dirname(file), options).catch(() => [])
  const files = entries.filter((entry) => entry.isFile() && entry.name !== basename(file))
  return new Map(files.map(({ name, parentPath }) => [name, join(parentPath, name)]))
}

/**
 * Returns the files of the subagents of a session of Codex, and of those that they began. The first line of each names
 * the session that began it.
 */
export async function codexSubagents(
  file: string,
  lines: readonly Readonly<Record<string, unknown>>[],
): Promise<readonly string[]> {
  const { session } = codexThread(lines)
  // No subagent wrote before its session began.
  const since = readTime(lines[0]?.['timestamp'])
  const below = new Map<string, { readonly id: string; readonly file: string }[]>()
  for (const [name, path] of await otherRollouts(file)) {
    const stats = PLACES.codex.name.test(name) ? await stat(path).catch(() => null) : null
    if (stats === null || stats.mtimeMs < since) continue
    const [first = ''] = (await readBeginning(path)).split('\n', 1)
    // A long line is cut, so it may not be JSON.
    const [, parent] = /"parent_thread_id":\s*"([^"]+)"/.exec(first) ?? []
    const [, id] = /"id":\s*"([^"]+)"/.exec(first) ?? []
    if (parent === undefined || id === undefined) continue
    below.set(parent, [...(below.get(parent) ?? []), { id, file: path }])
  }
  const found = [...(below.get(session) ?? [])]
  const known = new Set([session])
  for (const { id } of found) {
    if (!known.has(id)) found.push(...(below.get(id) ?? []))
    known.add(id)
  }
  return [...new Set(found.map((one) => one.file))]
}
