import type { LanguageModelMiddleware } from 'ai'

/** The host's own storage of answers, such as a table next to the log. */
export interface Answers {
  get(step: string): Promise<string | undefined>
  /** Stores the answer to a step unless it has one. Resolves with the stored one when no crash can lose it. */
  add(step: string, answer: string): Promise<string>
}

/**
 * Saves the answer of the model before its calls are made. A step that is made again has the same answer then, with the
 * same ids of its calls, and so each of them is made once.
 */
export function savedAnswer(answers: Answers, step: string): LanguageModelMiddleware {
  return {
    specificationVersion: 'v4',
    async wrapGenerate({ doGenerate }) {
      const saved = await answers.get(step)
      if (saved !== undefined) return JSON.parse(saved)
      const { request: _, response: __, ...answer } = await doGenerate()
      return JSON.parse(await answers.add(step, JSON.stringify(answer)))
    },
  }
}
