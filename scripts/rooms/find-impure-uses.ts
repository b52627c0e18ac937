import type { Node, Program } from 'oxc-parser'
import { walkTree, type Position } from './read-module.ts'

/** One use of the environment, the clock or randomness in a file that must be pure. */
export interface ImpureUse {
  /** In the notation of the source: `Date.now`, `process`. */
  readonly what: string
  /** Offset into the text. */
  readonly at: number
}

const GLOBALS = new Set([
  'EventSource',
  'Function',
  'WebSocket',
  'XMLHttpRequest',
  'console',
  'crypto',
  'eval',
  'fetch',
  'globalThis',
  'navigator',
  'performance',
  'process',
  'require',
  'setImmediate',
  'setInterval',
  'setTimeout',
])

const STATIC_MEMBERS = new Set(['Date.now', 'Math.random', 'AbortSignal.timeout', 'Temporal.Now'])

/** They read the language of the machine. */
const LOCALE_MEMBERS = new Set([
  'localeCompare',
  'toLocaleDateString',
  'toLocaleLowerCase',
  'toLocaleString',
  'toLocaleTimeString',
  'toLocaleUpperCase',
])

/** Objects with pure and impure members. `Math.max` is allowed, `Math` as a value is not. */
const MIXED = new Set(['Date', 'Math', 'AbortSignal', 'Temporal'])

/** TypeScript syntax that has expressions; all other TypeScript syntax is types. */
const TYPED_EXPRESSIONS = new Set([
  'TSAsExpression',
  'TSInstantiationExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
])

/**
 * Finds the places where a file reads the clock, uses randomness, or reaches the environment.
 *
 * Compares names, not scopes: a local called `process` is reported too, because a reader could not
 * distinguish it from the global. Types are skipped.
 */
export function findImpureUses(program: Program): readonly ImpureUse[] {
  return [...walkTree(program, isType)].flatMap((position) => {
    const what = impurity(position)
    return what === undefined ? [] : [{ what, at: position.node.start }]
  })
}

function isType({ type }: Node): boolean {
  return type.startsWith('TS') && !TYPED_EXPRESSIONS.has(type)
}

function impurity(position: Position): string | undefined {
  const { node } = position
  if (node.type === 'MetaProperty') return node.meta.name === 'import' ? 'import.meta' : undefined
  if (node.type === 'MemberExpression') return impureMember(node)
  if (node.type === 'NewExpression' || node.type === 'CallExpression') return impureDate(node)
  if (node.type === 'Identifier') return impureIdentifier(node.name, position)
  return undefined
}

function impureMember(node: Extract<Node, { type: 'MemberExpression' }>): string | undefined {
  const { object, property } = node
  if (node.computed || property.type !== 'Identifier') return undefined
  if (LOCALE_MEMBERS.has(property.name)) return property.name
  if (object.type !== 'Identifier') return undefined
  const written = `${object.name}.${property.name}`
  return STATIC_MEMBERS.has(written) ? written : undefined
}

function impureDate(
  node: Extract<Node, { type: 'NewExpression' | 'CallExpression' }>,
): string | undefined {
  if (node.callee.type !== 'Identifier' || node.callee.name !== 'Date') return undefined
  if (node.type === 'CallExpression') return 'Date()'
  return node.arguments.length === 0 ? 'new Date()' : undefined
}

function impureIdentifier(name: string, position: Position): string | undefined {
  if (isLabel(position)) return undefined
  if (GLOBALS.has(name)) return name
  return MIXED.has(name) && !isPlainUseOfMixed(position) ? `${name} as a value` : undefined
}

/** Returns true for a name after a dot, before a colon, or in an import list: it is no reference. */
function isLabel({ node, parent, key }: Position): boolean {
  if (parent === null) return false
  if (parent.type === 'ImportSpecifier' || parent.type === 'ExportSpecifier') return true
  if (key !== 'property' && key !== 'key') return false
  return !('computed' in parent && parent.computed) && node.type === 'Identifier'
}

function isPlainUseOfMixed({ parent, key }: Position): boolean {
  if (parent === null) return false
  if (parent.type === 'MemberExpression') return key === 'object' && !parent.computed
  if (parent.type === 'BinaryExpression') return parent.operator === 'instanceof'
  return (parent.type === 'NewExpression' || parent.type === 'CallExpression') && key === 'callee'
}
