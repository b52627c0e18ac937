import type { Connection, Table } from '@lancedb/lancedb'
import { contentHash, type ContentHash, textHash } from '../../kernel/content-hash.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { StoredVector, VectorId, VectorStore } from '../../search/vectors/vector-store.ts'

export interface LanceOptions {
  /** Where the database is; made when it is not there. */
  readonly folder: string
  /** The embedder's model: each has a table of its own. */
  readonly model: string
}

interface Row extends StoredVector {
  readonly [column: string]: unknown
  readonly id: string
  readonly vector: Float32Array
}

/** Ids in one condition. */
const BATCH = 500

/** Vectors whose mean stands for that of all. */
const SAMPLE = 1_000

/** Results asked for, for each that is wanted, and how many times as many when too few may be found. */
const FACTOR = 4

const GROWTH = 8

/**
 * Vectors in a LanceDB database on disk, for more than memory should hold. They outlive the
 * process, so an unchanged document is never embedded again.
 *
 * @throws WorkspaceError `PACKAGE_MISSING` when `@lancedb/lancedb` is not installed
 */
export async function openLanceVectors({ folder, model }: LanceOptions): Promise<VectorStore> {
  const connection = await connect(folder)
  const name = `vectors_${textHash(model).slice(7, 23)}`
  const names = await connection.tableNames()
  let table = names.includes(name) ? await connection.openTable(name) : null
  let dimensions = table === null ? 0 : await dimensionsOf(table)
  /** Rows changed since the mean was taken; the mean is taken anew when they are many. */
  let changes = 0
  let mean: Float32Array | null = null

  const usual = async (from: Table, vector: Float32Array): Promise<number> => {
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
      // The database would take a vector of another length, and say nothing.
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
          return { nearest, usual: await usual(table, vector) }
        }
      }
    },
    async close() {
      table?.close()
      connection.close()
    },
  }
}

/** A digest, so that no name is ever part of a condition. */
function idOf({ name, kind }: VectorId): ContentHash {
  return contentHash([kind, name])
}

async function connect(folder: string): Promise<Connection> {
  const lance = await import('@lancedb/lancedb').catch((error: unknown) => {
    throw new WorkspaceError(
      'PACKAGE_MISSING',
      'The package "@lancedb/lancedb" cannot be loaded.',
      {
        hint: 'Install it (npm install @lancedb/lancedb@0.31), or keep vectors in memory.',
        cause: error,
      },
    )
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
    `The database holds vectors of ${expected} numbers, and this one has ${given}.`,
    { facts: { folder, expected, given }, hint: `Begin with a new folder instead of "${folder}".` },
  )
}

/** The mean of vectors; of none, zero. */
function meanVector(vectors: readonly Float32Array[], dimensions: number): Float32Array {
  const sums = new Float64Array(dimensions)
  for (const vector of vectors) {
    for (const [at, value] of vector.entries()) sums[at] = (sums[at] ?? 0) + value
  }
  return Float32Array.from(sums, (sum) => (vectors.length === 0 ? 0 : sum / vectors.length))
}
