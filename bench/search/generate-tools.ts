import type { ToolDocument } from 'loadout/search'
import { createDice } from './create-dice.ts'
import { ENGLISH_SETS, readSearchSet } from './read-search-set.ts'

const TOOLS_A_SERVER = 20

/**
 * Returns a number of tools, made of those of the English sets: after the first thousands, the name and
 * parameters of one with the description of another, twenty to a server.
 */
export function generateTools(count: number): readonly ToolDocument[] {
  const real = ENGLISH_SETS.filter((set) => set !== 'metatool').flatMap(
    (set) => readSearchSet(set).documents,
  )
  const dice = createDice(3)
  return Array.from({ length: count }, (_, at) => {
    const tool = real[at % real.length]
    const other = real[dice.below(real.length)]
    if (tool === undefined || other === undefined) throw new Error('The sets hold no tools.')
    const owner = `server ${Math.floor(at / TOOLS_A_SERVER)}`
    if (at < real.length) return { ...tool, name: `${tool.name}_${at}` }
    return { ...tool, name: `${tool.name}_${at}`, description: other.description, owner }
  })
}
