import { describeQuestion } from '../../../engine/explain/describe-question.ts'
import { sanitiseText } from '../../../kernel/sanitise-text.ts'

/** Returns why a question is asked and what its call would do, in indented lines. Empty when nothing is known. */
export function questionText(asked: Parameters<typeof describeQuestion>[0]): string {
  const text = describeQuestion(asked)
  if (text === '') return ''
  return sanitiseText(text)
    .split('\n')
    .map((line) => `  ${line}\n`)
    .join('')
}
