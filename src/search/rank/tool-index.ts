import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { createSegment } from '../index/segment.ts'
import type { DocumentKind, ToolDocument } from '../index/tool-document.ts'
import { fullLayer, type Layer, layerWithout } from './layer.ts'
import type { IndexSearchOptions, SearchAnswer } from './search-answer.ts'
import { searchLayers } from './search-layers.ts'

/** An index that is only looked into: what sessions share. */
export interface SharedToolIndex {
  /** Documents in it. */
  readonly size: number
  /** Rank the documents for a request in a user's or a model's words. Never throws. */
  search(query: string, options?: IndexSearchOptions): SearchAnswer
}

/** Ranks tools and skills by words, and can be changed one document at a time. */
export interface ToolIndex extends SharedToolIndex {
  /** Put a document in, in place of the one with its kind and name. */
  add(document: ToolDocument): void
  /** Take a document out; `kind` is `tool` when absent. False when it was not there. */
  remove(name: string, kind?: DocumentKind): boolean
}

/** An index over these documents; of two with one kind and name the last is kept. */
export function createToolIndex(documents: Iterable<ToolDocument> = []): ToolIndex {
  const segment = createSegment()
  const layers = [fullLayer(segment)]
  for (const document of documents) segment.put(document)
  const index: ToolIndex = {
    get size() {
      return segment.size
    },
    add: (document) => segment.put(document),
    remove: (name, kind = 'tool') => segment.take(name, kind),
    search: (query, options) => searchLayers(layers, query, options),
  }
  registerLayers(index, () => layers)
  return index
}

/**
 * A session's own few documents over a shared index, ranked together as one fresh index of
 * all would rank them.
 *
 * The shared index is neither copied nor changed: `add` puts a document into the layer, in
 * place of the shared one with its kind and name, and `remove` hides a shared one. What
 * changes in the shared index later shows here, too. Costs what its own documents cost.
 *
 * @throws WorkspaceError `NOT_AN_INDEX` when `base` was not made by this room
 */
export function layeredIndex(
  base: SharedToolIndex,
  documents: Iterable<ToolDocument> = [],
): ToolIndex {
  if (layersOf(base) === undefined) {
    throw new WorkspaceError('NOT_AN_INDEX', 'This index cannot be laid under another one.', {
      hint: 'Give one that createToolIndex, catalogIndex or layeredIndex has made.',
    })
  }
  const own = createSegment()
  const covered = { tool: new Set<string>(), skill: new Set<string>() }
  const below = layersBelow(base, covered)
  const all = (): readonly Layer[] => [...below.layers(), fullLayer(own)]
  const cover = (name: string, kind: DocumentKind): void => {
    covered[kind].add(name)
    below.forget()
  }
  const add = (document: ToolDocument): void => {
    cover(document.name, document.kind ?? 'tool')
    own.put(document)
  }
  for (const document of documents) add(document)
  const index: ToolIndex = {
    get size() {
      return all().reduce((sum, { segment, hidden }) => sum + segment.size - hidden.size, 0)
    },
    add,
    remove(name, kind = 'tool') {
      const isShown = own.slotOf(name, kind) !== undefined || below.shows(name, kind)
      own.take(name, kind)
      cover(name, kind)
      return isShown
    },
    search: (query, options) => searchLayers(all(), query, options),
  }
  registerLayers(index, all)
  return index
}

/** The layers below, without what is covered: made anew when either has changed. */
function layersBelow(
  base: SharedToolIndex,
  covered: Readonly<Record<DocumentKind, ReadonlySet<string>>>,
) {
  let made: { readonly of: string; readonly layers: readonly Layer[] } | undefined
  const layers = (): readonly Layer[] => {
    const below = layersOf(base) ?? []
    const of = below.map(({ segment, hidden }) => `${segment.version} ${hidden.size}`).join()
    if (made?.of !== of) made = { of, layers: below.map((layer) => withoutCovered(layer, covered)) }
    return made.layers
  }
  return {
    layers,
    shows: (name: string, kind: DocumentKind): boolean =>
      layers().some(({ segment, hidden }) => {
        const slot = segment.slotOf(name, kind)
        return slot !== undefined && !hidden.has(slot)
      }),
    forget: (): void => {
      made = undefined
    },
  }
}

function withoutCovered(
  { segment, hidden }: Layer,
  covered: Readonly<Record<DocumentKind, ReadonlySet<string>>>,
): Layer {
  const slots = new Set(hidden)
  for (const kind of ['tool', 'skill'] as const) {
    for (const name of covered[kind]) {
      const slot = segment.slotOf(name, kind)
      if (slot !== undefined) slots.add(slot)
    }
  }
  return layerWithout(segment, slots)
}

const layersByIndex = new WeakMap<SharedToolIndex, () => readonly Layer[]>()

/** Keep what an index is made of, for another to be laid over it. */
function registerLayers(index: SharedToolIndex, layers: () => readonly Layer[]): void {
  layersByIndex.set(index, layers)
}

/** What an index is made of now; undefined when it is not one of ours. */
function layersOf(index: SharedToolIndex): readonly Layer[] | undefined {
  return layersByIndex.get(index)?.()
}
