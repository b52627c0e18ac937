import type { JsonSchema, JsonValue, Tool } from '../../../../entries/index.ts'
import { isObject } from '../../../../entries/kit.ts'
import { asWords, type SpokenRequest, withoutEnd } from './read-request.ts'

/** The arguments of a call that the words of a request give. */
export interface FilledArguments {
  readonly input: Readonly<Record<string, JsonValue>>
  /** Required arguments that the request does not give. */
  readonly missing: readonly Parameter[]
}

/** A parameter of a tool. */
export interface Parameter {
  readonly name: string
  readonly schema: JsonSchema
  readonly description: string
  readonly isRequired: boolean
}

/** Returns the parameters of a tool. */
export function parametersOf({ inputSchema }: Pick<Tool, 'inputSchema'>): readonly Parameter[] {
  const { properties, required } = inputSchema
  if (!isObject(properties)) return []
  const needed = Array.isArray(required) ? required : []
  return Object.entries(properties).flatMap(([name, schema]) => {
    if (!isObject(schema)) return []
    const { description } = schema
    return [
      {
        name,
        schema: schema as JsonSchema,
        description: typeof description === 'string' ? description : '',
        isRequired: needed.includes(name) && schema['default'] === undefined,
      },
    ]
  })
}

/** Returns the kind of thing that a parameter takes, read from its name, its type and its description. */
export function kindOf({ name, schema, description }: Parameter) {
  const { type, format } = schema
  if (Array.isArray(schema['enum'])) return 'choice'
  if (type === 'boolean') return 'switch'
  if (type === 'integer' || type === 'number') return 'number'
  if (type !== 'string') return 'other'
  if (format === 'uri' || /ur[il]$|address|link$/iu.test(name)) return 'url'
  if (/^sql$|statement$/iu.test(name) || /\bSQL\b/u.test(description)) return 'sql'
  if (/glob|pattern/iu.test(name)) return 'glob'
  if (/time_?zone|^tz$/iu.test(name)) return 'zone'
  if (/^table/iu.test(name)) return 'table'
  if (/path|file|folder|directory/iu.test(name)) return 'file'
  return /text|query|content|body|message|word|phrase|note|title/iu.test(name) ? 'text' : 'other'
}

/** Fills the arguments of a tool from a request. What it does not give is left to the defaults of the tool. */
export function fillArguments(tool: Tool, request: SpokenRequest): FilledArguments {
  const parameters = parametersOf(tool)
  const input: Record<string, JsonValue> = {}
  for (const parameter of parameters) {
    const value = valueOf(parameter, request, tool, parameters)
    if (value !== undefined) input[parameter.name] = value
  }
  const missing = parameters.filter(
    ({ name, isRequired }) => isRequired && input[name] === undefined,
  )
  return { input, missing }
}

function valueOf(
  parameter: Parameter,
  request: SpokenRequest,
  tool: Tool,
  all: readonly Parameter[],
): JsonValue | undefined {
  switch (kindOf(parameter)) {
    case 'url':
      return request.urls[0]
    case 'sql':
      return request.sql ?? undefined
    case 'file':
      return fileIn(request, parameter, all)
    case 'glob':
      return globIn(request, all)
    case 'zone':
      return zoneIn(request.text)
    case 'table':
      return tableIn(request)
    case 'number':
      return numberIn(parameter, request.words)
    case 'switch':
      return switchIn(parameter, request.words)
    case 'choice':
      return choiceIn(parameter, request)
    case 'text':
      return parameter.isRequired ? textIn(request, tool) : undefined
    case 'other':
      return parameter.isRequired ? request.quotes[0] : undefined
  }
}

/** Files that people name without their extension. */
const KNOWN_FILES = /\b(readme|changelog|licen[cs]e|contributing)\b/iu

function fileIn(
  { files, words, urls }: SpokenRequest,
  { schema, isRequired, description }: Parameter,
  all: readonly Parameter[],
): string | undefined {
  const takesFolder = schema['default'] === '.'
  const hasGlob = all.some((one) => kindOf(one) === 'glob')
  // With a pattern, a name without a folder is looked for everywhere.
  const named = files.find((file) => !hasGlob || file.includes('/'))
  if (named !== undefined) {
    const isFolder = !hasExtension(named) || takesFiles(description)
    if (isFolder) return named.replace(/(.)\/$/u, '$1')
    const at = named.lastIndexOf('/')
    return at > 0 ? named.slice(0, at) : '.'
  }
  const [, folder] = /\b([\w-]+) (?:folder|directory)\b/iu.exec(words) ?? []
  if (
    takesFolder &&
    folder !== undefined &&
    !/^(?:the|a|this|that|which|what|current)$/iu.test(folder)
  ) {
    return folder
  }
  const [known] = KNOWN_FILES.exec(words) ?? []
  if (known === undefined || urls.length > 0 || hasGlob) return undefined
  return isRequired || takesFolder ? `${known.toUpperCase()}.md` : undefined
}

/** The extensions of languages and formats that people name by their names. */
const EXTENSIONS: readonly (readonly [RegExp, string])[] = [
  [/\btypescript\b/iu, '*.ts'],
  [/\bjavascript\b/iu, '*.js'],
  [/\bmarkdown\b/iu, '*.md'],
  [/\bpython\b/iu, '*.py'],
  [/\bya?ml files?\b/iu, '*.yaml'],
  [/\b(csv|json|html|css|sql|toml|svg|png|pdf|txt) files?\b/iu, '*.$1'],
]

function globIn(
  { globs, files, words }: SpokenRequest,
  all: readonly Parameter[],
): string | undefined {
  if (globs[0] !== undefined) return globs[0]
  for (const [pattern, glob] of EXTENSIONS) {
    const found = pattern.exec(words)
    if (found !== null) return glob.replace('$1', found[1]?.toLowerCase() ?? '')
  }
  // Where a text is looked for, too, a file may be the text.
  if (all.some((one) => kindOf(one) === 'text')) return undefined
  const takesFolder = all.some((one) => kindOf(one) === 'file' && !takesFiles(one.description))
  const file = files.find((one) => !one.includes('/') || (takesFolder && hasExtension(one)))
  return file?.replace(/^.*\//u, '')
}

/** Returns false for a parameter that is a folder. */
function takesFiles(description: string): boolean {
  return !/\bfolder\b/iu.test(description) || /\bfile\b/iu.test(description)
}

function hasExtension(path: string): boolean {
  return /\.\w+$/u.test(path)
}

/** Finds a time zone by its name or its city. */
function zoneIn(text: string): string | undefined {
  const words = asWords(text)
  const named = Intl.supportedValuesOf('timeZone').filter((zone) => {
    const city = zone.slice(zone.lastIndexOf('/') + 1)
    return words.includes(asWords(zone)) || words.includes(asWords(city.replaceAll('_', ' ')))
  })
  return named.sort((one, other) => other.length - one.length)[0]
}

/** The table of a file is named after it. */
function tableIn({ files, words }: SpokenRequest): string | undefined {
  const [, named] = /\btable (?:called |named )?([\w-]+)/iu.exec(words) ?? []
  const data = files.find((file) => /\.(?:csv|json|tsv)$/iu.test(file))
  return data?.replace(/^.*\//u, '').replace(/\.\w+$/u, '') ?? named
}

const NUMBER_WORDS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
]

const COUNT = /\b(?:first|last|latest|top|newest|most recent|up to|at most|only)\s+(\w+)\b/iu

function numberIn({ name, isRequired }: Parameter, words: string): number | undefined {
  const lines = /\blines?\s+(\d+)(?:\s*(?:to|-|–|until|through)\s*(\d+))?/iu.exec(words)
  const first = /\bfirst\s+(\d+)\s+lines?\b/iu.exec(words)
  if (/^(?:start|from|first).*line/iu.test(name)) return lines ? Number(lines[1]) : undefined
  if (/^(?:end|to|last).*line/iu.test(name)) {
    if (first) return Number(first[1])
    return lines ? Number(lines[2] ?? lines[1]) : undefined
  }
  const numbers = words
    .split(' ')
    .map((word) => withoutEnd(word.replace(/^#/u, ''), '.,;:!?'))
    .filter((word) => /^\d+(?:\.\d+)?$/u.test(word))
  if (isRequired && numbers.length > 0) return Number(numbers[0])
  if (!/limit|count|max|top|^n$/iu.test(name) || /character|bytes|ms$/iu.test(name))
    return undefined
  const [, count = ''] = COUNT.exec(words) ?? []
  const named = NUMBER_WORDS.indexOf(count.toLowerCase())
  if (named > 0) return named
  return /^\d+$/u.test(count) && !lines ? Number(count) : undefined
}

function switchIn({ name }: Parameter, words: string): true | undefined {
  const spoken = name
    .replaceAll(/([a-z])([A-Z])/gu, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
  return words.toLowerCase().includes(spoken) ? true : undefined
}

function choiceIn({ schema, isRequired }: Parameter, { text }: SpokenRequest): string | undefined {
  const choices = Array.isArray(schema['enum']) ? schema['enum'] : []
  if (!isRequired) return undefined
  return choices.find(
    (one): one is string => typeof one === 'string' && asWords(text).includes(asWords(one)),
  )
}

/** Words before the text that is to be found or written. */
const BEFORE_TEXT =
  /\b(?:mentions?|containing|contains?|about|for|search(?: the \w+)? for|grep(?: for)?|look for|with the words?|saying|that says|the word|the text|uses?(?: the (?:function|class|type|method|word))?|line with|lines with)\s+(.+)$/iu

/** Words before the place where to look. */
const BEFORE_PLACE = new Set(['in', 'on', 'inside', 'within', 'under', 'below', 'from'])

/** Words of a place at most, such as `in the docs folder`. */
const PLACE_WORDS = 4

/** Returns a text without the place where to look, and without thanks. */
function withoutPlace(text: string): string {
  const words = text.split(' ')
  while (['please', 'thanks'].includes(words.at(-1)?.toLowerCase() ?? '')) words.pop()
  const at = words.findLastIndex((word) => BEFORE_PLACE.has(word.toLowerCase()))
  return (at > 0 && words.length - at <= PLACE_WORDS ? words.slice(0, at) : words).join(' ')
}

const IDENTIFIER = /\b(?:[a-z]+[A-Z]\w*|[A-Za-z]+_\w+|[A-Z]{2,})\b/u

/** The text of a request: quoted, after a colon, after words such as `that`; or the name that it asks about. */
function textIn({ text, quotes, words, files }: SpokenRequest, tool: Tool): string | undefined {
  if (quotes[0] !== undefined) return quotes[0]
  const isRead = tool.category === 'retrieval'
  const end = (found: string) => withoutEnd(found, '?!. ').replace(/^(?:the|a|an)\s+/iu, '')
  if (!isRead) {
    const [, after] = /(?::\s+|\bthat\s+|\bto\s+)(.+)$/isu.exec(text) ?? []
    if (after !== undefined) return end(after.trim())
    const rest = withoutPhrase(text, tool.phrases)
    return rest === '' ? undefined : end(rest)
  }
  const [identifier] = IDENTIFIER.exec(words) ?? []
  if (identifier !== undefined) return identifier
  const [, found] = BEFORE_TEXT.exec(withoutEnd(words, '?!.')) ?? []
  if (found !== undefined) {
    const bare = withoutPlace(end(found))
    if (bare !== '') return bare
  }
  return files[0]?.replace(/^.*\//u, '')
}

/** Removes the words of the longest phrase that the request begins with. */
function withoutPhrase(text: string, phrases: readonly string[]): string {
  const words = text.trim().split(/\s+/u)
  const most = Math.max(
    0,
    ...phrases.map((phrase) => {
      const spoken = phrase.toLowerCase().split(/\s+/u)
      return spoken.findIndex(
        (word, at) => withoutEnd(words[at]?.toLowerCase() ?? '', '.,:;!?') !== word,
      ) < 0
        ? spoken.length
        : 0
    }),
  )
  return most === 0 ? '' : words.slice(most).join(' ')
}
