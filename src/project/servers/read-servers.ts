import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { mcpServer, type McpServerOptions } from '../../adapters/mcp/client/mcp-server.ts'
import { isObject } from '../../kernel/json-value.ts'
import { thrownMessage } from '../../kernel/thrown-message.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { usableToolName } from '../../skills/definition/definition-name.ts'
import type { ToolServer } from '../../tools/definition/tool-server.ts'

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

/** Bytes of a file of servers. */
const LARGEST_FILE = 1_048_576

/**
 * Reads the servers of a file: `.mcp.json`, or a file with `mcpServers` (Claude, Cursor) or `servers` (VS Code). Nothing is
 * started or connected. A server that cannot be used is listed with the reason, and the others can be used.
 *
 * Rejects with `SERVERS_INVALID` for a file that cannot be read, or has no servers.
 */
export async function readServers(
  file: string,
  { environment = [], env = process.env }: ServerFileOptions = {},
): Promise<ServerFile> {
  const path = resolve(file)
  const entries = Object.entries(await serversIn(path))
  const servers: ReadServer[] = []
  const problems: { server: string; reason: string }[] = []
  const fill = filler(new Set(environment), env, dirname(path))
  for (const [name, given] of entries) {
    try {
      servers.push(readServer(name, given, dirname(path), fill))
    } catch (error) {
      problems.push({ server: name, reason: thrownMessage(error) })
    }
  }
  return { file: path, servers, problems }
}

async function serversIn(path: string): Promise<object> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw invalid(path, `cannot be read: ${thrownMessage(cause)}`, cause)
  })
  if (text.length > LARGEST_FILE) throw invalid(path, `has over ${LARGEST_FILE} characters.`)
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw invalid(path, `is not JSON: ${thrownMessage(cause)}`, cause)
  }
  const servers = isObject(parsed) ? (parsed['mcpServers'] ?? parsed['servers']) : undefined
  if (isObject(servers)) return servers
  throw invalid(path, 'has neither "mcpServers" nor "servers".')
}

function invalid(file: string, what: string, cause?: unknown): WorkspaceError {
  return new WorkspaceError('SERVERS_INVALID', `"${file}" ${what}`, {
    hint: 'Give a file such as .mcp.json: { "mcpServers": { "name": { "command": "...", "args": [] } } }.',
    facts: { file },
    cause,
  })
}

type Fill = (text: string) => string

function readServer(name: string, given: unknown, folder: string, fill: Fill): ReadServer {
  if (!isObject(given)) throw new Error('It is no object.')
  const { type, command, args = [], env = {}, cwd, url, headers = {}, disabled } = given
  if (disabled === true) throw new Error('It is disabled.')
  if (type === 'sse') throw new Error('Its transport (sse) is not supported.')
  const usable = usableToolName(name)
  if (usable === undefined) throw new Error('Its name cannot be used.')
  if (typeof url === 'string') {
    const options = { name: usable, url: fill(url), headers: texts('headers', headers, fill) }
    return { server: mcpServer(options), runs: url }
  }
  if (typeof command !== 'string') throw new Error('It has neither "command" nor "url".')
  if (!Array.isArray(args) || !args.every((one) => typeof one === 'string')) {
    throw new Error('"args" must be a list of texts.')
  }
  const options: McpServerOptions = {
    name: usable,
    command: fill(command),
    args: args.map(fill),
    env: texts('env', env, fill),
    cwd: typeof cwd === 'string' ? resolve(folder, fill(cwd)) : folder,
  }
  return { server: mcpServer(options), runs: [command, ...args].join(' ') }
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
      if (kind === undefined && name === 'workspaceFolder') return folder
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
