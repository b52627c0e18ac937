import { type Code, readCode } from './read-code.ts'
import type { Renamed } from './renamed.ts'

/** A source with its new names. */
export interface Rewritten {
  readonly text: string
  readonly changes: readonly Place[]
  /** Places that a person has to look at. */
  readonly questions: readonly Place[]
}

/** A place in a source, with what was done or is asked. */
interface Place {
  readonly line: number
  readonly text: string
}

/** A part of the source that is replaced. */
interface Edit {
  readonly at: number
  readonly end: number
  readonly by: string
}

/** A statement that imports or exports names of the package. */
interface Import {
  /** The place of what is between `import` and `from`. */
  readonly at: number
  readonly clause: string
  readonly exports: boolean
}

/** The package, and its entries. */
const PACKAGE = /^loadout(?:\/|$)/

/** Code after which a text names a module. */
const NAMES_MODULE = /(?:\bfrom|\bimport|\bimport\s*\(|\brequire\s*\(|\.mock\s*\()\s*$/

/** Replaces the old names of the package in a source. Sources that do not import the package stay unchanged. */
export function rewriteSource(text: string, renamed: readonly Renamed[]): Rewritten {
  const read = readCode(text)
  const imports = importsOfPackage(read)
  const isUser = read.literals.some(
    ({ at, value }) => PACKAGE.test(value) && NAMES_MODULE.test(read.code.slice(0, at - 1)),
  )
  const edits: Edit[] = []
  const questions: Place[] = []
  const ask = (at: number, question: string) =>
    questions.push({ line: lineAt(text, at), text: question })
  for (const one of isUser ? renamed : []) {
    if (one.kind === 'path') edits.push(...movedPaths(read, one))
    else if (one.kind === 'name') edits.push(...renamedNames(read, imports, one))
    else edits.push(...movedMembers(read, one, ask))
  }
  const ordered = edits.toSorted((one, other) => one.at - other.at)
  let written = text
  for (const { at, end, by } of ordered.toReversed()) {
    written = written.slice(0, at) + by + written.slice(end)
  }
  const changes = ordered.map(({ at, end, by }) => ({
    line: lineAt(text, at),
    text: `${text.slice(at, end)} -> ${by}`,
  }))
  return { text: written, changes, questions }
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length
}

function importsOfPackage({ code, literals }: Code): readonly Import[] {
  return literals.flatMap(({ at, value }) => {
    if (!PACKAGE.test(value)) return []
    const before = /\b(import|export)\b([^;=()]*?)\bfrom\s*$/.exec(
      lastStatement(code.slice(0, at - 1)),
    )
    const [found = '', word, clause = ''] = before ?? []
    if (before === null) return []
    const start = at - 1 - found.length + (word?.length ?? 0)
    return [{ at: start, clause, exports: word === 'export' }]
  })
}

/** Returns the code from the last `import` or `export` on. */
function lastStatement(code: string): string {
  return code.slice([...code.matchAll(/\b(?:import|export)\b/g)].at(-1)?.index ?? 0)
}

function movedPaths({ code, literals }: Code, { from, to }: Renamed): readonly Edit[] {
  return literals
    .filter(({ at, value }) => value === from && NAMES_MODULE.test(code.slice(0, at - 1)))
    .map(({ at }) => ({ at, end: at + from.length, by: to }))
}

/**
 * Renames what is imported, and its uses. Where another meaning of a name cannot be excluded, the file keeps its own name:
 * `import { type New as Old }`.
 */
function renamedNames(
  { code, literals }: Code,
  imports: readonly Import[],
  { from, to }: Renamed,
): readonly Edit[] {
  const edits: Edit[] = []
  const uses = [...code.matchAll(new RegExp(`(?<![\\w$])${from}(?![\\w$])`, 'g'))].map(
    ({ index }) => index,
  )
  for (const { at, clause, exports } of imports) {
    const namespace = /\*\s*as\s+([\w$]+)/.exec(clause)?.[1]
    if (namespace !== undefined) {
      const member = new RegExp(`(?<=(?<![\\w$.])${namespace}\\s*\\.\\s*)${from}(?![\\w$])`, 'g')
      edits.push(...[...code.matchAll(member)].map(({ index }) => edit(index, from, to)))
    }
    const specifier = new RegExp(`(?<=[{,]\\s*(?:type\\s+)?)${from}(?![\\w$])(\\s+as\\s)?`).exec(
      clause,
    )
    if (specifier === null) continue
    const place = at + specifier.index
    const others = uses.filter((use) => use < at || use >= at + clause.length)
    const keepsName =
      specifier[1] === undefined &&
      (exports || isTaken(code, to) || others.some((use) => isDoubtful(code, use, from)))
    edits.push(edit(place, from, keepsName ? `${to} as ${from}` : to))
    if (specifier[1] !== undefined || keepsName) continue
    edits.push(...others.filter((use) => !isMember(code, use)).map((use) => edit(use, from, to)))
  }
  for (const { at, value } of literals) {
    if (!PACKAGE.test(value)) continue
    // `import('loadout').Name` in a type, or of a value that is there at once.
    const member = new RegExp(`^\\s*\\)\\s*\\)?\\s*\\.\\s*(?=${from}(?![\\w$]))`).exec(
      code.slice(at + value.length + 1),
    )
    if (member !== null && /\bimport\s*\(\s*$/.test(code.slice(0, at - 1))) {
      edits.push(edit(at + value.length + 1 + member[0].length, from, to))
    }
    const before = /\{([^{}]*)\}\s*=\s*await\s+import\s*\(\s*$/.exec(code.slice(0, at - 1))
    const part =
      before && new RegExp(`(?<=(?:^|,)\\s*)${from}(?![\\w$])(\\s*:)?`).exec(before[1] ?? '')
    if (before && part) {
      edits.push(
        edit(before.index + 1 + part.index, from, part[1] === undefined ? `${to}: ${from}` : to),
      )
    }
  }
  return edits
}

function edit(at: number, from: string, by: string): Edit {
  return { at, end: at + from.length, by }
}

function isTaken(code: string, name: string): boolean {
  return new RegExp(`(?<![\\w$.])${name}(?![\\w$])`).test(code)
}

function isMember(code: string, at: number): boolean {
  return /(?<!\.\.)\.\s*$/.test(code.slice(Math.max(0, at - 40), at))
}

/** Returns true for a name that may be that of a member, of an export, or of something else in a part of the file. */
function isDoubtful(code: string, at: number, name: string): boolean {
  const before = code.slice(Math.max(0, at - 40), at)
  const after = code.slice(at + name.length, at + name.length + 40)
  if (/\b(?:const|let|var|function|class|interface|type|enum|as)\s+$/.test(before)) return true
  return /[{,;]\s*$/.test(before) && /^\s*(?:[,}:?]|\()/.test(after)
}

/** Renames the members of values whose class is known by their declaration, or by the name `workspace`. */
function movedMembers(
  { code, literals }: Code,
  { from, to, of: owner = 'VirtualWorkspace' }: Renamed,
  ask: (at: number, question: string) => void,
): readonly Edit[] {
  const values = valuesOfClass(code, owner)
  const rest = to.startsWith(`${from}.`)
    ? `(?!\\s*\\??\\.\\s*${to.slice(from.length + 1)}(?![\\w$]))`
    : ''
  const edits: Edit[] = []
  const uses = new RegExp(
    `(?<![\\w$])([\\w$]+|[)\\]])\\s*[!?]?\\.\\s*(?=${from}(?![\\w$])${rest})`,
    'g',
  )
  for (const { 0: found, 1: value = '', index } of code.matchAll(uses)) {
    const at = index + found.length
    if (values.has(value)) edits.push(edit(at, from, to))
    else if (
      !(value in globalThis) &&
      value !== to.split('.')[0] &&
      /^\s*\(/.test(code.slice(at + from.length))
    ) {
      ask(at, `${value}.${from}(…) was not changed. Of ${owner} it is ${to}.`)
    }
  }
  const parts = new RegExp(`\\{[^{}]*(?<![\\w$.])${from}(?![\\w$])[^{}]*\\}\\s*=\\s*([\\w$]+)`, 'g')
  for (const { 1: value = '', index } of code.matchAll(parts)) {
    if (values.has(value)) ask(index, `${from} of ${value} was not changed. It is ${to}.`)
  }
  for (const { at, value } of literals) {
    if (value !== from) continue
    const before = code.slice(0, at - 1)
    if (new RegExp(`(?<![\\w$])${owner}\\s*\\[\\s*$`).test(before)) {
      edits.push(edit(at, from, to.replaceAll('.', "']['")))
    } else if (new RegExp(`(?<![\\w$])${owner}\\s*,[^<>;]*$`).test(before)) {
      ask(at, `'${from}' of ${owner} was not changed. It is ${to}.`)
    }
  }
  return edits
}

/** Returns the names of the variables, parameters and members that are of a class. */
function valuesOfClass(code: string, owner: string): ReadonlySet<string> {
  const names = (pattern: string) =>
    [...code.matchAll(new RegExp(pattern, 'g'))].map(([, name = '']) => name)
  const values = new Set([
    ...(owner === 'VirtualWorkspace' ? ['workspace'] : []),
    ...names(`([\\w$]+)\\s*[?!]?\\s*:\\s*(?:Promise<)?${owner}(?![\\w$])`),
    ...names(`([\\w$]+)\\s*=\\s*(?:await\\s+)?(?:new\\s+)?${owner}\\s*[.(]`),
  ])
  for (const maker of names(
    `(?:function\\s+|const\\s+)([\\w$]+)(?:(?!\\bfunction\\b|\\bconst\\b)[^])*?\\)\\s*:\\s*(?:Promise<)?${owner}(?![\\w$])`,
  )) {
    for (const value of names(`([\\w$]+)\\s*=\\s*(?:await\\s+)?${maker}\\s*\\(`)) values.add(value)
  }
  for (const value of values) {
    for (const next of names(
      `([\\w$]+)\\s*=\\s*(?:await\\s+)?${value.replaceAll('$', '\\$')}\\s*\\.\\s*(?:child|fork)\\s*\\(`,
    ))
      values.add(next)
  }
  return values
}
