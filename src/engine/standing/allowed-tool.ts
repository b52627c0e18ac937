import { isObject } from '../../kernel/json-value.ts'
import type { Claim, OpenSource } from '../model/source-event.ts'
import { toolOfClient } from '../../skills/tool-of-client.ts'
import { matchesTool, namesItsServer } from '../../tools/definition/matches-tool.ts'
import { matchesCommand } from './matches-command.ts'
import { matchesPath } from './matches-path.ts'

/** One entry of a skill's `allowed-tools`. */
export interface AllowedTool {
  /** The entry as written. */
  readonly text: string
  /** Pattern of a tool's name. */
  readonly pattern: string
  /** The pattern for the arguments, in the notation of the client: `git:*` of `Bash(git:*)`; null for any. */
  readonly argument: string | null
  /** The calls that the argument means; null when it cannot be judged here, so that the entry means no call. */
  readonly calls: CallPattern | null
}

/** Calls by their arguments. */
type CallPattern =
  | { readonly kind: 'all' }
  /** Commands that begin with these words, or exactly this command. */
  | { readonly kind: 'command'; readonly command: string; readonly isExact: boolean }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'domain'; readonly domain: string }

/** Reads one entry of `allowed-tools`: a name or pattern, with or without an argument in brackets. */
export function readAllowedTool(text: string): AllowedTool {
  const open = text.indexOf('(')
  if (open < 0 || !text.endsWith(')')) {
    return { text, pattern: text, argument: null, calls: { kind: 'all' } }
  }
  const pattern = text.slice(0, open)
  const argument = text.slice(open + 1, -1)
  return { text, pattern, argument, calls: readArgument(toolOfClient(pattern), argument.trim()) }
}

function readArgument(tool: string, argument: string): CallPattern | null {
  if (argument === '*') return { kind: 'all' }
  if (tool === 'Bash') return commandPattern(argument)
  if (PATH_TOOLS.has(tool)) return pathPattern(argument)
  const domain = tool === 'WebFetch' ? /^domain:([a-z0-9.-]+)$/iu.exec(argument)?.[1] : undefined
  return domain === undefined ? null : { kind: 'domain', domain: domain.toLowerCase() }
}

/** Words of commands without a meaning of their own for a shell, and without wildcards. */
const PLAIN_COMMAND = /^[\w./:@%+,=-]+(?: [\w./:@%+,=-]+)*$/u

/** `git push:*` and `git push *` mean commands that begin with `git push`; `git push` means just that. */
function commandPattern(argument: string): CallPattern | null {
  const command = argument.replace(/(?::\*| \*)$/u, '')
  if (!PLAIN_COMMAND.test(command)) return null
  return { kind: 'command', command, isExact: command === argument }
}

const PATH_TOOLS: ReadonlySet<string> = new Set(['Read', 'Write', 'Edit'])

/** A name without a slash is meant at any depth, and `docs/` with all that is in it. */
function pathPattern(argument: string): CallPattern | null {
  if (!/^[\w./*@ +-]+$/u.test(argument)) return null
  const path = argument.replace(/^(?:\.\/|\/(?!\/))/u, '').replace(/^\/\//u, '/')
  const whole = path.endsWith('/') ? `${path}**` : path
  if (whole === '') return null
  return { kind: 'path', path: argument.includes('/') ? whole : `**/${whole}` }
}

/** A tool with its owner. */
interface NamedTool {
  readonly claim: Pick<Claim, 'name' | 'definedAs' | 'nameOnServer'>
  readonly source?: Pick<OpenSource, 'source' | 'owner'> | undefined
}

/** Returns true when an entry names a tool, also by the name that a client has for a tool of its kind. */
export function isNamedBy({ pattern }: AllowedTool, { claim, source }: NamedTool): boolean {
  return (
    namesItsServer(pattern, claim, source) &&
    [pattern, toolOfClient(pattern)].some((one) => matchesTool(one, claim, source))
  )
}

/** Returns true when an entry means a call: in each form of its arguments, so that a transform hides nothing. */
export function isCallOf({ calls }: AllowedTool, forms: readonly unknown[]): boolean {
  if (calls === null) return false
  if (calls.kind === 'all') return true
  return forms.length > 0 && forms.every((form) => isObject(form) && isCall(calls, form))
}

/** Arguments that do not change which command runs, or which file is meant. */
const OTHER_ARGUMENTS: Readonly<Record<'command' | 'path' | 'domain', ReadonlySet<string>>> = {
  command: new Set(['description', 'timeout', 'timeoutMs', 'timeout_ms']),
  path: new Set(
    (
      'offset limit content text old_string new_string oldString newString oldText newText replace_all replaceAll ' +
      'start_line end_line startLine endLine pages'
    ).split(' '),
  ),
  domain: new Set(['prompt', 'format', 'timeout', 'timeoutMs']),
}

const SUBJECTS: Readonly<Record<'command' | 'path' | 'domain', readonly string[]>> = {
  command: ['command', 'cmd'],
  path: ['path', 'file_path', 'filePath'],
  domain: ['url'],
}

/** Judges the one argument that matters. A call with an argument that nobody knows is not meant. */
function isCall(
  calls: Exclude<CallPattern, { readonly kind: 'all' }>,
  form: Readonly<Record<string, unknown>>,
): boolean {
  const given = Object.keys(form).filter((name) => form[name] !== undefined)
  const [name, second] = given.filter((one) => !OTHER_ARGUMENTS[calls.kind].has(one))
  if (name === undefined || second !== undefined || !SUBJECTS[calls.kind].includes(name))
    return false
  const value = form[name]
  if (typeof value !== 'string') return false
  switch (calls.kind) {
    case 'command':
      return (
        (!calls.isExact || value.trim() === calls.command) &&
        matchesCommand(calls.command, value, 'every')
      )
    case 'path':
      return matchesPath(calls.path, value, 'every')
    case 'domain':
      return isOfDomain(value, calls.domain)
  }
}

function isOfDomain(address: string, domain: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, username, password, port } = new URL(address)
  const isPlain = username === '' && password === '' && port === ''
  return isPlain && /^https?:$/u.test(protocol) && hostname === domain
}
