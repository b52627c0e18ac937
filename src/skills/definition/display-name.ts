/** The name people read when a definition gives none: `my-skill` becomes `My Skill`. */
export function displayNameOf(name: string): string {
  return name
    .split(/[-_.]/)
    .filter((word) => word !== '')
    .map((word) => {
      const [first = ''] = word
      return first.toUpperCase() + word.slice(first.length)
    })
    .join(' ')
}
