/** Where a log is kept, as the facts of its errors have it: in a file, or at a place on a server. */
export type KeptIn = { readonly file: string } | { readonly place: string }

/** The same for people. */
export function nameOfPlace(keptIn: KeptIn): string {
  return 'file' in keptIn ? keptIn.file : keptIn.place
}
