import { createInterface } from 'node:readline'
import type { CliTerminal } from './cli-context.ts'

/** Questions to the person at the terminal. */
export interface Questions {
  /** Returns the answer without blanks around it; null when the person closes the input instead. */
  ask(question: string): Promise<string | null>
  close(): void
}

/** Asks on standard error and reads lines; close it, or the process does not end. */
export function openQuestions({ stdin, stderr }: CliTerminal): Questions {
  const lines = createInterface({ input: stdin, output: stderr })
  const answers = lines[Symbol.asyncIterator]()
  let isClosed = false
  lines.once('close', () => (isClosed = true))
  return {
    async ask(question) {
      lines.setPrompt(question)
      // Answers may have been written ahead, also the end of the input.
      if (isClosed) stderr.write(question)
      else lines.prompt()
      const { value, done } = await answers.next()
      return done === true ? null : value.trim()
    },
    close: () => lines.close(),
  }
}

/** Asks one question, which only "y" or "yes" agrees to. */
export async function askPerson(question: string, terminal: CliTerminal): Promise<boolean> {
  const questions = openQuestions(terminal)
  const answer = await questions.ask(question)
  questions.close()
  return isYes(answer)
}

export function isYes(answer: string | null): boolean {
  return answer !== null && /^y(?:es)?$/i.test(answer)
}
