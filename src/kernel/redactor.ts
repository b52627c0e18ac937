/** What stands where something was hidden. */
export const REDACTED = '[redacted]'

/** Hides secrets. The same thing comes back when there is nothing to hide in it. */
export interface Redactor {
  text(text: string): string
  /** Plain data: members by their names, texts and names of members by what is in them. */
  value<T>(value: T): T
  /** The same for what names members as its own matter, such as a schema: texts alone. */
  texts<T>(value: T): T
}
