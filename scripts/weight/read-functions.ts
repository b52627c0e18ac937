import type { Node } from 'oxc-parser'
import { readEntries } from '../rooms/read-entries.ts'
import { type Module, walkTree } from '../rooms/read-module.ts'
import { ENTRIES, resolveImport, roomOf } from '../rooms/room-of.ts'

/** A function that has a name: a declaration, a constant, or a method. */
export interface NamedFunction {
  readonly path: string
  readonly name: string
  /** Lines of code of its body: comments and blank lines do not count. */
  readonly lines: number
  /**
   * The places that mention it, in its file and in those that import it. An entry counts as a place. Undefined for a
   * method that is not private: who calls it cannot be read from names.
   */
  readonly mentions?: number
}

/** Returns the functions with a name of these modules, nested ones and methods included. */
export function readFunctions(modules: readonly Module[]): readonly NamedFunction[] {
  const mentioned = new Map(modules.map((module) => [module.path, countMentions(module)]))
  const importers = readImporters(modules)
  return modules.flatMap((module) =>
    [...walkTree(module.program)].flatMap(({ node, parent }) => {
      const found = namedFunction(node, parent)
      if (found === undefined) return []
      const { name, isMethod, body } = found
      // The declaration itself is a mention, and so is a list of exports.
      const here = (mentioned.get(module.path)?.get(name) ?? 1) - 1
      const elsewhere = (importers.get(`${module.path} ${name}`) ?? []).map(({ path, local }) =>
        roomOf(path) === ENTRIES ? 1 : (mentioned.get(path)?.get(local) ?? 0),
      )
      return {
        path: module.path,
        name,
        lines: module.codeLinesBetween(...bodyRange(body)),
        ...(!(isMethod && !name.startsWith('#')) && {
          mentions: elsewhere.reduce((sum, count) => sum + count, here),
        }),
      }
    }),
  )
}

/** Returns the offsets of what is between the braces, or of the expression. */
function bodyRange({ type, start, end }: Node): readonly [start: number, end: number] {
  return type === 'BlockStatement' ? [start + 1, end - 1] : [start, end]
}

interface FoundFunction {
  readonly name: string
  readonly isMethod: boolean
  readonly body: Node
}

function namedFunction(node: Node, parent: Node | null): FoundFunction | undefined {
  const isFunction =
    node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression'
  if (!isFunction || node.body === null) return undefined
  const { body } = node
  if (node.type === 'FunctionDeclaration') {
    return node.id === null ? undefined : { name: node.id.name, isMethod: false, body }
  }
  if (parent?.type === 'MethodDefinition') {
    const { key } = parent
    if (key.type === 'PrivateIdentifier') return { name: `#${key.name}`, isMethod: true, body }
    return key.type === 'Identifier' ? { name: key.name, isMethod: true, body } : undefined
  }
  if (parent?.type !== 'VariableDeclarator' || parent.id.type !== 'Identifier') return undefined
  return { name: parent.id.name, isMethod: false, body }
}

/** Returns how often a file mentions each name, without the names of members, imports and exports. */
function countMentions({ program }: Module): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { node, parent, key } of walkTree(program, ({ type }) => type.startsWith('Import'))) {
    if (!('name' in node) || typeof node.name !== 'string') continue
    const isMember = parent?.type === 'MemberExpression' && key === 'property' && !parent.computed
    const isKey = parent?.type === 'Property' && key === 'key' && !parent.shorthand
    if (node.type === 'Identifier' && (isMember || isKey)) continue
    const name = node.type === 'PrivateIdentifier' ? `#${node.name}` : node.name
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

interface Importer {
  readonly path: string
  /** The name that the importing file gives it. */
  readonly local: string
}

/** Returns who imports each name, by the file that defines it and the name. */
function readImporters(modules: readonly Module[]): ReadonlyMap<string, readonly Importer[]> {
  const importers = new Map<string, Importer[]>()
  const homes = readEntries(modules)
  for (const { path, program } of modules) {
    for (const statement of program.body) {
      const isImport = statement.type === 'ImportDeclaration'
      if (!isImport && statement.type !== 'ExportNamedDeclaration') continue
      const target = statement.source && resolveImport(path, statement.source.value)
      if (target === null || target === undefined) continue
      for (const specifier of statement.specifiers) {
        const taken = specifier.type === 'ImportSpecifier' ? specifier.imported : specifier.local
        if (taken.type !== 'Identifier' || specifier.local.type !== 'Identifier') continue
        const home = homes.get(`${target} ${taken.name}`) ?? { path: target, name: taken.name }
        const key = `${home.path} ${home.name}`
        importers.set(key, [...(importers.get(key) ?? []), { path, local: specifier.local.name }])
      }
    }
  }
  return importers
}
