import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { createSegment } from '../index/segment.ts'
import type { DocumentKind, ToolDocument } from '../index/tool-document.ts'
import { fullLayer, type Layer, layerWithout } from './layer.ts'
import type { IndexSearchOptions, SearchAnswer } from './search-answer.ts'
import { searchLayers } from './search-layers.ts'
import { checkKind } from '../../kernel/check-options.ts'

/** A read-only index, which sessions share. */
export interface SharedToolIndex {
  /** The number of documents. */
  readonly size: number
  /** Ranks the documents for a query in a user's or a model's words. Never throws. */
  search(query: string, options?: IndexSearchOptions): SearchAnswer
}

/** An index of tools and skills by words, which can be changed one document at a time. */
export interface ToolIndex extends SharedToolIndex {
  /** Adds a document, or replaces the one with its kind and name. */
  add(document: ToolDocument): void
  /** Removes a document; `kind` is `tool` by default. Returns false when it does not exist. */
  remove(name: string, kind?: DocumentKind): boolean
}

/** Creates an index of documents; of two with the same kind and name the last is kept. */
export function createToolIndex(documents: Iterable<ToolDocument> = []): ToolIndex {
  checkKind(documents, 'documents', 'iterable')
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
  layersByIndex.set(index, () => layers)
  return index
}

/**
 * Layers a session's own few documents over a shared index. They are ranked together like one new
 * index of all of them.
 *
 * The shared index is neither copied nor changed: `add` adds a document to the layer, where it replaces
 * the shared one with its kind and name, and `remove` hides a shared one. Later changes of the shared
 * index are visible here. The cost is that of the layer's own documents.
 *
 * @throws WorkspaceError `NOT_AN_INDEX` when `base` was not created by this package
 */
export function layeredIndex(
  base: SharedToolIndex,
  documents: Iterable<ToolDocument> = [],
): ToolIndex {
  const layersOfBase = layersByIndex.get(base)
  if (layersOfBase === undefined) {
    throw new WorkspaceError('NOT_AN_INDEX', 'This index cannot be used below another one.', {
      hint: 'Give one that createToolIndex, catalogIndex or layeredIndex has returned.',
    })
  }
  const own = createSegment()
  const covered = { tool: new Set<string>(), skill: new Set<string>() }
  const below = layersBelow(layersOfBase, covered)
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
  layersByIndex.set(index, all)
  return index
}

/** Returns the layers below without the covered documents; rebuilt when either has changed. */
function layersBelow(
  current: () => readonly Layer[],
  covered: Readonly<Record<DocumentKind, ReadonlySet<string>>>,
) {
  let cached: { readonly of: string; readonly layers: readonly Layer[] } | undefined
  const layers = (): readonly Layer[] => {
    const below = current()
    const of = below.map(({ segment, hidden }) => `${segment.version} ${hidden.size}`).join()
    if (cached?.of !== of)
      cached = { of, layers: below.map((layer) => withoutCovered(layer, covered)) }
    return cached.layers
  }
  return {
    layers,
    shows: (name: string, kind: DocumentKind): boolean =>
      layers().some(({ segment, hidden }) => {
        const slot = segment.slotOf(name, kind)
        return slot !== undefined && !hidden.has(slot)
      }),
    forget: (): void => {
      cached = undefined
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

/** The layers of our indexes, so that others can be layered over them. */
const layersByIndex = new WeakMap<SharedToolIndex, () => readonly Layer[]>()
