/** A piece of an HTML page, in reading order. */
export type HtmlToken =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'start'
      readonly name: string
      /** By lower-cased name; of two of one name the first counts. */
      readonly attributes: ReadonlyMap<string, string>
      readonly selfClosing: boolean
    }
  | { readonly kind: 'end'; readonly name: string }
