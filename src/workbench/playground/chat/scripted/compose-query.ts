import { isObject } from '../../../../entries/kit.ts'
import { asWords, type SpokenRequest } from './read-request.ts'

/** A table whose columns are known from the result of a call. */
export interface KnownTable {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** The first rows, as lists in the order of the columns. */
  readonly sample: readonly (readonly unknown[])[]
}

/** Words and phrases that ask for figures, rows in an order, or rows that fit a condition. */
const FIGURES = [
  'total, sum, average, mean, avg, how many, how much, number of, count, biggest, highest, largest, max, maximum',
  'smallest, lowest, min, minimum, cheapest, most, fewest, least, top, per, each, by, sort, sorted, order by, ordered by',
  'over, above, below, under, more than, less than, at least, come from, distinct, different, list the',
  'in january, in february, in march, in april, in may, in june, in july, in august, in september, in october',
  'in november, in december',
].flatMap((line) => line.split(', '))

/** Returns true for a request that a query of a table may answer. */
export function asksForFigures({ words, sql }: SpokenRequest): boolean {
  const spoken = asWords(words)
  const all = spoken.split(' ')
  return (
    sql !== null ||
    FIGURES.some((phrase) => spoken.includes(` ${phrase} `)) ||
    // Words such as `where region is west`.
    all.some((word, at) => word === 'where' && ['is', 'equals'].includes(all[at + 2] ?? ''))
  )
}

/** Finds tables in the data of a result: objects with a name and columns. */
export function tablesIn(data: unknown): readonly KnownTable[] {
  const found: KnownTable[] = []
  const visit = (value: unknown) => {
    if (Array.isArray(value)) for (const one of value) visit(one)
    else if (isObject(value)) {
      const { name, columns, sample } = value
      if (typeof name === 'string' && Array.isArray(columns)) {
        found.push({
          name,
          columns: columns.flatMap((column) =>
            isObject(column) && typeof column['name'] === 'string'
              ? [{ name: column['name'], type: String(column['type'] ?? '') }]
              : [],
          ),
          sample: Array.isArray(sample) ? sample.filter((row) => Array.isArray(row)) : [],
        })
      } else for (const one of Object.values(value)) visit(one)
    }
  }
  visit(data)
  return found
}

type Column = KnownTable['columns'][number]

/** Writes the query that answers a request about a table; null when its words name nothing of the table. */
export function composeQuery(request: SpokenRequest, table: KnownTable): string | null {
  const words = asWords(request.words)
  const spoken: Spoken = { words, request, table }
  const where = conditions(spoken)
  const grouped = groupColumn(spoken)
  const measures = measuresIn(spoken, grouped)
  const from = `FROM ${quoted(table.name)}${where.length === 0 ? '' : ` WHERE ${where.join(' AND ')}`}`
  const [first] = measures
  if (grouped !== null) {
    const all = first === undefined ? [COUNT_ALL] : measures
    const by = quoted(grouped.name)
    const listed = all.map(({ sql, alias }) => `${sql} AS ${quoted(alias)}`).join(', ')
    const direction = /\b(?:fewest|least|lowest|smallest|bottom)\b/u.test(words) ? 'ASC' : 'DESC'
    const limit = limitIn(words, grouped)
    return `SELECT ${by}, ${listed} ${from} GROUP BY ${by} ORDER BY 2 ${direction}, 1${limit}`
  }
  if (first !== undefined) {
    return `SELECT ${measures.map(({ sql, alias }) => `${sql} AS ${quoted(alias)}`).join(', ')} ${from}`
  }
  const isSorted = /\b(?:sort|sorted|ordered|order by)\b/u.test(words)
  const [named] = mentioned(spoken)
  if (where.length === 0 && !(isSorted && named)) {
    return named === undefined ? null : `SELECT DISTINCT ${quoted(named.name)} ${from} ORDER BY 1`
  }
  if (!isSorted || named === undefined) return `SELECT * ${from}`
  const isDown = /\b(?:highest|largest|biggest|newest|latest|descending|desc)\b/u.test(words)
  return `SELECT * ${from} ORDER BY ${quoted(named.name)} ${isDown ? 'DESC' : 'ASC'}`
}

interface Spoken {
  /** In small letters, between blanks. */
  readonly words: string
  readonly request: SpokenRequest
  readonly table: KnownTable
}

interface Measure {
  readonly sql: string
  readonly alias: string
}

const COUNT_ALL: Measure = { sql: 'COUNT(*)', alias: 'count' }

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** The forms in which people write the name of a column. */
function formsOf({ name }: Column): readonly string[] {
  const spoken = name
    .replaceAll(/([a-z])([A-Z])/gu, '$1 $2')
    .replaceAll(/[_-]+/gu, ' ')
    .toLowerCase()
  const plural = spoken.endsWith('y') ? `${spoken.slice(0, -1)}ies` : `${spoken}s`
  return [name.toLowerCase(), spoken, plural]
}

function isNamed(column: Column, words: string): boolean {
  return formsOf(column).some((form) => words.includes(` ${form} `))
}

/** The columns that the words name, in the order of the words. */
function mentioned({ words, table }: Spoken): readonly Column[] {
  const at = (column: Column) =>
    Math.min(
      ...formsOf(column)
        .map((form) => words.indexOf(` ${form} `))
        .filter((one) => one >= 0),
    )
  return table.columns
    .filter((column) => isNamed(column, words))
    .toSorted((one, other) => at(one) - at(other))
}

function isNumeric({ type, name }: Column): boolean {
  return /INT|REAL|NUM|FLOAT|DOUBLE/iu.test(type) && !/(?:^|_)id$/iu.test(name)
}

/** The column after words such as `per`, or of a question such as `which region`. */
function groupColumn(spoken: Spoken): Column | null {
  const { words, table } = spoken
  if (/\b(?:sort|sorted|ordered)\b/u.test(words)) return null
  const named = (isNamed: (form: string) => boolean) =>
    table.columns.find((column) => formsOf(column).some(isNamed)) ?? null
  const isTop = /\b(?:top|most|fewest|least|best|worst)\b/u.test(words)
  return (
    named((form) =>
      BEFORE_GROUP.some(
        (before) =>
          words.includes(` ${before} ${form} `) || words.includes(` ${before} the ${form} `),
      ),
    ) ??
    (isTop ? named((form) => wordsBefore(form, words).some((word) => ASKED.has(word))) : null) ??
    table.columns.find(
      (column) =>
        !isNumeric(column) && formsOf(column).some((form) => words.includes(` by ${form} `)),
    ) ??
    null
  )
}

const BEFORE_GROUP = ['per', 'each', 'every', 'grouped by']

const ASKED = new Set(['which', 'what', 'top', 'common', 'frequent', 'popular'])

/** The two words before a name. */
function wordsBefore(form: string, words: string): readonly string[] {
  const at = words.indexOf(` ${form} `)
  return at < 0 ? [] : words.slice(0, at).split(' ').slice(-2)
}

/** The words after a name; none without it. */
function wordsAfter(form: string, words: string): readonly string[] {
  const at = words.indexOf(` ${form} `)
  return at < 0
    ? []
    : words
        .slice(at + form.length + 2)
        .trim()
        .split(' ')
}

const AGGREGATES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:total|sum|how much|spen[dt]|sold|sell)\b/u, 'SUM'],
  [/\b(?:average|mean|avg)\b/u, 'AVG'],
  [/\b(?:biggest|highest|largest|max(?:imum)?)\b/u, 'MAX'],
  [/\b(?:smallest|lowest|min(?:imum)?|cheapest)\b/u, 'MIN'],
]

const REVENUE = /\b(?:revenue|turnover|income|earn(?:ed|ings)?|spen[dt]|sales value)\b/u

/** The figures that the words ask for. */
function measuresIn(spoken: Spoken, grouped: Column | null): readonly Measure[] {
  const { words, table } = spoken
  if (/\b(?:sort|sorted)\b/u.test(words)) return []
  const counts = /\b(?:how many|number of|count)\b/u.test(words)
  const distinct = counts && /\b(?:different|distinct|unique)\b/u.test(words)
  const first = mentioned(spoken).find((column) => column !== grouped)
  if (distinct && first !== undefined) {
    return [{ sql: `COUNT(DISTINCT ${quoted(first.name)})`, alias: `different ${first.name}` }]
  }
  if (counts || /\b(?:common|frequent)\b/u.test(words)) return [COUNT_ALL]
  const names = AGGREGATES.flatMap(([pattern, name]) => (pattern.test(words) ? [name] : []))
  const isTop = grouped !== null && /\b(?:top|most|fewest|least|best|worst)\b/u.test(words)
  const all = names.length === 0 && isTop ? ['SUM'] : names
  if (all.length === 0) return []
  const value = valueIn(spoken, grouped, table)
  return value === null
    ? []
    : all.map((name) => ({
        sql:
          name === 'SUM' || name === 'AVG'
            ? `ROUND(${name}(${value.sql}), 4)`
            : `${name}(${value.sql})`,
        alias: `${name.toLowerCase()} of ${value.alias}`,
      }))
}

/**
 * The numbers to add: a column that is named, a quantity times a price for revenue, or the one column of quantities.
 */
function valueIn(spoken: Spoken, grouped: Column | null, table: KnownTable): Measure | null {
  const numbers = table.columns.filter(isNumeric)
  const quantity = numbers.find(({ name }) => /quantity|qty|units|amount|pieces/iu.test(name))
  const price = numbers.find(({ name }) => /price|cost|rate/iu.test(name))
  if (REVENUE.test(spoken.words) && quantity !== undefined && price !== undefined) {
    return { sql: `${quoted(quantity.name)} * ${quoted(price.name)}`, alias: 'revenue' }
  }
  const named = mentioned(spoken).find((column) => column !== grouped && isNumeric(column))
  const chosen = named ?? quantity ?? (numbers.length === 1 ? numbers[0] : undefined)
  return chosen === undefined ? null : { sql: quoted(chosen.name), alias: chosen.name }
}

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

/** The conditions that the words state. */
function conditions(spoken: Spoken): readonly string[] {
  const { words, table } = spoken
  const found = table.columns.flatMap((column, index) => [
    ...comparisons(column, words),
    ...equalities(column, index, spoken),
  ])
  const month = MONTHS.findIndex((name) => words.includes(` in ${name} `))
  const date = table.columns.findIndex((_, index) =>
    table.sample.some((row) => /^\d{4}-\d\d-\d\d/u.test(String(row[index]))),
  )
  const column = table.columns[date]
  if (month >= 0 && column !== undefined) {
    found.push(`strftime('%m', ${quoted(column.name)}) = '${String(month + 1).padStart(2, '0')}'`)
  }
  return found
}

const COMPARISONS: ReadonlyMap<string, string> = new Map([
  ['over', '>'],
  ['above', '>'],
  ['more', '>'],
  ['greater', '>'],
  ['bigger', '>'],
  ['higher', '>'],
  ['under', '<'],
  ['below', '<'],
  ['less', '<'],
  ['fewer', '<'],
  ['smaller', '<'],
  ['lower', '<'],
  ['least', '>='],
  ['most', '<='],
])

/** Words around a comparison: `is more than 5`, `of at least 5`. */
const AROUND = new Set(['is', 'of', 'was', 'are', 'than', 'at'])

function comparisons(column: Column, words: string): readonly string[] {
  if (!isNumeric(column)) return []
  for (const form of formsOf(column)) {
    const [word = '', value = ''] = wordsAfter(form, words).filter((one) => !AROUND.has(one))
    const operator = COMPARISONS.get(word)
    if (operator !== undefined && /^\d+(?:\.\d+)?$/u.test(value)) {
      return [`${quoted(column.name)} ${operator} ${value}`]
    }
  }
  return []
}

/** Values that the words give to a column: quoted, after `is`, or one of the first rows. */
function equalities(
  column: Column,
  index: number,
  { words, request, table }: Spoken,
): readonly string[] {
  const is = (value: string) => [
    `lower(${quoted(column.name)}) = lower('${value.replaceAll("'", "''")}')`,
  ]
  const [quote] = request.quotes
  if (quote !== undefined && !isNumeric(column) && isNamed(column, words)) return is(quote)
  for (const form of formsOf(column)) {
    const [verb = '', value = ''] = wordsAfter(form, words)
    if (STATES.has(verb) && value !== '' && value !== 'the' && !COMPARISONS.has(value))
      return is(value)
  }
  const known = new Set(
    table.sample
      .map((row) => row[index])
      .filter((value) => typeof value === 'string' && value.length > 1),
  )
  for (const value of known) {
    if (words.includes(` ${String(value).toLowerCase()} `)) return is(String(value))
  }
  return []
}

const STATES = new Set(['is', 'equals', 'called', 'named'])

/** A question about one gets one; `top 3` gets three. */
function limitIn(words: string, grouped: Column): string {
  const [, count] = /\b(?:top|best|worst|first) (\d+)\b/u.exec(words) ?? []
  if (count !== undefined) return ` LIMIT ${count}`
  const [, single = ''] = formsOf(grouped)
  const isOne =
    /\b(?:most|fewest|least|best|worst)\b/u.test(words) &&
    !/\b(?:common|frequent|popular)\b/u.test(words) &&
    words.includes(` ${single} `)
  return isOne ? ' LIMIT 1' : ''
}
