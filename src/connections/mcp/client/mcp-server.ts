import type { StreamableHTTPClientTransportOptions } from '@modelcontextprotocol/client'
import { resolve } from 'node:path'
import { WorkspaceError } from '../../../entries/index.ts'
import {
  checkOptions,
  contentHash,
  matchesPattern,
  type OptionsOf,
  type OptionTable,
  toolName,
  type ToolServer,
} from '../../../entries/kit.ts'
import type { ServerListing } from '../../../tools/definition/tool-server.ts'
import { nameWithoutServer } from '../../../tools/definition/matches-tool.ts'
import type { ServerRequests } from './answer-requests.ts'
import { LONGEST_MESSAGE } from './bounded-fetch.ts'
import type { RequestedParts } from './request-tools.ts'
import type { ServerConfiguration, ServerIdentity } from './connect-server.ts'

type ServerTerms = ReturnType<NonNullable<ToolServer['terms']>>

/** The configuration of a server that speaks the Model Context Protocol. */
export interface McpServerOptions extends ServerRequests, RequestedParts, ServerTerms {
  /** The owner of its tools, and the start of their names. */
  readonly name: string
  /** The program of a server that runs on this machine. No shell is involved. */
  readonly command?: string
  readonly args?: readonly string[]
  /** The folder in which it runs; the current one when absent. */
  readonly cwd?: string
  /** Environment variables in addition to those that every program needs, such as PATH and HOME. */
  readonly env?: Readonly<Record<string, string>>
  /** The address of a server that is reached by HTTP. */
  readonly url?: string | URL
  readonly headers?: Readonly<Record<string, string>>
  /** The credentials: a token, or the OAuth provider of the SDK. */
  readonly authProvider?: StreamableHTTPClientTransportOptions['authProvider']
  /** The function that makes the HTTP requests; `fetch` when absent. */
  readonly fetch?: StreamableHTTPClientTransportOptions['fetch']
  /** Milliseconds to start it, to agree on a revision, and to list its tools; 30,000 when absent. */
  readonly connectTimeoutMs?: number
  /** Milliseconds that it stays connected after the last skill that brings it has left; 30,000 when absent. */
  readonly graceMs?: number
  /** The revision of the protocol. `auto` asks the server, and is the default. */
  readonly revision?: ServerConfiguration['revision']
  /** Patterns of the names of the tools that are offered, as the server gives them; all when absent. */
  readonly tools?: readonly string[]
  /** True when the host trusts what the server says about its tools: annotations may then lower their risk. */
  readonly trusted?: boolean
  /** The start of the names of its tools; the name and `_` when absent. An empty text leaves the names unchanged. */
  readonly prefix?: string
  /**
   * The moment when it is connected for a skill that brings it: the first call of one of its tools, or the activation.
   * The first call is the default with a stored listing, unless the skill asks for the activation; without a listing the
   * activation connects.
   */
  readonly connect?: 'first-call' | 'activation'
  /** Its tools from an earlier listing. */
  readonly listing?: ServerListing
  /** Bytes of one message of the server at most; 10,485,760 when absent. */
  readonly maxMessageBytes?: number
  /** Other terms for some of its tools, by patterns of the names that the server gives. The first that matches counts. */
  readonly terms?: { readonly [pattern: string]: ServerTerms }
}

const TERMS: OptionsOf<ServerTerms> = {
  timeoutMs: 'number',
  renewOnProgress: { upToMs: 'number' },
  read: ['text', 'structured', 'both'],
  resultTokens: 'number',
  maxQuestions: 'number',
}

/** The options that a file of servers may give under `loadout`: none of them lowers a risk. */
export const TERM_OPTIONS = { maxMessageBytes: 'number', terms: true, ...TERMS } as const

const OPTIONS: OptionTable = {
  name: 'text',
  command: 'text',
  args: true,
  cwd: 'text',
  env: true,
  url: true,
  headers: true,
  authProvider: true,
  fetch: 'function',
  connectTimeoutMs: true,
  graceMs: true,
  revision: ['auto', '2025-11-25', '2026-07-28'],
  tools: true,
  trusted: 'switch',
  prefix: 'text',
  connect: ['first-call', 'activation'],
  listing: true,
  sampling: true,
  resources: 'switch',
  prompts: 'switch',
  roots: true,
  ...TERM_OPTIONS,
}

/**
 * Defines a server of tools. Nothing is started or connected before a workspace needs it: `workspace.attach(server)`
 * registers its tools, all in one entry.
 *
 *     const everything = mcpServer({ name: 'everything', command: 'npx', args: ['-y', 'some-server'] })
 *     await workspace.attach(everything)
 *
 * The server is not trusted unless the host says so: a tool whose definition changes is in quarantine until it is
 * accepted, and annotations only raise its risk. Throws `OPTIONS_INVALID`. Connecting needs the package
 * `@modelcontextprotocol/client`.
 */
export function mcpServer(options: McpServerOptions): ToolServer {
  checkOptions(options, OPTIONS)
  const { name, command, args = [], cwd, url, headers, env = {}, authProvider, fetch } = options
  const { prefix = `${name}_`, trusted = false, revision = 'auto', tools, listing } = options
  const {
    sampling,
    roots,
    resources,
    prompts,
    connectTimeoutMs = 30_000,
    graceMs = 30_000,
    maxMessageBytes = LONGEST_MESSAGE,
  } = options
  for (const [option, value] of Object.entries({ connectTimeoutMs, graceMs, maxMessageBytes })) {
    if (!Number.isInteger(value) || value < 1) {
      throw invalid(option, 'must be a whole number, at least 1')
    }
  }
  if (!toolName.safeParse(name).success) {
    throw invalid('name', 'must be 1 to 128 letters, digits, "_", "-" or "."')
  }
  if ((command === undefined) === (url === undefined)) {
    throw invalid('command', 'or "url" must be given, and not both')
  }
  const address = url === undefined ? null : httpAddress(url)
  checkTerms(options)
  for (const terms of Object.values(options.terms ?? {})) {
    checkOptions(terms, TERMS)
    checkTerms(terms)
  }
  const environment = { ...inherited(), ...env }
  const configuration: ServerConfiguration = {
    termsFor: (tool) => termsFor(tool, options),
    longestMessage: maxMessageBytes,
    name,
    prefix,
    tools,
    trusted,
    revision,
    connectTimeoutMs,
    sampling,
    roots,
    resources,
    prompts,
    program:
      command === undefined
        ? null
        : {
            command,
            args,
            cwd: resolve(cwd ?? '.'),
            environment,
            longestMessage: maxMessageBytes,
          },
    url: address,
    http: {
      ...(headers && { requestInit: { headers: { ...headers } } }),
      ...(authProvider && { authProvider }),
      ...(fetch && { fetch }),
    },
  }
  // The names of secrets and no values: a hash of a short secret can be guessed.
  const hash = contentHash({
    name,
    prefix,
    trusted,
    revision,
    ...(tools && { tools: [...tools] }),
    ...(command !== undefined && { command, args: [...args], env: Object.keys(env).sort() }),
    ...(address && {
      url: `${address.origin}${address.pathname}`,
      headers: Object.keys(headers ?? {}).sort(),
    }),
  })
  const identity: ServerIdentity = {}
  return Object.freeze<ToolServer>({
    name,
    trusted,
    hash,
    graceMs,
    ...(command !== undefined && {
      withheld: Object.keys(process.env)
        .filter((variable) => !(variable in environment))
        .sort(),
    }),
    terms: ({ nameOnServer, name: named }) =>
      termsFor(nameOnServer ?? nameWithoutServer(named, name), options),
    ...(listing && { listing }),
    ...(options.connect === 'activation' && { eager: true }),
    async connect(host) {
      const { connectServer } = await import('./connect-server.ts').catch((cause: unknown) => {
        throw packageMissing(cause)
      })
      return connectServer(configuration, host, identity)
    },
  })
}

/** Returns the terms of one tool: those for it, and else those of the server. */
function termsFor(tool: string, { terms = {}, ...server }: McpServerOptions): ServerTerms {
  const [, own = {}] = Object.entries(terms).find(([name]) => matchesPattern(name, tool)) ?? []
  const timeoutMs = own.timeoutMs ?? server.timeoutMs
  const renewOnProgress = own.renewOnProgress ?? server.renewOnProgress
  const read = own.read ?? server.read
  const resultTokens = own.resultTokens ?? server.resultTokens
  const maxQuestions = own.maxQuestions ?? server.maxQuestions
  return {
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(renewOnProgress && { renewOnProgress: { upToMs: renewOnProgress.upToMs } }),
    ...(read && { read }),
    ...(resultTokens !== undefined && { resultTokens }),
    ...(maxQuestions !== undefined && { maxQuestions }),
  }
}

/** Throws for a limit that is not positive. No questions at all is a limit, too. */
function checkTerms(terms: ServerTerms): void {
  const { timeoutMs = 1, renewOnProgress, resultTokens = 1, maxQuestions = 0 } = terms
  if (!(resultTokens > 0)) throw invalid('resultTokens', 'must be tokens, more than 0')
  if (!(timeoutMs > 0)) throw invalid('timeoutMs', 'must be milliseconds, more than 0')
  if (renewOnProgress !== undefined && !(renewOnProgress.upToMs > 0)) {
    throw invalid('renewOnProgress.upToMs', 'must be milliseconds, more than 0')
  }
  if (!(maxQuestions >= 0)) throw invalid('maxQuestions', 'must be a number, at least 0')
}

function httpAddress(url: string | URL): URL {
  const address = URL.canParse(String(url)) ? new URL(url) : null
  if (address !== null && /^https?:$/u.test(address.protocol)) return address
  throw invalid('url', 'must be an address with http: or https:')
}

function invalid(option: string, what: string): WorkspaceError {
  return new WorkspaceError('OPTIONS_INVALID', `"${option}" of a server ${what}.`, {
    facts: { option },
    hint: 'See McpServerOptions for the values of each option.',
  })
}

/** The variables that programs need. All others, which may be secrets, are given by the host one by one. */
const INHERITED = ['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'TZ', 'USER']

function inherited(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    INHERITED.flatMap((name) => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

const PACKAGE = '@modelcontextprotocol/client'

function packageMissing(cause: unknown): unknown {
  const { code, message = '' } = cause as { readonly code?: unknown; readonly message?: string }
  if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(PACKAGE)) return cause
  return new WorkspaceError(
    'PACKAGE_MISSING',
    `Servers of the Model Context Protocol require the package "${PACKAGE}".`,
    { hint: `Install it: npm install ${PACKAGE}`, cause },
  )
}
