import type { Node } from 'oxc-parser'
import { type Position, readModule, walkTree } from './rooms/read-module.ts'
import type { DiagnosticGroup } from '../src/catalog/lint/codes/diagnostic-group.ts'
import { DIAGNOSTIC_GROUPS } from '../src/catalog/lint/diagnostic-groups.ts'

const INTRODUCTION = `# Diagnostics

A diagnostic is one finding about a definition: a stable \`code\`, a \`severity\`, a \`message\` and a \`hint\`
for people, and \`file\`, \`line\` and \`column\` where they are known, the last two counted from 1. Programs
should look at codes only. \`error\` means that the item, or a part of it, was not loaded; \`warning\` that it
was loaded, but may be a mistake; \`info\` is a remark.

\`loadout lint\` reports them by level: \`portable\` includes those of \`spec\`, and \`native\` all. See
[linting.md](linting.md). This page is written from the source by \`npm run docs:diagnostics\`.
`

/** Returns `docs/diagnostics.md` as Markdown. */
export function diagnosticsPage(): string {
  return [INTRODUCTION, ...DIAGNOSTIC_GROUPS.map(section)].join('\n')
}

function section({ title, origin, level, codes }: DiagnosticGroup): string {
  const from =
    level === null ? 'Not reported by lint.' : `Reported by lint from level \`${level}\`.`
  const rows = Object.entries(codes).map(([code, { severity, what, hint, sources = [] }]) => {
    const links = sources.map((source, index) => `[${index + 1}](${source})`).join(' ')
    const pages = links === '' ? '' : ` ${links}`
    return `| \`${code}\` | ${severity.join(', ')} | ${cell(what)}${pages} | ${cell(hint)} |`
  })
  return [
    `## ${title}\n`,
    `${origin} ${from}\n`,
    '| code | severity | what | what to do |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

/** A place in the source that makes a diagnostic. */
interface EmittedCode {
  /** Relative to the project. */
  readonly path: string
  readonly line: number
  /** The code, or a pattern with `*` for its unknown part. Null when the source does not show it. */
  readonly code: string | null
}

/** Files that pass on the findings of other files. */
const HAND_ON = /^src\/(?:workbench\/cli\/|skills\/parse\/findings\.ts$)/

/** Files in which an object with a code, a message and a hint is a fault that becomes a finding. */
const FAULTS = /^src\/(?:workbench\/project|skills\/parse)\//

/**
 * Returns the codes of all diagnostics that a source file makes: objects with a code and a severity, faults
 * of the readers, calls of `findings.add` and `findings.refuse`, and calls of functions with a parameter `code` in files that pass
 * it on.
 */
export function emittedCodes(path: string, text: string): readonly EmittedCode[] {
  if (HAND_ON.test(path)) return []
  const { program, lineAt } = readModule(path, text)
  const nodes = [...walkTree(program)]
  const helpers = helpersOf(nodes)
  const found: EmittedCode[] = []
  const add = (node: Node, made: Node | undefined) => {
    for (const code of made === undefined ? [null] : codesOf(made, helpers)) {
      if (code !== PASSED_ON) found.push({ path, line: lineAt(node.start), code })
    }
  }
  for (const { node } of nodes) {
    if (node.type === 'ObjectExpression') {
      const members = membersOf(node)
      const code = members.get('code')
      if (code === undefined) continue
      const isFault = members.has('message') && members.has('hint') && FAULTS.test(path)
      if (members.has('severity') || (isFault && members.size <= 4)) add(node, code)
    }
    if (node.type !== 'CallExpression') continue
    const { callee } = node
    const name = callee.type === 'MemberExpression' ? propertyName(callee.property) : null
    if (name === 'add' && isSeverity(node.arguments[0])) add(node, node.arguments[1])
    if (name === 'refuse') add(node, node.arguments[0])
    if (callee.type !== 'Identifier') continue
    const helper = helpers.get(callee.name)
    if (helper !== undefined) {
      for (const made of codesOf(node.arguments[helper.index], helpers)) {
        if (made === PASSED_ON) continue
        const code = made === null ? null : helper.prefix + made
        found.push({ path, line: lineAt(node.start), code })
      }
    }
  }
  return found
}

/** Marks the parameter of a function. The calls of that function are examined instead. */
const PASSED_ON = Symbol('passed on')

interface Helper {
  readonly index: number
  /** The text that the function puts before the code. */
  readonly prefix: string
}

/** Returns the functions of a file that make a diagnostic with a code they receive, by name. */
function helpersOf(nodes: readonly Position[]): ReadonlyMap<string, Helper> {
  const helpers = new Map<string, Helper>()
  for (const { node, parent } of nodes) {
    if (
      node.type !== 'FunctionDeclaration' &&
      node.type !== 'ArrowFunctionExpression' &&
      node.type !== 'FunctionExpression'
    ) {
      continue
    }
    const index = node.params.findIndex((one) => one.type === 'Identifier' && one.name === 'code')
    if (index < 0 || node.body === null || !makesDiagnostics(node.body)) continue
    const name = node.id?.name ?? (parent?.type === 'VariableDeclarator' ? idOf(parent.id) : null)
    if (name === null || name === undefined) continue
    const template = [...walkTree(node.body)].find(
      (one) => one.node.type === 'TemplateLiteral' && one.node.expressions.some(isCode),
    )?.node
    const prefix = template?.type === 'TemplateLiteral' ? (template.quasis[0]?.value.raw ?? '') : ''
    helpers.set(name, { index, prefix })
  }
  return helpers
}

/**
 * Returns true for a function that puts its `code` into a diagnostic, or passes it to another such function.
 */
function makesDiagnostics(body: Node): boolean {
  return [...walkTree(body)].some(({ node }) => {
    if (node.type === 'Property') return propertyName(node.key) === 'severity'
    return (
      node.type === 'CallExpression' &&
      (isSeverity(node.arguments[0]) || node.arguments.some(isCode))
    )
  })
}

function codesOf(
  node: Node | undefined,
  helpers: ReadonlyMap<string, Helper>,
): readonly (string | null | typeof PASSED_ON)[] {
  switch (node?.type) {
    case 'Literal':
      return [String(node.value)]
    case 'ConditionalExpression':
      return [node.consequent, node.alternate].flatMap((one) => codesOf(one, helpers))
    case 'TemplateLiteral':
      if (node.expressions.some(isCode) && helpers.size > 0) return [PASSED_ON]
      return [node.quasis.map(({ value }) => value.raw).join('*')]
    case 'Identifier':
      // A parameter of a function of this file, a fault of another file, or a rule of a table.
      return [PASSED_ON]
    default:
      return [null]
  }
}

function membersOf(node: Extract<Node, { type: 'ObjectExpression' }>): ReadonlyMap<string, Node> {
  return new Map(
    node.properties.flatMap((one) =>
      one.type === 'Property' ? [[propertyName(one.key) ?? '', one.value] as const] : [],
    ),
  )
}

function propertyName(node: Node): string | null {
  if (node.type === 'Identifier') return node.name
  return node.type === 'Literal' ? String(node.value) : null
}

function idOf(node: Node): string | null {
  return node.type === 'Identifier' ? node.name : null
}

function isCode(node: Node): boolean {
  return node.type === 'Identifier' && node.name === 'code'
}

function isSeverity(node: Node | undefined): boolean {
  if (node?.type === 'ConditionalExpression') return isSeverity(node.consequent)
  if (node?.type === 'Identifier') return node.name === 'severity'
  return node?.type === 'Literal' && /^(?:error|warning|info)$/.test(String(node.value))
}
