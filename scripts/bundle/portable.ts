import { join, sep } from 'node:path'
import type { Plugin } from 'rolldown'
import { PROJECT } from '../run-command.ts'

const NODE = new Set(['node:async_hooks', 'node:crypto', 'node:util'])

const SOURCES = join(PROJECT, 'src', sep)

/** Parts of the sources that run where Node's modules are. */
const OF_NODE = ['workbench', 'connections'].map((room) => join(SOURCES, room, sep))

/** Returns true for a module of Node that the core imports, which has to run without it. */
export function isPortable(source: string, importer: string): boolean {
  const isOfCore = importer.startsWith(SOURCES) && !OF_NODE.some((one) => importer.startsWith(one))
  return isOfCore && NODE.has(source)
}

/** Lets the core run without modules of Node: the few functions that it takes from them have a module of their own. */
export function portable(): Plugin {
  return {
    name: 'portable',
    resolveId: (source, importer = '') =>
      isPortable(source, importer) ? join(import.meta.dirname, 'portable-node.ts') : null,
  }
}
