import { openPlayground, type OpenPlayground } from './open-playground.ts'
import { terminalFigure, type TerminalFigure, type TerminalWhat } from './terminal-figure.ts'

const MOVES = 60
const SKILLS_ACTIVATED = 40
/** Typed letter by letter; each leaves other rows. */
const FILTERS = ['invoices 9', 'find 33', 'tickets-12', 'department', 'maps 2 1', 'orders 77']
/** The first runs of each kind are for warming up. */
const WARMING = 10

/** Measures from a key to the last byte of the frame that it leads to, on a screen of this size. */
export async function measureKeys(
  columns: number,
  rows: number,
): Promise<readonly TerminalFigure[]> {
  const playground = await openPlayground(columns, rows)
  const on = `${columns}x${rows}`
  const of = (what: TerminalWhat, values: readonly number[]) => terminalFigure(what, on, values)
  const skillsMoved = await moves(playground)
  const skillsFiltered = await letters(playground)
  const { activated, deactivated } = await activations(playground)
  await playground.press('2')
  const toolsMoved = await moves(playground)
  const toolsFiltered = await letters(playground)
  await playground.close()
  return [
    of('skills: cursor moved by a row', skillsMoved),
    of('skills: letter typed into the filter', skillsFiltered),
    of('skills: activated by space', activated),
    of('skills: deactivated by space', deactivated),
    of('tools: cursor moved by a row', toolsMoved),
    of('tools: letter typed into the filter', toolsFiltered),
  ]
}

/** Down from the first row, past the edge of the pane; then up from the last. */
async function moves({ press }: OpenPlayground): Promise<readonly number[]> {
  const values: number[] = []
  for (let move = 0; move < MOVES; move += 1) values.push((await press('j')).ms)
  await press('G')
  for (let move = 0; move < MOVES; move += 1) values.push((await press('k')).ms)
  await press('g')
  return values.slice(WARMING)
}

async function letters({ press }: OpenPlayground): Promise<readonly number[]> {
  const values: number[] = []
  for (const filter of FILTERS) {
    await press('/')
    for (const letter of filter) values.push((await press(letter)).ms)
    // Ctrl+U empties the field; a single escape would wait for the rest of a sequence.
    await press('\x15')
    await press('\r')
  }
  return values.slice(WARMING)
}

/** Activates the skill on each row, and deactivates it again. */
async function activations({ press }: OpenPlayground) {
  const activated: number[] = []
  const deactivated: number[] = []
  for (let row = 0; row < SKILLS_ACTIVATED; row += 1) {
    const on = await press(' ')
    const off = await press(' ')
    // Only the changed part of a line is written.
    if (!/(?<!de)activated/u.test(on.text) || !off.text.includes('deactivated')) {
      throw new Error('Space did not activate and deactivate a skill.')
    }
    activated.push(on.ms)
    deactivated.push(off.ms)
    await press('j')
  }
  return {
    activated: activated.slice(WARMING),
    deactivated: deactivated.slice(WARMING),
  }
}
