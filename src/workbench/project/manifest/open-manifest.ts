import { realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import {
  type Catalog,
  type Diagnostic,
  type TokenCounter,
  type Tool,
  WorkspaceError,
} from '../../../entries/index.ts'
import { checkedText, checkOptions, type OptionsOf, quotedPath } from '../../../entries/kit.ts'
import { type SkillFileReader, withTopic } from '../../../entries/definitions.ts'
import {
  catalogFromManifest,
  type FromManifestOptions,
  type Manifest,
  manifestCounter,
  type ManifestSkill,
  type ManifestTool,
  manifestTools,
} from '../../../entries/manifest.ts'
import { o200kCounter } from '../../../entries/plan.ts'
import { exportedTool } from '../folders/import-tool.ts'
import { skillFileReader } from '../folders/skill-file-reader.ts'
import { type OpenServerFile, serverFindings } from '../servers/open-server-files.ts'
import {
  SERVER_FILE_OPTIONS,
  type ServerFileOptions,
  serversOfSource,
} from '../servers/read-servers.ts'
import { loadServerSource } from '../servers/server-source.ts'
import { loadManifest } from './load-manifest.ts'
import { importModule } from '../trust/import-module.ts'
import { guardTools, isTrusted, trustedFolderAt } from '../trust/is-trusted.ts'
import { realFolder, TRUST_OPTIONS, type TrustOptions } from '../trust/trust-store.ts'
import { isInside } from '../walk/is-inside.ts'

export interface OpenManifestOptions
  extends
    Pick<FromManifestOptions, 'verify' | 'components' | 'servers'>,
    TrustOptions,
    ServerFileOptions {
  /**
   * The folder that was built, on this machine. Files of skills are read from it and checked by
   * their digests, and its handlers are imported if it is trusted. Without it, files are only
   * listed, and tools have the handlers of `handlerOf`.
   */
  readonly folder?: string
  /** Handlers of tools, which precede those in the folder. */
  readonly handlerOf?: FromManifestOptions['handlerOf']
  /** A counter with the manifest's tokenizer; `o200k_base` by default. */
  readonly counter?: TokenCounter
}

const OPTIONS: OptionsOf<OpenManifestOptions> = {
  ...TRUST_OPTIONS,
  ...SERVER_FILE_OPTIONS,
  verify: 'switch',
  components: 'list',
  servers: 'list',
  folder: 'text',
  handlerOf: 'function',
  counter: 'object',
}

/** Everything needed to open sessions on a manifest. */
export interface OpenedManifest {
  readonly manifest: Manifest
  readonly catalog: Catalog
  /** Has the counts of every text that the build counted. */
  readonly counter: TokenCounter
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads a manifest's file and makes its catalog, with the files of its folder. Runs no code yet.
 */
export async function openManifest(
  file: string,
  given: OpenManifestOptions = {},
): Promise<OpenedManifest> {
  checkOptions(given, OPTIONS)
  const {
    folder,
    verify,
    components,
    servers = [],
    handlerOf,
    counter,
    environment,
    env,
    ...trusting
  } = given
  const manifest = await loadManifest(checkedText(file, 'file'))
  const root =
    folder === undefined
      ? null
      : await realFolder(resolve(folder), 'Give the folder that was built, or leave it out.')
  const trusted = root !== null && (await isTrusted(root, trusting))
  const options = { ...(environment && { environment }), ...(env && { env }), trusted }
  const files = root === null ? [] : await readServerFiles(manifest, root, options)
  const catalog = await catalogFromManifest(manifest, {
    servers: [...servers, ...files.flatMap((one) => one.servers.map(({ server }) => server))],
    ...(verify !== undefined && { verify }),
    ...(components !== undefined && { components }),
    ...(root !== null && {
      readerOf: (skill) => skillReader(skill, root),
      folderOf: ({ path }) => {
        const folder = join(root, dirname(path ?? '..'))
        return path !== undefined && isInside(root, folder) ? folder : undefined
      },
    }),
    handlerOf: (tool) => {
      const own = handlerOf?.(tool)
      if (own !== undefined || root === null || !trusted || tool.handler === undefined) return own
      return lazyHandler(tool, root, join(root, tool.handler))
    },
  })
  const hasHandlers = [...manifestTools(manifest)].some(({ handler }) => handler !== undefined)
  const diagnostics = [
    ...catalog.diagnostics,
    ...serverFindings(files, new Set(manifest.servers?.map(({ name }) => name))),
    ...(root === null || trusted || !hasHandlers ? [] : [untrusted(root)]),
  ]
  return {
    manifest,
    catalog,
    counter: manifestCounter(manifest, counter ?? (await o200kCounter())),
    diagnostics,
  }
}

/** Reads the files of servers in the folder that was built. A file that is no longer there has none. */
async function readServerFiles(
  { servers = [] }: Manifest,
  root: string,
  options: ServerFileOptions & { readonly trusted: boolean },
): Promise<readonly OpenServerFile[]> {
  const paths = new Set(servers.flatMap(({ path }) => (path === undefined ? [] : join(root, path))))
  const files = [...paths].map(async (file): Promise<readonly OpenServerFile[]> => {
    const real = await realpath(file).catch(() => null)
    if (real === null || !isInside(root, real)) return []
    const source = await loadServerSource(file).catch(() => null)
    if (source === null) return []
    const trust = { ...options, guard: trustedFolderAt(root) }
    return [{ file, servers: serversOfSource({ ...source, root }, trust) }]
  })
  return (await Promise.all(files)).flat()
}

/** Returns a handler that is imported at its first call, which reports faults. */
function lazyHandler(tool: ManifestTool, root: string, path: string): NonNullable<Tool['execute']> {
  const execute: Tool['execute'] = async (input, context) => {
    const outcome = await importModule(root, path)
    const found = outcome.ok ? handlerIn(outcome.exports, tool) : outcome.message
    if (typeof found === 'function') return found(input, context)
    const { name } = tool
    const message = `The handler of "${name}" cannot be run: ${found}.`
    throw new WorkspaceError('HANDLER_FAILED', message, {
      facts: { tool: name, path },
      hint: 'Correct the handler, or deploy the folder that was built.',
    })
  }
  guardTools([{ execute }], root)
  return execute
}

/** Returns the function `execute` of a module, or that of the tool it exports; or what is wrong. */
function handlerIn(
  exports: Readonly<Record<string, unknown>>,
  { hash, topic }: ManifestTool,
): NonNullable<Tool['execute']> | string {
  const { execute } = exports
  const exported = exportedTool(exports)
  if (!exported.ok) {
    return typeof execute === 'function'
      ? (execute as NonNullable<Tool['execute']>)
      : 'it exports no function named execute, and no tool'
  }
  const tool = withTopic(exported.tool, topic)
  if (tool.hash !== hash) return 'it defines another tool than the one that was built'
  return tool.execute ?? 'its tool has no handler'
}

function skillReader(skill: ManifestSkill, root: string): SkillFileReader | undefined {
  const { name, path, files } = skill
  if (path === undefined) return undefined
  const folder = join(root, dirname(path))
  let reader: Promise<SkillFileReader> | undefined
  return async (inner, signal) => {
    reader ??= realpath(folder).then((real) => {
      if (!isInside(root, real)) {
        const message = `The folder of the skill "${name}" is outside "${root}".`
        throw new WorkspaceError('FILE_OUTSIDE', message, {
          facts: { skill: name, folder: root },
          hint: 'Build the manifest again, and deploy the built folder without changes.',
        })
      }
      return skillFileReader(name, { path: folder, real, depth: 0, entries: [] }, files, false)
    })
    return (await reader)(inner, signal)
  }
}

function untrusted(folder: string): Diagnostic {
  return {
    code: 'handler-untrusted',
    severity: 'warning',
    message: 'Handlers of the manifest were not bound: its folder is not trusted.',
    hint: `Read the code, then trust the folder: loadout trust ${quotedPath(folder)}.`,
    file: folder,
  }
}
