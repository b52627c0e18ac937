/** A definition's file and where it stands. */
export interface DefinitionText {
  readonly text: string
  /** The path that findings name. */
  readonly file: string
  /** The name of the folder it is in, which should be the definition's name. */
  readonly folder: string
  /** The `schema.json` beside it, where older Carnet projects keep fields. */
  readonly beside?: { readonly text: string; readonly file: string }
}
