import type { Node } from 'oxc-parser'
import { PAST_THE_DOOR } from '../rooms/door.ts'
import { type Module, walkTree } from '../rooms/read-module.ts'
import { measureHouse } from '../rooms/measure-house.ts'
import { findBuilding, ENTRIES, roomOf } from '../rooms/room-of.ts'
import { readFunctions } from './read-functions.ts'
import type { EnteredFunction } from './trace-functions.ts'

/** Figures by name, such as `code lines, core, engine`: what may only fall. */
export type Weight = Readonly<Record<string, number>>

/** Measures the files of `src`, and the functions that each flow entered. */
export function measureWeight(
  modules: readonly Module[],
  flows: ReadonlyMap<string, readonly EnteredFunction[]>,
): Weight {
  const inside = modules.filter(({ path }) => roomOf(path) !== ENTRIES)
  const entries = modules.filter(({ path }) => roomOf(path) === ENTRIES)
  const functions = readFunctions(modules)
  const { arrows } = measureHouse(modules)
  const weight: Record<string, number> = { 'code lines': 0 }
  const add = (name: string, amount: number) => (weight[name] = (weight[name] ?? 0) + amount)
  for (const { path, codeLines } of modules) {
    const building = findBuilding(roomOf(path)) ?? ENTRIES
    add('code lines', codeLines)
    add(`code lines, ${building}`, codeLines)
    const [, first = '', second = ''] = path.split('/')
    const room = first === building ? second : first
    if (building !== ENTRIES) add(`code lines, ${building}, ${room}`, codeLines)
  }
  add('arrows between rooms', arrows.length)
  for (const [building, past] of PAST_THE_DOOR) add(`names past the door, ${building}`, past.size)
  add('exported names', sum(inside.map(({ exports }) => exports.length)))
  add('public names', sum(entries.map(({ exports }) => exports.length)))
  for (const { path, exports } of entries) {
    add(`public names, ${path.replace(/^.*\/(.*)\.ts$/, '$1')}`, exports.length)
  }
  add('option members', sum(inside.map(countOptions)))
  add('error codes', unionSize(inside, errorCodes))
  add('commands', unionSize(inside.filter(isCommandModel), typesInside))
  add('events', unionSize(inside.filter(isEventModel), typesInside))
  add('shell commands', inside.filter(({ path }) => path.endsWith('-command.ts')).length)
  for (const [flow, entered] of flows) add(`functions entered, ${flow}`, entered.length)
  add('functions over 50 lines', functions.filter(({ lines }) => lines > 50).length)
  const long = functions.filter(({ lines }) => lines > 60)
  add('lines of functions over 60 lines', sum(long.map(({ lines }) => lines)))
  add(
    'functions under 6 lines with one caller',
    functions.filter(({ lines, mentions }) => lines < 6 && mentions === 1).length,
  )
  add('functions that end in Of', functions.filter(({ name }) => name.endsWith('Of')).length)
  // 95 % of the limit of 300: a file that is packed to its limit is not a small file.
  add('files over 285 lines', inside.filter(({ codeLines }) => codeLines > 285).length)
  return weight
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function unionSize(modules: readonly Module[], names: (module: Module) => readonly string[]) {
  return new Set(modules.flatMap(names)).size
}

/** Counts the members of interfaces and types whose name ends in `Options`. */
function countOptions({ program }: Module): number {
  return sum(
    [...walkTree(program)].map(({ node }) => {
      const isDeclaration =
        node.type === 'TSInterfaceDeclaration' || node.type === 'TSTypeAliasDeclaration'
      if (!isDeclaration || !node.id.name.endsWith('Options')) return 0
      return [...walkTree(node)].filter(({ node: { type }, parent }) => {
        const isMember = type === 'TSPropertySignature' || type === 'TSMethodSignature'
        return (
          isMember && (parent?.type === 'TSInterfaceBody' || node.type !== 'TSInterfaceDeclaration')
        )
      }).length
    }),
  )
}

/** Returns the codes of the errors that a file throws. */
function errorCodes({ program }: Module): readonly string[] {
  return [...walkTree(program)].flatMap(({ node }) => {
    if (node.type !== 'NewExpression' || node.callee.type !== 'Identifier') return []
    return node.callee.name === 'WorkspaceError' ? texts(node.arguments[0]) : []
  })
}

function texts(node: Node | undefined): readonly string[] {
  return node?.type === 'Literal' && typeof node.value === 'string' ? [node.value] : []
}

function isCommandModel({ path }: Module): boolean {
  return path === 'src/engine/model/command.ts'
}

function isEventModel({ path }: Module): boolean {
  return path.startsWith('src/engine/model/') && path !== 'src/engine/model/command.ts'
}

/** Returns the literals of members named `type` that have a dot, such as `source.opened`. */
function typesInside({ program }: Module): readonly string[] {
  return [...walkTree(program)].flatMap(({ node }) => {
    if (node.type !== 'TSPropertySignature' || node.typeAnnotation === null) return []
    if (node.key.type !== 'Identifier' || node.key.name !== 'type') return []
    return [...walkTree(node.typeAnnotation)].flatMap((below) =>
      texts(below.node).filter((text) => text.includes('.')),
    )
  })
}
