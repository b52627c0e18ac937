/** Counts words, so that prices in frames can be checked by hand. */
export const WORDS = {
  name: 'words',
  count: (text: string) => text.split(/\s+/u).filter((word) => word !== '').length,
}
