/** The address of a file of a skill, by paths with `/`: each step of them is escaped on its own. */
export function skillUri(path: string): string {
  return `skill://${path.split('/').map(encodeURIComponent).join('/')}`
}
