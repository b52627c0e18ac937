import { InvalidArgumentError, Option } from 'commander'
import type { GivenProvider } from '../../../entries/adapter.ts'
import type { ExposureName } from '../../../entries/index.ts'

/** Options of every command that opens a session. */
export interface OpeningOptions extends LimitOptions, PricingOptions {
  readonly path?: readonly string[]
  readonly activate?: readonly string[]
  readonly agent?: string
  readonly mode?: string
  readonly var?: readonly Variable[]
  readonly log?: string
  readonly session?: string
  readonly at?: number
  readonly trust?: true
  readonly json?: true
  readonly verbose?: true
  readonly policy?: 'keep' | 'replace'
  readonly lift?: true
  /** False for `--no-tools` of `prompt`, which is about its text alone. */
  readonly tools?: readonly WorkspaceTools[] | false
  readonly sandbox?: 'folder' | 'memory' | 'fence'
  readonly scenario?: string
}

/** The provider and the strategy that a request is priced for. */
export interface PricingOptions {
  readonly provider?: Exclude<GivenProvider, object>
  readonly exposure?: ExposureName | 'auto'
}

/** Options of the commands that show the next request, or its price. */
export function pricingOptions(): readonly Option[] {
  return [
    new Option(
      '--provider <name>',
      'Price requests for anthropic, openai, google or compatible, with a model after a slash',
    ),
    exposureOption('Send tools in this way (default: that of the session)'),
  ]
}

export function exposureOption(description: string): Option {
  return new Option('--exposure <strategy>', description).choices([
    'auto',
    'active',
    'append',
    'deferred',
    'conversation',
    'bridge',
  ])
}

/** Tools of the workspace that no skill brings. */
const WORKSPACE_TOOLS = ['files', 'shell', 'scripts'] as const

export type WorkspaceTools = (typeof WORKSPACE_TOOLS)[number]

type Variable = readonly [name: string, value: string]

/** Returns new options at each call, because commander keeps state in them. */
export function openingOptions(): readonly Option[] {
  return [
    repeatable('--path <path>', 'Read definitions from this path too (repeatable)'),
    repeatable(
      '--activate <skill>',
      'Activate a skill first, with its arguments after its name (repeatable, in order)',
    ),
    new Option('--agent <name>', "Run as this agent (default: the session's agent, or none)"),
    ...pricingOptions(),
    new Option('--mode <name>', 'Run in this mode, such as text or voice'),
    new Option('--var <NAME=value>', 'Set the value of {{ NAME }} (repeatable)').argParser(
      (text: string, before: readonly Variable[] = []) => [...before, variable(text)],
    ),
    logOption(),
    sessionOption(),
    atOption(),
    new Option('--trust', 'Run the code in these folders, for this command only'),
    new Option(
      '--tools <list>',
      'Also offer tools of these kinds, separated by commas: files, shell, scripts',
    ).argParser(workspaceTools),
    new Option(
      '--sandbox <kind>',
      'Where they work: in the current folder (default), in memory, or in the folder behind a fence',
    ).choices(['folder', 'memory', 'fence']),
    ...limitOptions(),
    jsonOption(),
    new Option('--verbose', 'Print all warnings about files'),
  ]
}

/** Returns the options of the commands that change a stored session. */
export function changingOptions(): readonly Option[] {
  return [
    ...openingOptions(),
    new Option(
      '--policy <effect>',
      'Keep the rules of a stored session and only add to them (default), or replace them',
    ).choices(['keep', 'replace']),
    new Option('--lift', 'With --policy replace: lift rules of the session without asking'),
  ]
}

/** Options of the commands in which a model answers. */
export interface ModelOptions {
  readonly model?: string
  readonly context?: number
}

export function modelOptions(): readonly Option[] {
  return [
    new Option('--model <url>', 'The server and the name of the model, or "scripted"'),
    new Option(
      '--context <tokens>',
      'Tokens that the model reads, if its server does not say',
    ).argParser(numberBetween(1, 100_000_000, true)),
  ]
}

/** Returns the options of the commands in which a person talks to a model, or plays a scenario instead. */
export function talkOptions(): readonly Option[] {
  const scenario = new Option('--scenario <file>', 'Play this scenario: Enter makes the next move')
  return [...modelOptions(), scenario.conflicts('model')]
}

/** Also taken by commands that use a log without opening a session. */
export function logOption(): Option {
  return new Option(
    '--log <log>',
    'Session log: .sqlite, postgres:// URL, or .jsonl or an agent such as claude-code to read',
  )
}

export function sessionOption(): Option {
  return new Option(
    '--session <id>',
    'Use the session with this id, or "latest" of this folder or of none',
  )
}

export function atOption(): Option {
  return new Option('--at <n>', 'Use the session up to entry n').argParser(entryNumber)
}

export function jsonOption(): Option {
  return new Option('--json', 'Print JSON; errors are printed as JSON on stderr')
}

export function repeatable(flags: string, description: string): Option {
  return new Option(flags, description).argParser(
    (value: string, before: readonly string[] = []) => [...before, value],
  )
}

function variable(text: string): Variable {
  const equals = text.indexOf('=')
  const name = equals < 0 ? text : text.slice(0, equals)
  if (equals < 0) throw new InvalidArgumentError('Write NAME=value.')
  if (!/^\w+$/.test(name)) {
    throw new InvalidArgumentError('A name consists of ASCII letters, digits and "_".')
  }
  return [name, text.slice(equals + 1)]
}

function workspaceTools(text: string): readonly WorkspaceTools[] {
  return text.split(',').map((word) => {
    const kind = WORKSPACE_TOOLS.find((one) => one === word.trim())
    if (kind !== undefined) return kind
    throw new InvalidArgumentError(`The kinds are ${WORKSPACE_TOOLS.join(', ')}.`)
  })
}

function entryNumber(text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number)) {
    throw new InvalidArgumentError('Give the number of an entry; the first is 0.')
  }
  return number
}

/** Options of every command that reads a project without opening a session. */
export interface ReadingOptions extends LimitOptions {
  readonly trust?: true
  readonly json?: true
  readonly verbose?: true
}

export function readingOptions(): readonly Option[] {
  return [
    trustConfigOption(),
    ...limitOptions(),
    jsonOption(),
    new Option('--verbose', 'Print all details'),
  ]
}

/** Limits of reading folders. */
export interface LimitOptions {
  readonly maxDepth?: number
  readonly maxFolders?: number
  readonly followLinksOut?: true
}

export function limitOptions(): readonly Option[] {
  return [
    new Option(
      '--max-depth <n>',
      'Read at most this many levels of folders below a path',
    ).argParser(numberBetween(0, MAX_LIMIT, true)),
    new Option('--max-folders <n>', 'Read at most this many folders below a path').argParser(
      numberBetween(1, MAX_LIMIT, true),
    ),
    new Option('--follow-links-out', 'Follow links to folders outside of the repository'),
  ]
}

const MAX_LIMIT = 1_000_000

/** For commands that run configuration files, and no handlers. */
export function trustConfigOption(): Option {
  return new Option(
    '--trust',
    'Run the configuration files in these folders, for this command only',
  )
}

/** Options of the commands that search. */
export interface SearchOptions {
  readonly kind?: 'tool' | 'skill'
  readonly embed?: string
  readonly embedUrl?: string
  readonly embedCache?: string
}

export function searchOptions(): readonly Option[] {
  return [
    new Option('--kind <kind>', 'Search only tools or only skills').choices(['tool', 'skill']),
    new Option('--embed <model>', 'Also search by vectors of this embedding model'),
    new Option('--embed-url <url>', 'URL of the embedding server: http://localhost:11434/v1'),
    new Option('--embed-cache <file>', 'File that caches the embeddings'),
  ]
}

/** Options of every `sessions` command. */
export interface SessionsOptions {
  readonly log?: string
  readonly json?: true
}

export function sessionsOptions(): readonly Option[] {
  return [logOption(), jsonOption()]
}

/** Options of the commands about one stored session. */
export interface StoredSessionOptions extends SessionsOptions {
  readonly session?: string
  readonly at?: number
}

export function sessionOptions(): readonly Option[] {
  return [sessionOption(), ...sessionsOptions()]
}

/** Returns a parser for an option's number that refuses numbers outside of a range. */
export function numberBetween(least: number, most: number, isWhole: boolean) {
  return (text: string): number => {
    const number = text.trim() === '' ? Number.NaN : Number(text)
    if (!(number >= least && number <= most) || (isWhole && !Number.isInteger(number))) {
      const what = isWhole ? 'a whole number' : 'a number'
      throw new InvalidArgumentError(`It must be ${what} from ${least} to ${most}.`)
    }
    return number
  }
}

/** Options of every command that judges files. */
export interface JudgingOptions {
  readonly failOn: 'error' | 'warning'
  readonly junit?: string
  readonly annotations?: true
}

export function judgingOptions(): readonly Option[] {
  return [
    new Option('--fail-on <severity>', 'What makes the exit code 1')
      .choices(['error', 'warning'])
      .default('error'),
    new Option('--junit <file>', 'Also write the results to this file, in the form of JUnit'),
    new Option(
      '--annotations',
      'Also print the problems as annotations of GitHub Actions',
    ).conflicts('json'),
  ]
}

/** The way in which a screen is drawn. */
export interface ScreenOptions {
  readonly inline?: true
  readonly ascii?: true
  /** False with `--no-mouse`. */
  readonly mouse: boolean
  readonly screenReader?: true
}

/** The options of a screen on a terminal. */
export function screenOptions(): readonly Option[] {
  return [
    new Option('--inline', 'Draw below the shell prompt instead of on a full screen'),
    new Option('--no-mouse', 'Do not use the mouse'),
    new Option('--ascii', 'Use only ASCII for borders and symbols'),
    new Option('--screen-reader', 'Print plain lines in reading order, without borders'),
  ]
}
