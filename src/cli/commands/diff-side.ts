import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Catalog } from '../../catalog/create/catalog.ts'
import type { Lock } from '../../catalog/lock.ts'
import {
  refuseMissingEntry,
  resolveSessionReference,
  sessionReference,
  type SessionReference,
  sessionUnknown,
} from '../opening/find-session.ts'
import { readLockedProject, resolveReading } from '../opening/open-catalog.ts'
import { openLog } from '../opening/open-log.ts'
import { readStoredSession } from '../opening/read-stored-session.ts'
import type { CliContext } from '../shell/cli-context.ts'
import type { ReadingOptions } from '../shell/common-options.ts'
import { whileReading } from '../shell/progress-line.ts'
import { withoutPassword } from '../shell/shell-word.ts'
import { wrongUsage } from '../shell/wrong-usage.ts'
import type { ToolComponent } from '../../components/define-component.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { hasMembers } from '../../kernel/json-value.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

export interface DiffOptions extends ReadingOptions {
  readonly agent?: string
  readonly path?: readonly string[]
  readonly log?: string
}

/** One of the two things that are compared. */
export interface DiffSide {
  readonly kind: 'folder' | 'manifest' | 'lock' | 'log'
  /** As it was typed, without a password. */
  readonly label: string
  /** Every definition; a log has only those its session used, a lock none. */
  readonly catalog: Catalog | null
  /** The digests of its files, for locks and folders. */
  lock(): Promise<Lock | null>
  /**
   * A session to look at: that of a log at an entry, else one that has just begun, in which every
   * tool counts as bound. Components are code, so they are left out where the other side has none.
   */
  session(other: DiffSide): Promise<VirtualWorkspace | null>
}

/**
 * Read what a word names: a folder, a manifest, a lock, a log, or a session of the log where sessions
 * are kept; `@12` behind either of the last two means as it was after entry 12. What a file is, its
 * content says.
 */
export async function readDiffSide(
  word: string,
  options: DiffOptions,
  context: CliContext,
): Promise<DiffSide> {
  if (word === '') throw nothingAt(word)
  const path = resolve(context.cwd, word)
  const stats = await stat(path).catch(() => null)
  if (stats?.isDirectory()) return folderSide(word, options, context)
  if (stats !== null) return fileSide(word, path, options, context)
  return sessionSide(word, await sessionReference(word, context.cwd), options, context)
}

function nothingAt(word: string): WorkspaceError {
  return wrongUsage(`There is nothing to compare at "${word}".`, GRAMMAR)
}

const GRAMMAR =
  'Give a folder, a manifest, a lock, or a log or a session with an entry: run.jsonl@12.'

async function folderSide(
  word: string,
  options: DiffOptions,
  context: CliContext,
): Promise<DiffSide> {
  const { openProject } = await import('../../project/folders/open-project.ts')
  const { buildReadOptions } = await import('../../project/manifest/build-project.ts')
  const { paths, reading } = await resolveReading([word], options, context)
  const whole = await buildReadOptions(paths, reading)
  const { catalog } = await whileReading(context, (onFolder) =>
    openProject(paths, { ...whole, onFolder }),
  )
  return {
    kind: 'folder',
    label: word,
    catalog,
    lock: async () => (await readLockedProject(paths, reading, context)).lock,
    async session(other) {
      const { buildManifest } = await import('../../catalog/manifest/build-manifest.ts')
      const manifest = buildManifest(catalog, {
        tokenizer: '',
        pathOf: (path) => path,
        handlerOf: () => undefined,
        tokensOf: () => ({ total: 0, texts: {} }),
      })
      const components = other.kind === 'manifest' ? [] : [...catalog.components.values()]
      return freshSession(manifest, components, options)
    },
  }
}

async function fileSide(
  word: string,
  path: string,
  options: DiffOptions,
  context: CliContext,
): Promise<DiffSide> {
  const { readNamedFile } = await import('../../project/walk/read-inside.ts')
  const read = await readNamedFile(path)
  if (!read.ok && read.fault.code !== 'file-too-large') {
    throw wrongUsage(`"${word}" cannot be read. ${read.fault.message}`, read.fault.hint)
  }
  const parsed = read.ok ? parse(read.text) : null
  if (!hasMembers(parsed) || !('format' in parsed) || !('version' in parsed)) {
    return sessionSide(word, { log: word }, options, context)
  }
  if ('digest' in parsed) {
    const { catalogFromManifest } = await import('../../catalog/manifest/catalog-from-manifest.ts')
    const catalog = await catalogFromManifest(parsed)
    return {
      kind: 'manifest',
      label: word,
      catalog,
      lock: async () => null,
      session: () => freshSession(parsed, [], options),
    }
  }
  const { readLock } = await import('../../catalog/lock.ts')
  const lock = readLock(parsed)
  return {
    kind: 'lock',
    label: word,
    catalog: null,
    lock: async () => lock,
    session: async () => null,
  }
}

async function sessionSide(
  word: string,
  reference: SessionReference,
  options: DiffOptions,
  context: CliContext,
): Promise<DiffSide> {
  const { log: file, session: wanted } = reference
  const open = await openLog(file ?? options.log, { purpose: 'look' }, context)
  const found = open === null ? null : await isLog(word, resolveSessionReference(open, reference))
  if (open === null || found === null) {
    if (wanted === undefined) {
      throw wrongUsage(
        `"${word}" is no manifest and no lock, and as a log it holds no session.`,
        GRAMMAR,
      )
    }
    if (open === null || options.log === undefined) throw nothingAt(word)
    throw await sessionUnknown(open, wanted)
  }
  const { session, at } = found
  const kept = await readStoredSession(open, session)
  const last = kept.entries.length - 1
  refuseMissingEntry(at ?? last, last, wanted ?? file)
  return {
    kind: 'log',
    label: withoutPassword(word),
    catalog: null,
    lock: async () => null,
    async session() {
      const { VirtualWorkspace } = await import('../../workspace/virtual-workspace.ts')
      const catalog = await definitionsFor(options, context)
      const { log } = kept
      return VirtualWorkspace.open({ catalog, log, session, readOnly: true, at: at ?? last })
    },
  }
}

/** That a file is something else is a mistake in the command line. */
async function isLog<T>(word: string, looked: Promise<T>): Promise<T> {
  try {
    return await looked
  } catch (error) {
    if (!WorkspaceError.is(error) || error.code !== 'LOG_FORMAT') throw error
    throw wrongUsage(`"${word}" is no manifest, no lock and no log.`, GRAMMAR)
  }
}

/** What is known beside the log: the definitions at `--path`, since a log keeps only used ones. */
async function definitionsFor(options: DiffOptions, context: CliContext): Promise<Catalog> {
  if (options.path === undefined) {
    const { createCatalog } = await import('../../catalog/create/create-catalog.ts')
    return createCatalog({})
  }
  const { openProject } = await import('../../project/folders/open-project.ts')
  const { paths, reading } = await resolveReading(options.path, options, context)
  return (await openProject(paths, reading)).catalog
}

async function freshSession(
  manifest: unknown,
  components: readonly ToolComponent[],
  { agent }: Pick<DiffOptions, 'agent'>,
): Promise<VirtualWorkspace> {
  const { catalogFromManifest } = await import('../../catalog/manifest/catalog-from-manifest.ts')
  const { VirtualWorkspace } = await import('../../workspace/virtual-workspace.ts')
  const catalog = await catalogFromManifest(manifest, {
    verify: false,
    components,
    handlerOf: () => notCalled,
  })
  return VirtualWorkspace.open({ catalog, ...(agent !== undefined && { agent }) })
}

/** Nothing is called in a session that is only compared. */
function notCalled(): null {
  return null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
