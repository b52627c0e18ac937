import { type Node, parseSync, type Program, type Statement, visitorKeys } from 'oxc-parser'

/** A source file, parsed. */
export interface Module {
  /** Relative to the project, with forward slashes. */
  readonly path: string
  readonly program: Program
  readonly imports: readonly ImportFact[]
  readonly exports: readonly ExportFact[]
  readonly lines: number
  /** The lines of the file without its import statements. */
  readonly ownLines: number
  /** The lines of the file that are neither blank nor only a comment. */
  readonly codeLines: number
  /** The first syntax error. */
  readonly syntaxError?: string
  /** 1-based line of an offset. */
  lineAt(offset: number): number
  /** The lines of code from one offset to another. */
  codeLinesBetween(start: number, end: number): number
}

export function readModule(path: string, text: string): Module {
  const { program, comments, errors } = parseSync(path, text)
  const importStatements = program.body.filter(({ type }) => type === 'ImportDeclaration')
  return {
    path,
    program,
    imports: readImports(program),
    exports: readExports(program),
    lines: text.trimEnd().split('\n').length,
    ownLines: without(text, importStatements).trim().split('\n').length,
    codeLines: countCode(without(text, comments)),
    ...(errors[0] !== undefined && { syntaxError: errors[0].message }),
    lineAt: (offset) => text.slice(0, offset).split('\n').length,
    codeLinesBetween: (from, to) => {
      const inside = comments
        .filter(({ start, end }) => start >= from && end <= to)
        .map(({ start, end }) => ({ start: start - from, end: end - from }))
      return countCode(without(text.slice(from, to), inside))
    },
  }
}

function countCode(text: string): number {
  return text.split('\n').filter((line) => line.trim() !== '').length
}

/** Returns the text without some of its ranges. */
function without(text: string, ranges: readonly { start: number; end: number }[]): string {
  return ranges.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text)
}

/** One import of a file, in any of the forms of the language. */
export interface ImportFact {
  /** Empty when a dynamic import computes it. */
  readonly specifier: string
  /** Names taken from the other file; `*` for all of it, also for a dynamic import. */
  readonly names: readonly string[]
  /** True for `import()`, which loads the other file when it is needed. */
  readonly lazy: boolean
  /** Offset into the text. */
  readonly at: number
}

/** Static, dynamic and type imports, and the sources of `export … from`. */
function readImports(program: Program): readonly ImportFact[] {
  return [...walkTree(program)].flatMap(({ node }) => importOf(node) ?? [])
}

function importOf(node: Node): ImportFact | undefined {
  if (node.type === 'ImportDeclaration') {
    const names = node.specifiers.map((specifier) =>
      specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : '*',
    )
    return { specifier: node.source.value, names, lazy: false, at: node.start }
  }
  if (node.type === 'ExportNamedDeclaration' && node.source !== null) {
    const names = node.specifiers.map(({ local }) => nameOf(local))
    return { specifier: node.source.value, names, lazy: false, at: node.start }
  }
  if (node.type === 'ExportAllDeclaration' || node.type === 'TSImportType') {
    return { specifier: node.source.value, names: ['*'], lazy: false, at: node.start }
  }
  if (node.type === 'ImportExpression') {
    return { specifier: literal(node.source), names: ['*'], lazy: true, at: node.start }
  }
  if (node.type === 'TSExternalModuleReference') {
    return { specifier: node.expression.value, names: ['*'], lazy: false, at: node.start }
  }
  return undefined
}

function nameOf(node: Node): string {
  if (node.type === 'Identifier') return node.name
  return literal(node)
}

function literal(node: Node): string {
  if (node.type === 'TemplateLiteral' && node.expressions.length === 0) {
    return node.quasis[0]?.value.cooked ?? ''
  }
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : ''
}

/** One name a file exports. */
export interface ExportFact {
  /** `*` for `export * from`, `default` for a default export. */
  readonly name: string
  readonly kind: 'value' | 'type'
  /** True when the name belongs to another file, also when it was imported first. */
  readonly passedOn: boolean
  /** Offset into the text. */
  readonly at: number
}

/** Returns the exports of a file in the order of the text. */
function readExports(program: Program): readonly ExportFact[] {
  const imported = new Set(program.body.flatMap(importedNames))
  return program.body.flatMap((statement) => exportsOf(statement, imported))
}

function importedNames(statement: Statement): readonly string[] {
  if (statement.type !== 'ImportDeclaration') return []
  return statement.specifiers.map(({ local }) => local.name)
}

function exportsOf(statement: Statement, imported: ReadonlySet<string>): readonly ExportFact[] {
  const at = statement.start
  if (statement.type === 'ExportAllDeclaration') {
    return [{ name: '*', kind: kindOf(statement.exportKind), passedOn: true, at }]
  }
  if (statement.type === 'ExportDefaultDeclaration') {
    const { declaration } = statement
    const passedOn = declaration.type === 'Identifier' && imported.has(declaration.name)
    return [{ name: 'default', kind: 'value', passedOn, at }]
  }
  if (statement.type !== 'ExportNamedDeclaration') return []
  const listed = statement.specifiers.map(({ local, exported, exportKind }) => ({
    name: 'name' in exported ? exported.name : exported.value,
    kind: statement.exportKind === 'type' ? ('type' as const) : kindOf(exportKind),
    passedOn: statement.source !== null || ('name' in local && imported.has(local.name)),
    at,
  }))
  const kind = kindOf(statement.exportKind)
  const declared = declaredNames(statement.declaration).map((name) => ({
    name,
    kind,
    passedOn: false,
    at,
  }))
  return [...listed, ...declared]
}

function kindOf(kind: string | undefined): 'value' | 'type' {
  return kind === 'type' ? 'type' : 'value'
}

type Declaration = Extract<Statement, { type: 'ExportNamedDeclaration' }>['declaration']

function declaredNames(declaration: Declaration): readonly string[] {
  if (declaration === null) return []
  if (declaration.type === 'VariableDeclaration') {
    return declaration.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? id.name : []))
  }
  if (!('id' in declaration) || declaration.id === null) return []
  return declaration.id.type === 'Identifier' ? [declaration.id.name] : []
}

/** A node of the syntax tree, the node above it, and the key of the node above that has it. */
export interface Position {
  readonly node: Node
  readonly parent: Node | null
  readonly key: string
}

/**
 * Walks `root` and every node below it, parents first. Skips a node, with all below it, when `skip` returns true.
 *
 * The keys come from the parser, so new syntax needs no change here.
 */
export function* walkTree(
  root: Node,
  skip: (node: Node) => boolean = () => false,
): Generator<Position> {
  const waiting: Position[] = [{ node: root, parent: null, key: '' }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node } = next
    if (skip(node)) continue
    yield next
    for (const key of (visitorKeys[node.type] ?? []).toReversed()) {
      for (const child of [member(node, key)].flat().toReversed()) {
        if (isNode(child)) waiting.push({ node: child, parent: node, key })
      }
    }
  }
}

function member(node: Node, key: string): unknown {
  return Reflect.get(node, key)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}
