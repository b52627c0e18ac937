import type { WorkspaceReader } from '../../workspace/workspace-reader.ts'

/** Looks kept at most: walking to and fro along a timeline reads no log twice. */
const MOMENTS_KEPT = 32

/** Earlier moments of one session, read once each. */
export interface Moments {
  /** A look that is ready; null for one that has to be read first. */
  ready(seq: number): WorkspaceReader | null
  /** One that fails is not kept, so asking again tries again. */
  look(seq: number): Promise<WorkspaceReader>
}

/** Keep the looks asked for last; the one asked for longest ago goes first. */
export function createMoments(
  read: (seq: number) => Promise<WorkspaceReader>,
  most = MOMENTS_KEPT,
): Moments {
  const kept = new Map<number, WorkspaceReader>()
  const reading = new Map<number, Promise<WorkspaceReader>>()
  const keep = (seq: number, reader: WorkspaceReader) => {
    kept.delete(seq)
    kept.set(seq, reader)
    const [oldest] = kept.keys()
    if (kept.size > most && oldest !== undefined) kept.delete(oldest)
  }
  const readOnce = async (seq: number) => {
    try {
      const reader = await read(seq)
      keep(seq, reader)
      return reader
    } finally {
      reading.delete(seq)
    }
  }
  return {
    ready: (seq) => kept.get(seq) ?? null,
    look(seq) {
      const known = kept.get(seq)
      if (known !== undefined) {
        keep(seq, known)
        return Promise.resolve(known)
      }
      const running = reading.get(seq) ?? readOnce(seq)
      reading.set(seq, running)
      return running
    },
  }
}
