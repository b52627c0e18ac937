import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { WorkspaceError } from '../../../entries/index.ts'
import {
  checkedText,
  checkOptions,
  contentHash,
  isObject,
  type OptionsOf,
  quotedPath,
  thrownMessage,
  type ToolServer,
  usableToolName,
} from '../../../entries/kit.ts'
import {
  mcpServer,
  type McpServerOptions,
  TERM_OPTIONS,
} from '../../../connections/mcp/client/mcp-server.ts'
import type { TrustEnd, trustedFolderAt } from '../trust/is-trusted.ts'
import { loadServerSource, type ServerSource } from './server-source.ts'

/** A file of servers that was read. */
export interface ServerFile {
  /** Absolute. */
  readonly file: string
  readonly servers: readonly ReadServer[]
  /** Servers that cannot be used, by the names in the file. */
  readonly problems: readonly { readonly server: string; readonly reason: string }[]
}

/** A server of a file. It is not started or connected. */
export interface ReadServer {
  readonly server: ToolServer
  /** The command line or the address, for a person who decides whether to trust it. Variables are not filled in. */
  readonly runs: string
}

/** Options of reading a file of servers. */
export interface ServerFileOptions {
  /** The environment variables that the file may use, in texts such as `${TOKEN}`. Others make a server unusable. */
  readonly environment?: readonly string[]
  /** The values of the variables; those of this process when absent. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

export const SERVER_FILE_OPTIONS: OptionsOf<ServerFileOptions> = {
  environment: 'texts',
  env: 'object',
}

/**
 * Reads the servers of a file: `.mcp.json`, or a file with `mcpServers` (Claude, Cursor) or `servers` (VS Code). Nothing
 * is started or connected. A server that cannot be used is listed with the reason, and the others can be used. Of the
 * projects in the file of Claude Code, the servers of the current folder are read.
 *
 * Rejects with `SERVERS_INVALID` for a file that cannot be read, or has no servers.
 */
export async function readServers(
  file: string,
  options: ServerFileOptions = {},
): Promise<ServerFile> {
  checkOptions(options, SERVER_FILE_OPTIONS)
  const source = await loadServerSource(resolve(checkedText(file, 'file')), [resolve('.')])
  const read = serversOfSource(source, { ...options, trusted: true })
  return {
    file: source.file,
    servers: read.filter(({ problem }) => problem === undefined),
    problems: read.flatMap(({ name, problem }) =>
      problem === undefined ? [] : [{ server: name, reason: problem.message }],
    ),
  }
}

/** A server of a file, also one that cannot be connected: connecting to it rejects with the problem. */
export interface NamedServer extends ReadServer {
  /** As the file has it. */
  readonly name: string
  readonly problem?: WorkspaceError
}

/** Decides if the servers of a file may be started. */
interface ServerTrust {
  readonly trusted: boolean
  /** The folder that a person trusted: it is compared when a server starts. Undefined where a host answers for it. */
  readonly guard?: ReturnType<typeof trustedFolderAt>
}

/**
 * Makes the servers of a file. The servers of a file that is not trusted can be named and found, and connecting to them
 * rejects with `SERVER_UNTRUSTED`; no variable is filled in. So does connecting to one whose folder has changed.
 */
export function serversOfSource(
  { file, root, folder, entries }: ServerSource,
  { environment = [], env = process.env, trusted, guard }: ServerTrust & ServerFileOptions,
): readonly NamedServer[] {
  const fill = filler(new Set(environment), env, folder)
  return Object.entries(entries).flatMap(([name, given]): NamedServer[] => {
    const usable = usableToolName(name)
    const written = writtenServer(given)
    const unusable = (problem: WorkspaceError) => ({
      name,
      runs: written.runs,
      problem,
      server: closedServer(usable ?? 'unnamed', written, problem),
    })
    if (usable === undefined) return [unusable(invalid(file, name, 'Its name cannot be used.'))]
    if (!trusted) return [unusable(untrusted(root, name))]
    try {
      const server = mcpServer({ name: usable, ...readServer(given, folder, fill) })
      // Of the text of the file, so that it is the same on every machine, and has no secret.
      const hash = contentHash({ name: usable, ...written })
      const connect: ToolServer['connect'] = async (host) => {
        await guard?.compare()
        if (guard?.withheld) throw untrusted(root, name, guard.withheld)
        return server.connect(host)
      }
      return [{ name, runs: written.runs, server: Object.freeze({ ...server, hash, connect }) }]
    } catch (error) {
      return [unusable(invalid(file, name, thrownMessage(error)))]
    }
  })
}

/** The parts of a server that its hash covers, as their file has them. The values of secrets are no part. */
interface WrittenServer {
  readonly runs: string
  readonly env: readonly string[]
  readonly headers: readonly string[]
}

function writtenServer(given: unknown): WrittenServer {
  const { command, args, url, env, headers } = isObject(given) ? given : {}
  const words = [command, ...(Array.isArray(args) ? args : [])]
  const runs = typeof url === 'string' ? url.replace(/[?#].*/su, '') : words.join(' ')
  const keys = (texts: unknown) => (isObject(texts) ? Object.keys(texts).sort() : [])
  return { runs, env: keys(env), headers: keys(headers) }
}

function closedServer(name: string, written: WrittenServer, problem: WorkspaceError): ToolServer {
  return Object.freeze<ToolServer>({
    name,
    trusted: false,
    hash: contentHash({ name, ...written }),
    graceMs: 1,
    connect: () => Promise.reject(problem),
  })
}

function untrusted(root: string, name: string, why?: TrustEnd): WorkspaceError {
  const message = `The server "${name}" is not trusted.${why ? ` ${why.message}` : ''}`
  return new WorkspaceError('SERVER_UNTRUSTED', message, {
    facts: { server: name, folder: root },
    hint:
      why?.hint ??
      `Read its command, then trust the folder: loadout trust ${quotedPath(root)} (or --trust for one run).`,
  })
}

function invalid(file: string, server: string, reason: string): WorkspaceError {
  return new WorkspaceError('SERVER_INVALID', reason, {
    facts: { server, file },
    hint: `Correct it in ${file}.`,
  })
}

type Fill = (text: string) => string

function readServer(given: unknown, folder: string, fill: Fill): Omit<McpServerOptions, 'name'> {
  if (!isObject(given)) throw new Error('It is no object.')
  const { type, command, args = [], env = {}, cwd, url, headers = {}, disabled, envFile } = given
  const terms = termsIn(given)
  if (disabled === true) throw new Error('It is disabled.')
  if (type === 'sse') throw new Error('Its transport (sse) is not supported.')
  if (typeof url === 'string')
    return { ...terms, url: fill(url), headers: texts('headers', headers, fill) }
  if (typeof command !== 'string') throw new Error('It has neither "command" nor "url".')
  if (!Array.isArray(args) || !args.every((one) => typeof one === 'string')) {
    throw new Error('"args" must be a list of texts.')
  }
  return {
    ...terms,
    command: fill(command),
    args: args.map(fill),
    env: { ...readEnvFile(envFile, folder, fill), ...texts('env', env, fill) },
    cwd: typeof cwd === 'string' ? resolve(folder, fill(cwd)) : folder,
  }
}

/** Returns the terms that a file gives a server under `loadout`. */
function termsIn({ loadout: given = {} }: { readonly loadout?: unknown }): object {
  if (!isObject(given)) throw new Error('"loadout" must be an object.')
  checkOptions(given, TERM_OPTIONS, 'loadout.')
  return given
}

/** Reads the variables that VS Code keeps for a server in a file of their own. */
function readEnvFile(
  envFile: unknown,
  folder: string,
  fill: Fill,
): Readonly<Record<string, string>> {
  if (envFile === undefined) return {}
  if (typeof envFile !== 'string') throw new Error('"envFile" must be a path.')
  try {
    const variables = parseEnv(readFileSync(resolve(folder, fill(envFile)), 'utf8'))
    return Object.fromEntries(
      Object.entries(variables).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    )
  } catch (cause) {
    const problem = `Its file of variables (envFile) cannot be read: ${thrownMessage(cause)}`
    throw new Error(problem, { cause })
  }
}

function texts(field: string, given: unknown, fill: Fill): Readonly<Record<string, string>> {
  if (!isObject(given)) throw new Error(`"${field}" must be an object of texts.`)
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (typeof value !== 'string') throw new Error(`"${field}.${name}" must be a text.`)
      return [name, fill(value)]
    }),
  )
}

/** Variables that mean the folder in which the programs of a file run. */
const FOLDER_VARIABLES: ReadonlySet<string> = new Set(['workspaceFolder', 'CLAUDE_PLUGIN_ROOT'])

/** `${NAME}`, `${NAME:-default}`, `${env:NAME}`, `${workspaceFolder}`, `${input:name}`. */
const PLACEHOLDER = /\$\{(?:(env|input):)?([A-Za-z_]\w{0,99})(?::-([^}]{0,999}))?\}/gu

/** Returns a function that fills in the placeholders of a text. It throws for a variable that it may not read. */
function filler(
  allowed: ReadonlySet<string>,
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
): Fill {
  return (text) =>
    text.replaceAll(PLACEHOLDER, (_, kind?: string, name = '', other?: string) => {
      if (kind === undefined && FOLDER_VARIABLES.has(name)) return folder
      if (kind === undefined && name === 'userHome') return homedir()
      if (kind === 'input')
        throw new Error(`It asks for the input "${name}", which nobody gives here.`)
      if (!allowed.has(name)) {
        if (other !== undefined) return other
        throw new Error(`It uses the environment variable ${name}, which is not allowed.`)
      }
      const value = env[name] ?? other
      if (value === undefined) throw new Error(`The environment variable ${name} is not set.`)
      return value
    })
}
