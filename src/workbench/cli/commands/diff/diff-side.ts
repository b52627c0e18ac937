import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  type Catalog,
  type ToolComponent,
  type VirtualWorkspace,
  WorkspaceError,
} from '../../../../entries/index.ts'
import { isObject } from '../../../../entries/kit.ts'
import type { Lock } from '../../../../entries/manifest.ts'
import {
  refuseMissingEntry,
  resolveSessionReference,
  sessionReference,
  type SessionReference,
  sessionUnknown,
} from '../../opening/find-session.ts'
import { readLockedProject, resolveReading } from '../../opening/open-catalog.ts'
import { openLog } from '../../opening/open-log.ts'
import { readStoredSession } from '../../opening/read-stored-session.ts'
import type { CliContext } from '../../shell/cli-context.ts'
import type { ReadingOptions, PricingOptions } from '../../shell/opening-options.ts'
import { whileReading } from '../../shell/progress-line.ts'
import { withoutPassword } from '../../shell/without-password.ts'
import { wrongUsage } from '../../shell/wrong-usage.ts'

export interface DiffOptions extends ReadingOptions, PricingOptions {
  readonly agent?: string
  readonly path?: readonly string[]
  readonly log?: string
}

/** One side of a comparison. */
export interface DiffSide {
  readonly kind: 'folder' | 'manifest' | 'lock' | 'log'
  /** The argument, without a password. */
  readonly label: string
  /** All definitions; null for a log, which has only those its session used, and for a lock. */
  readonly catalog: Catalog | null
  /** The digests of its files; null except for locks and folders. */
  lock(): Promise<Lock | null>
  /**
   * Opens the session of a log, or a new session in which every tool counts as bound. Components are
   * code, so they are left out when the other side is a manifest. Null for a lock.
   */
  session(other: DiffSide): Promise<VirtualWorkspace | null>
}

/**
 * Reads the side given by a word: a folder, a manifest, a lock, a log, or a session of the default log.
 * `@12` at the end of a log or session selects entry 12. The kind of a file is found from its content.
 */
export async function readDiffSide(
  word: string,
  options: DiffOptions,
  context: CliContext,
): Promise<DiffSide> {
  if (word === '') throw neither(word)
  const path = resolve(context.cwd, word)
  const stats = await stat(path).catch(() => null)
  if (stats?.isDirectory()) return folderSide(word, options, context)
  if (stats !== null) return fileSide(word, path, options, context)
  return sessionSide(word, await sessionReference(word, context.cwd), options, context)
}

function neither(word: string): WorkspaceError {
  return wrongUsage(`"${word}" is neither a path nor a session.`, SIDES)
}

const SIDES =
  'Give a folder, a manifest, a lock, a log or a session. "@12" selects an entry: run.jsonl@12.'

async function folderSide(
  word: string,
  options: DiffOptions,
  context: CliContext,
): Promise<DiffSide> {
  const { loadProject } = await import('../../../project/folders/open-project.ts')
  const { buildReadOptions } = await import('../../../project/manifest/build-project.ts')
  const { paths, reading } = await resolveReading([word], options, context)
  const buildOptions = await buildReadOptions(paths, reading)
  const { catalog } = await whileReading(context, (onFolder) =>
    loadProject(paths, buildOptions, onFolder),
  )
  return {
    kind: 'folder',
    label: word,
    catalog,
    lock: async () => (await readLockedProject(paths, reading, context)).lock,
    async session(other) {
      const { buildManifest } = await import('../../../../entries/manifest.ts')
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
  const { readNamedFile } = await import('../../../project/walk/read-inside.ts')
  const read = await readNamedFile(path)
  if (!read.ok && read.fault.code !== 'file-too-large') {
    throw wrongUsage(`"${word}" cannot be read. ${read.fault.message}`, read.fault.hint)
  }
  const parsed = read.ok ? parse(read.text) : null
  if (!isObject(parsed) || !('format' in parsed) || !('version' in parsed)) {
    return sessionSide(word, { log: word }, options, context)
  }
  if ('digest' in parsed) {
    const { catalogFromManifest } = await import('../../../../entries/manifest.ts')
    const catalog = await catalogFromManifest(parsed)
    return {
      kind: 'manifest',
      label: word,
      catalog,
      lock: async () => null,
      session: () => freshSession(parsed, [], options),
    }
  }
  const { readLock } = await import('../../../../entries/manifest.ts')
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
  const open = await openLog(file ?? options.log, { purpose: 'look' }, context).catch(
    (error: unknown) => {
      const isLog = !WorkspaceError.is(error) || error.code !== 'LOG_FORMAT'
      // A log of a later version says so.
      if (isLog || error.facts['found'] !== undefined) throw error
      throw wrongUsage(`"${word}" is not a manifest, a lock or a log.`, SIDES)
    },
  )
  const found = open && (await resolveSessionReference(open, reference))
  if (open === null || found === null) {
    if (wanted === undefined) {
      throw wrongUsage(`"${word}" is not a manifest or a lock, and it contains no sessions.`, SIDES)
    }
    if (open === null || options.log === undefined) throw neither(word)
    throw await sessionUnknown(open, wanted)
  }
  const { session, at } = found
  const stored = await readStoredSession(open, session, open.recorded)
  const last = stored.entries.length - 1
  refuseMissingEntry(at ?? last, last, wanted ?? file)
  return {
    kind: 'log',
    label: withoutPassword(word),
    catalog: null,
    lock: async () => null,
    async session() {
      const { VirtualWorkspace, recordedOptions } = await import('../../../../entries/index.ts')
      const catalog = await definitionsFor(options, context)
      const { log } = stored
      const moment = { log, session, readOnly: true, at: at ?? last } as const
      const sent = (await recordedOptions(log, stored.entries.slice(0, moment.at + 1))) ?? {}
      const priced = pricedFor({ ...sent, ...pricedFor(options) })
      return VirtualWorkspace.open({ catalog, ...moment, ...priced })
    },
  }
}

/** Reads the definitions at `--path`; a log contains only those that its session used. */
async function definitionsFor(options: DiffOptions, context: CliContext): Promise<Catalog> {
  if (options.path === undefined) {
    const { createCatalog } = await import('../../../../entries/index.ts')
    return createCatalog({})
  }
  const { openProject } = await import('../../../project/folders/open-project.ts')
  const { paths, reading } = await resolveReading(options.path, options, context)
  return (await openProject(paths, reading)).catalog
}

async function freshSession(
  manifest: unknown,
  components: readonly ToolComponent[],
  options: Pick<DiffOptions, 'agent' | keyof PricingOptions>,
): Promise<VirtualWorkspace> {
  const { catalogFromManifest } = await import('../../../../entries/manifest.ts')
  const { VirtualWorkspace } = await import('../../../../entries/index.ts')
  const catalog = await catalogFromManifest(manifest, {
    verify: false,
    components,
    // A compared session calls no tools.
    handlerOf: () => () => null,
  })
  const { agent } = options
  return VirtualWorkspace.open({
    catalog,
    ...(agent !== undefined && { agent }),
    ...pricedFor(options),
  })
}

/** Returns the given provider and strategy. */
function pricedFor({ provider, exposure }: PricingOptions): PricingOptions {
  return {
    ...(provider !== undefined && { provider }),
    ...(exposure !== undefined && { exposure }),
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
