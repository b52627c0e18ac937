import { duplicateExports, isLarge, isNamedAfterExport, readFolders } from './check-house.ts'
import type { Module } from './read-module.ts'
import { ENTRIES, floorOf, floorStep, resolveImport, roomOf } from './room-of.ts'

/** The facade is the one file of `src` with a higher limit, which `.oxlintrc.json` sets. */
const FACADE = 'src/workspace/virtual-workspace.ts'

/** The shape of `src` in numbers. */
export interface HouseFigures {
  readonly files: number
  readonly lines: number
  readonly filesPerThousandLines: number
  readonly medianLines: number
  readonly p90Lines: number
  /** The longest file besides the facade, in lines of code: comments and blank lines do not count. */
  readonly longest: { readonly file: string; readonly codeLines: number }
  readonly facadeCodeLines: number
  /** Groups of folders of one room that import each other in a circle, types included. */
  readonly folderRings: readonly (readonly string[])[]
  /** Pairs of rooms of which the first imports the second, such as `engine -> catalog`. */
  readonly arrows: readonly string[]
  /** Pairs of floors where the lower one imports the higher one. */
  readonly arrowsUp: readonly string[]
  readonly largeFolders: readonly string[]
  readonly duplicateExports: readonly string[]
  /** Files that have the name of none of their exports. */
  readonly otherNames: readonly string[]
}

/** Measures the files of `src`. */
export function measureHouse(modules: readonly Module[]): HouseFigures {
  const lines = modules.map((module) => module.lines).sort((a, b) => a - b)
  const total = lines.reduce((sum, count) => sum + count, 0)
  const longest = modules
    .filter(({ path }) => path !== FACADE)
    .reduce(
      (most, { path, codeLines }) =>
        codeLines > most.codeLines ? { file: path, codeLines } : most,
      { file: '', codeLines: 0 },
    )
  const arrows = readArrows(modules)
  return {
    files: modules.length,
    lines: total,
    filesPerThousandLines: total === 0 ? 0 : Math.round((modules.length / total) * 10_000) / 10,
    medianLines: quantile(lines, 0.5),
    p90Lines: quantile(lines, 0.9),
    longest,
    facadeCodeLines: modules.find(({ path }) => path === FACADE)?.codeLines ?? 0,
    arrows: [...new Set(modules.flatMap(readRoomArrows))].toSorted(),
    folderRings: [...arrows.values()].flatMap(findRings),
    arrowsUp: [...arrows].flatMap(([folder, parts]) => upward(folder, parts)),
    largeFolders: [...readFolders(modules)]
      .filter(([folder, { files, folders }]) => isLarge(folder, files.length + folders.length))
      .map(([folder]) => folder),
    duplicateExports: [...duplicateExports(modules).keys()],
    otherNames: modules
      .filter((module) => roomOf(module.path) !== ENTRIES && !isNamedAfterExport(module))
      .map(({ path }) => path),
  }
}

/** Returns the arrows from the room of a file to the rooms that it imports by a path: an entry is a door. */
function readRoomArrows({ path, imports }: Module): readonly string[] {
  if (roomOf(path) === ENTRIES) return []
  return imports.flatMap(({ specifier }) => {
    const target = resolveImport(path, specifier)
    if (target === undefined || !target.startsWith('src/')) return []
    const room = roomOf(target)
    return room === roomOf(path) || room === ENTRIES ? [] : [`${roomOf(path)} -> ${room}`]
  })
}

function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.floor(sorted.length * part)] ?? 0
}

/** For each part of a folder, the other parts of that folder that it imports. */
type Arrows = ReadonlyMap<string, ReadonlySet<string>>

/** Returns the arrows between the parts of each folder that has floors. */
function readArrows(modules: readonly Module[]): ReadonlyMap<string, Arrows> {
  const folders = new Map<string, Map<string, Set<string>>>()
  for (const { path, imports } of modules) {
    for (const { specifier } of imports) {
      const target = resolveImport(path, specifier)
      const step = target === undefined ? undefined : floorStep(path, target)
      if (step === undefined) continue
      const parts = folders.get(step.folder) ?? new Map<string, Set<string>>()
      folders.set(step.folder, parts)
      parts.set(step.from, (parts.get(step.from) ?? new Set()).add(step.to))
    }
  }
  return folders
}

function upward(folder: string, arrows: Arrows): readonly string[] {
  return [...arrows].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => (floorOf(folder, to) ?? 0) >= (floorOf(folder, from) ?? 0))
      .map((to) => `${folder}: ${from} -> ${to}`),
  )
}

/** Returns the groups of parts that reach each other, of two parts or more. */
function findRings(arrows: Arrows): readonly (readonly string[])[] {
  const reached = new Map([...arrows.keys()].map((part) => [part, reachFrom(part, arrows)]))
  const rings = [...reached].flatMap(([part, others]) => {
    const ring = [...others].filter((other) => reached.get(other)?.has(part)).sort()
    return ring.length > 1 && ring[0] === part ? [ring] : []
  })
  return rings
}

function reachFrom(start: string, arrows: Arrows): ReadonlySet<string> {
  const reached = new Set<string>()
  const waiting = [...(arrows.get(start) ?? [])]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    waiting.push(...(arrows.get(next) ?? []))
  }
  return reached
}
