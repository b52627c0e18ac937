import { isDeepStrictEqual } from 'node:util'
import type { TorturePart } from './torture-part.ts'
import {
  encodeLines,
  FIRST_SUM,
  headerLine,
  LOG_BEGINNING,
  type LogLine,
} from '../../src/connections/logs/jsonl/log-line.ts'
import { scanLog } from '../../src/connections/logs/jsonl/scan-log.ts'
import type { Entry } from '../../src/engine/model/workspace-event.ts'
import { textHash } from '../../src/kernel/content-hash.ts'
import { WorkspaceError } from '../../src/kernel/workspace-error.ts'

const ENTRIES = 200

const BITS = 8

/** Cuts a JSON Lines log at every byte, and flips every bit of it. */
export const damagedLines: TorturePart = {
  name: 'damage',
  claim:
    'A JSON Lines log that was cut or changed anywhere is never read as something it was not, and says where it ends.',
  async run({ seed, scale, forMs }) {
    const until = performance.now() + forMs
    const log = aLog()
    const { length } = log.bytes
    // Every byte at scale 1; at a smaller scale, steps that meet every part of a line.
    const stride = Math.max(1, Math.round(1 / scale))
    const seen = { cuts: 0, atAppend: 0, unfinished: 0, flips: 0, damaged: 0, format: 0 }
    const failures: string[] = []
    const note = (failure: string | null): void => {
      if (failure !== null) failures.push(failure)
    }
    for (let cut = seed % stride; cut <= length && performance.now() < until; cut += stride) {
      seen.cuts += 1
      const { entries, unfinished } = scanLog(log.bytes.subarray(0, cut), LOG_BEGINNING)
      const whole = log.wholeAt(cut)
      note(
        isDeepStrictEqual(entries, log.entries.slice(0, whole.entries)) &&
          unfinished === cut - whole.offset
          ? null
          : `a cut at byte ${cut} gives ${entries.length} entries and ${unfinished} bytes apart`,
      )
      if (unfinished === 0) seen.atAppend += 1
      else seen.unfinished += 1
    }
    for (let bit = seed % stride; bit < length * BITS && performance.now() < until; bit += stride) {
      seen.flips += 1
      const at = Math.floor(bit / BITS)
      const bytes = Buffer.from(log.bytes)
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (bit % BITS)), at)
      const error = errorOf(() => scanLog(bytes, LOG_BEGINNING))
      if (!WorkspaceError.is(error)) {
        note(`bit ${bit} flipped: ${error === null ? 'no error' : String(error)}`)
      } else if (error.code === 'LOG_DAMAGED') {
        seen.damaged += 1
        const lastGood = log.wholeAt(at).entries - 1
        const reported = error.facts['lastGoodSeq']
        note(
          reported === lastGood
            ? null
            : `bit ${bit} flipped: the last good entry is ${String(reported)}, not ${lastGood}`,
        )
      } else {
        seen.format += 1
        note(error.code === 'LOG_FORMAT' ? null : `bit ${bit} flipped: ${error.code}`)
      }
    }
    return {
      figures: {
        'bytes of the log': length,
        'cuts in it': seen.cuts,
        'cuts between two appends, where a shorter log is complete': seen.atAppend,
        'cuts in an append, set aside and reported': seen.unfinished,
        'bits flipped': seen.flips,
        'reported as damage, with the last good entry': seen.damaged,
        'reported as another format': seen.format,
        'read wrongly, or without an error': failures.length,
      },
      failures,
    }
  },
}

const FRONT = { offset: 0, entries: 0 }

/**
 * Returns a log of 200 entries in appends of one to four, with definitions, and the number of complete
 * entries at each byte.
 */
function aLog() {
  const entries = Array.from({ length: ENTRIES }, (_, seq) => anEntry(seq))
  const chunks: Buffer[] = []
  const ends = [FRONT]
  let sum = FIRST_SUM
  for (let version = 0, size = 1; version < ENTRIES; size = (size % 4) + 1) {
    const added = entries.slice(version, version + size)
    const lines = [
      ...(version === 0 ? [headerLine('s1')] : []),
      ...(size === 3 ? [{ definition: { hash: textHash(`${version}`), value: version } }] : []),
      ...added.map((entry) => ({ entry })),
    ]
    const encoded = encodeLines(lines as readonly LogLine[], sum)
    sum = encoded.sum
    version += added.length
    chunks.push(Buffer.from(encoded.bytes))
    ends.push({ offset: (ends.at(-1)?.offset ?? 0) + encoded.bytes.length, entries: version })
  }
  const bytes = Buffer.concat(chunks)
  const wholeAt = (at: number) => ends.findLast(({ offset }) => offset <= at) ?? FRONT
  return { bytes, entries, wholeAt }
}

function anEntry(seq: number): Entry {
  const state = { seq, text: 'é\u{1F600}'.repeat(seq % 7) }
  const event = { type: 'component.updated' as const, component: 'notes', state }
  return { seq, at: 1_000 + seq, cause: { by: 'host' }, event }
}

function errorOf(work: () => unknown): unknown {
  try {
    work()
    return null
  } catch (error) {
    return error
  }
}
