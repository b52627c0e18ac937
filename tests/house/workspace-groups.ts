import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Node } from 'oxc-parser'
import { readModule } from '../../scripts/rooms/read-module.ts'
import { PROJECT } from '../../scripts/run-command.ts'

/** The groups of members of a workspace, with their members. */
export const GROUPS = ['figures', 'sessions', 'calls', 'approvals'].map((group) => {
  const type = `Workspace${group.charAt(0).toUpperCase()}${group.slice(1)}`
  return { group, names: membersIn(`src/workspace/groups/workspace-${group}.ts`, type) }
})

/** Returns the names of the public members that a class or an interface declares, each once. */
export function membersIn(path: string, type: string): readonly string[] {
  const { program } = readModule(path, readFileSync(join(PROJECT, path), 'utf8'))
  const names = program.body.flatMap((statement) => {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : null
    const isType =
      declared?.type === 'ClassDeclaration' || declared?.type === 'TSInterfaceDeclaration'
    if (!isType || declared.id?.name !== type) return []
    return (declared.body.body as readonly Node[]).flatMap((member) => publicName(member) ?? [])
  })
  return [...new Set(names)]
}

function publicName(member: Node): string | null {
  if (!('key' in member) || member.key.type !== 'Identifier') return null
  if ('accessibility' in member && member.accessibility !== null) return null
  return member.key.name === 'constructor' ? null : member.key.name
}
