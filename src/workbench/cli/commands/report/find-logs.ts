import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { CLIENT_NAMES, type ClientName } from '../../../../connections/clients/client-profile.ts'
import { findTranscripts } from '../../../../connections/observed/transcripts/find-transcripts.ts'
import { isInside } from '../../../project/walk/is-inside.ts'
import { recordingsIn } from '../../opening/new-recording.ts'
import { stateFolder } from '../../opening/open-log.ts'
import type { CliContext } from '../../shell/cli-context.ts'
import { wrongUsage } from '../../shell/wrong-usage.ts'

/** A file of sessions, or another log. */
export interface FoundLog {
  readonly log: string
  /** Milliseconds since 1970; Infinity for a log that is no file. */
  readonly changedAt: number
  readonly bytes: number
}

/** The names of files in a folder that may have sessions. */
const NAMES = /\.(?:jsonl|har|db|sqlite)$/

/**
 * Finds the logs that words name: files, all in a folder, or all of an agent. Without words, those of all agents and the
 * recordings of the folders.
 *
 * @param folders the project; null for all sessions
 */
export async function findLogs(
  words: readonly string[],
  folders: readonly string[] | null,
  context: CliContext,
): Promise<readonly FoundLog[]> {
  const found = new Map<string, FoundLog>()
  const add = (all: readonly FoundLog[]) => all.forEach((one) => found.set(one.log, one))
  for (const word of words) add(await findNamed(word, folders, context))
  if (words.length === 0) {
    for (const client of CLIENT_NAMES) add(await ofClient(client, folders, context))
    for (const folder of folders ?? []) add(await foundRecordings(folder, context))
  }
  return [...found.values()].toSorted((a, b) => (a.log < b.log ? -1 : 1))
}

async function findNamed(
  word: string,
  folders: readonly string[] | null,
  context: CliContext,
): Promise<readonly FoundLog[]> {
  if (/^postgres(?:ql)?:\/\//i.test(word)) return [{ log: word, changedAt: Infinity, bytes: 0 }]
  const path = resolve(context.cwd, word)
  const stats = await stat(path).catch(() => null)
  const client = CLIENT_NAMES.find((one) => one === word)
  if (stats === null && client) return ofClient(client, folders, context)
  if (stats === null && word === 'recording') return foundRecordings(context.cwd, context)
  if (stats === null)
    throw wrongUsage(`"${word}" does not exist.`, 'Give a folder, a file, or the name of an agent.')
  if (!stats.isDirectory()) return foundFiles([path])
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  // Claude Code writes subagents there, and they are read with the sessions that began them.
  const files = entries.filter(
    (entry) =>
      entry.isFile() && NAMES.test(entry.name) && basename(entry.parentPath) !== 'subagents',
  )
  return foundFiles(files.map((entry) => join(entry.parentPath, entry.name)))
}

async function ofClient(
  client: ClientName,
  folders: readonly string[] | null,
  { home, env }: CliContext,
): Promise<readonly FoundLog[]> {
  if (home === null) return []
  const all = await findTranscripts(client, home, env)
  return all.flatMap(({ file: log, project, ...about }) => {
    // A file that does not say may have sessions of all folders.
    const isMeant = project === null || !folders || folders.some((one) => isInside(one, project))
    return isMeant ? { log, ...about } : []
  })
}

async function foundRecordings(folder: string, context: CliContext): Promise<readonly FoundLog[]> {
  const real = await realpath(folder).catch(() => null)
  return real === null ? [] : foundFiles(await recordingsIn(real, stateFolder(context)))
}

async function foundFiles(files: readonly string[]): Promise<readonly FoundLog[]> {
  const found: FoundLog[] = []
  for (const log of files) {
    const stats = await stat(log).catch(() => null)
    if (stats !== null) found.push({ log, changedAt: stats.mtimeMs, bytes: stats.size })
  }
  return found
}
