/** What came before was copied from another session; from here on this one goes its own way. */
export interface ForkEvent {
  readonly type: 'session.forked'
  /** The session that begins here; the opening still names the one it was copied from. */
  readonly session: string
  /** The origin, and the last entry that was taken of it. */
  readonly from: { readonly session: string; readonly seq: number }
}
