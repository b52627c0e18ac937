import type { DocumentKind } from '../rank/tool-index.ts'

/** What is kept of a document beside its terms. */
export interface Held {
  readonly name: string
  readonly kind: DocumentKind
  /** Documents that belong together: the tools of a skill, and the skill. */
  readonly owner: string
  readonly bare: string
}
