import { openPlayground, type OpenPlayground } from './open-playground.ts'
import { openStreamingModel, STREAMED_END, STREAMED_START } from './streaming-model.ts'
import { terminalFigure, type TerminalFigure } from './terminal-figure.ts'

const COLUMNS = 160
const LINES = 45
const TOKENS = 1_000
const TURNS = 6
/** The first turns are for warming up. */
const WARMING = 1
/** Milliseconds between two keys of a person who types fast. */
const KEY_MS = 100

/**
 * A model streams its answers into the chat while a person types the next message. A letter that is not in the field
 * afterwards, or a lost end of an answer, is an error.
 */
export async function measureStreaming(): Promise<readonly TerminalFigure[]> {
  const playground = await openPlayground(COLUMNS, LINES, openStreamingModel(TOKENS))
  await playground.press('>')
  const turns: Turn[] = []
  for (let turn = 0; turn < TURNS; turn += 1) turns.push(await streamTurn(playground, turn + 1))
  await playground.press('\t')
  await playground.close()
  const measured = turns.slice(WARMING)
  const on = `${COLUMNS}x${LINES}`
  return [
    terminalFigure(
      'streaming 200 tokens a second, share of one core',
      on,
      measured.map(({ share }) => share),
    ),
    terminalFigure(
      'streaming 200 tokens a second, frames a second',
      on,
      measured.map(({ frames }) => frames),
    ),
  ]
}

interface Turn {
  /** Time of the processor, in per cent of the time that passed. */
  readonly share: number
  readonly frames: number
}

/** Sends what is in the field, and types until the answer has ended. */
async function streamTurn({ output, press, push }: OpenPlayground, turn: number): Promise<Turn> {
  await press('go on')
  const begun = output.seen(STREAMED_START)
  push('\r')
  await begun
  const ended = Promise.all([output.seen(STREAMED_END), output.seen(`turn ${turn} ended`)])
  const [start, before, frames] = [performance.now(), process.cpuUsage(), output.frames]
  let typed = ''
  const keys = setInterval(() => {
    const letter = String.fromCharCode(97 + (typed.length % 26))
    typed += letter
    push(letter)
  }, KEY_MS)
  await ended
  clearInterval(keys)
  const used = process.cpuUsage(before)
  const ms = performance.now() - start
  const drawn = output.frames - frames
  // All of the screen is drawn, so that all letters of the field are in one frame.
  const { text } = await output.measure(() => output.emit('resize'))
  if (!text.includes(typed)) throw new Error(`Not all letters are in the field: ${typed}`)
  await press('\x15')
  return { share: (used.user + used.system) / ms / 10, frames: (drawn * 1000) / ms }
}
