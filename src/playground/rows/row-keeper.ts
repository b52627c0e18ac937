/** Makes rows of listings; gives the rows of the listings that were there the last time. */
export type RowKeeper<Owner extends object, Listing, Row> = (
  owner: Owner,
  listed: readonly Listing[],
  rowOf: (listing: Listing) => Row,
) => readonly Row[]

/** How many listings may have gone in one place; after more, the rows behind them are made anew. */
const LOOKAHEAD = 64

/**
 * A row for each listing. A listing that is the same object as in the last list of this owner has
 * the row it had: that is told by walking along both lists, since looking each of ten thousand up
 * takes longer than a key may.
 */
export function rowKeeper<Owner extends object, Listing, Row>(): RowKeeper<Owner, Listing, Row> {
  const last = new WeakMap<
    Owner,
    { readonly listed: readonly Listing[]; readonly rows: readonly Row[] }
  >()
  return (owner, listed, rowOf) => {
    const before = last.get(owner)
    let at = 0
    const rows = listed.map((listing): Row => {
      const place = placeOf(listing, before?.listed ?? [], at)
      if (place < 0) return rowOf(listing)
      at = place + 1
      return before?.rows[place] as Row
    })
    last.set(owner, { listed, rows })
    return rows
  }
}

function placeOf<Listing>(listing: Listing, among: readonly Listing[], from: number): number {
  const end = Math.min(among.length, from + LOOKAHEAD)
  for (let place = from; place < end; place += 1) if (among[place] === listing) return place
  return -1
}
