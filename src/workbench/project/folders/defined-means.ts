import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { describePresuppositions } from '../../../entries/definitions.ts'
import type { Project } from './open-project.ts'

/** The things that texts of a project may name. */
export type DefinedMeans = Parameters<typeof describePresuppositions>[1]

/**
 * Returns what texts of a project may name: its catalog, all servers of its files, and the commands and agents of its
 * plugins and of `.claude`, which are not in a catalog.
 *
 * @param folder the folder of the project
 */
export async function definedMeans(
  {
    catalog,
    plugins,
    serverFiles,
    roots,
  }: Pick<Project, 'catalog' | 'plugins' | 'serverFiles' | 'roots'>,
  folder: string,
): Promise<DefinedMeans> {
  const names = new Set<string>()
  const addCommands = async (places: readonly string[], plugin = '') => {
    for (const name of (await Promise.all(places.map(markdownNames))).flat()) {
      names.add(`${plugin}${name}`).add(name.slice(name.lastIndexOf(':') + 1))
    }
  }
  for (const { name, commands, agents } of plugins) {
    names.add(`${name}:`)
    await addCommands(commands, `${name}:`)
    const named = (await Promise.all(agents.map(markdownNames))).flat()
    for (const agent of named) names.add(`${name}:${agent}`)
  }
  const above = roots.map((root) => (basename(root) === 'skills' ? dirname(root) : root))
  const folders = new Set([resolve(folder), ...above])
  await addCommands(
    [...folders].flatMap((one) => [join(one, 'commands'), join(one, '.claude/commands')]),
  )
  const servers = new Set([
    ...(catalog.servers?.keys() ?? []),
    ...serverFiles.flatMap((file) => file.servers.map(({ server }) => server.name)),
  ])
  return { toolsByHash: catalog.toolsByHash, skills: catalog.skills, servers, names }
}

/** Returns the names of the Markdown files at a path, after those of their folders and a colon. */
async function markdownNames(path: string): Promise<readonly string[]> {
  if (path.endsWith('.md')) return [basename(path, '.md')]
  const found = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => [])
  return found
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map(({ parentPath, name }) => join(parentPath, name).slice(path.length + 1, -3))
    .map((name) => name.replaceAll(/[\\/]/gu, ':'))
}
