/** A tool's name as Carnet allows it: letters, digits and `_`, a letter first. */
export function carnetToolId(name: string): string {
  const id = name.replaceAll(/[^A-Za-z0-9_]/g, '_')
  return /^[A-Za-z]/.test(id) ? id : `t_${id}`
}
