import type { ToolListing } from './list-tools.ts'

/**
 * What a listed tool is explained and called by. Two inactive skills may bring one name, and
 * `owner/name` asks about the right one.
 */
export function listingAddress({
  name,
  source,
  owner,
}: Pick<ToolListing, 'name' | 'source' | 'owner'>): string {
  const isPlain = source !== 'skill' || name.startsWith(`${owner}/`) || name.startsWith('skill:')
  return isPlain ? name : `${owner}/${name}`
}
