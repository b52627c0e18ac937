import type { Program, Statement } from 'oxc-parser'

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

/** What a file exports, in the order of the text. */
export function readExports(program: Program): readonly ExportFact[] {
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
