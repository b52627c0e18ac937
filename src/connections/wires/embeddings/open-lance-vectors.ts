import type { Connection, Table } from '@lancedb/lancedb'
import { type ContentHash, WorkspaceError } from '../../../entries/index.ts'
import { checkRecord, contentHash, type OptionsOf, textHash } from '../../../entries/kit.ts'
import type { StoredVector, VectorId, VectorStore } from '../../../entries/search.ts'

export interface LanceOptions {
  /** Folder of the database; created if it does not exist. */
  readonly folder: string
  /** The embedder's model. Each model has its own table. */
  readonly model: string
}

const OPTIONS: OptionsOf<LanceOptions> = { folder: 'text', model: 'text' }

interface Row extends StoredVector {
  readonly [column: string]: unknown
  readonly id: string
  readonly vector: Float32Array
}

/** Number of ids in one condition. */
const BATCH = 500

/** Number of vectors whose mean approximates the mean of all. */
const SAMPLE = 1_000

/** Results to fetch per wanted result, and the factor to fetch more when too few match. */
const FACTOR = 4

const GROWTH = 8

/**
 * Opens a LanceDB database of vectors on disk, for more vectors than fit in memory. They survive
 * the process, so an unchanged document is never embedded again.
 *
 * @throws WorkspaceError `PACKAGE_MISSING` when `@lancedb/lancedb` is not installed
 */
export async function openLanceVectors(options: LanceOptions): Promise<VectorStore> {
  checkRecord(options, OPTIONS, 'folder', 'model')
  const { folder, model } = options
  const connection = await connect(folder)
  const name = `vectors_${textHash(model).slice(7, 23)}`
  const names = await connection.tableNames()
  let table = names.includes(name) ? await connection.openTable(name) : null
  let dimensions = table === null ? 0 : await dimensionsOf(table)
  /** Rows that changed since the mean was computed. It is computed again when they are many. */
  let changes = 0
  let mean: Float32Array | null = null

  const meanSimilarity = async (from: Table, vector: Float32Array): Promise<number> => {
    if (mean === null || changes > SAMPLE / 10) {
      const rows: Pick<Row, 'vector'>[] = await from
        .query()
        .select(['vector'])
        .limit(SAMPLE)
        .toArray()
      mean = meanVector(
        rows.map((row) => Float32Array.from(row.vector)),
        dimensions,
      )
      changes = 0
    }
    return mean.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0)
  }

  return {
    async contents() {
      if (table === null) return []
      const rows: Row[] = await table.query().select(['name', 'kind', 'hash']).toArray()
      return rows.map(({ name, kind, hash }) => ({ name, kind, hash }))
    },
    async put(entries) {
      const [first] = entries
      if (first === undefined) return
      if (table === null) dimensions = first.vector.length
      // The database accepts a vector of another length without an error.
      const wrong = entries.find(({ vector }) => vector.length !== dimensions)
      if (wrong !== undefined) throw wrongDimensions(folder, dimensions, wrong.vector.length)
      const rows = entries.map((entry): Row => ({ id: idOf(entry), ...entry }))
      changes += rows.length
      if (table === null) table = await connection.createTable(name, rows)
      else {
        await table.mergeInsert('id').whenMatchedUpdateAll().whenNotMatchedInsertAll().execute(rows)
      }
    },
    async remove(ids) {
      changes += ids.length
      for (let at = 0; at < ids.length; at += BATCH) {
        const quoted = ids.slice(at, at + BATCH).map((id) => `'${idOf(id)}'`)
        await table?.delete(`id IN (${quoted.join(', ')})`)
      }
    },
    async nearest(vector, limit, only) {
      if (table === null) return { nearest: [], usual: 0 }
      for (let asked = limit * FACTOR; ; asked *= GROWTH) {
        const rows: (Row & { readonly _distance: number })[] = await table
          .vectorSearch(vector)
          .distanceType('cosine')
          .select(['name', 'kind', '_distance'])
          .limit(asked)
          .toArray()
        const nearest = rows
          .filter(({ name, kind }) => only(name, kind))
          .map((row) => ({ name: row.name, kind: row.kind, similarity: 1 - row._distance }))
          .slice(0, limit)
        if (nearest.length === limit || rows.length < asked) {
          return { nearest, usual: await meanSimilarity(table, vector) }
        }
      }
    },
    async close() {
      table?.close()
      connection.close()
    },
  }
}

/** Returns the id of a row. It is a digest, so that no name is ever part of a condition. */
function idOf({ name, kind }: VectorId): ContentHash {
  return contentHash([kind, name])
}

async function connect(folder: string): Promise<Connection> {
  const lance = await import('@lancedb/lancedb').catch((cause: unknown) => {
    const hint = 'Install it (npm install @lancedb/lancedb@0.31), or keep vectors in memory.'
    const message = 'The package "@lancedb/lancedb" cannot be loaded.'
    throw new WorkspaceError('PACKAGE_MISSING', message, { hint, cause })
  })
  return lance.connect(folder)
}

async function dimensionsOf(table: Table): Promise<number> {
  const { fields } = await table.schema()
  const type: unknown = fields.find(({ name }) => name === 'vector')?.type
  const isList = typeof type === 'object' && type !== null && 'listSize' in type
  return isList ? Number(type.listSize) : 0
}

function wrongDimensions(folder: string, expected: number, given: number): WorkspaceError {
  return new WorkspaceError(
    'EMBEDDINGS_WRONG',
    `The database has vectors of ${expected} numbers, and this one has ${given}.`,
    { facts: { folder, expected, given }, hint: `Use a new folder instead of "${folder}".` },
  )
}

/** Returns the mean of vectors, or zeros without any. */
function meanVector(vectors: readonly Float32Array[], dimensions: number): Float32Array {
  const sums = new Float64Array(dimensions)
  for (const vector of vectors) {
    for (const [at, value] of vector.entries()) sums[at] = (sums[at] ?? 0) + value
  }
  return Float32Array.from(sums, (sum) => (vectors.length === 0 ? 0 : sum / vectors.length))
}
