import { setImmediate } from 'node:timers/promises'
import type { ModelMessage } from 'ai'
import type { ContentHash, JsonValue } from '../../../entries/index.ts'

/** The texts that a session keeps outside of its entries. A host may keep none of them. */
export interface TextSource {
  /** Reads values that the log stores under hashes; those that it does not have are left out. */
  definitions(hashes: readonly ContentHash[]): Promise<ReadonlyMap<ContentHash, JsonValue>>
  /** Reads the messages of the conversation; none where they are not kept. */
  messages(): Promise<readonly ModelMessage[]>
}

/** The texts of a session, read when somebody looks at them. */
export interface KeptTexts {
  /** Returns a stored value; null when the log does not have it, undefined while it is read. */
  stored(hash: ContentHash): JsonValue | null | undefined
  /** Returns the messages of the conversation; none before they are read. */
  messages(): readonly ModelMessage[]
  /** Takes the messages of the conversation that the screen has opened, a list that grows. */
  follow(spoken: readonly ModelMessage[]): void
  /** Changes with each value that was read. */
  version(): number
  /** Resolves when the values that were asked for are there; null when all are. */
  reading(): Promise<void> | null
}

const MOST_VALUES = 2000

const NONE: readonly ModelMessage[] = []

/**
 * Reads the texts of a session, all that one frame asks for at once. The values that were read last are kept.
 *
 * @param wake requests a frame, when they are there
 */
export function createKeptTexts(source: TextSource | undefined, wake: () => void): KeptTexts {
  const values = new Map<ContentHash, JsonValue | null>()
  const wanted = new Set<ContentHash>()
  let messages: readonly ModelMessage[] | null = source === undefined ? NONE : null
  let areMessagesWanted = false
  let version = 0
  let reading: Promise<void> | null = null
  const read = async (from: TextSource) => {
    // The frame that asks is drawn first.
    await setImmediate()
    const hashes = [...wanted]
    wanted.clear()
    const [found, spoken] = await Promise.all([
      hashes.length === 0 ? new Map() : from.definitions(hashes).catch(() => new Map()),
      messages ?? (areMessagesWanted ? from.messages().catch(() => NONE) : null),
    ])
    messages ??= spoken
    for (const hash of hashes) values.set(hash, found.get(hash) ?? null)
    for (const [hash] of values) {
      if (values.size <= MOST_VALUES) break
      values.delete(hash)
    }
    version += 1
    reading = null
    wake()
  }
  const begin = () => {
    if (source !== undefined) reading ??= read(source)
  }
  return {
    stored(hash) {
      const known = values.get(hash)
      if (known !== undefined || source === undefined) return known ?? null
      wanted.add(hash)
      begin()
      return undefined
    },
    messages() {
      if (messages === null && !areMessagesWanted) {
        areMessagesWanted = true
        begin()
      }
      return messages ?? NONE
    },
    follow(spoken) {
      messages = spoken
      version += 1
    },
    version: () => version,
    reading: () => reading,
  }
}
