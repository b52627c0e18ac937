import type { Node, Program } from 'oxc-parser'
import { walkTree } from './walk-tree.ts'

/** One import of a file, in any of the forms the language has. */
export interface ImportFact {
  /** Empty when a dynamic import computes it. */
  readonly specifier: string
  /** Names taken from the other file; `*` for all of it, also for a dynamic import. */
  readonly names: readonly string[]
  /** Offset into the text. */
  readonly at: number
}

/** Static, dynamic and type imports, and the sources of `export … from`. */
export function readImports(program: Program): readonly ImportFact[] {
  return [...walkTree(program)].flatMap(({ node }) => importOf(node) ?? [])
}

function importOf(node: Node): ImportFact | undefined {
  if (node.type === 'ImportDeclaration') {
    const names = node.specifiers.map((specifier) =>
      specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : '*',
    )
    return { specifier: node.source.value, names, at: node.start }
  }
  if (node.type === 'ExportNamedDeclaration' && node.source !== null) {
    const names = node.specifiers.map(({ local }) => nameOf(local))
    return { specifier: node.source.value, names, at: node.start }
  }
  if (node.type === 'ExportAllDeclaration' || node.type === 'TSImportType') {
    return { specifier: node.source.value, names: ['*'], at: node.start }
  }
  if (node.type === 'ImportExpression') {
    return { specifier: literal(node.source), names: ['*'], at: node.start }
  }
  if (node.type === 'TSExternalModuleReference') {
    return { specifier: node.expression.value, names: ['*'], at: node.start }
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
