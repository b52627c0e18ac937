import { InvalidArgumentError, Option } from 'commander'

/** What every command that opens a session takes. */
export interface CommonOptions {
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
}

type Variable = readonly [name: string, value: string]

/** Options are made anew for each command: commander keeps state in them. */
export function commonOptions(): readonly Option[] {
  return [
    pathOption(),
    repeatable('--activate <skill>', 'activate a skill first, as the user; repeatable, in order'),
    new Option('--agent <name>', 'run as this agent; none by default, or the one in the log'),
    new Option('--mode <name>', 'run in this mode, such as text or voice'),
    new Option('--var <NAME=value>', 'a value for {{ NAME }}; repeatable').argParser(
      (text: string, before: readonly Variable[] = []) => [...before, variable(text)],
    ),
    logOption(),
    new Option('--session <id>', 'the session of this id, the last one as "latest"'),
    atOption(),
    new Option('--trust', 'run the code of these folders this once'),
    jsonOption(),
    new Option('--verbose', 'print warnings about files in full, too'),
  ]
}

/** Also for commands that work on a log without a session. */
export function logOption(): Option {
  return new Option(
    '--log <log>',
    'where sessions are kept: a .jsonl or .sqlite file, postgres://…',
  )
}

export function atOption(): Option {
  return new Option('--at <n>', 'the session as it was after entry n').argParser(entryNumber)
}

export function jsonOption(): Option {
  return new Option('--json', 'print one JSON value; errors are one JSON object on stderr')
}

/** For a path that could be taken for something else. */
function pathOption(): Option {
  return repeatable('--path <path>', 'a path beside those given as arguments; repeatable')
}

function repeatable(flags: string, description: string): Option {
  return new Option(flags, description).argParser(
    (value: string, before: readonly string[] = []) => [...before, value],
  )
}

function variable(text: string): Variable {
  const equals = text.indexOf('=')
  const name = equals < 0 ? text : text.slice(0, equals)
  if (equals < 0) throw new InvalidArgumentError('Write NAME=value.')
  if (!/^\w+$/.test(name)) {
    throw new InvalidArgumentError('A name is ASCII letters, digits and "_".')
  }
  return [name, text.slice(equals + 1)]
}

function entryNumber(text: string): number {
  const number = Number(text)
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number)) {
    throw new InvalidArgumentError('Entries are numbered from 0.')
  }
  return number
}

/** What commands take that read a project as a whole, without a session. */
export interface ReadingOptions {
  readonly trust?: true
  readonly json?: true
  readonly verbose?: true
}

export function readingOptions(): readonly Option[] {
  return [
    new Option('--trust', 'run the configurations of these folders this once'),
    jsonOption(),
    new Option('--verbose', 'print everything in full'),
  ]
}

/** What the commands take that search. */
export interface SearchOptions {
  readonly kind?: 'tool' | 'skill'
  readonly embed?: string
  readonly embedUrl?: string
  readonly embedCache?: string
}

export function searchOptions(): readonly Option[] {
  return [
    new Option('--kind <kind>', 'only tools, or only skills').choices(['tool', 'skill']),
    new Option('--embed <model>', 'search by vectors of this model, too'),
    new Option('--embed-url <url>', 'where it runs, such as http://localhost:11434/v1'),
    new Option('--embed-cache <file>', 'where its embeddings are kept'),
  ]
}

/** What every command about sessions takes. */
export interface SessionsOptions {
  readonly log?: string
  readonly json?: true
}

export function sessionsOptions(): readonly Option[] {
  return [logOption(), jsonOption()]
}

/** Reads an option's number; says what it must be when it is none. */
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
