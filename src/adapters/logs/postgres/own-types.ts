import type pg from 'pg'

const BOOLEAN = 16
const INTEGER = 23
const DOUBLE = 701

/**
 * How columns become values, whatever the host has its own statements give: parsers of `pg` are often set
 * for a whole process or pool.
 */
export const OWN_TYPES: pg.CustomTypesConfig = {
  getTypeParser(type: number) {
    if (type === BOOLEAN) return (text: string) => text === 't'
    return type === INTEGER || type === DOUBLE ? Number : String
  },
}
