import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Node, Program } from 'oxc-parser'
import { expect, test } from 'vitest'
import { resolveImport } from '../../scripts/rooms/room-of.ts'
import { readModule } from '../../scripts/rooms/read-module.ts'
import { PROJECT, runCommand } from '../../scripts/run-command.ts'
import { GROUPS } from './workspace-groups.ts'

/** A public name, and the declaration it stands for. */
interface PublicName {
  readonly name: string
  /** Such as `loadout/node`. */
  readonly subpath: string
  readonly declared: Node
}

const entries = globSync('src/entries/*.ts', { cwd: PROJECT }).toSorted()

const names = entries.flatMap(publicNames)

function publicNames(entry: string): readonly PublicName[] {
  const subpath = ['loadout', basename(entry, '.ts')].join('/').replace('/index', '')
  return read(entry).body.flatMap((statement) => {
    if (statement.type !== 'ExportNamedDeclaration' || statement.source === null) return []
    const file = resolveImport(entry, statement.source.value) ?? ''
    const declarations = new Map(read(file).body.flatMap(declarationsOf))
    return statement.specifiers.flatMap(({ local, exported }) => {
      const declared = declarations.get('name' in local ? local.name : '')
      if (declared === undefined || !('name' in exported)) return []
      return [{ name: exported.name, subpath, declared }]
    })
  })
}

function read(path: string): Program {
  return readModule(path, readFileSync(join(PROJECT, path), 'utf8')).program
}

function declarationsOf(statement: Node): readonly (readonly [string, Node])[] {
  const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : null
  if (declared === null) return []
  if (declared.type === 'VariableDeclaration') {
    return declared.declarations.flatMap(({ id }) =>
      id.type === 'Identifier' ? [[id.name, declared] as const] : [],
    )
  }
  return 'id' in declared && declared.id?.type === 'Identifier'
    ? [[declared.id.name, declared]]
    : []
}

/** Lines of a user's module: exports of what a public name is or returns, or what its members return. */
function usesOf({ name, subpath, declared }: PublicName, index: number): readonly string[] {
  const local = `n${index}_${name}`
  if (declared.type === 'ClassDeclaration' || declared.type === 'TSInterfaceDeclaration') {
    const parameters = declared.typeParameters?.params.map(() => 'any').join(', ')
    const type = parameters === undefined ? name : `${name}<${parameters}>`
    const keys = new Set(declared.body.body.flatMap(methodName))
    const groups = name === 'VirtualWorkspace' ? GROUPS : []
    for (const { group } of groups) keys.delete(group)
    return [
      `declare const ${local}: import('${subpath}').${type}`,
      ...[...keys].map((key) => `export const ${local}_${key} = resultOf(${local}.${key}!)`),
      // No entry has room for the names of these types: a module that exports a group annotates it.
      ...groups.flatMap(({ group, names }) => [
        `export const ${local}_${group}: (typeof ${local})['${group}'] = ${local}.${group}`,
        ...names.map(
          (key) => `export const ${local}_${group}_${key} = resultOf(${local}.${group}.${key})`,
        ),
      ]),
    ]
  }
  if (declared.type !== 'VariableDeclaration' && declared.type !== 'FunctionDeclaration') return []
  return [
    `import { ${name} as ${local} } from '${subpath}'`,
    `export const ${local}_result = resultOf(${local})`,
  ]
}

/** The name of a method or a getter that a user may call. */
function methodName(member: Node): readonly string[] {
  if (member.type !== 'TSMethodSignature' && member.type !== 'MethodDefinition') return []
  if (member.key.type !== 'Identifier' || member.kind === 'constructor') return []
  return 'static' in member && member.static ? [] : [member.key.name]
}

const RESULT_OF =
  'export declare function resultOf<T>(value: T): T extends (...args: any[]) => infer R ? R : T'

test('a module that exports what public functions and methods return can have declarations', () => {
  using user = mkdtempDisposableSync(join(tmpdir(), 'loadout-declarations-'))
  const modules = join(user.path, 'node_modules')
  // As it is installed: its packages are beside it, not within.
  const installed = join(modules, 'loadout')
  mkdirSync(installed, { recursive: true })
  copyFileSync(join(PROJECT, 'package.json'), join(installed, 'package.json'))
  symlinkSync(join(PROJECT, 'dist'), join(installed, 'dist'), 'junction')
  for (const name of readdirSync(join(PROJECT, 'node_modules'))) {
    if (name.startsWith('.')) continue
    symlinkSync(join(PROJECT, 'node_modules', name), join(modules, name), 'junction')
  }
  const uses = names.flatMap(usesOf)
  expect(uses.filter((line) => line.startsWith('export')).length).toBeGreaterThan(200)
  writeFileSync(join(user.path, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(user.path, 'user.ts'), [RESULT_OF, ...uses].join('\n'))
  const options =
    '--declaration --emitDeclarationOnly --outDir out --strict --skipLibCheck --preserveSymlinks --module nodenext --target es2024 --lib es2024,esnext.disposable --types node'
  const { output } = runCommand('tsc', ['user.ts', ...options.split(' ')], { cwd: user.path })
  expect(output).toBe('')
})
