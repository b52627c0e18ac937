import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { type ContentHash, WorkspaceError } from '../../../entries/index.ts'
import { checkedText, checkOptions, type OptionsOf } from '../../../entries/kit.ts'
import type { EmbeddingCache } from '../../../entries/search.ts'

/** A cache on disk. Several processes may have it open. */
export interface EmbeddingFile extends EmbeddingCache {
  close(): Promise<void>
}

interface EmbeddingFileOptions {
  /** Maximum number of vectors, 50,000 by default; beyond it the oldest are deleted. */
  readonly most?: number
}

const OPTIONS: OptionsOf<EmbeddingFileOptions> = { most: 'number' }

const MAX_VECTORS = 50_000
/** Milliseconds to wait while another process writes. */
const LOCK_WAIT_MS = 2_000

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS embeddings (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    model TEXT NOT NULL,
    hash TEXT NOT NULL,
    vector BLOB NOT NULL,
    UNIQUE (model, hash)
  );
`

/**
 * Opens a file of embeddings, which is a SQLite database; creates it if it does not exist.
 *
 * @throws WorkspaceError `EMBEDDING_CACHE_DAMAGED` when the file is something else
 */
export async function openEmbeddingFile(
  file: string,
  options: EmbeddingFileOptions = {},
): Promise<EmbeddingFile> {
  checkOptions(options, OPTIONS)
  checkedText(file, 'file')
  const { most = MAX_VECTORS } = options
  await mkdir(dirname(file), { recursive: true })
  const database = await openDatabase(file)
  const one = database.prepare('SELECT vector FROM embeddings WHERE model = ? AND hash = ?')
  const put = database.prepare(
    'INSERT OR REPLACE INTO embeddings (model, hash, vector) VALUES (?, ?, ?)',
  )
  const forget = database.prepare(
    'DELETE FROM embeddings WHERE number <= (SELECT max(number) FROM embeddings) - ?',
  )
  return {
    async get(model, hashes) {
      const found = new Map<ContentHash, Float32Array>()
      for (const hash of hashes) {
        const blob = one.get(model, hash)?.['vector']
        // Another length is that of no vector.
        if (!(blob instanceof Uint8Array) || blob.length === 0 || blob.length % 4 !== 0) continue
        found.set(hash, new Float32Array(blob.slice().buffer))
      }
      return found
    },
    async set(model, vectors) {
      database.exec('BEGIN IMMEDIATE')
      try {
        for (const [hash, { buffer, byteOffset, byteLength }] of vectors) {
          put.run(model, hash, new Uint8Array(buffer, byteOffset, byteLength))
        }
        forget.run(most)
        database.exec('COMMIT')
      } catch (error) {
        database.exec('ROLLBACK')
        throw error
      }
    },
    async close() {
      database.close()
    },
  }
}

async function openDatabase(file: string): Promise<DatabaseSync> {
  const { DatabaseSync } = await import('node:sqlite')
  try {
    const database = new DatabaseSync(file, { timeout: LOCK_WAIT_MS })
    database.exec(SCHEMA)
    return database
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new WorkspaceError('EMBEDDING_CACHE_DAMAGED', `"${file}" cannot be used: ${why}.`, {
      facts: { file },
      hint: 'Give another file. A cache of embeddings can be deleted: the embeddings are computed again.',
      cause: error,
    })
  }
}
