import type { ContentHash } from '../../kernel/content-hash.ts'

/** What of a tool value a call needs: which tool it is, and the types of what goes in and comes out. */
export interface CallableTool<I, O> {
  readonly name: string
  readonly hash: ContentHash
  parseInput(value: I): Promise<unknown>
  parseOutput?(
    value: unknown,
  ): Promise<{ readonly ok: true; readonly value: O } | { readonly ok: false }>
}
