import { posix, relative } from 'node:path'
import type { ImportDeclarationSpecifier, Node, Program } from 'oxc-parser'
import type { Plugin } from 'rolldown'
import { readModules } from '../rooms/check-rooms.ts'
import { type NameHome, readEntries } from '../rooms/read-entries.ts'
import { readModule, walkTree } from '../rooms/read-module.ts'
import { resolveImport } from '../rooms/room-of.ts'
import { PROJECT } from '../run-command.ts'

/**
 * Lets a module that imports names from an entry of the sources import each from the module that defines it. An entry
 * lists the names of many modules, and a command loads only those that it uses.
 */
export function directImports(): Plugin {
  const homes = readEntries(readModules(PROJECT, 'src/entries/*.ts'))
  return {
    name: 'direct-imports',
    transform: {
      filter: { id: /[\\/]src[\\/](?:connections|workbench)[\\/]/, code: /entries\/[\w-]+\.ts/ },
      handler(code, id) {
        const path = relative(PROJECT, id.replace(/\?.*$/, '')).replaceAll('\\', '/')
        return writeDirect(path, code, homes)
      },
    },
  }
}

/** Returns the text of a module, with each import of an entry written as imports of the modules that it lists. */
function writeDirect(path: string, text: string, homes: ReadonlyMap<string, NameHome>): string {
  const { program } = readModule(path, text)
  const lazyNames = readLazyNames(program)
  const findHome = (entry: string, name: string) => {
    const home = homes.get(`${entry} ${name}`)
    if (home === undefined) throw new Error(`${path}: ${entry} has no "${name}".`)
    return { name: home.name, from: `'${posix.relative(posix.dirname(path), home.path)}'` }
  }
  // Imports are statements of the module, except those that happen later.
  const nodes = text.includes('import(')
    ? Array.from(walkTree(program), ({ node }) => node)
    : program.body
  let direct = text
  for (const node of nodes.toReversed()) {
    if (node.type !== 'ImportDeclaration' && node.type !== 'ImportExpression') continue
    const { source, start, end } = node
    const entry = source.type === 'Literal' ? resolveImport(path, String(source.value)) : undefined
    if (!entry?.startsWith('src/entries/')) continue
    if (node.type === 'ImportExpression' && !lazyNames.has(node)) {
      throw new Error(`${path}: take names from what import('${entry}') resolves to.`)
    }
    const written =
      node.type === 'ImportDeclaration'
        ? node.specifiers.map((specifier) => {
            const { name, from } = findHome(entry, takenName(specifier))
            const isType = node.importKind === 'type' || isTypeSpecifier(specifier)
            return `import ${isType ? 'type ' : ''}{ ${name} as ${specifier.local.name} } from ${from}`
          })
        : (lazyNames.get(node) ?? []).map((taken) => {
            const { name, from } = findHome(entry, taken)
            return `import(${from}).then((module) => ({ ${taken}: module.${name} }))`
          })
    const joined =
      node.type === 'ImportDeclaration'
        ? written.join('\n')
        : `Promise.all([${written.join()}]).then((parts) => Object.assign({}, ...parts))`
    direct = direct.slice(0, start) + joined + direct.slice(end)
  }
  return direct
}

/** Returns the names that are taken from each `import()`, where it is awaited and taken apart. */
function readLazyNames(program: Program): ReadonlyMap<Node, readonly string[]> {
  const names = new Map<Node, readonly string[]>()
  for (const { node } of walkTree(program)) {
    if (node.type !== 'VariableDeclarator' || node.init?.type !== 'AwaitExpression') continue
    const { argument } = node.init
    const list = argument.type === 'CallExpression' ? argument.arguments[0] : undefined
    const imports = list?.type === 'ArrayExpression' ? list.elements : [argument]
    const patterns = node.id.type === 'ArrayPattern' ? node.id.elements : [node.id]
    for (const [at, pattern] of patterns.entries()) {
      const lazy = imports[at]
      if (pattern?.type !== 'ObjectPattern' || lazy?.type !== 'ImportExpression') continue
      const keys = pattern.properties.map((one) => ('key' in one ? one.key : undefined))
      names.set(
        lazy,
        keys.map((key) => (key?.type === 'Identifier' ? key.name : '')),
      )
    }
  }
  return names
}

function takenName(specifier: ImportDeclarationSpecifier): string {
  const taken = specifier.type === 'ImportSpecifier' ? specifier.imported : undefined
  return taken?.type === 'Identifier' ? taken.name : ''
}

function isTypeSpecifier(specifier: ImportDeclarationSpecifier): boolean {
  return specifier.type === 'ImportSpecifier' && specifier.importKind === 'type'
}
